/** Hours and days are in chronological order in every output, whatever the service's order is. */
import { expect, test } from "vitest";
import * as z from "zod/mini";

import { parseJson, StoreDesk, withoutLimits } from "../../support/desk.js";
import { rowsIn } from "../sample.js";

const store = await StoreDesk.open({ orders: 0, ...withoutLimits });
await store.signIn("norte", 502);
const { desk } = store;

/** @param answer returns the groups of the window that starts on a date, in the service's order */
function answers(answer: (start: string, storeId: number) => string): void {
  const route = "/api/partner/v1/orders/summary/grouped";
  store.emulator.service.routes.put("GET", route, ({ query, storeId }) => {
    const groups = rowsIn(answer(query.get("start_date")?.slice(0, 10) ?? "", storeId)).map(
      ({ key, label, orders }) => {
        const figures = { total_order_count: orders, total_revenue: orders * 10, average_order_value: 10 };
        return { key, label, ...figures };
      },
    );
    return { json: { group_by: query.get("group_by"), groups } };
  });
}

const groups = z.array(z.object({ key: z.unknown(), total_order_count: z.unknown() }));
/** Returns groups as texts such as `09:00=3`. */
const side = z.pipe(
  z.object({ groups }),
  z.transform((given) => given.groups.map((each) => `${String(each.key)}=${String(each.total_order_count)}`)),
);

async function json<Shape extends z.ZodMiniType>(line: string, shape: Shape): Promise<z.output<Shape>> {
  const { code, stdout, stderr } = await desk.run(`grouped --tz UTC -s centro --fresh ${line} --json`);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  return z.parse(shape, parseJson(stdout));
}

test("hours are in order over two windows and in both periods of a comparison", async () => {
  const [autumn, spring] = ["12:00=5 20:00=2", "15:00=4 09:00=3 12:00=1"];
  const own: Readonly<Record<string, string>> = { "2025-10-01": autumn, "2026-04-01": spring };
  answers((start) => own[start] ?? "15:00=1 null=7 09:00=3");
  const line = "--by hour --from 2025-10-01 --to 2026-09-30 --compare previous";
  const change = z.object({ groups: z.array(z.object({ key: z.unknown() })) });
  const both = await json(line, z.object({ current: side, previous: side, change }));
  const current = ["09:00=3", "12:00=6", "15:00=4", "20:00=2"];
  expect(both).toMatchObject({ current, previous: ["09:00=6", "15:00=2", "null=14"] });
  const keys = ["09:00", "12:00", "15:00", "20:00", null];
  expect(both.change.groups.map(({ key }) => key)).toEqual(keys);
});

test("hours are in order in the total of several stores, and in a report", async () => {
  answers((_start, storeId) => (storeId === 501 ? "20:00=2 12:00=5" : "09:00=3 15:00=1 12:00=1"));
  const { total } = await json("--by hour --period 2026-10 -s norte", z.object({ total: side }));
  expect(total).toEqual(["09:00=3", "12:00=6", "15:00=1", "20:00=2"]);
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
  const empty = ["2026-10-01=0", "2026-10-02=0", "2026-10-03=0"];
  const line = "--by day --from 2026-10-01 --to 2026-10-03";
  expect(await json(line, side)).toEqual(empty);
  expect(await json(`${line} -s norte`, z.object({ total: side }))).toEqual({ total: empty });
  const later = "--by day --from 2026-10-08 --to 2026-10-10 --compare week";
  expect(await json(later, z.object({ previous: side }))).toEqual({ previous: empty });
});
