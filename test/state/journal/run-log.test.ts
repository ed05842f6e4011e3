import { runInThisContext } from "node:vm";
import { setFlagsFromString } from "node:v8";

import { expect, test } from "vitest";

import type { JournalEntry } from "../../../src/state/journal/entries.js";
import { createRunLog } from "../../../src/state/journal/run-log.js";

/** What V8 has of an object's form. It is in no API of Node's. */
function sameHiddenClass(): (one: object, other: object) => boolean {
  setFlagsFromString("--allow-natives-syntax");
  const ask = runInThisContext("(one, other) => %HaveSameMap(one, other)") as ReturnType<
    typeof sameHiddenClass
  >;
  // It is compiled when it is first called.
  ask({}, {});
  setFlagsFromString("--no-allow-natives-syntax");
  return ask;
}

test("the lines of a long run share their hidden classes, which V8 keeps where it seldom collects", async () => {
  const [groups, lastOnes] = [5000, 100];
  const last = new Map<string, JournalEntry[]>();
  const append = (entry: JournalEntry) => {
    const ofType = last.get(entry.type) ?? [];
    last.set(entry.type, [...ofType, entry].slice(-lastOnes));
    return Promise.resolve();
  };
  const log = { append, appendSync: () => undefined, read: () => Object.assign([], { skipped: 0 }) };
  const clock = { now: () => 0, sleep: () => Promise.resolve() };
  const run = createRunLog({ state: { clock }, id: "run", log, attempts: new Map() });
  for (let group = 0; group < groups; group += 1) {
    const row = run.row({ operation: "dispatchOrder", order_id: `${group}`, arguments: {} }, group);
    await Promise.all([
      row.outcome(1, { outcome: "done", http_status: 204, code: null, evidence: "api" }),
      row.sent(1),
    ]);
  }
  const isSame = sameHiddenClass();
  const others = [...last].map(([type, [first = {}, ...rest]]) => [
    type,
    rest.filter((line) => !isSame(first, line)).length,
  ]);
  expect(Object.fromEntries(others)).toEqual({ orders_outcome: 0, orders_sent: 0 });
});
