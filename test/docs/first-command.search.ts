import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";

import { expect, test } from "vitest";

test("the first command of CONTRIBUTING.md works on a machine where nobody has signed in", async () => {
  const [, line = ""] = /^npm run dev -- (.*)$/m.exec(readFileSync("CONTRIBUTING.md", "utf8")) ?? [];
  const home = mkdtempSync(path.join(tmpdir(), "comanda-newcomer-"));
  try {
    const { stdout } = await promisify(execFile)(process.execPath, ["bin/comanda.js", ...line.split(" ")], {
      env: { PATH: process.env["PATH"], HOME: home },
    });
    expect(stdout).toContain("/orders/4711/dispatch");
  } finally {
    rmSync(home, { recursive: true });
  }
});
