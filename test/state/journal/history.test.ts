/** `history` reads files from their end. What it tells is what the plain way tells, whichever lines a file has. */
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";

import fc from "fast-check";
import { expect, test } from "vitest";

import { rowsOfFile, type HistoryFilter } from "../../../src/state/journal/history-rows.js";
import { readHistory } from "../../../src/state/journal/history.js";
import { journalFiles, openJournalFile } from "../../../src/state/journal/journal-files.js";
import { sized } from "../../support/soak.js";
import { openState, temporaryFolder } from "../support/folder.js";
import { rowsOfWholeFile } from "./whole-file-history.js";

type Line = Readonly<Record<string, unknown>>;

/** Numbers that are drawn; 0 where there are no more. */
type Draw = (most: number) => number;

const results = [
  { outcome: "done", http_status: 204, code: null, evidence: "api" },
  { outcome: "refused", http_status: 422, code: 4002, evidence: "api" },
  { outcome: "refused", http_status: 404, code: 4041, evidence: "api" },
  { outcome: "refused", http_status: 429, code: 4290, evidence: "api" },
  { outcome: "unknown", http_status: null, code: "outcome_unknown", evidence: "nobody" },
  { outcome: "failed", http_status: 302, code: "unexpected_answer", evidence: "gateway" },
  { outcome: "failed", http_status: null, code: "unreachable", evidence: null },
];
const isAboutTheOrder = ({ code }: (typeof results)[number]) => code === 4002 || code === 4041;
const place = { store: "centro", environment: "test" };

/** What one process writes that sends orders one by one; it may be killed at any line. */
function* loneWrites(draw: Draw): Generator<Line> {
  const attempts = new Map<string, number>();
  for (let calls = draw(4); calls >= 0; calls -= 1) {
    const order = String(draw(3));
    const attempt = (attempts.get(order) ?? 0) + 1;
    const key = { operation: draw(4) === 0 ? "cancelOrder" : "dispatchOrder", order_id: order, attempt };
    const { store } = draw(3) === 0 ? { store: null } : place;
    yield { type: "sent", ...place, store, user: "ana", ...key, arguments: {} };
    const result = results[draw(results.length)];
    if (!result) return;
    yield { type: "outcome", ...key, ...result };
    if (result.outcome !== "done" && !isAboutTheOrder(result)) attempts.set(order, attempt);
    else attempts.delete(order);
  }
}

/** A run of many, which is gone on with; each process of it may be killed at any line. */
function* manyWrites(draw: Draw): Generator<Line> {
  const orders = ["0", "1", "2", "3", "4"].slice(0, 2 + draw(3));
  const left = new Map(orders.map((order) => [order, 0]));
  const who = { user: "ana" };
  const what = { verb: "dispatch", operation: "dispatchOrder", count: orders.length, digest: "" };
  yield { type: "run", ...place, ...who, ...what };
  yield { type: "orders", orders };
  for (let processes = draw(2); processes >= 0; processes -= 1) {
    for (let groups = draw(3); groups >= 0; groups -= 1) {
      const sent = [...left].filter(() => draw(2) === 0);
      for (const [order, before] of sent) left.set(order, before + 1);
      for (const attempt of new Set(sent.map(([, before]) => before + 1))) {
        const group = sent.filter(([, before]) => before + 1 === attempt).map(([order]) => order);
        yield { type: "orders_sent", orders: group, attempt };
        const result = results[draw(results.length + 1)];
        if (!result) continue;
        yield { type: "orders_outcome", orders: group, attempt, ...result };
        if (result.outcome === "done" || isAboutTheOrder(result))
          for (const order of group) left.delete(order);
      }
    }
    if (draw(3) > 0) yield { type: "end", settled: left.size === 0 };
    if (left.size === 0) return;
    yield { type: "resumed", user: "rui" };
  }
}

const files = ["2026-10.jsonl", "2026-11.jsonl", "2026-11.2.jsonl"];
const hours = 3_600_000;

/** Processes that write into the same files at the same time, by a clock that is set at times. */
function journalOf(numbers: readonly number[]): ReadonlyMap<string, string> {
  let next = 0;
  const draw: Draw = (most) => {
    const number = numbers[next] ?? 0;
    next += 1;
    return most === 0 ? 0 : number % most;
  };
  const processes = Array.from({ length: 2 + draw(5) }, (_, index) => ({
    run: `20261120-${"abcdefg".charAt(index).repeat(6)}`,
    file: files[draw(files.length)] ?? "",
    lines: (draw(2) === 0 ? manyWrites : loneWrites)(draw),
  }));
  const texts = new Map<string, string>();
  let now = Date.parse("2026-11-20T15:00:00Z");
  while (processes.length > 0 && next < numbers.length) {
    const index = draw(processes.length);
    const process = processes[index];
    const line = process?.lines.next();
    if (!process || !line || line.done === true || draw(40) === 1) {
      processes.splice(index, 1);
      continue;
    }
    const jump = draw(30);
    now += jump === 1 ? -hours : jump === 2 ? hours : jump === 3 ? -1000 : draw(3) * 500;
    const stamp = { v: 1, at: new Date(now).toISOString(), run: process.run };
    const whole = `\t${JSON.stringify({ ...stamp, ...line.value })}\n`;
    const damage = draw(50);
    const text = damage === 1 ? whole.slice(0, draw(whole.length)) : damage === 2 ? `torn\n${whole}` : whole;
    texts.set(process.file, (texts.get(process.file) ?? "") + text);
  }
  return texts;
}

