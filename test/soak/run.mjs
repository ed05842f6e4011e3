// @ts-check
/**
 * `npm run soak`: the tests that have a size, at their whole size, one after the other, and a table of what they counted.
 *
 * - `npm run soak -- --minutes 10`: no longer than that, each at a share of its size. It says how large that was, and what
 *   was cut off or left out. Where one takes longer than expected, those that come later are smaller.
 * - `npm run soak -- kills locks`: those alone whose name has one of these words.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, existsSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { performance } from "node:perf_hooks";
import process from "node:process";
import { clearTimeout, setTimeout } from "node:timers";
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
  { name: "order runs under kill -9", file: "test/soak/order-kills.test.ts", minutes: 1.7 },
  { name: "order runs on full disks", file: "test/soak/full-disks.test.ts", minutes: 0.2 },
  { name: "sessions under kill -9", file: "test/soak/lost-sessions.test.ts", minutes: 0.8 },
  { name: "containers on one state folder", file: "test/soak/containers.test.ts", minutes: 0.2 },
  { name: "rate limit between processes", file: "test/soak/rate-limit.test.ts", minutes: 3.2 },
  { name: "refreshes between processes", file: "test/auth/many-processes.test.ts", minutes: 2.2 },
  { name: "lease holders killed", file: "test/state/lease-kills.test.ts", minutes: 0.9 },
  { name: "writes under kill -9", file: "test/state/writes-under-kill.test.ts", minutes: 0.5 },
  { name: "database under kill -9", file: "test/state/database-kills.test.ts", minutes: 0.7 },
  { name: "ambiguous writes", file: "test/client/ambiguous.test.ts", minutes: 0.1 },
  { name: "fuzzed answers, library", file: "test/client/fuzz.test.ts", minutes: 0.2 },
  { name: "fuzzed answers, program", file: "test/soak/fuzzed-output.test.ts", minutes: 0.6 },
  { name: "figures: random questions", file: "test/sales/questions.test.ts", minutes: 2 },
  { name: "planted secrets", file: "test/soak/planted-secrets.test.ts", minutes: 1.2 },
  { name: "refreshes in a chain", file: "test/state/chain-refresh.test.ts", minutes: 11 },
  { name: "tokens that servers share", file: "test/library/token-store.test.ts", minutes: 2 },
  { name: "limits of a chain", file: "test/state/chain-limits.test.ts", minutes: 1.2 },
  { name: "rate limit windows", file: "test/state/limits.test.ts", minutes: 1.1 },
];

/** @typedef {{ harness: Harness, state: "passed" | "failed" | "cut off" | "left out", minutes: number, share: number }} Ran */

const { values, positionals } = parseArgs({
  options: { minutes: { type: "string" } },
  allowPositionals: true,
});
const chosen = harnesses.filter(
  ({ name }) => positionals.length === 0 || positionals.some((word) => name.includes(word)),
);
if (chosen.length === 0) fail(`No name has one of these words: ${positionals.join(", ")}.`);
const given = values.minutes === undefined ? Infinity : Number(values.minutes);
if (!(given > 0)) fail(`--minutes can't be "${values.minutes ?? ""}".`);

const folder = mkdtempSync(path.join(tmpdir(), "comanda-soak-"));
const figuresFile = path.join(folder, "figures");
const started = performance.now();
const passed = () => (performance.now() - started) / 60_000;

try {
  /** @type {Ran[]} */
  const ran = [];
  for (const [index, harness] of chosen.entries()) ran.push(await run(harness, shareFrom(index)));
  tellFigures();
  tellHarnesses(ran);
  if (ran.some(({ state }) => state === "failed")) process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true });
}

/**
 * How much of its size the next one can have, for all that are left to come to their turn.
 *
 * @param {number} index of the next one
 */
function shareFrom(index) {
  const wholeMinutes = chosen.slice(index).reduce((sum, harness) => sum + harness.minutes, 0);
  return Math.min(1, (given - passed()) / wholeMinutes);
}

/**
 * @param {Harness} harness
 * @param {number} share of its size
 * @returns {Promise<Ran>}
 */
async function run(harness, share) {
  const before = passed();
  if (before >= given) return { harness, state: "left out", minutes: 0, share: 0 };
  const root = path.resolve(import.meta.dirname, "../..");
  const vitest = path.join(root, "node_modules", "vitest", "vitest.mjs");
  const child = spawn(
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
      // A group of its own, which ends with all that it has started.
      detached: true,
    },
  );
  const ending = { isCutOff: false };
  const cutOff = () => {
    ending.isCutOff = true;
    if (child.pid !== undefined) process.kill(-child.pid, "SIGKILL");
  };
  const timer = Number.isFinite(given) ? setTimeout(cutOff, (given - before) * 60_000) : undefined;
  const interrupted = () => {
    cutOff();
    process.exit(130);
  };
  process.once("SIGINT", interrupted);
  await once(child, "exit");
  process.off("SIGINT", interrupted);
  clearTimeout(timer);
  const state = ending.isCutOff ? "cut off" : child.exitCode === 0 ? "passed" : "failed";
  return { harness, state, minutes: passed() - before, share };
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
    ["Test", "Result", "Size", "Minutes"],
    ran.map(({ harness, state, share, minutes }) => [
      harness.name,
      state,
      state === "left out" ? "-" : `${Math.ceil(share * 100)} %`,
      minutes.toFixed(1),
    ]),
  );
  write(
    `\n${passed().toFixed(1)} minutes. A size below 100 % is a share of the whole, or the least that there is.`,
  );
  tellNames("Cut off, as the time was over", ran, "cut off");
  tellNames("Left out, as the time was over", ran, "left out");
  const others = harnesses.filter((harness) => !chosen.includes(harness)).map(({ name }) => name);
  if (others.length > 0) write(`Not asked for: ${others.join(", ")}.`);
}

/**
 * @param {string} what
 * @param {readonly Ran[]} ran
 * @param {Ran["state"]} state
 */
function tellNames(what, ran, state) {
  const names = ran.filter((each) => each.state === state).map(({ harness }) => harness.name);
  if (names.length > 0) write(`${what}: ${names.join(", ")}.`);
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
