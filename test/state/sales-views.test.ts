/** What the views of sales.db show, on each engine. */
import { describe, expect, test } from "vitest";

import type { GroupedSummary, Summary } from "../../src/contract/models.js";
import { clearAnswers, openAnswers, type AnswerSource } from "../../src/state/answers.js";
import { keptPairs } from "../../src/state/kept-totals.js";
import { createDatabases, type StateFolder } from "../../src/state/state-folder.js";
import { figuresToKeep } from "../../src/sales/ledger/kept-figures.js";
import { engines, type Engine } from "./support/engines.js";
import { openState, temporaryFolder } from "./support/folder.js";

const zone = "America/Sao_Paulo";
const at = (text: string) => Date.parse(text);
const group = (key: string | null, orders: number, revenue: number, label: string | null = null) => ({
  key,
  label,
  total_order_count: orders,
  total_revenue: revenue,
  average_order_value: orders === 0 ? 0 : revenue / orders,
});

async function openOn(engine: Engine) {
  const open = await engine.create({ database: "sales" });
  const database = await open();
  const folder = openState(temporaryFolder());
  const data: StateFolder = {
    ...folder,
    ...createDatabases(
      () => Promise.resolve(database),
      () => true,
    ),
  };
  const keeper = (signIn = "1", store = "centro") => {
    const source: AnswerSource = {
      store,
      environment: "https://api.example",
      signIn: () => Promise.resolve(signIn),
    };
    const answers = openAnswers(data, source, { timeZone: zone, currency: "BRL", dayStarts: undefined });
    return (
      first: string,
      last: string,
      askedAt: string,
      answer: Summary | GroupedSummary,
      filters: Readonly<Record<string, string>> = {},
    ) => {
      const window = { start_date: `${first}T00:00:00-03:00`, end_date: `${last}T23:59:59.999999-03:00` };
      const dimension = "group_by" in answer ? (answer.group_by as "day") : undefined;
      const query = { ...window, ...(dimension && { group_by: dimension }), filters };
      const place = { zone, dateField: undefined, dimension, endsAt: at(window.end_date) };
      const figures = figuresToKeep(answer, { start: window.start_date, end: window.end_date, ...place });
      return answers.keep(query, at(askedAt), answer, figures);
    };
  };
  const find = async (columns: readonly string[], from: string) => {
    const types = Object.fromEntries(columns.map((name) => [name, "text?"] as const));
    const cast = columns.map((name) => `cast(${name} as text) as ${name}`);
    const rows = await database.rows(types, `select ${cast.join(", ")} from ${from}`);
    return rows.map((row) => columns.map((name) => row[name]).join(" "));
  };
  return { data, keep: keeper(), keeper, find };
}

const days = (...groups: ReturnType<typeof group>[]) => ({ group_by: "day", groups });

