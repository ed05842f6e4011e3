import { execFile } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";

import { expect, test } from "vitest";
import * as z from "zod/mini";

const text = readFileSync("CONTRIBUTING.md", "utf8");
const { scripts } = z.parse(
  z.object({ scripts: z.record(z.string(), z.string()) }),
  JSON.parse(readFileSync("package.json", "utf8")),
);

test("every file and folder that CONTRIBUTING.md names is there", () => {
  const named = [...text.matchAll(/`((?:src|test|bin|\.config|\.vscode)\/[\w./-]*)`/g)].map(
    ([, path = ""]) => path,
  );
  expect(named.length).toBeGreaterThan(30);
  expect(named.filter((path) => !existsSync(path))).toEqual([]);
});

test("every npm script that CONTRIBUTING.md names is there", () => {
  const named = [...text.matchAll(/npm run (?:--silent )?([\w:]+)/g)].map(([, name = ""]) => name);
  expect(named.length).toBeGreaterThan(5);
  expect(named.filter((name) => !(name in scripts))).toEqual([]);
});

test("the first command of CONTRIBUTING.md works on a machine where nobody has signed in", async () => {
  const [, line = ""] = /^npm run dev -- (.*)$/m.exec(text) ?? [];
  const home = mkdtempSync(path.join(tmpdir(), "comanda-newcomer-"));
  try {
    const { stdout } = await promisify(execFile)(process.execPath, [".config/dev.mjs", ...line.split(" ")], {
      env: { PATH: process.env["PATH"], HOME: home },
    });
    expect(stdout).toContain("/orders/4711/dispatch");
  } finally {
    rmSync(home, { recursive: true });
  }
});
