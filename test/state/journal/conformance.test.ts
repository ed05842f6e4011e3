/** Journal, runs and history, on each engine that keeps them. */
import { describe, expect, test } from "vitest";

import {
  readHistory,
  renameInHistory,
  type HistoryFilter,
  type HistoryRow,
} from "../../../src/state/journal/history.js";
import { openJournal, type Journal } from "../../../src/state/journal/journal.js";
import { earlierWrites } from "../../../src/state/journal/resume.js";
import { settleOrder } from "../../../src/state/journal/settle.js";
import { noAnswer, type AttemptResult } from "../../../src/state/journal/write.js";
import { createDatabases, type StateFolder } from "../../../src/state/state-folder.js";
import { simulatedClock } from "../support/clock.js";
import { engines, type Engine } from "../support/engines.js";
import { openState, temporaryFolder } from "../support/folder.js";
import { rejection } from "../support/rejection.js";

const place = { store: "centro", environment: "test" };
const fingerprint = () => ({ address: "https://api.example", sign_in: "2026-10-01" });
const done: AttemptResult = { outcome: "done", http_status: 204, code: null, evidence: "api" };
const refused: AttemptResult = { outcome: "refused", http_status: 409, code: 4002, evidence: "api" };
const limited: AttemptResult = { outcome: "refused", http_status: 429, code: 4290, evidence: "api" };
const lost: AttemptResult = {
  outcome: "unknown",
  http_status: 500,
  code: "outcome_unknown",
  evidence: "gateway",
};
const hour = 3_600_000;

/** @returns what opens the same state, each time as another process would */
async function statesOf(engine: Engine) {
  const [openDatabase, folder, clock] = [await engine.create(), temporaryFolder(), simulatedClock()];
  const open = (): StateFolder => {
    const opened = openDatabase();
    const databases = createDatabases(
      () => opened,
      () => true,
    );
    return { ...openState(folder, { clock }), ...databases };
  };
  return { open, clock };
}

const dispatch = (order: string) => ({ operation: "dispatchOrder", order_id: order, arguments: {} });
const journalOf = (state: StateFolder) => openJournal({ state, place, fingerprint });

async function send(journal: Journal, order: string, ...came: (AttemptResult | undefined)[]): Promise<void> {
  const row = journal.row(dispatch(order));
  for (const result of came) {
    await row.sent();
    if (result) row.outcome(result);
  }
  await journal.close();
}

async function historyOf(state: StateFolder, filter: HistoryFilter = {}): Promise<HistoryRow[]> {
  const rows: HistoryRow[] = [];
  for await (const page of readHistory(state, filter)) rows.push(...page);
  return rows;
}

const told = (rows: readonly HistoryRow[]) =>
  rows.map(({ order_id, outcome, attempts }) => `${order_id} ${outcome} ${attempts}`);

const settling = (order: string, as: "done" | "not-done", note?: string) => ({
  ...{ order, as, by: "ana", note, store: undefined },
});

