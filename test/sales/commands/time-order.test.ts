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

/**
 * Reads groups such as `9=3 null=7 d(Friday)=1`: key, label and number of orders.
 *
 * @param write returns the key of a number
 */
function groupsOf(text: string, write = (number: number): Key => number) {
  return (text.match(/\S+/g) ?? []).map((part) => {
    const [, name = "", label = null, orders] = /^([^(]+)(?:\((.+)\))?=(\d+)$/.exec(part) ?? [];
    const key = name === "null" ? null : /^\d+$/.test(name) ? write(Number(name)) : name;
    return { key, label, total_order_count: Number(orders) };
  });
}

/** @param answer returns the groups of the window that starts on a date, in the service's order */
function answers(answer: (start: string, storeId: number) => string, write?: (number: number) => Key): void {
  const route = "/api/partner/v1/orders/summary/grouped";
  store.emulator.service.routes.put("GET", route, ({ query, storeId }) => {
    const text = answer(query.get("start_date")?.slice(0, 10) ?? "", storeId);
    const groups = groupsOf(text, write).map((group) => {
      return { ...group, total_revenue: group.total_order_count * 10, average_order_value: 10 };
    });
    return { json: { group_by: query.get("group_by"), groups } };
  });
}

const json = async (line: string) => {
  const { code, stdout, stderr } = await desk.run(`grouped --tz UTC -s centro ${line} --json`);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  return parseJson(stdout);
};
const total = async (line: string) =>
  z.looseObject({ total: z.unknown() }).parse(await json(`${line} -s norte`)).total;

const group = z.object({ key: z.unknown(), label: z.unknown(), total_order_count: z.unknown() });
const groupsIn = (value: unknown) => z.looseObject({ groups: z.array(group) }).parse(value).groups;

describe.each<[string, (hour: number) => Key]>([
  ["numbers", (hour) => hour],
  ["texts", String],
  ["times", (hour) => `${String(hour).padStart(2, "0")}:00`],
])("hours as %s are in order", (_, write) => {
  test("in both periods of a comparison", async () => {
    answers((start) => (start === "2026-10-01" ? "20=2 12=5" : "15=1 null=7 9=3"), write);
    const line = "--by hour --period 2026-10 --compare previous";
    const both = z.looseObject({ current: z.unknown(), previous: z.unknown(), change: z.unknown() });
    const { current, previous, change } = both.parse(await json(line));
    expect(groupsIn(current)).toEqual(groupsOf("12=5 20=2", write));
    expect(groupsIn(previous)).toEqual(groupsOf("9=3 15=1 null=7", write));
    const keys = [...[9, 12, 15, 20].map(write), null];
    expect(groupsIn(change).map(({ key }) => key)).toEqual(keys);
    const { stdout } = await desk.run(`grouped --tz UTC -s centro ${line} --format csv`);
    const csv = parseCsv(stdout);
    const place = csv[0]?.indexOf("key") ?? -1;
    expect(csv.slice(1).map((cells) => cells[place])).toEqual(keys.map((key) => String(key ?? "")));
  });

  test("over two windows", async () => {
    answers((start) => (start === "2025-10-01" ? "12=5 20=2" : "9=3 12=1 15=4"), write);
    const rows = groupsIn(await json("--by hour --from 2025-10-01 --to 2026-09-30"));
    expect(rows).toEqual(groupsOf("9=3 12=6 15=4 20=2", write));
  });

  test("in the total of several stores, and in a report", async () => {
    answers((_start, storeId) => (storeId === 501 ? "20=2 12=5" : "9=3 15=1 12=1"), write);
    const rows = groupsIn(await total("--by hour --period 2026-10"));
    expect(rows).toEqual(groupsOf("9=3 12=6 15=1 20=2", write));
    const { stdout } = await desk.run("report --tz UTC --period 2026-10 -s centro -s norte --out -");
    const [section = ""] = /<section aria-labelledby="hour"[\s\S]*?<\/section>/.exec(stdout) ?? [];
    const [axis = ""] = /<div class="axis each"[\s\S]*?<\/div>/.exec(section) ?? [];
    const labels = [...axis.matchAll(/<span[^>]*>([^<]*)/g)].map(([, label]) => label);
    expect(labels).toEqual(["9", "12", "15", "20"]);
    const names = [...section.matchAll(/<bdi>([^<]*)/g)].map(([, name]) => name);
    expect(names).toEqual(["09:00", "12:00", "15:00", "20:00"]);
  });
});

test.each([
  ["weekdays by number", "--by day_of_week --period 2026-10", "3=1 0=2 6=4", "0=2 3=1 6=4"],
  [
    ...["weekdays by name", "--by day_of_week --period 2026-10"],
    ...[
      "Sábado=1 Segunda-feira=2 Domingo=4 Terça-feira=8",
      "Domingo=4 Segunda-feira=2 Terça-feira=8 Sábado=1",
    ],
  ],
  ["weekdays by label", "--by day_of_week --period 2026-10", "d(Friday)=1 a(Mon)=2", "a(Mon)=2 d(Friday)=1"],
  [
    ...[
      "days that come in descending order, and those between them",
      "--by day --from 2026-10-01 --to 2026-10-03",
    ],
    ...["2026-10-03=1 2026-10-01=2", "2026-10-01=2 2026-10-02=0 2026-10-03=1"],
  ],
  ["days by number", "--by day --from 2026-10-30 --to 2026-11-02", "2=1 31=2 1=3 30=4", "30=4 31=2 1=3 2=1"],
  [
    ...["weeks of two years", "--by week --from 2025-12-15 --to 2026-01-18"],
    ...["2026-W02=1 2025-W51=2 2026-W01=3", "2025-W51=2 2026-W01=3 2026-W02=1"],
  ],
  [
    ...["weeks by number, of two years", "--by week --from 2025-12-15 --to 2026-01-18"],
    ...["2=1 1=3 52=4 51=2", "51=2 52=4 1=3 2=1"],
  ],
  [
    "weeks that are counted from 0",
    "--by week --from 2025-12-29 --to 2026-01-18",
    "2=1 1=3 0=4",
    "0=4 1=3 2=1",
  ],
  [
    ...["months that come in descending order", "--by month --from 2026-08-01 --to 2026-10-31"],
    ...["2026-10=1 2026-08=2 2026-09=3", "2026-08=2 2026-09=3 2026-10=1"],
  ],
])("%s are in order", async (_, line, given, expected) => {
  answers(() => given);
  expect(groupsIn(await json(line))).toEqual(groupsOf(expected));
});

test("days such as 20/11/2025 are in order over two windows", async () => {
  answers((start) => (start === "2025-10-01" ? "01/02/2026=1 20/11/2025=2" : "02/05/2026=3"));
  const rows = groupsIn(await json("--by day --from 2025-10-01 --to 2026-09-30"));
  expect(rows).toEqual(groupsOf("20/11/2025=2 01/02/2026=1 02/05/2026=3"));
});

test("thirteen months by number are in order", async () => {
  const windows: Record<string, string> = {
    "2025-07-01": "12=1 11=2 10=3 9=4 8=5 7=6",
    "2026-01-01": "2=1 6=8 1=9",
    "2026-07-01": "7=5",
  };
  answers((start) => windows[start] ?? "");
  const rows = groupsIn(await json("--by month --from 2025-07-01 --to 2026-07-31"));
  expect(rows).toEqual(groupsOf("7=6 8=5 9=4 10=3 11=2 12=1 1=9 2=1 6=8 7=5"));
});

test("months by number have no total if the period contains a month twice", async () => {
  answers((start) => `${Number(start.slice(5, 7))}=1`);
  expect(await total("--by month --from 2025-11-01 --to 2026-11-30")).toBeNull();
  const rows = groupsIn(await total("--by month --from 2026-01-01 --to 2026-03-31"));
  expect(rows).toEqual(groupsOf("1=2"));
});

test("weekdays are compared per day, such as four Tuesdays with five", async () => {
  answers((start) => (start.startsWith("2026-10") ? "2(Tuesday)=40" : "2(Tuesday)=45"));
  expect(await json("--by day_of_week --period 2026-10 --compare previous")).toMatchObject({
    current: { groups: [{ key: 2, days: 4 }] },
    previous: { groups: [{ key: 2, days: 5 }] },
    change: { groups: [{ key: 2, per_day: { total_revenue: { absolute: 10, percent: 11.11 } } }] },
  });
});

test("other groups stay in the service's order", async () => {
  answers(() => "totem=1 2026-10=5 catalog=3");
  const rows = groupsIn(await json("--by sales_channel --period 2026-10"));
  expect(rows).toEqual(groupsOf("totem=1 2026-10=5 catalog=3"));
});

test("weeks and days that only one store has are in order in the total", async () => {
  answers((_start, storeId) => (storeId === 501 ? "52=1 2=2" : "51=3 1=4"));
  const weeks = groupsIn(await total("--by week --from 2025-12-15 --to 2026-01-18"));
  expect(weeks).toEqual(groupsOf("51=3 52=1 1=4 2=2"));
  answers((_start, storeId) => (storeId === 501 ? "20/11/2025=1 01/02/2026=2" : "02/12/2025=3"));
  const days = groupsIn(await total("--by day --from 2025-11-01 --to 2026-02-28"));
  expect(days).toEqual(groupsOf("20/11/2025=1 02/12/2025=3 01/02/2026=2"));
});

describe("a period without orders", () => {
  const line = "--by day --from 2026-10-01 --to 2026-10-03";
  const empty = "2026-10-01=0 2026-10-02=0 2026-10-03=0";

  test("has its days with 0 orders in JSON, also in a comparison and a total", async () => {
    answers(() => "");
    expect(groupsIn(await json(line))).toEqual(groupsOf(empty));
    expect(groupsIn(await total(`${line} -s norte`))).toEqual(groupsOf(empty));
    const later = "--by day --from 2026-10-08 --to 2026-10-10 --compare week";
    const { previous } = z.looseObject({ previous: z.unknown() }).parse(await json(later));
    expect(groupsIn(previous)).toEqual(groupsOf(empty));
  });

  test.each([
    ["table", /^2026-10-02 Fri +0 +0\.00 +0\.00 +–$/m],
    ["table --chart", /^2026-10-02 Fri +0\.00$/m],
    ["csv", /,2026-10-02,,0,0\.00,0\.00$/m],
    ["markdown", /^\| 2026-10-02 Fri \| +0 \| +0\.00 \| +0\.00 \| +– \|$/m],
  ])("has its days with 0 orders as %s", async (format, row) => {
    answers(() => "");
    const { code, stdout } = await desk.run(`grouped --tz UTC -s centro ${line} --format ${format}`);
    expect(code).toBe(0);
    expect(stdout).toMatch(row);
  });

  test("has no groups by hour or month", async () => {
    answers(() => "");
    for (const by of ["hour", "month", "status"])
      expect(groupsIn(await json(`--by ${by} --period 2026-10`))).toEqual([]);
  });

  test("adds no days to the total of stores whose days aren't dates", async () => {
    answers((_start, storeId) => (storeId === 501 ? "" : "02/10/2026=3"));
    expect(groupsIn(await total(`${line} -s norte`))).toEqual(groupsOf("02/10/2026=3"));
  });
});
