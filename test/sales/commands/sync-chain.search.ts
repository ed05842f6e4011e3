/** A night of a chain of 400 stores within the service's limits: what `sync --plan` says of it, and what a crash costs. */
import { cpSync } from "node:fs";
import { setImmediate } from "node:timers/promises";

import { afterAll, beforeAll, expect, test } from "vitest";
import * as z from "zod/mini";

import { startEmulator, type Emulator } from "../../../src/emulator/index.js";
import { Desk, start, tokenFor } from "../../support/desk.js";
import { parseJson } from "../../support/json.js";
import { NightClock } from "../support/night.js";

const stores = Array.from({ length: 400 }, (_, index) => ({ id: index + 1_001 }));
const lineOf = (days: number) =>
  `sync --all-stores --days ${days} --dimensions day,status --tz America/Sao_Paulo`;
const dayMs = 24 * 60 * 60_000;

const clock = new NightClock(start);
let emulator: Emulator;
let [desk, other] = [new Desk(), new Desk()];
beforeAll(async () => {
  // Not watched as others are: some ten thousand exchanges say the same.
  emulator = await startEmulator({ stores, orders: 8_000, seed: 1, now: clock });
  await signIn();
}, 300_000);
afterAll(async () => {
  await emulator.close();
  desk.remove();
  other.remove();
});

async function signIn(): Promise<void> {
  desk.pass(clock.now() - desk.clock.now());
  for (const { id } of stores)
    await desk.signIn(`store-${id}`, emulator.baseUrl, tokenFor(emulator, id), (session) => ({
      ...session,
      signed_in_at: 1,
    }));
}

const planned = z.looseObject({ stores: z.int(), calls: z.int(), seconds: z.number() });
const synced = z.looseObject({ calls: z.int(), restated: z.array(z.looseObject({ store: z.string() })) });

async function plan(days: number) {
  const { code, stdout } = await desk.run(`${lineOf(days)} --plan --json`, { clock });
  expect(code).toBe(0);
  return z.parse(planned, parseJson(stdout));
}
async function night(days: number) {
  const [calls, begun] = [clock.calls, clock.now()];
  const { code, stdout, stderr } = await clock.during(desk.run(`${lineOf(days)} --json`, { clock }));
  expect({ code, stderr }).toMatchObject({ code: 0 });
  return {
    ...z.parse(synced, parseJson(stdout)),
    sent: clock.calls - calls,
    seconds: (clock.now() - begun) / 1_000,
  };
}

test("a crash in the middle of a night costs at most one call a store", async () => {
  const expected = await plan(5);
  expect(expected.stores).toBe(stores.length);
  const crash = new AbortController();
  const before = clock.calls;
  const running = desk.run(`${lineOf(5)} --json`, { clock, signal: crash.signal });
  await clock.during(
    Promise.race([
      running,
      (async () => {
        while (clock.calls - before < expected.calls / 2) await setImmediate();
      })(),
    ]),
  );
  // What lies on the disk at that moment is all that a machine has which loses its power.
  cpSync(desk.folder, other.folder, { recursive: true });
  crash.abort(new Error("the power is gone"));
  await clock.during(running);
  [desk, other] = [other, desk];
  const lost = clock.calls - before;
  const rest = await night(5);
  expect(clock.callsByToken.size).toBe(stores.length);
  // Each store has as much to ask as every other.
  const each = expected.calls / stores.length;
  expect(Math.max(...clock.callsByToken.values())).toBeLessThanOrEqual(each + 1);
  expect(lost + rest.sent).toBeGreaterThanOrEqual(expected.calls);
}, 900_000);

test("the night's plan is kept to within 5 %, in calls and in time", async () => {
  clock.pass(dayMs);
  await signIn();
  const expected = await plan(15);
  const { sent, calls, seconds } = await night(15);
  expect(sent).toBe(calls);
  expect(Math.abs(sent / expected.calls - 1)).toBeLessThanOrEqual(0.05);
  expect(Math.abs(seconds / expected.seconds - 1)).toBeLessThanOrEqual(0.05);
}, 900_000);
