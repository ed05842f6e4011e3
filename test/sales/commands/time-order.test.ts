/** Hours and days are in chronological order in every output, whatever the service's order is. */
import { expect, test } from "vitest";

import { parseJson, StoreDesk, withoutLimits } from "../../support/desk.js";
import { rowsIn } from "../sample.js";

const store = await StoreDesk.open({ orders: 0, ...withoutLimits });
await store.signIn("norte", 502);
const { desk } = store;

/** Returns groups from texts such as `09:00=3`. */
const groupsOf = (text: string) =>
  rowsIn(text).map(({ key, orders }) => ({ key, total_order_count: orders, total_revenue: orders * 10 }));

/** @param answer returns the groups of a store, in the service's order */
function answers(answer: (storeId: number) => string): void {
  const route = "/api/partner/v1/orders/summary/grouped";
  store.emulator.service.routes.put("GET", route, ({ query, storeId }) => {
    const more = { label: null, average_order_value: 10 };
    const groups = groupsOf(answer(storeId)).map((group) => ({ ...group, ...more }));
    return { json: { group_by: query.get("group_by"), groups } };
  });
}

async function json(line: string): Promise<unknown> {
  const { code, stdout, stderr } = await desk.run(`grouped --tz UTC -s centro --fresh ${line} --json`);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  return parseJson(stdout);
}

test("hours are in order in the total of several stores, and in a report", async () => {
  answers((storeId) => (storeId === 501 ? "20:00=2 12:00=5" : "09:00=3 15:00=1 12:00=1"));
  const total = { groups: groupsOf("09:00=3 12:00=6 15:00=1 20:00=2") };
  expect(await json("--by hour --period 2026-10 -s norte")).toMatchObject({ total });
  const { stdout } = await desk.run("report --tz UTC --period 2026-10 -s centro -s norte --out -");
  const [section = ""] = /<section aria-labelledby="hour"[\s\S]*?<\/section>/.exec(stdout) ?? [];
  const [axis = ""] = /<div class="axis each"[\s\S]*?<\/div>/.exec(section) ?? [];
  const labels = [...axis.matchAll(/<span[^>]*>([^<]*)/g)].map(([, label]) => label);
  expect(labels).toEqual(["9", "12", "15", "20"]);
  const names = [...section.matchAll(/<bdi>([^<]*)/g)].map(([, name]) => name);
  expect(names).toEqual(["09:00", "12:00", "15:00", "20:00"]);
});

test("a period without orders has its days with 0 orders, also in a comparison and a total", async () => {
  answers(() => "");
  const empty = { groups: groupsOf("2026-10-01=0 2026-10-02=0 2026-10-03=0") };
  const line = "--by day --from 2026-10-01 --to 2026-10-03";
  expect(await json(line)).toMatchObject(empty);
  expect(await json(`${line} -s norte`)).toMatchObject({ total: empty });
  const later = "--by day --from 2026-10-08 --to 2026-10-10 --compare week";
  expect(await json(later)).toMatchObject({ previous: empty });
});
