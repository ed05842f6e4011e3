/** Hours, days, weekdays, weeks and months are in chronological order, whatever the service's order is. */
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import * as z from "zod/mini";

import { parseCsv, StoreDesk, withoutLimits, type Desk } from "../../support/desk.js";
import { parseJson } from "../../support/json.js";

let store: StoreDesk;
let desk: Desk;
beforeEach(async () => {
  store = await StoreDesk.open({ orders: 0, ...withoutLimits });
  desk = store.desk;
  await store.signIn("norte", 502);
});
afterEach(() => store.close());

type Key = string | number | null;
type Groups = readonly { readonly key: Key; readonly orders: number; readonly label?: string }[];

const group = (key: Key, orders: number, label?: string) => ({
  key,
  orders,
  ...(label !== undefined && { label }),
});

/** @param answer returns the groups of the window that starts on a date, in the service's order */
function answers(answer: (start: string, storeId: number) => Groups): void {
  store.emulator.service.routes.put(
    "GET",
    "/api/partner/v1/orders/summary/grouped",
    ({ query, storeId }) => ({
      json: {
        group_by: query.get("group_by"),
        groups: answer(query.get("start_date")?.slice(0, 10) ?? "", storeId).map(
          ({ key, orders, label = null }) => ({
            key,
            label,
            total_order_count: orders,
            total_revenue: orders * 10,
            average_order_value: 10,
          }),
        ),
      },
    }),
  );
}

const groups = z.array(z.looseObject({ key: z.unknown(), total_order_count: z.unknown() }));
const json = async (line: string) => {
  const { code, stdout, stderr } = await desk.run(`grouped --tz UTC -s centro ${line} --json`);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  return parseJson(stdout);
};
const groupsIn = (value: unknown) =>
  z
    .looseObject({ groups })
    .parse(value)
    .groups.map(({ key, total_order_count: orders }) => ({ key, orders }));

describe.each([
  ["numbers", 9, 12, 15, 20],
  ["texts", "9", "12", "15", "20"],
  ["times", "09:00", "12:00", "15:00", "20:00"],
])("hours as %s are in order", (_, nine, noon, three, eight) => {
  test("in both periods of a comparison", async () => {
    answers((start) =>
      start === "2026-10-01"
        ? [group(eight, 2), group(noon, 5)]
        : [group(three, 1), group(null, 7), group(nine, 3)],
    );
    const line = "--by hour --period 2026-10 --compare previous";
    const both = z.looseObject({ current: z.unknown(), previous: z.unknown(), change: z.unknown() });
    const { current, previous, change } = both.parse(await json(line));
    expect(groupsIn(current)).toEqual([group(noon, 5), group(eight, 2)]);
    expect(groupsIn(previous)).toEqual([group(nine, 3), group(three, 1), group(null, 7)]);
    const keys = [nine, noon, three, eight, null];
    expect(groupsIn(change).map(({ key }) => key)).toEqual(keys);
    const { stdout } = await desk.run(`grouped --tz UTC -s centro ${line} --format csv`);
    const csv = parseCsv(stdout);
    const place = csv[0]?.indexOf("key") ?? -1;
    expect(csv.slice(1).map((cells) => cells[place])).toEqual(keys.map((key) => String(key ?? "")));
  });

  test("over two windows", async () => {
    answers((start) =>
      start === "2025-10-01"
        ? [group(noon, 5), group(eight, 2)]
        : [group(nine, 3), group(noon, 1), group(three, 4)],
    );
    expect(groupsIn(await json("--by hour --from 2025-10-01 --to 2026-09-30"))).toEqual([
      group(nine, 3),
      group(noon, 6),
      group(three, 4),
      group(eight, 2),
    ]);
  });

  test("in the total of several stores, and in a report", async () => {
    answers((_start, storeId) =>
      storeId === 501 ? [group(eight, 2), group(noon, 5)] : [group(nine, 3), group(three, 1), group(noon, 1)],
    );
    const all = z
      .looseObject({ total: z.unknown() })
      .parse(await json("--by hour --period 2026-10 -s norte"));
    expect(groupsIn(all.total)).toEqual([group(nine, 3), group(noon, 6), group(three, 1), group(eight, 2)]);
    const { stdout } = await desk.run("report --tz UTC --period 2026-10 -s centro -s norte --out -");
    const [section = ""] = /<section aria-labelledby="hour"[\s\S]*?<\/section>/.exec(stdout) ?? [];
    const [axis = ""] = /<div class="axis each"[\s\S]*?<\/div>/.exec(section) ?? [];
    expect([...axis.matchAll(/<span[^>]*>([^<]*)/g)].map(([, label]) => label)).toEqual([
      "9",
      "12",
      "15",
      "20",
    ]);
    const names = [...section.matchAll(/<bdi>([^<]*)/g)].map(([, name]) => name);
    expect(names).toEqual(["09:00", "12:00", "15:00", "20:00"]);
  });
});

