// @ts-check
/**
 * `npm run soak`: the tests that have a size, at their whole size, one after the other, and a table of what they counted.
 *
 * - `npm run soak -- --minutes 10`: about so long, each at a share of its size; it says what was smaller or left out.
 * - `npm run soak -- kills locks`: those alone whose name has one of these words.
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, existsSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { performance } from "node:perf_hooks";
import process from "node:process";
import { parseArgs } from "node:util";

/**
 * The most telling first, since a run of few minutes may not come to the last.
 *
 * @typedef {object} Harness
 * @property {string} name
 * @property {string} file
 * @property {number} minutes what the whole size takes on two cores
 */

/** @type {readonly Harness[]} */
const harnesses = [
  { name: "simulated worlds", file: "test/simulation/simulation.test.ts", minutes: 10 },
  { name: "order runs under kill -9", file: "test/soak/order-kills.test.ts", minutes: 5 },
  { name: "order runs on full disks", file: "test/soak/full-disks.test.ts", minutes: 1 },
  { name: "sessions under kill -9", file: "test/soak/lost-sessions.test.ts", minutes: 12 },
  { name: "containers on one state folder", file: "test/soak/containers.test.ts", minutes: 1 },
  { name: "rate limit between processes", file: "test/soak/rate-limit.test.ts", minutes: 4 },
  { name: "refreshes between processes", file: "test/auth/many-processes.test.ts", minutes: 6 },
  { name: "lock holders killed", file: "test/state/lock-kills.test.ts", minutes: 3 },
  { name: "writes under kill -9", file: "test/state/writes-under-kill.test.ts", minutes: 1 },
  { name: "ambiguous writes", file: "test/client/ambiguous.test.ts", minutes: 1 },
  { name: "fuzzed answers, library", file: "test/client/fuzz.test.ts", minutes: 1 },
  { name: "fuzzed answers, program", file: "test/soak/fuzzed-output.test.ts", minutes: 3 },
  { name: "figures: kept, as of, restated", file: "test/summary/ledger/exact-history.test.ts", minutes: 4 },
  { name: "figures: alerts", file: "test/summary/compare/exact-alerts.test.ts", minutes: 5 },
  { name: "figures: comparisons", file: "test/summary/compare/exact-comparisons.test.ts", minutes: 2 },
  { name: "figures: days that start late", file: "test/summary/plan/business-day.test.ts", minutes: 2 },
  { name: "figures: reports", file: "test/summary/plan/exact-report.test.ts", minutes: 4 },
  { name: "figures: pivots", file: "test/summary/pivot/exact-pivot.test.ts", minutes: 8 },
  { name: "planted secrets", file: "test/soak/planted-secrets.test.ts", minutes: 5 },
  { name: "lock interleavings", file: "test/state/lock-interleavings.test.ts", minutes: 1 },
  { name: "appending processes", file: "test/state/append-log.test.ts", minutes: 2 },
  { name: "rate limit windows", file: "test/state/quota.test.ts", minutes: 1 },
];

/** @typedef {{ harness: Harness, state: "passed" | "failed" | "left out", minutes: number }} Ran */

const { values, positionals } = parseArgs({
  options: { minutes: { type: "string" } },
  allowPositionals: true,
});
const chosen = harnesses.filter(
  ({ name }) => positionals.length === 0 || positionals.some((word) => name.includes(word)),
);
if (chosen.length === 0) fail(`No name has one of these words: ${positionals.join(", ")}.`);
const wholeMinutes = chosen.reduce((sum, harness) => sum + harness.minutes, 0);
const given = values.minutes === undefined ? Infinity : Number(values.minutes);
if (!(given > 0)) fail(`--minutes can't be "${values.minutes ?? ""}".`);
const share = Math.min(1, given / wholeMinutes);

const folder = mkdtempSync(path.join(tmpdir(), "comanda-soak-"));
const figuresFile = path.join(folder, "figures");
const started = performance.now();
const passed = () => (performance.now() - started) / 60_000;

try {
  const ran = chosen.map(run);
  tellFigures();
  tellHarnesses(ran);
  if (ran.some(({ state }) => state === "failed")) process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true });
}

/**
 * @param {Harness} harness
 * @returns {Ran}
 */
function run(harness) {
  if (passed() >= given) return { harness, state: "left out", minutes: 0 };
  const before = passed();
  const root = path.resolve(import.meta.dirname, "../..");
  const vitest = path.join(root, "node_modules", "vitest", "vitest.mjs");
  const { status } = spawnSync(
    process.execPath,
    [vitest, "run", "--config", ".config/vitest.config.ts", "--reporter=dot", harness.file],
    {
      cwd: root,
      env: {
        ...process.env,
        NODE_EXTRA_CA_CERTS: undefined,
        COMANDA_SOAK: String(share),
        COMANDA_SOAK_FIGURES: figuresFile,
      },
      stdio: "inherit",
    },
  );
  return { harness, state: status === 0 ? "passed" : "failed", minutes: passed() - before };
}

/** As `tellFigure` in test/support/soak.ts writes them. */
function tellFigures() {
  const lines = existsSync(figuresFile) ? readFileSync(figuresFile, "utf8").split("\n").filter(Boolean) : [];
  table(
    ["Counted", "In", "Wanted", "Seen"],
    lines.map((line) => line.split("\t")),
  );
}

/** @param {readonly Ran[]} ran */
function tellHarnesses(ran) {
  table(
    ["Test", "Result", "Minutes"],
    ran.map(({ harness, state, minutes }) => [harness.name, state, minutes.toFixed(1)]),
  );
  const leftOut = ran.filter(({ state }) => state === "left out").map(({ harness }) => harness.name);
  const percent = share < 1 ? `${Math.ceil(share * 100)} %` : "100 %: the whole";
  write(`\nEach at ${percent} of its size, or at its least. ${passed().toFixed(0)} minutes.`);
  if (leftOut.length > 0) write(`Left out, as the time was over: ${leftOut.join(", ")}.`);
  const others = harnesses.filter((harness) => !chosen.includes(harness)).map(({ name }) => name);
  if (others.length > 0) write(`Not asked for: ${others.join(", ")}.`);
}

/**
 * @param {readonly string[]} headings
 * @param {readonly (readonly string[])[]} rows
 */
function table(headings, rows) {
  const widths = headings.map((heading, column) =>
    Math.max(heading.length, ...rows.map((row) => row[column]?.length ?? 0)),
  );
  write("");
  for (const row of [headings, ...rows])
    write(
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join("  ")
        .trimEnd(),
    );
}

/** @param {string} line */
function write(line) {
  process.stdout.write(`${line}\n`);
}

/**
 * @param {string} message
 * @returns {never}
 */
function fail(message) {
  process.stderr.write(`${message}\n`);
  process.exit(2);
}
