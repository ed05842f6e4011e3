/** A machine whose clock is wrong: the service's answers tell the time, so that no figure is final or old by a wrong one. */
import { afterEach, beforeEach, expect, test } from "vitest";

import type { Emulator } from "../../../src/emulator/index.js";
import { Desk, tokenFor } from "../../support/desk.js";
import { startEmulator } from "../../support/emulators.js";
import { parseJson } from "../../support/json.js";

const day = 24 * 60 * 60_000;

let desk: Desk;
let emulator: Emulator;
beforeEach(async () => {
  desk = new Desk({ COMANDA_RATE_LIMITS: "off" });
  emulator = await startEmulator({ orders: 200, seed: 8, now: desk.clock, rateLimits: false });
});
afterEach(async () => {
  await emulator.close();
  desk.remove();
});

const calls = () =>
  emulator.service.log.entries().filter(({ path: of }) => of.includes("/orders/summary")).length;
const signIn = async () => {
  for (const store of ["centro", "norte"])
    await desk.signIn(store, emulator.baseUrl, tokenFor(emulator, 501), (session) => ({
      ...session,
      signed_in_at: 1,
    }));
};
/** The machine's clock is 2026-11-20 15:00 UTC. */
const behindIt = async (ms: number) => {
  emulator.clock.advance(-ms);
  await signIn();
};
const pass = async (ms: number) => {
  desk.pass(ms);
  await signIn();
};
const october = "summary --store centro --period 2026-10 --tz UTC";

test("A clock that is more than 5 minutes wrong is said once, and figures are of the service's time", async () => {
  await behindIt(10 * day);
  const { stderr, stdout } = await desk.run(
    "summary --all-stores --period 2026-10 --compare year --tz UTC --json",
  );
  expect(stderr).toBe(
    "warning: By this machine's clock it is 2026-11-20 15:00, by the service's 2026-11-10 15:00: days such as " +
      "yesterday may be others than you mean. How old figures are goes by the service's clock. Let the system set " +
      "its clock by the network (NTP).\n",
  );
  const { stores } = parseJson(stdout) as { stores: { current: { asked_at: string } }[] };
  for (const { current } of stores) expect(current.asked_at).toMatch(/^2026-11-10T1[45]:/);
});

test.each([
  ["agrees", 0],
  ["is 4 minutes off", 4 * 60_000],
  ["is 4 minutes off, to the other side", -4 * 60_000],
])("Nothing is said of a clock that %s", async (_, ms) => {
  await behindIt(ms);
  const { stderr, stdout } = await desk.run(`${october} --json`);
  expect(stderr).toBe("");
  expect(parseJson(stdout)).toMatchObject({ asked_at: "2026-11-20T15:00:00.000Z" });
});

test("A clock that runs ahead makes nothing final, neither then nor once it is right", async () => {
  // By the machine's clock October ended 50 days before, by the service's 9.
  desk.pass(30 * day);
  await behindIt(41 * day);
  for (const expected of [1, 2, 3]) {
    await desk.run(october);
    expect(calls()).toBe(expected);
    await pass(2 * day);
  }
  emulator.clock.advance(41 * day);
  await signIn();
  await desk.run(october);
  expect(calls()).toBe(4);
});

test("What was asked a moment ago doesn't expire by a clock that is known to be wrong", async () => {
  await signIn();
  await desk.run("summary --store centro --period 2026-09 --tz UTC");
  desk.pass(3 * day);
  await behindIt(3 * day);
  // October's answer tells the time, by which September's is young enough.
  const { stdout } = await desk.run(`${october} --compare previous --json`);
  expect(parseJson(stdout)).toMatchObject({
    current: { asked_at: "2026-11-20T15:00:00.000Z", kept: false },
    previous: { asked_at: "2026-11-20T15:00:00.000Z", kept: true },
  });
  expect(calls()).toBe(2);
});

test.each([
  ["ran ahead", 3 * day],
  ["was behind", -3 * day],
])(
  "An order that was changed while the clock %s makes doubtful what was asked before, and no more",
  async (_, ms) => {
    if (ms > 0) desk.pass(ms);
    await behindIt(ms);
    await desk.run(october);
    desk.pass(60_000);
    await desk.run("orders finalize 1 --store centro");
    desk.pass(60_000);
    // Somebody sets the clock right.
    if (ms < 0) desk.pass(-ms);
    emulator.clock.advance(ms);
    if (ms > 0) desk.pass(-ms);
    await signIn();
    for (const expected of [2, 2]) {
      expect((await desk.run(october)).stderr).not.toContain("clock");
      expect(calls()).toBe(expected);
      desk.pass(60_000);
    }
  },
);
