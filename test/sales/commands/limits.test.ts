/** The rate limit, and the wait for it. */
import { afterEach, beforeEach, describe, expect, test } from "vitest";

import { startEmulator, type Emulator } from "../../../src/emulator/index.js";
import { Desk, tokenFor } from "../../support/desk.js";

let desk: Desk;
let emulator: Emulator;
beforeEach(async () => {
  desk = new Desk();
  emulator = await startEmulator({ orders: 300, seed: 2, now: desk.clock });
  await desk.signIn("centro", emulator.baseUrl, tokenFor(emulator, 501));
});
afterEach(async () => {
  await emulator.close();
  desk.remove();
});

const calls = (status?: number) =>
  emulator.service.log
    .entries()
    .filter((entry) => entry.path.includes("/orders/summary") && (status ?? entry.status) === entry.status)
    .length;
const oneCall = (month: number) => `summary --tz UTC --period 2026-0${month} --json`;

describe("5 calls a minute", () => {
  test("5 calls a minute are counted from run to run, so that the service never has to refuse: the 6th waits", async () => {
    for (const month of [1, 2, 3, 4, 5]) expect((await desk.run(oneCall(month))).code).toBe(0);
    expect(desk.waits).toEqual([]);
    const { code, stderr } = await desk.run(oneCall(6));
    expect({ code, calls: calls(), refused: calls(429) }).toEqual({ code: 0, calls: 6, refused: 0 });
    expect(desk.waits.reduce((sum, ms) => sum + ms, 0)).toBeGreaterThanOrEqual(60_000);
    expect(stderr).toMatch(/1 call, of which the service takes 5 a minute: about 1 min/);
  });

  test("Three years by day take 6 calls, with a line that says how long", async () => {
    const { code, stderr } = await desk.run(
      "grouped --by day --tz America/Sao_Paulo --from 2023-11-21 --to 2026-11-19 --json",
    );
    expect({ code, calls: calls(200), refused: calls(429) }).toEqual({ code: 0, calls: 6, refused: 0 });
    expect(stderr).toMatch(/^6 calls, of which the service takes 5 a minute: about 1 min\.$/m);
    expect(stderr).not.toContain("rate limit is reached");
  });
});