const inYear: Groups = [group(12, 1), group(11, 2), group(10, 3), group(9, 4), group(8, 5), group(7, 6)];
test.each<[string, string, (start: string) => Groups, Groups]>([
  [
    "weekdays by number",
    "--by day_of_week --period 2026-10",
    () => [group(3, 1), group(0, 2), group(6, 4)],
    [group(0, 2), group(3, 1), group(6, 4)],
  ],
  [
    "weekdays by name",
    "--by day_of_week --period 2026-10",
    () => [group("Sábado", 1), group("Segunda-feira", 2), group("Domingo", 4), group("Terça-feira", 8)],
    [group("Domingo", 4), group("Segunda-feira", 2), group("Terça-feira", 8), group("Sábado", 1)],
  ],
  [
    "weekdays by label",
    "--by day_of_week --period 2026-10",
    () => [group("d", 1, "Friday"), group("a", 2, "Mon")],
    [group("a", 2), group("d", 1)],
  ],
  [
    "days that come in descending order, and those between them",
    "--by day --from 2026-10-01 --to 2026-10-03",
    () => [group("2026-10-03", 1), group("2026-10-01", 2)],
    [group("2026-10-01", 2), group("2026-10-02", 0), group("2026-10-03", 1)],
  ],
  [
    "days such as 20/11/2025, over two windows",
    "--by day --from 2025-10-01 --to 2026-09-30",
    (start) =>
      start === "2025-10-01" ? [group("01/02/2026", 1), group("20/11/2025", 2)] : [group("02/05/2026", 3)],
    [group("20/11/2025", 2), group("01/02/2026", 1), group("02/05/2026", 3)],
  ],
  [
    "days by number",
    "--by day --from 2026-10-30 --to 2026-11-02",
    () => [group(2, 1), group(31, 2), group(1, 3), group(30, 4)],
    [group(30, 4), group(31, 2), group(1, 3), group(2, 1)],
  ],
  [
    "weeks of two years",
    "--by week --from 2025-12-15 --to 2026-01-18",
    () => [group("2026-W02", 1), group("2025-W51", 2), group("2026-W01", 3)],
    [group("2025-W51", 2), group("2026-W01", 3), group("2026-W02", 1)],
  ],
  [
    "weeks by number, of two years",
    "--by week --from 2025-12-15 --to 2026-01-18",
    () => [group(2, 1), group(1, 3), group(52, 4), group(51, 2)],
    [group(51, 2), group(52, 4), group(1, 3), group(2, 1)],
  ],
  [
    "weeks that are counted from 0",
    "--by week --from 2025-12-29 --to 2026-01-18",
    () => [group(2, 1), group(1, 3), group(0, 4)],
    [group(0, 4), group(1, 3), group(2, 1)],
  ],
  [
    "months that come in descending order",
    "--by month --from 2026-08-01 --to 2026-10-31",
    () => [group("2026-10", 1), group("2026-08", 2), group("2026-09", 3)],
    [group("2026-08", 2), group("2026-09", 3), group("2026-10", 1)],
  ],
  [
    "thirteen months by number",
    "--by month --from 2025-07-01 --to 2026-07-31",
    (start) => {
      if (start === "2025-07-01") return inYear;
      return start === "2026-01-01" ? [group(2, 1), group(6, 8), group(1, 9)] : [group(7, 5)];
    },
    [...inYear.toReversed(), group(1, 9), group(2, 1), group(6, 8), group(7, 5)],
  ],
])("%s are in order", async (_, line, answer, expected) => {
  answers(answer);
  expect(groupsIn(await json(line))).toEqual(expected);
});

test("other groups stay in the service's order", async () => {
  answers(() => [group("totem", 1), group("2026-10", 5), group("catalog", 3)]);
  expect(groupsIn(await json("--by sales_channel --period 2026-10"))).toEqual([
    group("totem", 1),
    group("2026-10", 5),
    group("catalog", 3),
  ]);
});

test("weeks and days that only one store has are in order in the total", async () => {
  answers((_start, storeId) => (storeId === 501 ? [group(52, 1), group(2, 2)] : [group(51, 3), group(1, 4)]));
  const total = async (line: string) =>
    groupsIn(z.looseObject({ total: z.unknown() }).parse(await json(`${line} -s norte`)).total);
  expect(await total("--by week --from 2025-12-15 --to 2026-01-18")).toEqual([
    group(51, 3),
    group(52, 1),
    group(1, 4),
    group(2, 2),
  ]);
  answers((_start, storeId) =>
    storeId === 501 ? [group("20/11/2025", 1), group("01/02/2026", 2)] : [group("02/12/2025", 3)],
  );
  expect(await total("--by day --from 2025-11-01 --to 2026-02-28")).toEqual([
    group("20/11/2025", 1),
    group("02/12/2025", 3),
    group("01/02/2026", 2),
  ]);
});
