/** The commands as people and jobs run them, against every service that differs from the emulator in one thing. */
import { writeFileSync } from "node:fs";
import path from "node:path";

import { afterAll, expect, test } from "vitest";

import { deviations, type Deviation } from "../../src/emulator/readings.js";
import { Machine } from "../support/program.js";
import { soak } from "../support/soak.js";

const machine = new Machine();
afterAll(() => machine.remove());

/** An evening's work: what each command has to end with, whatever the service is like. */
const evening = String.raw`
import { execFile } from "node:child_process";
import assert from "node:assert/strict";

const { COMANDA_EMULATOR_URL: emulator } = process.env;
async function order(fields) {
  const body = JSON.stringify({ order_type: "delivery", delivered_by: "merchant", status: "ready", ...fields });
  const init = { method: "POST", headers: { "content-type": "application/json" }, body };
  return String((await (await fetch(emulator + "/_emulator/orders", init)).json()).id);
}
function comanda(line, exit, input = "") {
  return new Promise((resolve, reject) => {
    const child = execFile("comanda", [...line.split(" "), "--json"], (error, stdout, stderr) => {
      const told = line + "\n" + stdout + stderr;
      try {
        assert.equal(error?.code ?? 0, exit, told);
        resolve(stdout.trim() === "" ? [] : stdout.trim().split("\n").flatMap((row) => line.startsWith("orders") ? JSON.parse(row) : []));
      } catch (fault) {
        reject(fault);
      }
    });
    child.stdin.end(input);
  });
}
const outcomes = (rows) => rows.map(({ outcome }) => outcome).sort();

const [one, other, third, gone] = await Promise.all([order(), order(), order(), order({ status: "confirmed" })]);
await Promise.all([
  comanda("driver assign " + one + " 11 --fee 7.50", 0),
  comanda("api PUT /api/partner/v1/orders/" + other + "/driver -F driver_id=11", 0),
  comanda("summary --period last-week --compare previous --tz America/Sao_Paulo", 0),
  comanda("grouped --by driver_id --period yesterday --tz America/Sao_Paulo", 0),
  comanda("prefill --order-type takeout --customer-name Ana --item 3001", 0),
  comanda("status --check", 0),
]);
assert.deepEqual(outcomes(await comanda("orders dispatch -", 0, [one, other, third].join("\n"))), ["done", "done", "done"]);
assert.deepEqual(outcomes(await comanda("orders deliver " + one, 0)), ["done"]);
assert.deepEqual(outcomes(await comanda("orders finalize " + one + " 999999", 10)), ["done", "refused"]);
await comanda("orders cancel " + one + " --reason late", 6);
await Promise.all([
  comanda("orders cancel " + gone, 0),
  comanda("orders dispatch 999999", 5),
  comanda("driver assign " + third + " 999", 2),
]);
await comanda("history", 0);
await comanda("logout", 0);
`;

/** Each day another sixth of them, so that a week has all; a soak has all at once. */
const today = Math.floor(Date.now() / 86_400_000);
const tried = deviations.filter((_, place) => soak || place % 6 === today % 6);

test("what a shop does in an evening ends the same under every reading", async () => {
  const script = path.join(machine.folder, "evening.mjs");
  writeFileSync(script, evening);
  const failed: string[] = [];
  const play = async (readings: readonly Deviation[]) => {
    for (const { reading, value } of readings) {
      const chosen = ["--orders", "50", "--reading", `${reading}=${value}`];
      const line = ["emulator", "exec", ...chosen, "--", process.execPath, script];
      const { code, stderr } = await machine.start(line).finished;
      if (code !== 0) failed.push(`${reading}=${value}: ${stderr}`);
    }
  };
  await Promise.all([0, 1].map((half) => play(tried.filter((_, place) => place % 2 === half))));
  expect(failed).toEqual([]);
}, 900_000);
