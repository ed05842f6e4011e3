import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";

import { describe, expect, test } from "vitest";

import { clearLedger, renameInLedger } from "../../../src/state/ledger/ledger-files.js";
import { openLedger, type LedgerStore } from "../../../src/state/ledger/ledger.js";
import { filesIn, openState, temporaryFolder } from "../support/folder.js";

const october = { start_date: "2026-10-01T00:00:00-03:00", end_date: "2026-10-31T23:59:59.999999-03:00" };
const byDay = { ...october, group_by: "day" } as const;
const answer = { total_order_count: 3, total_revenue: 0.3, average_order_value: 0.1, új: [1.1] };
const groups = { group_by: "day", groups: [{ key: 1, label: null, ...answer }] };
const centro: LedgerStore = {
  folder: "s-centro",
  store: "centro",
  environment: "https://api.example",
  signIn: "1",
};

function open() {
  const folder = temporaryFolder();
  const data = openState(folder);
  const ledger = (own: Partial<LedgerStore> = {}) => openLedger(data, { ...centro, ...own });
  return { folder, data, ledger };
}

describe("the ledger", () => {
  test("keeps every answer to a question, in their order, with all that the service sent", async () => {
    const { ledger } = open();
    await ledger().keep(october, 1_000, answer);
    await ledger().keep(byDay, 2_000, groups);
    await ledger().keep(october, 3_000, { ...answer, total_order_count: 4 });
    const history = ledger().history(october);
    expect(history.map(({ asked_at }) => Date.parse(asked_at))).toEqual([1_000, 3_000]);
    expect(history[0]?.answer).toEqual(answer);
    expect(ledger().history(byDay)[0]?.answer).toEqual(groups);
  });

  test.each([
    ["another sign-in", { signIn: "2" }],
    ["another environment", { environment: "https://other.example" }],
    ["another store", { folder: "s-norte" }],
  ])("never takes one store's answer for that of %s", async (_, other) => {
    const { ledger } = open();
    await ledger().keep(october, 1_000, answer);
    expect(ledger(other).history(october)).toEqual([]);
  });

  test("knows the same filters in any order, and the default date field by its name", async () => {
    const { ledger } = open();
    const filters = { status_in: ["closed", "delivered"], total_gteq: 50 } as const;
    await ledger().keep({ ...october, filters }, 1_000, answer);
    const same = { total_gteq: "50", status_in: ["delivered", "closed"] } as const;
    expect(ledger().history({ ...october, date_field: "created_at", filters: same })).toHaveLength(1);
    expect(ledger().history({ ...october, filters: { status_in: "closed" } })).toEqual([]);
  });

  test("has no answer in a line that isn't one, or is of a newer comanda, and reads on", async () => {
    const { ledger, folder } = open();
    await ledger().keep(october, 1_000, answer);
    const file = path.join(folder, "ledger", "s-centro", "2026-10.jsonl");
    const line = readFileSync(file, "utf8");
    const others = [
      line.replace('"version":1', '"version":2'),
      line.replace(/"asked_at":"[^"]*"/, '"asked_at":"x"'),
    ];
    writeFileSync(file, [line, ...others, line.slice(0, 80), line].join(""));
    expect(ledger().history(october)).toHaveLength(2);
  });

  test("lets one of several do a question's work at a time, also through two ledgers", async () => {
    const { ledger } = open();
    const options = { waitMs: 5_000, signal: new AbortController().signal };
    let [under, most] = [0, 0];
    const work = async () => {
      under += 1;
      most = Math.max(most, under);
      await new Promise(setImmediate);
      under -= 1;
    };
    await Promise.all([ledger(), ledger(), ledger()].map((one) => one.share(october, work, options)));
    expect(most).toBe(1);
  });

  test("shows the one who waited what the one before has kept", async () => {
    const { ledger } = open();
    const [first, second] = [ledger(), ledger()];
    const options = { waitMs: 5_000, signal: new AbortController().signal };
    expect(second.history(october)).toEqual([]);
    const seen: number[] = [];
    await Promise.all([
      first.share(october, () => first.keep(october, 1_000, answer), options),
      second.share(october, () => Promise.resolve(seen.push(second.history(october).length)), options),
    ]);
    expect(seen).toEqual([1]);
  });

  test("asks without the lock where it can't be had", async () => {
    const { ledger, folder } = open();
    writeFileSync(path.join(folder, "locks"), "in the way");
    const options = { waitMs: 0, signal: new AbortController().signal };
    await expect(ledger().share(october, () => Promise.resolve("asked"), options)).resolves.toBe("asked");
  });
});

describe("what is kept of a store", () => {
  test("is removed, and nothing that isn't ours", async () => {
    const { ledger, data, folder } = open();
    await ledger().keep(october, 1_000, answer);
    await ledger({ folder: "s-norte" }).keep(october, 1_000, answer);
    writeFileSync(path.join(folder, "ledger", "s-norte", "mine.jsonl"), "mine", { mode: 0o600 });
    expect(clearLedger(data, "s-nowhere")).toBe(0);
    expect(clearLedger(data, "s-centro")).toBe(1);
    expect(clearLedger(data)).toBe(1);
    expect(filesIn(folder)).toEqual([path.join("ledger", "s-norte", "mine.jsonl")]);
  });

  test("goes with a new name, and takes the place of what a store of that name left behind", async () => {
    const { ledger, data } = open();
    renameInLedger(data, "s-nowhere", "s-centro");
    await ledger().keep(october, 1_000, answer);
    await ledger({ folder: "s-norte" }).keep(byDay, 2_000, groups);
    renameInLedger(data, "s-centro", "s-norte");
    expect(ledger({ folder: "s-norte" }).history(october)).toHaveLength(1);
    expect(ledger({ folder: "s-norte" }).history(byDay)).toEqual([]);
    expect(ledger().history(october)).toEqual([]);
  });

  test("can't be removed from a folder of another kind", () => {
    const { data, folder } = open();
    mkdirSync(path.join(folder, "ledger"), { mode: 0o700 });
    writeFileSync(path.join(folder, "ledger", "s-centro"), "a file");
    expect(clearLedger(data)).toBe(0);
  });
});
