/** Journal, runs and history, on each engine that keeps them. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";

import { clearHistory } from "../../../src/state/journal/clear-history.js";
import {
  readHistory,
  renameInHistory,
  type HistoryFilter,
  type HistoryRow,
} from "../../../src/state/journal/history.js";
import { openJournal, type Journal } from "../../../src/state/journal/journal.js";
import { digestOf } from "../../../src/state/journal/resume.js";
import {
  beginRun,
  findRun,
  readRun,
  resumeRun,
  runsWhere,
  withListLock,
  type JournalRun,
} from "../../../src/state/journal/runs.js";
import { settleOrder } from "../../../src/state/journal/settle.js";
import { concluded, noAnswer, type AttemptResult } from "../../../src/state/journal/write.js";
import { createDatabases, type StateFolder } from "../../../src/state/state-folder.js";
import { sized } from "../../support/soak.js";
import { simulatedClock } from "../support/clock.js";
import { endedWith, engines, type Engine } from "../support/engines.js";
import { openState, temporaryFolder } from "../support/folder.js";
import { rejection } from "../support/rejection.js";

const place = { store: "centro", environment: "test" };
const done: AttemptResult = { outcome: "done", http_status: 204, code: null, evidence: "api" };
const refused: AttemptResult = { outcome: "refused", http_status: 409, code: 4002, evidence: "api" };
const limited: AttemptResult = { outcome: "refused", http_status: 429, code: 4290, evidence: "api" };
const unsent: AttemptResult = { outcome: "failed", http_status: null, code: "unreachable", evidence: null };
const lost: AttemptResult = {
  outcome: "unknown",
  http_status: 500,
  code: "outcome_unknown",
  evidence: "gateway",
};
const results = [done, refused, limited, unsent, lost];
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
const journalOf = (state: StateFolder, actor = "ana") => openJournal({ state, place, actor });

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

const subjectOf = (orders: readonly string[]) => ({
  verb: "dispatch",
  operation: "dispatchOrder",
  digest: digestOf(orders),
  fingerprint: { address: "https://api.example", sign_in: "2026-10-01" },
});
const begin = (journal: Journal, orders: readonly string[]) => beginRun(journal, subjectOf(orders), orders);
const wanted = (orders: readonly string[]) => ({
  ...{ place, verb: "dispatch", credential: "bearer" as const, orders },
  fingerprint: { address: "https://api.example", sign_in: "2026-10-01" },
});
async function runOf(state: StateFolder, id: string): Promise<JournalRun> {
  const [run] = await runsWhere(state, "id = $1", id);
  if (!run) throw new Error(`there is no run ${id}`);
  return run;
}

async function resume(state: StateFolder, id: string, actor = "rui") {
  const journal = journalOf(state, actor);
  const found = await runOf(state, id);
  return { journal, run: await resumeRun(journal, found, await readRun(state, found)) };
}

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
        { ...place, order_id: "1", arguments: { reason: "late" }, attempts: 1, actor: "ana", ...noAnswer },
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
        send(openJournal({ state, place: { ...place, store } }), order, done);
      await sendAt("centro", "1");
      await begin(openJournal({ state, place: { ...place, store: "centro" } }), ["2"]);
      await renameInHistory(state, "centro", "matriz");
      // Whoever finishes a rename that was cut off does it again.
      await renameInHistory(open(), "centro", "matriz");
      await sendAt("centro", "3");
      expect(told(await historyOf(state, { store: "matriz" }))).toEqual(["1 done 1"]);
      expect(told(await historyOf(state, { store: "centro" }))).toEqual(["3 done 1"]);
      const matriz = { ...place, store: "matriz" };
      expect(await findRun(state, { ...wanted(["2"]), place: matriz })).toMatchObject(matriz);
      const centro = { ...matriz, store: "centro" };
      await rejection("invalid_input", () => findRun(state, { ...wanted(["2"]), place: centro }));
    });

    test("resumes a run exactly, page by page", async () => {
      const { open } = await statesOf(engine);
      const orders = Array.from({ length: 1300 }, (_, index) => `${90_000 - index}`);
      const state = open();
      const journal = journalOf(state);
      const run = await begin(journal, orders);
      const rows = orders.slice(0, 1100).map((order) => run.log.row(dispatch(order)));
      await Promise.all(rows.map((row) => row.sent()));
      await Promise.all(rows.slice(0, 1050).map((row) => row.outcome(done)));
      const found = await findRun(open(), wanted([...orders].reverse()));
      expect(found).toMatchObject({ id: run.id, count: 1300, isSettled: false, endedAt: null });
      const read = await readRun(open(), found);
      expect(read.orders).toEqual(orders);
      expect(read.nextNumber).toBe(1101);
      const left = orders.map((order) => read.earlier.get(order)?.outcome);
      const expected = orders.map((_, index) =>
        index < 1050 ? "done" : index < 1100 ? "unknown" : undefined,
      );
      expect(left).toEqual(expected);
    });

    test("keeps what was unknown beside what came of it later, and goes on with a row that was not", async () => {
      const { open } = await statesOf(engine);
      const state = open();
      const run = await begin(journalOf(state), ["1", "2"]);
      const [first, second] = [run.log.row(dispatch("1")), run.log.row(dispatch("2"))];
      await Promise.all([first.sent(), second.sent()]);
      await second.outcome(limited);
      const resumed = await resume(open(), run.id);
      for (const order of ["1", "2"]) {
        const row = resumed.run.log.row(dispatch(order));
        await row.sent();
        await row.outcome(refused);
      }
      await resumed.run.end(true);
      const rows = await historyOf(state);
      expect(rows.map((row) => [row.order_id, row.outcome, row.code, row.attempts, row.actor])).toEqual([
        ["1", "unknown", 4002, 1, "rui"],
        ["2", "refused", 4002, 2, "rui"],
        ["1", "unknown", null, 1, "ana"],
      ]);
      const { earlier } = await readRun(open(), await runOf(open(), run.id));
      expect(earlier.get("1")).toMatchObject({ outcome: "unknown", code: 4002, attempts: 2 });
      const { message } = await rejection("invalid_input", () => findRun(open(), wanted(["1", "2"])));
      expect(message).toContain("has come to its end");
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
        await send(openJournal({ state, place: { ...place, store } }), "1", lost);
      const { message } = await rejection("invalid_input", () => settleOrder(state, settling("1", "done")));
      expect(message).toMatch(/unknown at several stores: (centro, norte|norte, centro)/);
      await settleOrder(state, { ...settling("1", "done"), store: "norte" });
      expect(await historyOf(state, { outcome: "unknown" })).toMatchObject([{ store: "centro" }]);
    });

    test("goes on with a run by what a person has said", async () => {
      const { open } = await statesOf(engine);
      const state = open();
      const run = await begin(journalOf(state), ["1", "2", "3"]);
      await Promise.all(["1", "2", "3"].map((order) => run.log.row(dispatch(order)).sent()));
      await settleOrder(state, settling("1", "done"));
      await settleOrder(state, settling("2", "not-done"));
      const { earlier } = await readRun(state, await runOf(state, run.id));
      expect(["1", "2", "3"].map((order) => earlier.get(order)?.outcome)).toEqual([
        "done",
        "failed",
        "unknown",
      ]);
    });

    test("forgets what is older, and nothing of a run that was gone on with since", async () => {
      const { open, clock } = await statesOf(engine);
      const state = open();
      await send(journalOf(state), "old", done);
      const run = await begin(journalOf(state), ["1", "2"]);
      await run.log.row(dispatch("1")).sent();
      await run.end(false);
      const ended = await begin(journalOf(state), ["3"]);
      await ended.log.row(dispatch("3")).sent();
      await ended.end(false);
      clock.advance(2 * hour);
      const before = clock.now() - hour;
      const { run: resumed } = await resume(open(), run.id);
      await resumed.log.row(dispatch("2")).sent();
      await resumed.end(false);
      await send(journalOf(state), "new", done);
      expect(await clearHistory(open(), before)).toEqual({ removed: 2, kept: 0 });
      expect(told(await historyOf(state)).sort()).toEqual(["1 unknown 1", "2 unknown 1", "new done 1"]);
      expect(await findRun(state, wanted(["1", "2"]))).toMatchObject({ id: run.id });
      await rejection("invalid_input", () => findRun(state, wanted(["3"])));
    });

    test("keeps a run that a process has now, and forgets one that was cut off", async () => {
      const { open, clock } = await statesOf(engine);
      const state = open();
      const { id } = await begin(journalOf(state), ["1"]);
      const cutOff = await runOf(state, id);
      clock.advance(hour);
      const clear = () => clearHistory(open(), clock.now());
      const [kept] = await Promise.all([withListLock(state, cutOff.lock, clear)]);
      expect(kept).toEqual({ removed: 0, kept: 1 });
      expect(await clear()).toEqual({ removed: 0, kept: 0 });
      const read = await rejection("invalid_input", () => resumeAsFound(open(), cutOff));
      expect(read.message).toContain(`There is no run ${id}`);
    });

    test.each([
      ["within the hour", 59, { removed: 0, kept: 1 }],
      ["long ago", 61, { removed: 1, kept: 0 }],
    ])("keeps a lone write without an answer that was sent %s, if at all", async (_, minutes, expected) => {
      const { open, clock } = await statesOf(engine);
      await send(journalOf(open()), "1", undefined);
      clock.advance(minutes * 60_000);
      expect(await clearHistory(open(), clock.now())).toEqual(expected);
    });

    test("refuses a request whose row was forgotten meanwhile", async () => {
      const { open, clock } = await statesOf(engine);
      const journal = journalOf(open());
      const row = journal.row(dispatch("1"));
      await row.sent();
      row.outcome(limited);
      await journal.close();
      clock.advance(hour);
      await clearHistory(open(), clock.now());
      await rejection("state_unusable", () => row.sent());
      expect(await historyOf(open())).toEqual([]);
    });

    test("tells what a list in memory tells, whatever was sent, cut off and gone on with", async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(aStep, { maxLength: 12 }), (steps) =>
          endedWith(async () => {
            const { open, clock } = await statesOf(engine);
            const model = new Model();
            for (const step of steps) {
              clock.advance(1000);
              await model.play(step, open());
            }
            expect(told(await historyOf(open())).sort()).toEqual(model.told().sort());
            for (const outcome of ["done", "refused", "failed", "unknown"])
              expect(told(await historyOf(open(), { outcome })).sort()).toEqual(model.told(outcome).sort());
          }),
        ),
        {
          numRuns:
            engine.name === "SQLite"
              ? sized({ test: 8, search: 100, soak: 2000 })
              : sized({ test: 3, search: 60, soak: 500 }),
        },
      );
    });
  });
});

async function resumeAsFound(state: StateFolder, found: JournalRun): Promise<void> {
  await resumeRun(journalOf(state), found, { orders: ["1"], earlier: new Map(), nextNumber: 1 });
}

type Step =
  | { readonly kind: "send"; readonly order: string; readonly came: readonly (AttemptResult | undefined)[] }
  | { readonly kind: "run"; readonly isNew: boolean; readonly came: readonly (AttemptResult | undefined)[] }
  | { readonly kind: "settle"; readonly order: string };

const anOrder = fc.constantFrom("1", "2", "3");
/** Only the last one may be cut off. */
const whatCame = fc
  .tuple(
    fc.array(fc.constantFrom(...results), { maxLength: 2 }),
    fc.option(fc.constantFrom(...results), { nil: undefined }),
  )
  .map(([before, last]) => [...before, last]);
