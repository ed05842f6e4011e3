/** Nights of `comanda sync`, beside those of one that asks every day by itself. */
import { expect } from "vitest";

import type { Emulator } from "../../../src/emulator/index.js";
import { Desk, parseCsv, tokenFor } from "../../support/desk.js";
import { startEmulator } from "../../support/emulators.js";
import { parseJson } from "../../support/json.js";

const dayMs = 24 * 60 * 60_000;

export interface Nights {
  readonly nights: number;
  readonly days: number;
  /** Beside `day`. */
  readonly dimensions: readonly string[];
  readonly seed: number;
}

/** Calls of one night: those that were planned, those that went out, and those of asking every day. */
export interface NightCalls {
  readonly edits: number;
  readonly planned: number;
  readonly sent: number;
  readonly daily: number;
}

interface Told {
  readonly calls: number;
  readonly restated: readonly { readonly dimension: string; readonly key: string; readonly from: string }[];
}

/**
 * Changes none, one or two orders before each night, and holds what is known then, and told as restated, against what
 * asking every day gives.
 */
export async function playNights({ nights, days, dimensions, seed }: Nights): Promise<readonly NightCalls[]> {
  const desks = [0, 1].map(() => new Desk({ COMANDA_RATE_LIMITS: "off" }));
  const [desk, other] = desks;
  if (!desk || !other) throw new RangeError("there are two");
  const emulator = await startEmulator({ orders: 300, seed, now: desk.clock, rateLimits: false });
  const line = `sync --tz America/Sao_Paulo --days ${days} --dimensions ${["day", ...dimensions].join(",")}`;
  const json = async <Result>(of: Desk, more: string) => {
    const { code, stdout, stderr } = await of.run(`${line} ${more}--json`);
    expect(code, stderr).toBe(0);
    return parseJson(stdout) as Result;
  };
  const next = numbers(seed);
  try {
    await passNight(desks, emulator);
    await json(desk, "");
    await json(other, "--fresh ");
    const calls: NightCalls[] = [];
    for (let night = 0; night < nights; night += 1) {
      const edits = night % 3;
      for (let edit = 0; edit < edits; edit += 1) changeAnOrder(emulator, desk.clock.now(), { days, next });
      await passNight(desks, emulator);
      const { calls: planned } = await json<{ calls: number }>(desk, "--plan ");
      const told = await json<Told>(desk, "");
      const daily = await json<Told>(other, "--fresh ");
      expect(await ledger(desk, line), `night ${night}`).toEqual(await ledger(other, line));
      expect(namesOf(told)).toEqual(namesOf(daily));
      calls.push({ edits, planned, sent: told.calls, daily: daily.calls });
    }
    return calls;
  } finally {
    await emulator.close();
    for (const each of desks) each.remove();
  }
}

async function passNight(desks: readonly Desk[], emulator: Emulator): Promise<void> {
  const now = Math.max(...desks.map(({ clock }) => clock.now())) + dayMs;
  for (const desk of desks) {
    desk.pass(now - desk.clock.now());
    await desk.signIn("centro", emulator.baseUrl, tokenFor(emulator, 501), (session) => ({
      ...session,
      signed_in_at: 1,
    }));
  }
}

interface Change {
  readonly days: number;
  readonly next: () => number;
}

function changeAnOrder(emulator: Emulator, now: number, { days, next }: Change): void {
  const orders = emulator.world.orders
    .ofStore(501)
    .filter(({ createdAt }) => createdAt > now - (days - 2) * dayMs && createdAt < now);
  const order = orders[Math.floor(next() * orders.length)];
  if (!order) throw new Error("no order to change");
  const salesChannel = next() < 0.5 ? "changed" : order.salesChannel;
  Object.assign(order, { total: order.total + Math.floor(next() * 900), salesChannel });
}

/** Day, dimension, key, orders and cents of all that is kept. */
async function ledger(desk: Desk, line: string): Promise<readonly string[]> {
  const { stdout } = await desk.run(`${line} --offline --export csv`);
  return parseCsv(stdout)
    .map((row) => row.slice(1, 7).join(" "))
    .toSorted();
}

function namesOf({ restated }: Told): readonly string[] {
  return restated.map(({ dimension, key, from }) => `${dimension} ${key} ${from}`).toSorted();
}

/** The same numbers in every run, from 0 to 1. */
function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state / 2_147_483_648;
  };
}
