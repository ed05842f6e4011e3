/** Writes and reads the journal on both engines. */
import { describe, expect, test } from "vitest";

import type { CallJournal, ObservedCall } from "../../src/client/options.js";
import type { Outcome } from "../../src/base/errors.js";
import { earlierWrites, openJournal, readHistory, settleOrder } from "../../src/state/journal.js";
import type { HistoryRow } from "../../src/state/journal.js";
import type { Database } from "../../src/state/database.js";
import type { State } from "../../src/state/state.js";
import { jumpingClock } from "../client/support/clock.js";
import { engines, type Engine } from "./support/states.js";
import { rejection } from "../support/rejection.js";

const place = { store: "centro", environment: "test" };
const fingerprint = { address: "https://api.example", sign_in: "2026-10-01" };
const facts = { serviceCode: null, evidence: "api", attempts: 1, value: null } as const;
const done: Outcome = { ...facts, outcome: "done", httpStatus: 204, code: null };
const refused: Outcome = { ...facts, outcome: "refused", httpStatus: 409, code: "status_conflict" };
const limited: Outcome = { ...facts, outcome: "refused", httpStatus: 429, code: "rate_limited" };
const lost: Outcome = { ...facts, outcome: "unknown", httpStatus: 500, code: "outcome_unknown" };

/** Returns a state, and a function that opens the same state as another process would. */
async function statesOf(engine: Engine) {
  const clock = jumpingClock();
  const open = await engine.create(clock);
  return { open, clock, state: await open() };
}

const journalOf = (state: State, store = "centro") =>
  openJournal({ state, place: { ...place, store }, fingerprint }).journal;

let calls = 0;
function callOf(order: string): ObservedCall {
  const path = `/api/partner/v1/orders/${order}/x`;
  const what = { operation: "dispatchOrder", order, method: "POST", body: "" } as const;
  return { number: (calls += 1), ...what, path, url: path };
}

/** @param verdicts the outcome of each request; `undefined` if its process was killed */
async function send(
  journal: CallJournal,
  order: string,
  ...verdicts: (Outcome | undefined)[]
): Promise<void> {
  const call = callOf(order);
  for (const [index, verdict] of verdicts.entries()) {
    const request = { attempt: index + 1, credential: "bearer" } as const;
    await journal.willSend(call, request);
    if (verdict) await journal.attempted(call, { ...request, ms: 1, sent: true, verdict });
  }
  await journal.ended(call);
}

const summaryOf = (rows: readonly HistoryRow[]) =>
  rows.map(({ order_id, outcome, attempts }) => `${order_id} ${outcome} ${attempts}`);

describe.each(engines)("a journal on $name", (engine) => {
  test("has a row for each concurrent call, newest first, with an unknown outcome after a kill", async () => {
    const { open, clock, state } = await statesOf(engine);
    const journal = journalOf(state);
    const orders = Array.from({ length: 12 }, (_, index) => String(index));
    const verdictsOf = (index: number) =>
      index % 3 === 0 ? [refused] : index % 3 === 1 ? [limited, done] : [limited, undefined];
    await Promise.all(orders.map((order, index) => send(journal, order, ...verdictsOf(index))));
    const outcomes = ["refused 1", "done 2", "unknown 2"];
    const expected = orders.map((order, index) => `${order} ${outcomes[index % 3]}`);
    expect(summaryOf(await readHistory(await open(), {})).sort()).toEqual(expected.sort());
    clock.advance(1000);
    await send(journal, "later", undefined);
    expect(summaryOf(await readHistory(await open(), {}, 1))).toEqual(["later unknown 1"]);
  });

  test("orders its rows by the database's clock, because that of a machine may be wrong", async () => {
    const { clock, state } = await statesOf(engine);
    const behind = { ...state, clock: { ...clock, now: () => clock.now() - 300_000 } };
    await send(journalOf(state), "1", done);
    await clock.sleep(1);
    await send(journalOf(behind), "2", done);
    expect(summaryOf(await readHistory(state, {}))).toEqual(["2 done 1", "1 done 1"]);
  });

  test("finds the writes of a list under any alias, and settles no order with writes at several stores", async () => {
    const { open, state } = await statesOf(engine);
    await send(journalOf(state), "1", lost);
    await send(journalOf(state), "2", undefined);
    const list = { operation: "dispatchOrder", orders: ["1", "2", "3"], fingerprint };
    // An interrupted rename hides no writes.
    for (const store of ["centro", "matriz"]) {
      const { byOrder } = await earlierWrites(await open(), { ...list, store });
      expect([...byOrder.keys()].sort()).toEqual(["1", "2"]);
    }
    await send(journalOf(state, "norte"), "1", lost);
    const settling = settleOrder(state, { order: "1", as: "done", note: null, store: undefined });
    const { message } = await rejection("invalid_input", () => settling);
    expect(message).toMatch(/unknown outcome at several stores: (centro, norte|norte, centro)/);
  });

  /** Sends a change of order 1, and returns a function that records its answer. */
  async function inFlight(state: State) {
    const journal = journalOf(state);
    const call = callOf("1");
    const request = { attempt: 1, credential: "bearer" } as const;
    await journal.willSend(call, request);
    return async (verdict: Outcome) => {
      await journal.attempted(call, { ...request, ms: 1, sent: true, verdict });
      await journal.ended(call);
    };
  }

  test("replaces an outcome that a person recorded before the answer arrived", async () => {
    const { state } = await statesOf(engine);
    const answer = await inFlight(state);
    await settleOrder(state, { order: "1", as: "not-done", note: "seen", store: undefined });
    await answer(done);
    const [row] = await readHistory(state, {});
    expect(row).toMatchObject({ outcome: "done", evidence: "api" });
    expect(row).not.toHaveProperty("settled");
  });

  test("records no outcome if the answer arrives while a person confirms", async () => {
    const { state } = await statesOf(engine);
    const answer = await inFlight(state);
    const settling = { order: "1", as: "done", note: null, store: undefined } as const;
    await rejection("invalid_input", () => settleOrder(state, settling, () => answer(refused)));
    const [row] = await readHistory(state, {});
    expect(row).toMatchObject({ outcome: "refused" });
    expect(row).not.toHaveProperty("settled");
  });

  test("reads only the orders of a list, of any length", async () => {
    const { state } = await statesOf(engine);
    await Promise.all(Array.from({ length: 50 }, (_, index) => send(journalOf(state), `x${index}`, done)));
    for (const order of ["1", "2", "40000"]) await send(journalOf(state), order, done);
    const database = await state.database("comanda");
    let read = 0;
    const counting = (): Promise<Database> =>
      Promise.resolve({
        ...database,
        async rows(columns, sql, ...values) {
          const found = await database.rows(columns, sql, ...values);
          read += found.length;
          return found;
        },
      });
    const orders = Array.from({ length: 40_000 }, (_, index) => String(index + 1));
    const list = { store: "centro", operation: "dispatchOrder", orders, fingerprint };
    const { byOrder } = await earlierWrites({ ...state, existing: counting }, list);
    expect({ orders: [...byOrder.keys()].sort(), read }).toEqual({ orders: ["1", "2", "40000"], read: 3 });
  });
});