const aStep: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ kind: fc.constant("send" as const), order: anOrder, came: whatCame }),
  fc.record({ kind: fc.constant("run" as const), isNew: fc.boolean(), came: whatCame }),
  fc.record({ kind: fc.constant("settle" as const), order: anOrder }),
);

interface ModelRow {
  readonly order: string;
  attempts: number;
  result: AttemptResult;
  isSettled: boolean;
}

/** The journal as a list in memory: no SQL, no pages, no groups. */
class Model {
  readonly #rows: ModelRow[] = [];
  /** The rows of each order of the run that is gone on with. */
  #run: { readonly id: string; readonly rows: Map<string, ModelRow> } | undefined;

  async play(step: Step, state: StateFolder): Promise<void> {
    switch (step.kind) {
      case "send":
        await send(journalOf(state), step.order, ...step.came);
        this.#add(step.order, step.came, undefined);
        break;
      case "run":
        await this.#playRun(step, state);
        break;
      case "settle":
        await this.#settle(step.order, state);
    }
  }

  async #playRun({ isNew, came }: Step & { readonly kind: "run" }, state: StateFolder): Promise<void> {
    const orders = ["1", "2", "3"];
    const known = isNew ? undefined : this.#run;
    const run = known ? (await resume(state, known.id)).run : await begin(journalOf(state), orders);
    const rows = known?.rows ?? new Map<string, ModelRow>();
    this.#run = { id: run.id, rows };
    await Promise.all(
      orders.map(async (order) => {
        const row = run.log.row(dispatch(order));
        for (const result of came) {
          await row.sent();
          if (result) await row.outcome(result);
        }
        rows.set(order, this.#add(order, came, rows.get(order)));
      }),
    );
  }

