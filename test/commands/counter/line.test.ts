/** What a line at the counter means, what Tab makes of it, and the screen as text. */
import { describe, expect, test } from "vitest";

import type { Change, Entry, ShownOutcome } from "../../../src/commands/counter/changes.js";
import { completeLine, openOrders } from "../../../src/commands/counter/completion.js";
import { parseLine } from "../../../src/commands/counter/line.js";
import { counterPicture, type PictureSize } from "../../../src/commands/counter/picture.js";
import { plainStyle } from "../../../src/terminal/index.js";

describe("a line", () => {
  const change = (order: string, action: string, more: object = {}) => ({
    ...{ kind: "change", order, action },
    ...more,
  });

  test.each<[string, object]>([
    ["", { kind: "nothing" }],
    ["  q ", { kind: "leave" }],
    ["U", { kind: "take back" }],
    ["436", { kind: "which", order: "436" }],
    ["d 436", change("436", "dispatch")],
    ["D436", change("436", "dispatch")],
    ["e 436", change("436", "deliver")],
    ["f 436", change("436", "finalize")],
    ["c 436", change("436", "cancel")],
    ["c 436 kitchen  closed", change("436", "cancel", { reason: "kitchen  closed" })],
    ["d 62337036 bia", change("62337036", "dispatch", { driver: "bia" })],
    ["d 62337036 ana maria", change("62337036", "dispatch", { driver: "ana maria" })],
    ["62337036 11", change("62337036", "assign", { driver: "11" })],
    ["d 62337036 bia 7,50", change("62337036", "dispatch", { driver: "bia", fee: "7,50" })],
    ["62337036 11 0", change("62337036", "assign", { driver: "11", fee: "0" })],
    ["436 d", change("436", "dispatch")],
    ["436 d bia", change("436", "dispatch", { driver: "bia" })],
    ["436 c acabou a massa", change("436", "cancel", { reason: "acabou a massa" })],
    ["436 d 436", change("436", "dispatch")],
    ["despachar 436 bia", change("436", "dispatch", { driver: "bia" })],
    ["cancelar 436", change("436", "cancel")],
    ["atribuir 436 bia", change("436", "assign", { driver: "bia" })],
  ])("%j is %j", (line, meaning) => {
    expect(parseLine(line)).toEqual(meaning);
  });

  test.each(["d", "x 436", "bia", "d bia", "d 436,437", "assign 436"])("%j means nothing", (line) => {
    expect(() => parseLine(line)).toThrow(expect.objectContaining({ exitCode: 2 }) as Error);
  });
});

const dispatch = (order: string): Change => ({ order, action: "dispatch" });
const done: ShownOutcome = { outcome: "done", code: null, message: null, details: null };

describe("Tab", () => {
  const drivers = [
    { id: 11, name: "Bia Nogueira" },
    { id: 12, name: "Davi Lemos" },
    { id: 13, name: "Diego Reis" },
  ];
  const orders = ["62337036", "62337038", "71000001"];

  test.each([
    ["d 7", "d 71000001 ", []],
    ["d 62", "d 6233703", ["62337036", "62337038"]],
    ["c 038", "c 62337038 ", []],
    ["036", "62337036 ", []],
    ["d 99", "d 99", []],
    ["d 62337036 b", "d 62337036 Bia Nogueira ", []],
    ["d 62337036 d", "d 62337036 d", ["Davi Lemos", "Diego Reis"]],
    ["c 62337036 massa", "c 62337036 massa", []],
  ])("makes %j to %j", (line, completed, candidates) => {
    expect(completeLine(line, { orders, drivers })).toEqual({ line: completed, candidates });
  });

  test("knows the orders of the journal that may still be changed", () => {
    const row = (order_id: string, operation: string, outcome: "done" | "refused" = "done") => ({
      ...{ order_id, operation, outcome },
    });
    const rows = [row("3", "dispatchOrder"), row("2", "cancelOrder", "refused"), row("1", "finalizeOrder")];
    expect(openOrders([...rows, row("3", "assignDriver"), row("1", "dispatchOrder")])).toEqual(["3", "2"]);
  });
});

describe("the screen", () => {
  const board = {
    store: "centro",
    zone: "UTC",
    display: { locale: "en", currency: undefined },
    isLimited: false,
  };
  const entries: readonly Entry[] = [
    { change: dispatch("1"), stage: { kind: "settled", at: 0, outcome: done } },
    {
      change: { order: "2", action: "cancel" },
      stage: { kind: "settled", at: 60_000, outcome: { ...done, outcome: "refused", code: 4002 } },
    },
    { change: { ...dispatch("3"), driver: { id: 11, name: "Bia" } }, stage: { kind: "sending" } },
    { change: { order: "4", action: "cancel" }, stage: { kind: "waiting", until: 3_500 } },
  ];
  const state = { boards: [board], entries, line: "d 436", cursor: 5, message: undefined };
  const size = (columns: number, rows: number): PictureSize => ({
    ...{ columns, rows, style: plainStyle, now: 0, steady: 1_000 },
  });

  test("at 40 columns has the changes below the figures, the newest at the bottom", () => {
    const { lines, cursor } = counterPicture(state, size(40, 20));
    expect(lines.map((line) => line.trimEnd()).filter(Boolean)).toEqual([
      "centro",
      "No figures yet.",
      "00:00 dispatch 1                    done",
      "00:01 cancel 2                   refused",
      "      Its status doesn't allow it: it",
      "      may be finished, or not at that",
      "      step yet.",
      "      dispatch 3 → Bia        on its way",
      "      cancel 4                    in 3 s",
      "> d 436",
      "d dispatches, e delivers, f finalizes, c",
      "cancels, each with an id: d 4711. u",
      "takes back, q ends.",
    ]);
    expect(lines[(cursor?.row ?? 0) - 1]).toBe("> d 436");
    expect(cursor?.column).toBe(8);
  });

  test.each([
    [40, 8],
    [40, 24],
    [80, 24],
    [200, 50],
    [20, 5],
  ])("of %i columns and %i lines is filled and not wider, and shows the line", (columns, rows) => {
    const message = { text: "What is to become of order 436? ".repeat(4) };
    const { lines, cursor } = counterPicture(
      { ...state, message, line: "d 436 a very long name of a driver indeed", cursor: 41 },
      size(columns, rows),
    );
    expect(lines.length).toBeLessThanOrEqual(rows);
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(columns);
    expect(lines[(cursor?.row ?? 0) - 1]).toMatch(/^> .*indeed$/);
    expect(cursor?.column).toBeLessThanOrEqual(columns);
  });

  test("at 80 columns has the changes beside the figures", () => {
    const { lines } = counterPicture(state, size(80, 24));
    expect(lines[0]).toMatch(/^centro {34}00:00 dispatch 1 +done$/);
  });
});
