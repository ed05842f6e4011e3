/** What `npm run binary` makes, where COMANDA_TEST_PROGRAM names it: one file that needs no other and no Node. */
import { copyFileSync, linkSync } from "node:fs";
import path from "node:path";

import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { executable, Machine } from "../support/program.js";

describe.skipIf(executable === undefined)("the executable", () => {
  const machine = new Machine({ PATH: "/usr/bin:/bin" });
  const alone = path.join(machine.folder, "comanda with a space");
  beforeAll(() => {
    try {
      linkSync(executable ?? "", alone);
    } catch {
      copyFileSync(executable ?? "", alone);
    }
  });
  afterAll(() => machine.remove());

  const run = async (...words: string[]) => machine.other([alone, ...words]).finished;

  test("says that it is one", async () => {
    expect((await run("doctor")).stdout).toMatch(/ comanda \S+ \(executable\), Node v/);
  });

  test("knows itself however it is called: by a name on the path, or from its folder", async () => {
    const line =
      "'comanda with a space' --version; './comanda with a space' emulator exec --orders 1 -- comanda --version";
    const PATH = `${machine.folder}:/usr/bin:/bin`;
    const { code, stdout } = await machine.other(["sh", "-c", line], { env: { PATH } }).finished;
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^(\d+\.\d+\.\d+\n){2}$/)]);
  });

  test.each([
    ["summary", "--help"],
    ["help", "cron"],
    ["complete", "bash", "orders", ""],
    ["completion", "zsh"],
    ["openapi"],
  ])("has all inside for: %s %s", async (...words) => {
    const { code, stdout, stderr } = await run(...words);
    expect([code, `${stdout}${stderr}`.length > 20]).toEqual([0, true]);
  });

  test("keeps its state with nothing installed beside it: it has its own SQLite", async () => {
    expect(await run("config", "set", "currency", "BRL")).toMatchObject({ code: 0, stderr: "" });
    expect((await run("config", "get", "currency")).stdout).toBe("BRL\n");
  });

  test("starts itself: the emulator's comanda is the same file, and draws a report", async () => {
    const line = "comanda doctor && comanda report --period last-week --out r.html && grep -c '<svg' r.html";
    const { code, stdout } = await run("emulator", "exec", "--no-limits", "--", "sh", "-c", line);
    expect([code, stdout]).toEqual([0, expect.stringMatching(/\(executable\)(.|\n)*\n\d+\n$/)]);
  });
});