describe.each(engines)("a journal on $name", (engine) => {
  describe.skipIf(!engine.isInstalled)("as commands use it", () => {
    test("has a row before a request goes out, and what came of it after", async () => {
      const { open } = await statesOf(engine);
      const [state, other] = [open(), open()];
      const journal = journalOf(state);
      const row = journal.row({ ...dispatch("1"), arguments: { reason: "late" } });
      await row.sent();
      const before = await historyOf(other);
      expect(before).toMatchObject([
        { ...place, order_id: "1", arguments: { reason: "late" }, attempts: 1, ...noAnswer },
      ]);
      row.outcome(refused);
      await journal.close();
      expect(await historyOf(other)).toEqual([{ ...before[0], ...refused }]);
    });

    test("says of a write that was cut off that nothing is known of it, whatever came before", async () => {
      const { open } = await statesOf(engine);
      await send(journalOf(open()), "1", limited, undefined);
      expect(await historyOf(open())).toMatchObject([{ attempts: 2, ...noAnswer }]);
    });

    test("has a row for each of many that go out together", async () => {
      const { open } = await statesOf(engine);
      const journal = journalOf(open());
      const orders = Array.from({ length: 40 }, (_, index) => String(index));
      const rows = orders.map((order) => journal.row(dispatch(order)));
      await Promise.all(rows.map((row) => row.sent()));
      for (const [index, row] of rows.entries()) row.outcome(index % 3 === 0 ? refused : done);
      await Promise.all(rows.slice(0, 20).map((row) => row.sent()));
      await journal.close();
      const expected = orders.map((order, index) =>
        index < 20 ? `${order} unknown 2` : `${order} ${index % 3 === 0 ? "refused" : "done"} 1`,
      );
      expect(told(await historyOf(open())).sort()).toEqual(expected.sort());
    });

    test("keeps the rows of two processes apart that drew the same number of a run", async () => {
      const { open } = await statesOf(engine);
      let draws = 0;
      const sameFirst = (state: StateFolder): StateFolder => {
        const bytes = (count: number) => Buffer.alloc(count, (draws += 1) > 2 ? draws : 1);
        const { system } = state.files;
        return {
          ...state,
          files: { ...state.files, system: { ...system, random: { ...system.random, bytes } } },
        };
      };
      for (const order of ["1", "2"]) await send(journalOf(sameFirst(open())), order, done);
      const rows = await historyOf(open());
      expect(told(rows).sort()).toEqual(["1 done 1", "2 done 1"]);
      expect(new Set(rows.map(({ run }) => run)).size).toBe(2);
    });

    test("reads by pages, the newest first, and no more than is wanted", async () => {
      const { open, clock } = await statesOf(engine);
      const state = open();
      const journal = journalOf(state);
      for (let second = 0; second < 4; second += 1) {
        const rows = Array.from({ length: 320 }, (_, index) => journal.row(dispatch(`${second}-${index}`)));
        await Promise.all(rows.map((row) => row.sent()));
        clock.advance(1000);
      }
      const rows = await historyOf(state);
      expect(rows).toHaveLength(1280);
      expect(new Set(rows.map(({ order_id: order }) => order)).size).toBe(1280);
      const moments = rows.map(({ at }) => at);
      expect(moments).toEqual([...moments].sort().reverse());
      const pages: number[] = [];
      for await (const page of readHistory(state, {}, 1200)) pages.push(page.length);
      expect(pages).toEqual([1000, 200]);
    });

    test("has a store by its new name, and no other store that is called by the old one since", async () => {
      const { open } = await statesOf(engine);
      const state = open();
      const sendAt = async (store: string, order: string) =>
        send(openJournal({ state, place: { ...place, store }, fingerprint }), order, done);
      await sendAt("centro", "1");
      await renameInHistory(state, "centro", "matriz");
      // Whoever finishes a rename that was cut off does it again.
      await renameInHistory(open(), "centro", "matriz");
      await sendAt("centro", "3");
      expect(told(await historyOf(state, { store: "matriz" }))).toEqual(["1 done 1"]);
      expect(told(await historyOf(state, { store: "centro" }))).toEqual(["3 done 1"]);
    });

    test("knows of a list what was done or is unknown, by this sign-in and lately, and what a person has said", async () => {
      const { open, clock } = await statesOf(engine);
      const state = open();
      const operation = "dispatchOrder";
      await send(journalOf(state), "yesterday", done);
      clock.advance(24 * hour);
      for (const order of ["1", "2", "3", "4"]) await send(journalOf(state), order, lost);
      await send(journalOf(state), "2", done);
      await send(journalOf(state), "5", refused);
      await send(journalOf(state), "6", undefined);
      await settleOrder(state, settling("3", "done"));
      await settleOrder(state, settling("4", "not-done"));
      clock.advance(1);
      const orders = ["yesterday", "1", "2", "3", "4", "5", "6", "7"];
      const list = { store: "centro", operation, orders };
      const { byOrder, otherSignIn } = await earlierWrites(open(), { ...list, fingerprint: fingerprint() });
      expect([...byOrder].map(([order, { outcome }]) => `${order} ${outcome}`).sort()).toEqual([
        ...["1 unknown", "2 done", "3 done", "6 unknown"],
      ]);
      expect(otherSignIn).toBe(0);
      const others = [
        [{ address: "https://api.example", sign_in: "2026-10-02" }, 4],
        [{ address: "https://other.example", sign_in: "2026-10-01" }, 0],
      ] as const;
      for (const [other, count] of others)
        expect(await earlierWrites(open(), { ...list, fingerprint: other })).toEqual({
          byOrder: new Map(),
          otherSignIn: count,
        });
    });

    test("lets a person say what became of an unknown one, and say it anew", async () => {
      const { open, clock } = await statesOf(engine);
      const state = open();
      await send(journalOf(state), "1", lost);
      await send(journalOf(state), "1", lost, lost);
      await send(journalOf(state), "2", done);
      const settled = await settleOrder(state, settling("1", "done", "in the portal"));
      expect(settled.settled).toHaveLength(2);
      const by = { by: "ana", at: new Date(clock.now()).toISOString() };
      expect(await historyOf(open(), { order: "1" })).toMatchObject([
        { outcome: "unknown", settled: { outcome: "done", note: "in the portal", ...by } },
        { outcome: "unknown", settled: { outcome: "done", note: "in the portal", ...by } },
      ]);
      expect(await historyOf(open(), { outcome: "unknown" })).toEqual([]);
      await settleOrder(state, settling("1", "not-done"));
      expect(await historyOf(open(), { order: "1" })).toMatchObject([
        { settled: { outcome: "not-done", note: null } },
        { settled: { outcome: "not-done", note: null } },
      ]);
      await rejection("invalid_input", () => settleOrder(state, settling("2", "done")));
      await rejection("invalid_input", () => settleOrder(state, settling("3", "done")));
    });

    test("settles the newest change of an order, and says what else is unknown of it", async () => {
      const { open, clock } = await statesOf(engine);
      const state = open();
      for (const operation of ["dispatchOrder", "cancelOrder"]) {
        const journal = journalOf(state);
        await journal.row({ ...dispatch("1"), operation }).sent();
        clock.advance(1000);
      }
      const first = await settleOrder(state, settling("1", "not-done"));
      expect([first.settled, first.left].map(([row]) => row?.operation)).toEqual([
        "cancelOrder",
        "dispatchOrder",
      ]);
      expect(await historyOf(state, { outcome: "unknown" })).toMatchObject([{ operation: "dispatchOrder" }]);
      const second = await settleOrder(state, settling("1", "done"));
      expect([second.settled[0]?.operation, second.left]).toEqual(["dispatchOrder", []]);
    });

    test("asks which store is meant where an order is unknown at several", async () => {
      const { open } = await statesOf(engine);
      const state = open();
      for (const store of ["centro", "norte"])
        await send(openJournal({ state, place: { ...place, store }, fingerprint }), "1", lost);
      const { message } = await rejection("invalid_input", () => settleOrder(state, settling("1", "done")));
      expect(message).toMatch(/unknown at several stores: (centro, norte|norte, centro)/);
      await settleOrder(state, { ...settling("1", "done"), store: "norte" });
      expect(await historyOf(state, { outcome: "unknown" })).toMatchObject([{ store: "centro" }]);
    });
  });
});