  #add(order: string, came: readonly (AttemptResult | undefined)[], earlier: ModelRow | undefined): ModelRow {
    let result = earlier && looked(earlier);
    for (const next of came) result = concluded(result, next ?? noAnswer);
    const [attempts, told] = [came.length, result ?? noAnswer];
    if (earlier && earlier.result.outcome !== "unknown") {
      earlier.attempts += attempts;
      earlier.result = told;
      return earlier;
    }
    const row = { order, attempts, result: told, isSettled: false };
    this.#rows.push(row);
    return row;
  }

  async #settle(order: string, state: StateFolder): Promise<void> {
    const unknown = this.#rows.filter((row) => row.order === order && row.result.outcome === "unknown");
    const open = unknown.filter(({ isSettled }) => !isSettled);
    if (unknown.length === 0) {
      await rejection("invalid_input", () => settleOrder(state, settling(order, "not-done")));
      return;
    }
    const { settled } = await settleOrder(state, settling(order, "not-done"));
    const meant = open.length > 0 ? open : unknown;
    expect(settled).toHaveLength(meant.length);
    for (const row of meant) row.isSettled = true;
  }

  told(outcome?: string): string[] {
    return this.#rows
      .filter(
        ({ result, isSettled }) =>
          outcome === undefined || (result.outcome === outcome && !(outcome === "unknown" && isSettled)),
      )
      .map(({ order, attempts, result }) => `${order} ${result.outcome} ${attempts}`);
  }
}

/** What is known of an order, by what a person has looked up. */
function looked({ result, isSettled }: ModelRow): AttemptResult {
  if (!isSettled || result.outcome !== "unknown") return result;
  return { ...result, outcome: "failed", http_status: null, code: null };
}
