/**
 * Runs every command line of README and LEIAME as printed and in order, in this process or, if necessary, in a shell. The service is
 * an emulator, whose data contains the orders that the lines name.
 */
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";

import { afterEach, beforeEach, describe, expect, test } from "vitest";

import { localDefaults } from "../../src/base/defaults.js";
import { ComandaError } from "../../src/base/errors.js";
import { Bench } from "../support/bench.js";
import { rowsInSearch } from "../support/soak.js";

/** Returns the lines of every `sh` and `crontab` block, for `sh`: those of a crontab without their five fields of time. */
function linesOf(document: string) {
  const text = readFileSync(path.resolve(import.meta.dirname, "../..", document), "utf8");
  return [...text.matchAll(/^```(sh|crontab)\n(.*?)^```/gms)].flatMap(([, kind, body = ""]) =>
    body
      .replaceAll("\\\n", "")
      .split("\n")
      .filter((line) => line.trim() !== "")
      .map((line) => {
        const isCron = kind === "crontab";
        return { line: isCron ? line.split(/ +/).slice(5).join(" ") : line, isCron };
      }),
  );
}

/** Matches a single command without shell syntax, except a file for stdin or stdout. */
const plain = /^comanda(?: +(?:[^\s"'`$\\|<>&;()]|"[^"`$\\]*"|'[^']*')+)+(?: [<>] [\w.]+)?$/;
const wordsOf = (line: string) =>
  [...line.matchAll(/(?:[^\s"']|"[^"]*"|'[^']*')+/g)].map(([word]) => word.replaceAll(/["']/g, ""));

/** CI runs this line separately. */
const setUp = "npm ci && npm run demo";

describe.each(["README.md", ...rowsInSearch(["LEIAME.md"])])("%s", async (document) => {
  // Lines that both documents contain run once.
  const before = document === "README.md" ? [] : linesOf("README.md").map(({ line }) => line);
  const lines = linesOf(document);
  // A report needs more calls than the limit per minute, and other tests cover the wait.
  // `date` and comanda must agree about the day, so the machine has the store's time zone.
  const env = { COMANDA_RATE_LIMITS: "off", TZ: "America/Sao_Paulo" };
  const bench = await Bench.open({ orders: localDefaults.orders, rateLimits: false, env });
  const { folder } = bench.machine;
  for (const file of ["key.txt", "chave.txt"]) writeFileSync(path.join(folder, file), `${bench.keyOf()}\n`);
  writeFileSync(path.join(folder, "ids.txt"), "# today\n101929\n\n101848\n");
  writeFileSync(path.join(folder, "done.txt"), "101709\n");

  // Commands name files in the current folder.
  const root = process.cwd();
  beforeEach(() => process.chdir(folder));
  afterEach(() => process.chdir(root));

  test("has lines to run", () => {
    expect(lines.length).toBeGreaterThan(20);
    expect(lines.map(({ line }) => line)).toContain(setUp);
  });

  test.each(lines.filter(({ line }) => line !== setUp && !before.includes(line)))(
    "$line",
    async ({ line, isCron }) => {
      const environment = /--env (\S+)/.exec(line)?.[1];
      if (environment !== undefined) await bench.setEnvironment(environment);
      const settled = /history settle (\d+)/.exec(line)?.[1];
      if (settled !== undefined) {
        bench.emulator.service.faults.set([{ reset: true, when: "after", times: 1 }]);
        expect((await bench.inProcess(["orders", "dispatch", settled])).code).toBe(9);
      }
      const command = line.replaceAll(/\/(srv\/shop|var\/log)\//g, `${bench.machine.folder}/`);
      if (line.includes("emulator start")) {
        // The last --port counts, because the printed one may be in use.
        const interruption = new AbortController();
        const { code } = await bench.inProcess([...line.split(" ").slice(1), "--port", "0"], {
          signal: interruption.signal,
          onStdout: (text) => {
            if (text.includes("127.0.0.1")) interruption.abort(new ComandaError("terminated", "Ended."));
          },
        });
        expect(code).toBe(143);
        return;
      }
      if (plain.test(command) && !isCron) {
        const [words = "", source] = command.split(" < ");
        const [, ...typed] = wordsOf(words.replace(/ > .*/, ""));
        const { code, stdout, stderr } = line.includes("login --store")
          ? await bench.login(typed.slice(1))
          : await bench.inProcess(typed, source === undefined ? {} : { input: readFileSync(source) });
        const [, target] = command.split(" > ");
        if (target !== undefined) writeFileSync(target, stdout);
        expect(line.includes("--alert") && code === 11 ? 0 : code, stderr).toBe(0);
        return;
      }
      const { code, stderr } = await bench.machine.shell(command);
      expect(code, stderr).toBe(0);
      // Cron also has no terminal and few variables. It mails everything on stderr.
      if (isCron) expect(stderr).toBe("");
    },
  );
});
