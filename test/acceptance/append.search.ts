/** `summary --append` by two users at the same time. */
import { readFileSync } from "node:fs";
import path from "node:path";

import { expect, test } from "vitest";

import { startEmulator } from "../../src/emulator/index.js";
import { closing } from "../support/resources.js";
import { tokenFor } from "../support/desk.js";
import { Machine } from "../support/program.js";

/** In the first round, both processes create a new file. */
const [rounds, newFiles] = [14, 1];

test("two users can add to one file without losing a row, and it has one header", async () => {
  const emulator = closing(await startEmulator({ port: 0, orders: 200, rateLimits: false }));
  const own = { COMANDA_BASE_URL: emulator.baseUrl, COMANDA_ACCESS_TOKEN: tokenFor(emulator, 501) };
  const env = { ...own, COMANDA_RATE_LIMITS: "off" };
  const machines = [new Machine(env), new Machine(env)];
  const file = path.join(machines[0]?.folder ?? "", "sales.csv");
  for (let round = 0; round < rounds; round += 1) {
    const days = machines.map((_, user) =>
      new Date(Date.now() - (2 * round + user + 2) * 86_400_000).toISOString().slice(0, 10),
    );
    const written = round < newFiles ? `${file}.${round}` : file;
    const ended = await Promise.all(
      machines.map((machine, user) =>
        machine.run(["summary", "--tz", "UTC", "--period", days[user] ?? "", "--append", written]),
      ),
    );
    for (const { code, stderr } of ended) expect(code, stderr).toBe(0);
    if (round < newFiles) expect(linesOf(written)).toHaveLength(3);
  }
  const lines = linesOf(file);
  expect(lines).toHaveLength(1 + 2 * (rounds - newFiles));
  expect(new Set(lines).size).toBe(lines.length);
  expect(lines.filter((line) => line.startsWith("store,"))).toEqual([lines[0]]);
}, 240_000);

function linesOf(file: string): readonly string[] {
  return readFileSync(file, "utf8").trimEnd().split("\r\n");
}
