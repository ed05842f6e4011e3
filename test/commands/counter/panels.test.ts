/** What a look makes of the one before, and how it stands on terminals of any width. */
import stringWidth from "string-width";
import fc from "fast-check";
import { describe, expect, test } from "vitest";

import {
  isComparisonDue,
  lookOf,
  sameWeekdayOf,
  type Board,
  type Look,
} from "../../../src/commands/counter/board.js";
import { drawBoards, wrapSentence } from "../../../src/commands/counter/panels.js";
import type { Group } from "../../../src/contract/models.js";
import { ComandaError } from "../../../src/shared/errors.js";
import { resolvePeriod } from "../../../src/sales/period/resolve.js";
import { plainStyle } from "../../../src/terminal/index.js";
import { Screen } from "../../../src/terminal/screen.js";

const zone = "America/Sao_Paulo";
/** A Friday, nine in the evening. */
const evening = Date.parse("2026-11-21T00:00:00Z");
const minute = 60_000;

const group = (key: Group["key"], orders: number): Group => ({
  key,
  label: `label of ${String(key)}`,
  total_order_count: orders,
  total_revenue: orders * 10,
  average_order_value: 10,
});
const periodAt = (now: number) => resolvePeriod({ period: "today" }, { now, zone });
const look = (groups: readonly Group[], before?: Look, at = evening) =>
  lookOf(periodAt(at), { figures: groups, age: { askedAt: at, kept: false } }, before);
const movedOf = ({ statuses }: Look) =>
  statuses.map(({ key, total_order_count, moved }) => [key, total_order_count, moved]);

describe("a look", () => {
  const first = look([group("closed", 4), group("ready", 2), group("confirmed", 3)]);

  test("stands in the order in which orders move, what a newer service knows at the end", () => {
    const statuses = ["teleported", "closed", "confirmed", null, "waiting_confirmation"];
    expect(look(statuses.map((key) => group(key, 1))).statuses.map(({ key }) => key)).toEqual([
      "waiting_confirmation",
      "confirmed",
      "closed",
      "teleported",
      null,
    ]);
  });

  test("says what moved since the one before, also of a status that has no orders any more", () => {
    expect(movedOf(first)).toEqual([
      ["confirmed", 3, null],
      ["ready", 2, null],
      ["closed", 4, null],
    ]);
    const second = look(
      [group("closed", 4), group("confirmed", 1), group("released", 4)],
      first,
      evening + 15_000,
    );
    expect(movedOf(second)).toEqual([
      ["confirmed", 1, -2],
      ["ready", 0, -2],
      ["released", 4, 4],
      ["closed", 4, 0],
    ]);
    expect(movedOf(look([group("closed", 4)], second)).map(([key]) => key)).toEqual([
      "confirmed",
      "released",
      "closed",
    ]);
  });

  test("of another day is compared with none", () => {
    const tomorrow = look([group("confirmed", 1)], first, evening + 4 * 60 * minute);
    expect(movedOf(tomorrow)).toEqual([["confirmed", 1, null]]);
  });

  test("adds up all orders, the canceled ones among them", () => {
    const { total, canceled } = look([group("canceled", 2), group("closed", 5)]);
    expect(total).toEqual({ total_order_count: 7, total_revenue: 70, average_order_value: 10 });
    expect(canceled).toEqual({ total_order_count: 2, total_revenue: 20 });
  });

  test("is compared with the same weekday anew after 5 minutes, and on another day", () => {
    const previous = {
      period: periodAt(evening),
      figures: first.total,
      age: { askedAt: evening, kept: false },
    };
    const kept = sameWeekdayOf(first, previous);
    const due = [0, 4 * minute, 5 * minute, 4 * 60 * minute].map((ms) =>
      isComparisonDue(kept, look([], first, evening + ms)),
    );
    expect(due).toEqual([false, false, true, true]);
    expect(isComparisonDue(undefined, first)).toBe(true);
  });
});

describe("panels", () => {
  const board = (store: string, fields: Partial<Board> = {}): Board => ({
    store,
    zone,
    display: { locale: "en", currency: "BRL" },
    isLimited: false,
    ...fields,
  });
  const shown = board("centro", { look: look([group("confirmed", 3), group("日本語のステータス", 12_345)]) });
  const failure = new ComandaError("unreachable", "The service can't be reached.", {
    hint: "Try again \u001b[2J later.",
  });
  const boards = [
    shown,
    { ...shown, store: "praia-de-nome-bem-comprido", failure },
    board("sul", { isLimited: true }),
  ];
  const at = (columns: number, now = evening) => ({ columns, style: plainStyle, now });

  test("stay within the terminal at any width, and never move the cursor", () => {
    fc.assert(
      fc.property(fc.integer({ min: 20, max: 250 }), fc.subarray(boards), (columns, some) => {
        for (const lines of [drawBoards(some, at(columns)), drawBoards(some, at(columns), 1)]) {
          expect(Math.max(0, ...lines.map((line) => stringWidth(line)))).toBeLessThanOrEqual(columns);
          expect(lines.join("")).not.toContain("\u001b");
        }
      }),
      { numRuns: 25 },
    );
  });

  test("stand side by side as far as they fit", () => {
    const names = (columns: number) =>
      drawBoards([shown, { ...shown, store: "sul" }, shown], at(columns)).filter((line) =>
        line.includes("Fri"),
      ).length;
    expect([40, 100, 200].map(names)).toEqual([3, 2, 1]);
  });

  test("say how old their figures are, and why they are not newer", () => {
    const text = (one: Board, now: number) => drawBoards([one], at(80, now), 1).join(" ");
    expect(text(shown, evening)).toContain("As of 21:00:00.");
    expect(text({ ...shown, isLimited: true }, evening + 95_000)).toContain(
      "As of 21:00:00, 1 min 35 s ago. The rate limit leaves no room for a look yet.",
    );
    expect(text({ ...shown, failure }, evening)).toContain("The service can't be reached. Try again");
  });

  test.each([
    ["one two three", 7, ["one two", "three"]],
    ["unbreakable", 5, ["unbr…"]],
    ["", 5, [""]],
  ])("wrap %j at %i", (text, width, lines) => {
    expect(wrapSentence(text, width)).toEqual(lines);
  });
});

describe("the screen", () => {
  const size = { columns: 80, rows: 24 };
  const written: string[] = [];
  const drawn = (work: () => void) => {
    written.length = 0;
    work();
    return written.join("");
  };
  const screen = new Screen((text) => written.push(text));

  test("writes what has changed, all of it after another size, and nothing once it is closed", () => {
    expect(drawn(() => screen.draw(["early"], size))).toBe("");
    expect(drawn(() => screen.open())).toBe("\u001b[?1049h\u001b[?25l");
    expect(drawn(() => screen.draw(["a", "b"], size))).toBe(
      "\u001b[2J\u001b[1;1H\u001b[2Ka\u001b[2;1H\u001b[2Kb",
    );
    expect(drawn(() => screen.draw(["a", "c"], size))).toBe("\u001b[2;1H\u001b[2Kc");
    expect(drawn(() => screen.draw(["a"], size))).toBe("\u001b[2;1H\u001b[2K");
    expect(drawn(() => screen.draw(["a"], size))).toBe("");
    expect(drawn(() => screen.draw(["a"], { ...size, columns: 40 }))).toBe("\u001b[2J\u001b[1;1H\u001b[2Ka");
    const closedTwice = () => {
      screen.close();
      screen.close();
      screen.draw(["late"], size);
    };
    expect(drawn(closedTwice)).toBe("\u001b[?25h\u001b[?1049l");
  });
});
