// @ts-check
/**
 * Runs ordinary commands and writes what V8 has compiled by then into the code cache. One process for all of them: so the
 * cache has the functions of each. `emulator exec` starts it, with a store signed in.
 */
const path = require("node:path");
const { setFlagsFromString } = require("node:v8");

const folder = process.argv[2] ?? "";
/** @type {typeof import("../src/cli/load-program.js")} */
const { cacheFolder, loadProgram, writeCodeCache } = require(path.join(folder, "load-program.js"));

const order = { id: 4711, order_type: "delivery", delivered_by: "merchant", status: "confirmed" };
/** Its lines take a wrong turn, too: what tells of it is compiled then. */
const wrongLines = ["orders dispatch", "summary --period never"];
const commandLines = [
  "--help",
  "orders dispatch --help",
  "status",
  "stores list",
  "env list --json",
  "quota",
  "orders dispatch 4711 --json",
  "orders deliver 4711",
  "history",
  "summary --period yesterday --json",
  "summary --period yesterday",
  "grouped --by day --period last-7-days --json",
  "grouped --by day --period last-7-days",
];

async function makeOrder() {
  const { ok, status } = await globalThis.fetch(`${process.env["COMANDA_EMULATOR_URL"]}/_emulator/orders`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(order),
  });
  if (!ok) throw new Error(`the emulator made no order (HTTP ${status})`);
}

/**
 * @param {(argv: readonly string[]) => Promise<void>} start
 * @param {string} line
 * @param {number} exitCode
 */
async function run(start, line, exitCode) {
  await start(line.split(" "));
  if ((process.exitCode ?? 0) !== exitCode) throw new Error(`comanda ${line} ended with ${process.exitCode}`);
  process.exitCode = 0;
}

/**
 * Functions that become hot here are marked as such in the cache, and V8 would then make machine code of them in every
 * process, as soon as each runs. A command is over before that pays: it is a tenth of the time of one without a call.
 *
 * @param {boolean} on
 */
function useBaselineCompiler(on) {
  setFlagsFromString(on ? "--sparkplug" : "--no-sparkplug");
}

async function record() {
  useBaselineCompiler(false);
  /** @type {import("../src/cli/code-cache.js").CompiledFile[]} */
  const files = [];
  const { start } = loadProgram({ read: () => undefined, add: (file) => void files.push(file) });
  await makeOrder();
  for (const line of wrongLines) await run(start, line, 2);
  for (const line of commandLines) await run(start, line, 0);
  // V8 compares its flags when it reads the cache.
  useBaselineCompiler(true);
  writeCodeCache(cacheFolder(folder, "code-cache"), files);
}

void record();
