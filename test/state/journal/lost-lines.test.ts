/** Which orders of a run are in doubt, where the machine was started anew: their lines may never have reached the disk. */
import { describe, expect, test } from "vitest";

import { WriteLines } from "../../../src/state/journal/attempts.js";
import type { AttemptResult, JournalEntry, RunEntry } from "../../../src/state/journal/entries.js";
import { LostLines } from "../../../src/state/journal/lost-lines.js";

const stamp = { v: 1, at: "2026-11-20T15:00:00.000Z", run: "20261120-abcdef" } as const;
const who = { user: "ana" };
const run = (boot: string | null): RunEntry => ({
  ...stamp,
  ...who,
  ...{ type: "run", store: "centro", environment: "test", verb: "dispatch", operation: "dispatchOrder" },
  ...{ count: 4, digest: "", boot },
});
const list: JournalEntry = { ...stamp, type: "orders", orders: ["1", "2", "3", "4"] };
const released = (before: number): JournalEntry => ({ ...stamp, type: "released", before });
const resumed = (boot: string | null): JournalEntry => ({ ...stamp, ...who, type: "resumed", boot });
const end = (settled: boolean): JournalEntry => ({ ...stamp, type: "end", settled });

const before = Date.parse("2026-11-20T14:00:00Z");
const after = Date.parse("2026-11-20T16:00:00Z");
const two = ["1", "2"];

describe("orders in doubt", () => {
  test.each<
    [string, string | null, readonly JournalEntry[], string | null, number, readonly (readonly string[])[]]
  >([
    ["in the same start", "a", [released(2)], "a", before, []],
    ["after another start", "a", [released(2)], "b", before, [two]],
    ["where none was released", "a", [], "b", before, []],
    ["where the run was ended before", "a", [released(2), end(false)], "b", before, []],
    ["where it was gone on with in another start", "a", [released(2), resumed("b")], "b", before, [two]],
    ["where that was ended", "a", [released(2), resumed("b"), end(false)], "c", before, [two]],
    ["where it was ended first", "a", [released(2), end(false), resumed("b")], "b", before, []],
    [
      "after two other starts",
      "a",
      [released(2), resumed("b"), released(3)],
      "c",
      before,
      [two, ["1", "2", "3"]],
    ],
    ["where no start has a name, and it was before", null, [released(2)], null, after, [two]],
    ["where no start has a name, and it was after", null, [released(2)], null, before, []],
    ["where a start has a name now", null, [released(2)], "a", before, [two]],
  ])("%s", (_, boot, entries, now, startedAt, expected) => {
    const lost = new LostLines(run(boot), { boot: now, startedAt });
    const found = [list, ...entries].map((entry) => lost.add(entry));
    expect([...found, lost.end()].filter(({ length }) => length > 0)).toEqual(expected);
  });
});

describe("an order in doubt", () => {
  const none = { http_status: null, code: null, evidence: "api" } as const;
  const limited: AttemptResult = { ...none, outcome: "refused", http_status: 429 };
  test.each<[string, AttemptResult | undefined, AttemptResult | undefined, object]>([
    ["without a line", undefined, undefined, { outcome: "unknown", attempts: 0 }],
    ["that was limited before", limited, undefined, { outcome: "unknown", attempts: 1 }],
    ["that was done before", { ...none, outcome: "done" }, undefined, { outcome: "done", attempts: 1 }],
    [
      "that is not there later",
      undefined,
      { ...none, outcome: "refused", code: 4041 },
      { outcome: "refused" },
    ],
    ["that is refused later", undefined, { ...none, outcome: "refused", code: 4002 }, { outcome: "unknown" }],
    ["that is limited later", limited, limited, { outcome: "unknown", attempts: 2 }],
  ])("%s", (_, earlier, later, expected) => {
    const lines = new WriteLines();
    if (earlier) lines.outcome(1, earlier);
    lines.mayLackOne();
    if (later) lines.outcome(earlier ? 2 : 1, later);
    expect(lines.result()).toMatchObject(expected);
  });
});