describe.each(engines)("the views of sales on $name", (engine) => {
  describe.skipIf(!engine.isInstalled)("over what is kept", () => {
    test("have each day once, by the newest answer that was asked when it was over", async () => {
      const { keep, find } = await openOn(engine);
      const october = ["2026-10-01", "2026-10-03"] as const;
      await keep(
        ...october,
        "2026-10-03T12:00:00Z",
        days(group("2026-10-01", 2, 20), group("2026-10-03", 9, 90)),
      );
      await keep(...october, "2026-10-05T12:00:00Z", days(group("2026-10-02", 3, 30.5)));
      await keep("2026-10-03", "2026-10-03", "2026-10-06T12:00:00Z", group(null, 4, 40));
      expect(await find(["date", "orders", "revenue_cents"], "sales_by_day order by date")).toEqual([
        // The newest answer lacks it: by now it has no orders.
        "2026-10-01 0 0",
        "2026-10-02 3 3050",
        "2026-10-03 4 4000",
      ]);
      expect(
        await find(["date", "orders", "is_newest"], "sales_by_day_history order by asked_at, date"),
      ).toEqual([
        "2026-10-01 2 0",
        "2026-10-02 0 0",
        "2026-10-01 0 1",
        "2026-10-02 3 1",
        "2026-10-03 0 0",
        "2026-10-03 4 1",
      ]);
    });

    test("show amounts in cents and with two decimals, the zone, the currency and the filters", async () => {
      const { keep, find } = await openOn(engine);
      const answer = days(group("2026-10-01", 3, 1234.5));
      await keep("2026-10-01", "2026-10-01", "2026-10-05T12:00:00Z", answer, { status_in: "closed" });
      const columns = [
        "revenue_cents",
        "average_cents",
        "time_zone",
        "day_starts",
        "currency",
        "date_field",
        "filters",
      ];
      expect(await find(columns, "sales_by_day where revenue = 1234.5")).toEqual([
        '123450 41150 America/Sao_Paulo 00:00 BRL created_at ["status_in=closed"]',
      ]);
    });

    test("call a day final that was asked twice long after, with the same answer, and no order changed since", async () => {
      const { data, keep, find } = await openOn(engine);
      const one = ["2026-10-01", "2026-10-01"] as const;
      const finals = () => find(["is_final"], "sales_by_day");
      await keep(...one, "2026-10-20T12:00:00Z", days(group("2026-10-01", 3, 30)));
      await keep(...one, "2026-11-10T12:00:00Z", days(group("2026-10-01", 3, 30)));
      expect(await finals()).toEqual(["0"]);
      await keep(...one, "2026-11-11T12:00:00Z", days(group("2026-10-01", 3, 30)));
      expect(await finals()).toEqual(["1"]);
      const database = await data.database("sales");
      await database.run("update sources set changed_at = $1", at("2026-11-12T12:00:00Z"));
      expect(await finals()).toEqual(["0"]);
      await keep(...one, "2026-11-13T12:00:00Z", days(group("2026-10-01", 2, 30)));
      expect(await finals()).toEqual(["0"]);
    });

    test("tell what was restated since the day was over for hours, and nothing else", async () => {
      const { keep, find } = await openOn(engine);
      const one = ["2026-10-01", "2026-10-01"] as const;
      for (const [asked, orders] of [
        ["2026-10-02T04:00:00Z", 1],
        ["2026-10-02T12:00:00Z", 2],
        ["2026-10-03T12:00:00Z", 2],
        ["2026-10-04T12:00:00Z", 3],
      ] as const)
        await keep(...one, asked, days(group("2026-10-01", orders, orders * 10)));
      const columns = ["store", "date", "asked_before", "orders_before", "asked_at", "orders"];
      expect(await find(columns, "restatements where revenue_before = 20 and revenue = 30")).toEqual([
        "centro 2026-10-01 2026-10-03T12:00:00.000Z 2 2026-10-04T12:00:00.000Z 3",
      ]);
      expect(await find(["date"], "restatements")).toHaveLength(1);
    });

    test("have the newest answer to each question by a dimension, whole", async () => {
      const { keep, find } = await openOn(engine);
      const one = ["2026-10-01", "2026-10-01"] as const;
      const of = (...groups: ReturnType<typeof group>[]) => ({ group_by: "driver_id", groups });
      await keep(...one, "2026-10-05T12:00:00Z", of(group("11", 2, 20, "Ana"), group("12", 1, 10, "Bia")));
      await keep(
        ...one,
        "2026-10-06T12:00:00Z",
        of(group("11", 3, 30, "Ana"), group(null, 1, 5, "Não informado")),
      );
      await keep("2026-10-02", "2026-10-02", "2026-10-06T12:00:00Z", of(group("12", 7, 70, "Bia")));
      const columns = ["dimension", "key", "label", "from_date", "to_date", "orders"];
      expect(await find(columns, "sales_by_dimension order by from_date, orders desc")).toEqual([
        "driver_id 11 Ana 2026-10-01 2026-10-01 3",
        "driver_id  Não informado 2026-10-01 2026-10-01 1",
        "driver_id 12 Bia 2026-10-02 2026-10-02 7",
      ]);
      expect(await find(["key"], "sales_by_dimension_history")).toHaveLength(5);
    });

    test("speak of a store by its newest sign-in alone, and forget with it", async () => {
      const { data, keeper, find } = await openOn(engine);
      const one = ["2026-10-01", "2026-10-01", "2026-10-05T12:00:00Z"] as const;
      await keeper("1")(...one, days(group("2026-10-01", 1, 10)));
      await keeper("2")(...one, days(group("2026-10-01", 2, 20)));
      await keeper("1", "norte")(...one, days(group("2026-10-01", 3, 30)));
      expect(await find(["store", "orders"], "sales_by_day order by store")).toEqual(["centro 2", "norte 3"]);
      expect(await find(["store", "environment", "time_zone", "currency"], "stores order by store")).toEqual([
        "centro https://api.example America/Sao_Paulo BRL",
        "norte https://api.example America/Sao_Paulo BRL",
      ]);
      await clearAnswers(data, "centro");
      expect(await find(["store"], "stores")).toEqual(["norte"]);
    });

    test("are held against each other window by window: the whole, what it is split by, and its days", async () => {
      const { data, keep } = await openOn(engine);
      const two = ["2026-10-01", "2026-10-02", "2026-10-06T12:00:00Z"] as const;
      await keep(...two, group(null, 3, 30));
      await keep(...two, { group_by: "status", groups: [group("closed", 2, 20), group("canceled", 1, 9.5)] });
      for (const day of ["2026-10-01", "2026-10-02"])
        await keep(day, day, "2026-10-06T12:00:00Z", group(null, 2, 20));
      const pairs = await keptPairs(data, "centro", { from: 0, to: at("2027-01-01T00:00:00Z") });
      const shown = pairs.map(({ first_day, part, days: count, part_orders, part_revenue_cents }) =>
        [first_day, part, count, part_orders, part_revenue_cents].join(" "),
      );
      expect(shown).toEqual([
        "2026-10-01  0 2 2000",
        "2026-10-01  0 3 3000",
        "2026-10-01 days 2 4 4000",
        "2026-10-01 status 0 3 2950",
        "2026-10-02  0 2 2000",
      ]);
    });
  });
});