function open(texts: Iterable<readonly [string, string]>) {
  const state = openState(temporaryFolder());
  const folder = path.join(state.path, "journal");
  mkdirSync(folder, { mode: 0o700 });
  for (const [name, text] of texts) writeFileSync(path.join(folder, name), text, { mode: 0o600 });
  const plainly = (filter: HistoryFilter) =>
    journalFiles(state).flatMap((file) => rowsOfWholeFile(openJournalFile(state, file).read(), filter));
  const bitByBit = (filter: HistoryFilter) =>
    journalFiles(state).flatMap((file) => {
      const lines = openJournalFile(state, file).open();
      const rows = [...rowsOfFile(lines, filter, 2)].flat();
      lines.close();
      return rows;
    });
  return { state, plainly, bitByBit };
}

const filters = fc.record({
  since: fc.option(fc.integer({ min: -3, max: 3 }), { nil: undefined }),
  order: fc.option(fc.constantFrom("0", "1", "4"), { nil: undefined }),
  outcome: fc.option(fc.constantFrom("done", "unknown", "refused"), { nil: undefined }),
  store: fc.option(fc.constant("centro"), { nil: undefined }),
});

test("tells what the plain reading of whole files tells, in its order", () => {
  let rows = 0;
  const numbers = fc.array(fc.nat(1000), { minLength: 40, maxLength: 400, size: "max" });
  fc.assert(
    fc.property(numbers, filters, (drawn, { since, ...others }) => {
      const { state, plainly, bitByBit } = open(journalOf(drawn));
      const from = since && Date.parse("2026-11-20T15:00:00Z") + since * (hours / 2);
      for (const filter of [{}, { ...others, since: from }]) {
        const expected = plainly(filter);
        rows += expected.length;
        expect([...readHistory(state, filter)].flat()).toEqual(expected);
        expect(bitByBit(filter)).toEqual(expected);
      }
    }),
    { numRuns: sized({ test: 80, search: 3000, soak: 100_000 }), seed: 1, endOnFailure: true },
  );
  // Files in which nothing is would prove nothing.
  expect(rows).toBeGreaterThan(500);
});

const sent = (index: number, at: number): string => {
  const stamp = { v: 1, at: new Date(at).toISOString(), run: `20261101-${String(index)}` };
  const key = { operation: "dispatchOrder", order_id: String(index), attempt: 1 };
  return `\t${JSON.stringify({ ...stamp, type: "sent", ...place, user: "ana", ...key, arguments: {} })}\n`;
};
const start = Date.parse("2026-11-01T08:00:00Z");

test("the newest rows of a large file are told before most of it is parsed", () => {
  const count = 5000;
  const { state } = open([
    [
      "2026-11.jsonl",
      Array.from({ length: count }, (_, index) => sent(index, start + index * 1000)).join(""),
    ],
  ]);
  let parsed = 0;
  const { parse } = JSON;
  JSON.parse = (...given: Parameters<typeof parse>) => ((parsed += 1), parse(...given) as unknown);
  try {
    const [first] = readHistory(state, {});
    expect(first?.[0]?.order_id).toBe(String(count - 1));
    expect(parsed).toBeLessThan(count / 5);
    parsed = 0;
    const since = start + (count - 10) * 1000;
    expect([...readHistory(state, { since })].flat()).toHaveLength(10);
    expect(parsed).toBeLessThan(count / 5);
    parsed = 0;
    expect([...readHistory(state, { order: "7" })].flat()).toHaveLength(1);
    expect(parsed).toBeLessThan(10);
  } finally {
    JSON.parse = parse;
  }
});

test("a row that another's clock has made newer than what was written later comes first", () => {
  const lines = Array.from({ length: 2000 }, (_, index) => sent(index, start + index * 1000));
  lines[3] = sent(3, start + 10_000_000);
  const { state, plainly } = open([["2026-11.jsonl", lines.join("")]]);
  const rows = [...readHistory(state, {})].flat();
  expect(rows[0]?.order_id).toBe("3");
  expect(rows).toEqual(plainly({}));
});

test("lines that are longer than a block, and those that are torn, are read from the end as from the beginning", () => {
  const long = (bytes: number) => `\t{"v":1,"x":"${"x".repeat(bytes)}"}\n`;
  const text = [
    sent(1, start),
    long(200_000),
    "\t{torn",
    sent(2, start + 1),
    long(17 * 1024 * 1024),
    sent(3, start + 2),
  ];
  const { state, plainly } = open([["2026-11.jsonl", `\n\n${text.join("")}\t{`]]);
  const rows = [...readHistory(state, {})].flat();
  expect(rows.map(({ order_id }) => order_id)).toEqual(["3", "2", "1"]);
  expect(rows).toEqual(plainly({}));
});
