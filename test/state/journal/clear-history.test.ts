/** What `history clear` takes away, and what stays because a process may still need it. */
import {
  appendFileSync,
  mkdirSync,
  openSync,
  closeSync,
  readdirSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import path from "node:path";

import { expect, test } from "vitest";

import type { StateFolder } from "../../../src/state/state-folder.js";
import { clearHistory } from "../../../src/state/journal/clear-history.js";
import { readHistory } from "../../../src/state/journal/history.js";
import { journalFiles, openJournalFile } from "../../../src/state/journal/journal-files.js";
import { openJournal } from "../../../src/state/journal/journal.js";
import { readRun, unlessSent, withListLock } from "../../../src/state/journal/runs.js";
import { digestOf } from "../../../src/state/journal/resume.js";
import { openState, temporaryFolder } from "../support/folder.js";

const day = (date: number) => Date.parse(`2026-11-${date}T12:00:00Z`);

function open() {
  const folder = temporaryFolder();
  const time = { now: day(20) };
  const clock = { now: () => time.now, sleep: () => Promise.resolve(), every: () => () => undefined };
  const state = openState(folder, { clock });
  const journal = path.join(folder, "journal");
  mkdirSync(journal, { mode: 0o700 });
  const file = path.join(journal, "2026-11.jsonl");
  return { state, journal, file, time, names: () => readdirSync(journal).sort() };
}

const send = async (state: StateFolder, order: string, outcome = true) => {
  const log = openJournal({ state, place: { store: "centro", environment: "test" } });
  const row = log.row({ operation: "dispatchOrder", order_id: order, arguments: {} }, 1);
  await row.sent(1);
  if (outcome) row.outcome(1, { outcome: "done", http_status: 204, code: null, evidence: "api" });
  await log.close();
};

const clear = (state: StateFolder, before: number, meanwhile: () => unknown = () => undefined) =>
  clearHistory(state, before, (runs, work) =>
    unlessSent(state, runs, () => {
      meanwhile();
      return work();
    }),
  );

const told = (state: StateFolder) =>
  [...readHistory(state, {})].flat().map(({ order_id, outcome }) => `${order_id} ${outcome}`);

test("what is written while it looks stays, is read with what was there, and is taken away later", async () => {
  const { state, file, time, names } = open();
  await send(state, "1");
  time.now = day(21);
  const line = { v: 1, at: "2026-11-20T12:00:00.000Z", run: "20261120-abcdef", type: "end", settled: true };
  const late = () => appendFileSync(file, `\t${JSON.stringify(line)}\n`);
  expect(await clear(state, day(21), late)).toEqual({ removed: 0, kept: 1 });
  const [aside = ""] = names();
  expect(aside).toMatch(/^2026-11\.jsonl\.aside-1-[0-9a-f]{16}$/);
  expect(told(state)).toEqual(["1 done"]);
  await send(state, "2");
  expect(names()).toEqual(["2026-11.jsonl", aside]);
  expect(told(state)).toEqual(["2 done", "1 done"]);
  expect(await clear(state, day(21))).toEqual({ removed: 0, kept: 0 });
  expect(await clear(state, day(22))).toEqual({ removed: 1, kept: 0 });
  expect(names()).toEqual([]);
});

test("a line that goes into a file that was taken away meanwhile is written again", async () => {
  const { state, time, file, names } = open();
  writeFileSync(file, "", { mode: 0o600 });
  const { disk } = state.files.system;
  let writes = 0;
  const removing: typeof disk = {
    ...disk,
    write(descriptor, bytes, position) {
      if ((writes += 1) === 1) disk.remove(file);
      return disk.write(descriptor, bytes, position);
    },
  };
  const { clock } = state;
  const system = { ...state.files.system, disk: removing };
  const one = openState(state.path, { clock, system });
  await send(one, "1");
  time.now = day(21);
  expect(names()).toEqual(["2026-11.jsonl"]);
  expect(told(state)).toEqual(["1 done"]);
});

test("where no file is the one that was written to, as on some network file systems, lines are written all the same", async () => {
  const { state } = open();
  const { clock } = state;
  const disk = { ...state.files.system.disk, isNamed: () => false };
  await send(openState(state.path, { clock, system: { ...state.files.system, disk } }), "1");
  expect(told(state)).toEqual(["1 done"]);
});

test.each([
  ["within the hour", 59, { removed: 0, kept: 1 }],
  ["long ago", 61, { removed: 1, kept: 0 }],
])("a lone write without an outcome that was sent %s", async (_, minutes, expected) => {
  const { state, time } = open();
  await send(state, "1", false);
  time.now += minutes * 60_000;
  expect(await clear(state, time.now)).toEqual(expected);
});

test("a run that a process sends now keeps its file, and so do two of the same list", async () => {
  const { state, file, names } = open();
  const list = { verb: "dispatch", store: "centro", environment: "test", digest: digestOf(["1"]) };
  const stamp = { v: 1, at: "2026-11-19T12:00:00.000Z" };
  const run = {
    ...stamp,
    type: "run",
    user: "ana",
    operation: "dispatchOrder",
    count: 1,
    boot: null,
    ...list,
  };
  for (const id of ["20261119-abcdef", "20261119-ghkmnp"])
    appendFileSync(file, `\t${JSON.stringify({ ...run, run: id })}\n`, { mode: 0o600 });
  const kept = await withListLock(openState(state.path), list, () => clear(state, day(20)));
  expect(kept).toEqual({ removed: 0, kept: 1 });
  expect(names()).toEqual(["2026-11.jsonl"]);
  expect(await clear(state, day(20))).toEqual({ removed: 1, kept: 0 });
});

test("a run whose first lines stand twice, since they were written again, is read as it was given", () => {
  const { state, file } = open();
  const stamp = { v: 1, at: "2026-11-19T12:00:00.000Z", run: "20261119-abcdef" };
  const place = { store: "centro", environment: "test", user: "ana" };
  const what = { verb: "dispatch", operation: "dispatchOrder", count: 2, digest: digestOf(["1", "2"]) };
  const lines = [
    { ...stamp, type: "run", ...place, ...what, boot: state.table.self().boot },
    { ...stamp, type: "orders", orders: ["1", "2"] },
  ];
  const text = lines.map((line) => `\t${JSON.stringify(line)}\n`).join("");
  const descriptor = openSync(file, "a", 0o600);
  writeSync(descriptor, text + text);
  closeSync(descriptor);
  const [found] = journalFiles(state);
  const entry = found && [...openJournalFile(state, found).read()][0];
  if (!found || entry?.type !== "run") throw new Error("there is no run");
  expect(readRun(state, { entry, file: found }).orders).toEqual(["1", "2"]);
});
