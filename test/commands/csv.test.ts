/** The columns of CSV: none twice, and every field that the rows have in JSON. */
import { expect, test } from "vitest";
import type * as z from "zod";

import * as results from "../../src/core/results.js";
import { parseCsv, StoreDesk, withoutLimits } from "../support/desk.js";
import { helpsOfAll } from "../support/help.js";

const store = await StoreDesk.open(withoutLimits);
await store.signIn("centro", 501, (session) => ({ ...session, api_key: store.keyOf(501) }));
const order = await store.order();

/** Returns the columns, and expects each only once. */
async function columnsOf(line: string): Promise<readonly string[]> {
  const { stdout, stderr } = await store.comanda(`${line} --format csv`);
  const [columns = []] = parseCsv(stdout);
  expect(columns, stderr).not.toEqual([]);
  expect(columns.filter((name, index) => columns.indexOf(name) !== index)).toEqual([]);
  return columns;
}

const keys = ({ shape }: z.ZodObject) => Object.keys(shape);
const { settled } = results.change.shape;
const { period, drivers } = results.driversOwedAtStore.shape;
const { query, groups } = results.storeFigures.shape;

type Row = readonly [line: string, fields: readonly string[], elsewhere: Readonly<Record<string, string>>];
/** Command lines, the fields of their rows in JSON, and where CSV has the fields without a column of that name. */
const complete: readonly Row[] = [
  ["orders dispatch 1", keys(results.orderLine), {}],
  [`driver assign ${order} 11`, keys(results.orderLine), {}],
  ["driver list", keys(results.listedDriver), { period: "in from, to and time_zone", cached: "in asked_at" }],
  ["stores list", keys(results.listedStore), {}],
  ["env list", keys(results.environment), {}],
  ["prefill --order-type takeout", keys(results.prefilledOrder), {}],
  ["doctor", keys(results.finding), {}],
  ["emulator readings", keys(results.reading), { default: "the first of values" }],
  [
    "history",
    [...keys(results.change), ...keys(settled.unwrap()).map((name) => `settled_${name}`)],
    { settled_outcome: "in settled" },
  ],
  [
    "history drivers",
    [...keys(results.driversOwedAtStore), ...keys(period), ...keys(drivers.element)],
    {
      period: "in from, to and time_zone",
      drivers: "one row for each",
      totals: "the sums of the rows",
      unknown: "in a warning",
      label: "only in comparisons",
      day_starts: "in the times of from and to",
    },
  ],
  [
    "grouped --by hour",
    [...keys(results.storeFigures), ...keys(query), ...keys(groups.unwrap().element)],
    {
      query: "in filters and date_field",
      group_by: "in the command",
      groups: "one row for each",
      totals: "left out, so that sums of the rows are right",
      omitted: "in a notice",
      period: "in from, to and time_zone",
      cached: "in asked_at",
      alerts: "in an error",
    },
  ],
];

test.each(complete)("%s --format csv has each field of --json", async (line, fields, elsewhere) => {
  const columns = await columnsOf(line);
  expect(fields.filter((field) => !columns.includes(field))).toEqual(Object.keys(elsewhere));
});

const others = [
  ...["summary --dry-run", "summary", "summary --compare previous"],
  ...["day", "day_of_week", "order_type"].flatMap((by) => [
    `grouped --by ${by}`,
    `grouped --by ${by} --compare previous`,
  ]),
];

test.each(others)("%s --format csv has no column twice", async (line) => {
  await columnsOf(line);
});

test("these tests run every command that accepts --format", async () => {
  const lines = [...complete.map(([line]) => line), ...others];
  const helps = [...(await helpsOfAll("en", 1000))];
  const commands = helps.flatMap(([words, help]) => (words !== "" && help.includes("--format") ? words : []));
  expect(commands.filter((words) => !lines.some((line) => line.startsWith(words)))).toEqual([
    // Like dispatch.
    ...["orders deliver", "orders finalize", "orders cancel"],
    // They have no rows.
    ...["history settle", "sync"],
  ]);
});
