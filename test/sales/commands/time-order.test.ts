/** Hours and days are in chronological order in every output, whatever the service's order is. */
import { beforeEach, describe, expect, test } from "vitest";
import * as z from "zod/mini";

import { parseCsv, StoreDesk, withoutLimits, type Desk } from "../../support/desk.js";
import { parseJson } from "../../support/json.js";
import { rowsIn } from "../sample.js";

let store: StoreDesk;
let desk: Desk;
beforeEach(async () => {
  store = await StoreDesk.open({ orders: 0, ...withoutLimits });
  desk = store.desk;
  await store.signIn("norte", 502);
});

type Key = string | number | null;
const time = (hour: number): Key => `${String(hour).padStart(2, "0")}:00`;

/** Returns the rows of a text as the API's groups. */
const groupsOf = (text: string, write?: (number: number) => Key) =>
  rowsIn(text, write).map(({ key, label, orders }) => ({ key, label, total_order_count: orders }));

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

describe("hours are in order", () => {
  test("in both periods of a comparison", async () => {
    answers((start) => (start === "2026-10-01" ? "20=2 12=5" : "15=1 null=7 9=3"), time);
    const line = "--by hour --period 2026-10 --compare previous";
    const both = z.looseObject({ current: z.unknown(), previous: z.unknown(), change: z.unknown() });
    const { current, previous, change } = both.parse(await json(line));
    expect(groupsIn(current)).toEqual(groupsOf("12=5 20=2", time));
    expect(groupsIn(previous)).toEqual(groupsOf("9=3 15=1 null=7", time));
    const keys = [...[9, 12, 15, 20].map(time), null];
    expect(groupsIn(change).map(({ key }) => key)).toEqual(keys);
    const { stdout } = await desk.run(`grouped --tz UTC -s centro ${line} --format csv`);
    const csv = parseCsv(stdout);
    const place = csv[0]?.indexOf("key") ?? -1;
    expect(csv.slice(1).map((cells) => cells[place])).toEqual(keys.map((key) => String(key ?? "")));
  });

  test("over two windows", async () => {
    answers((start) => (start === "2025-10-01" ? "12=5 20=2" : "9=3 12=1 15=4"), time);
    const rows = groupsIn(await json("--by hour --from 2025-10-01 --to 2026-09-30"));
    expect(rows).toEqual(groupsOf("9=3 12=6 15=4 20=2", time));
  });

  test("in the total of several stores, and in a report", async () => {
    answers((_start, storeId) => (storeId === 501 ? "20=2 12=5" : "9=3 15=1 12=1"), time);
    const rows = groupsIn(await total("--by hour --period 2026-10"));
    expect(rows).toEqual(groupsOf("9=3 12=6 15=1 20=2", time));
    const { stdout } = await desk.run("report --tz UTC --period 2026-10 -s centro -s norte --out -");
    const [section = ""] = /<section aria-labelledby="hour"[\s\S]*?<\/section>/.exec(stdout) ?? [];
    const [axis = ""] = /<div class="axis each"[\s\S]*?<\/div>/.exec(section) ?? [];
    const labels = [...axis.matchAll(/<span[^>]*>([^<]*)/g)].map(([, label]) => label);
    expect(labels).toEqual(["9", "12", "15", "20"]);
    const names = [...section.matchAll(/<bdi>([^<]*)/g)].map(([, name]) => name);
    expect(names).toEqual(["09:00", "12:00", "15:00", "20:00"]);
  });
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
    ["csv", /,2026-10-02,,0,0\.00,0\.00$/m],
    ["markdown", /^\| 2026-10-02 Fri \| +0 \| +0\.00 \| +0\.00 \| +– \|$/m],
  ])("has its days with 0 orders as %s", async (format, row) => {
    answers(() => "");
    const { code, stdout } = await desk.run(`grouped --tz UTC -s centro ${line} --format ${format}`);
    expect(code).toBe(0);
    expect(stdout).toMatch(row);
  });
});
