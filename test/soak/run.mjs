// @ts-check
/**
 * Runs the tests that have a size at their full size, one after the other, and prints their counts.
 *
 * - `npm run soak -- --minutes 10`: reduces their sizes, so that all of them take about 10 minutes on two cores
 * - `npm run soak -- kills leases`: runs only the tests whose names contain one of these words
 */
import { spawnSync } from "node:child_process";
import console from "node:console";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import process from "node:process";
import { parseArgs } from "node:util";

/** The name of each test, its file in `test`, and the minutes that its full size takes on two cores. */
const harnesses = /** @type {const} */ ([
  ["order lists, kills", "soak/order-kills", 1.7],
  ["rate limit between processes", "soak/rate-limit", 6.4],
  ["processes at once", "soak/at-once", 2.5],
  ["refreshes between processes, kills", "auth/many-processes", 7],
  ["leases and sessions, kills", "state/kills", 1.8],
  ["ambiguous writes", "client/ambiguous", 0.1],
  ["fuzzed answers, planted secrets", "soak/fuzzed-output", 0.8],
  ["figures, random queries", "sales/random-queries", 2],
  ["tokens that servers share", "library/token-store", 2],
  ["rate limit windows", "state/limits", 1.1],
]);

const { values, positionals } = parseArgs({
  options: { minutes: { type: "string" } },
  allowPositionals: true,
});
const chosen = harnesses.filter(
  ([name]) => positionals.length === 0 || positionals.some((word) => name.includes(word)),
);
const whole = chosen.reduce((sum, [, , minutes]) => sum + minutes, 0);
const share = Math.min(1, Number(values.minutes ?? whole) / whole);
if (!(share > 0)) throw new Error("No test's name contains one of these words, or --minutes isn't a number.");

const root = path.resolve(import.meta.dirname, "../..");
const folder = mkdtempSync(path.join(tmpdir(), "comanda-soak-"));
const figures = path.join(folder, "figures");
const vitest = path.join(root, "node_modules", "vitest", "vitest.mjs");
const config = path.join(root, "vitest.config.ts");
try {
  for (const [name, file] of chosen) {
    const args = [vitest, "run", "--config", config, "--reporter=dot", `test/${file}.test.ts`];
    const env = {
      ...process.env,
      NODE_EXTRA_CA_CERTS: undefined,
      COMANDA_SOAK: String(share),
      COMANDA_SOAK_FIGURES: figures,
    };
    const { status } = spawnSync(process.execPath, args, { cwd: root, env, stdio: "inherit" });
    if (status === 0) continue;
    console.error(`Failed: ${name}`);
    process.exitCode = 1;
  }
  // `tellFigure` in test/support/soak.ts writes these lines.
  const lines = existsSync(figures) ? readFileSync(figures, "utf8").trim().split("\n") : [];
  console.log(`\nAt ${Math.ceil(share * 100)} % of the full size, or the smallest possible size:`);
  for (const line of lines) {
    const [what, of, wanted, seen] = line.split("\t");
    console.log(`${seen} ${what}, in ${of}${wanted === "-" ? "" : ` (wanted: ${wanted})`}`);
  }
} finally {
  rmSync(folder, { recursive: true });
}
