import { describe, expect, test } from "vitest";

import {
  isFinal,
  mayAsk,
  usable,
  type Freshness,
  type DatedAnswer,
} from "../../../src/sales/ledger/freshness.js";

const hour = 60 * 60_000;
const day = 24 * hour;
/** The window's end. */
const endsAt = Date.parse("2026-10-31T23:59:59Z");

/** An answer, asked so many days after the window's end. */
const answer = (days: number, orders = 3): DatedAnswer => ({
  askedAt: endsAt + days * day,
  answer: { total_order_count: orders, total_revenue: orders * 10, average_order_value: 10 },
});
const usual: Freshness = { kind: "usual", maxAgeMs: undefined };
const within = (maxAgeMs: number): Freshness => ({ kind: "usual", maxAgeMs });
const asOf = (days: number): Freshness => ({ kind: "as of", at: endsAt + days * day });

interface Case {
  readonly title: string;
  readonly history: readonly DatedAnswer[];
  /** Days after the window's end. */
  readonly now: number;
  readonly freshness?: Freshness;
  readonly startedAt?: number;
  readonly doubtedAt?: number;
  /** Which of the answers is used; none by default. */
  readonly used?: number;
}

const cases: readonly Case[] = [
  { title: "nothing is kept", history: [], now: 1 },
  { title: "an answer of today", history: [answer(2)], now: 2.9, used: 0 },
  { title: "an answer that is older than a day", history: [answer(2)], now: 3.1 },
  { title: "an answer of just a day ago", history: [answer(2)], now: 3, used: 0 },
  { title: "an answer of this very moment", history: [answer(2)], now: 2, used: 0 },
  { title: "the newest of several", history: [answer(2), answer(5)], now: 5.5, used: 1 },
  { title: "an answer asked before its last orders had settled", history: [answer(0.2)], now: 0.3 },
  { title: "an answer asked when they had just settled", history: [answer(0.25)], now: 0.3, used: 0 },
  { title: "an answer asked while the window lasted", history: [answer(-3)], now: -2.9 },
  {
    title: "the same, where an age was asked for",
    history: [answer(-3)],
    now: -2.9,
    freshness: within(day),
    used: 0,
  },
  {
    title: "an answer older than the age asked for",
    history: [answer(2)],
    now: 2.5,
    freshness: within(hour),
  },
  {
    title: "an answer within a longer age",
    history: [answer(2)],
    now: 30,
    freshness: within(40 * day),
    used: 0,
  },
  { title: "an age of nothing", history: [answer(2)], now: 2.1, freshness: within(0) },
  { title: "one late answer", history: [answer(36)], now: 38 },
  { title: "two late answers that agree", history: [answer(36), answer(37)], now: 400, used: 1 },
  { title: "two late answers that differ", history: [answer(36), answer(37, 4)], now: 400 },
  { title: "two that agree, the first too early", history: [answer(34.9), answer(37)], now: 400 },
  {
    title: "two that agree, the first just late enough",
    history: [answer(35), answer(37)],
    now: 400,
    used: 1,
  },
  { title: "two that agree, of one moment", history: [answer(36), answer(36)], now: 400 },
  {
    title: "two that agree after one that differs",
    history: [answer(36, 4), answer(37), answer(38)],
    now: 400,
    used: 2,
  },
  { title: "a change of an order since", history: [answer(36), answer(37)], now: 38, doubtedAt: 37.5 },
  { title: "a change of an order in that moment", history: [answer(2)], now: 2.5, doubtedAt: 2 },
  {
    title: "a change of an order before",
    history: [answer(36), answer(37)],
    now: 400,
    doubtedAt: 36.5,
    used: 1,
  },
  { title: "an answer of the future, by a clock that was set back", history: [answer(9)], now: 8 },
  {
    title: "two late answers that agree, by a clock that ran ahead",
    history: [answer(100), answer(101)],
    now: 9,
  },
  {
    title: "the same, when their time has come, since one of an earlier time came after them",
    history: [answer(100), answer(101), answer(9)],
    now: 200,
  },
  {
    title: "two late answers that came after such ones",
    history: [answer(100), answer(36), answer(37)],
    now: 200,
    used: 2,
  },
  { title: "--fresh", history: [answer(2)], now: 2.1, freshness: { kind: "fresh" } },
  {
    title: "--fresh, asked meanwhile by another run",
    history: [answer(2.05)],
    now: 2.1,
    startedAt: 2,
    freshness: { kind: "fresh" },
    used: 0,
  },
  {
    title: "--fresh, asked in the moment in which the run began",
    history: [answer(2)],
    now: 2.1,
    startedAt: 2,
    freshness: { kind: "fresh" },
  },
  {
    title: "--offline, however old and doubtful",
    history: [answer(-1), answer(1)],
    now: 300,
    doubtedAt: 2,
    freshness: { kind: "offline" },
    used: 1,
  },
  { title: "--as-of between two", history: [answer(2), answer(5)], now: 300, freshness: asOf(4.9), used: 0 },
  { title: "--as-of before the first", history: [answer(2), answer(5)], now: 300, freshness: asOf(1) },
];

describe("which kept answer is used", () => {
  test.each(cases)(
    "$title: $used",
    ({ history, now, freshness = usual, startedAt = now, doubtedAt, used }) => {
      const at = (days: number) => endsAt + days * day;
      const circumstances = {
        now: at(now),
        startedAt: at(startedAt),
        endsAt,
        doubtedAt: doubtedAt === undefined ? undefined : at(doubtedAt),
      };
      expect(usable(history, freshness, circumstances)).toBe(used === undefined ? undefined : history[used]);
    },
  );
});

test("final are figures alone: an average or a label that is written otherwise changes nothing", () => {
  const group = {
    key: 1,
    label: "Ana",
    total_order_count: 2,
    total_revenue: 10.5,
    average_order_value: 5.25,
  };
  const grouped = (label: string, key: string | number = 1) => ({
    group_by: "driver_id",
    groups: [{ ...group, key, label }],
  });
  const final = (...answers: ReturnType<typeof grouped>[]) =>
    isFinal(
      answers.map((one, index) => ({ askedAt: endsAt + (40 + index) * day, answer: one })),
      { endsAt, doubtedAt: undefined },
    );
  expect(final(grouped("Ana"), grouped("Bia"))).toBe(true);
  expect(final(grouped("Ana"), grouped("Ana", "1"))).toBe(false);
});

test("only --offline and --as-of ask nothing", () => {
  expect([usual, within(0), { kind: "fresh" } as const].map(mayAsk)).toEqual([true, true, true]);
  expect([{ kind: "offline" } as const, asOf(1)].map(mayAsk)).toEqual([false, false]);
});
