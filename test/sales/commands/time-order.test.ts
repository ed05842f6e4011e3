/** Groups of time come in time's order, whatever the service's: in comparisons, over windows, of several stores, on the page. */
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

type Answered = readonly (readonly [key: string | number | null, orders: number, label?: string])[];

/** @param answer gives the groups of a window, in the service's order, by the date on which it begins */
function answers(answer: (start: string, storeId: number) => Answered): void {
  store.emulator.service.routes.put(
    "GET",
    "/api/partner/v1/orders/summary/grouped",
    ({ query, storeId }) => ({
      json: {
        group_by: query.get("group_by"),
        groups: answer(query.get("start_date")?.slice(0, 10) ?? "", storeId).map(
          ([key, orders, label = null]) => ({
            ...{ key, label, total_order_count: orders },
            ...{ total_revenue: orders * 10, average_order_value: 10 },
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
/** Each group as its key and its orders. */
const told = (value: unknown) =>
  z
    .looseObject({ groups })
    .parse(value)
    .groups.map(({ key, total_order_count: orders }) => [key, orders]);

describe.each([
  ["numbers", 9, 12, 15, 20],
  ["texts", "9", "12", "15", "20"],
  ["times", "09:00", "12:00", "15:00", "20:00"],
])("hours that are %s are in order", (_, nine, noon, three, eight) => {
  test("of a period and the one that it is compared with", async () => {
    answers((start) =>
      start === "2026-10-01"
        ? [
            [eight, 2],
            [noon, 5],
          ]
        : [
            [three, 1],
            [null, 7],
            [nine, 3],
          ],
    );
    const line = "--by hour --period 2026-10 --compare previous";
    const both = z.looseObject({ current: z.unknown(), previous: z.unknown(), change: z.unknown() });
    const { current, previous, change } = both.parse(await json(line));
    expect(told(current)).toEqual([
      [noon, 5],
      [eight, 2],
    ]);
    expect(told(previous)).toEqual([
      [nine, 3],
      [three, 1],
      [null, 7],
    ]);
    const keys = [nine, noon, three, eight, null];
    expect(told(change).map(([key]) => key)).toEqual(keys);
    const { stdout } = await desk.run(`grouped --tz UTC -s centro ${line} --format csv`);
    const csv = parseCsv(stdout);
    const place = csv[0]?.indexOf("key") ?? -1;
    expect(csv.slice(1).map((cells) => cells[place])).toEqual(keys.map((key) => String(key ?? "")));
  });

  test("of twelve months, which take two requests", async () => {
    answers((start) =>
      start === "2025-10-01"
        ? [
            [noon, 5],
            [eight, 2],
          ]
        : [
            [nine, 3],
            [noon, 1],
            [three, 4],
          ],
    );
    expect(told(await json("--by hour --from 2025-10-01 --to 2026-09-30"))).toEqual([
      [nine, 3],
      [noon, 6],
      [three, 4],
      [eight, 2],
    ]);
  });

  test("of several stores together, and as the columns of a report", async () => {
    answers((_start, storeId) =>
      storeId === 501
        ? [
            [eight, 2],
            [noon, 5],
          ]
        : [
            [nine, 3],
            [three, 1],
            [noon, 1],
          ],
    );
    const all = z
      .looseObject({ total: z.unknown() })
      .parse(await json("--by hour --period 2026-10 -s norte"));
    expect(told(all.total)).toEqual([
      [nine, 3],
      [noon, 6],
      [three, 1],
      [eight, 2],
    ]);
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

const inYear: Answered = [
  [12, 1],
  [11, 2],
  [10, 3],
  [9, 4],
  [8, 5],
  [7, 6],
];
test.each<[string, string, (start: string) => Answered, Answered]>([
  [
    "weekdays by number",
    "--by day_of_week --period 2026-10",
    () => [
      [3, 1],
      [0, 2],
      [6, 4],
    ],
    [
      [0, 2],
      [3, 1],
      [6, 4],
    ],
  ],
  [
    "weekdays by name",
    "--by day_of_week --period 2026-10",
    () => [
      ["Sábado", 1],
      ["Segunda-feira", 2],
      ["Domingo", 4],
      ["Terça-feira", 8],
    ],
    [
      ["Domingo", 4],
      ["Segunda-feira", 2],
      ["Terça-feira", 8],
      ["Sábado", 1],
    ],
  ],
  [
    "weekdays by label",
    "--by day_of_week --period 2026-10",
    () => [
      ["d", 1, "Friday"],
      ["a", 2, "Mon"],
    ],
    [
      ["a", 2],
      ["d", 1],
    ],
  ],
  [
    "days, the newest first, with those between them",
    "--by day --from 2026-10-01 --to 2026-10-03",
    () => [
      ["2026-10-03", 1],
      ["2026-10-01", 2],
    ],
    [
      ["2026-10-01", 2],
      ["2026-10-02", 0],
      ["2026-10-03", 1],
    ],
  ],
  [
    "days as they are written in Brazil, over two windows",
    "--by day --from 2025-10-01 --to 2026-09-30",
    (start) =>
      start === "2025-10-01"
        ? [
            ["01/02/2026", 1],
            ["20/11/2025", 2],
          ]
        : [["02/05/2026", 3]],
    [
      ["20/11/2025", 2],
      ["01/02/2026", 1],
      ["02/05/2026", 3],
    ],
  ],
  [
    "days by number",
    "--by day --from 2026-10-30 --to 2026-11-02",
    () => [
      [2, 1],
      [31, 2],
      [1, 3],
      [30, 4],
    ],
    [
      [30, 4],
      [31, 2],
      [1, 3],
      [2, 1],
    ],
  ],
  [
    "weeks of two years",
    "--by week --from 2025-12-15 --to 2026-01-18",
    () => [
      ["2026-W02", 1],
      ["2025-W51", 2],
      ["2026-W01", 3],
    ],
    [
      ["2025-W51", 2],
      ["2026-W01", 3],
      ["2026-W02", 1],
    ],
  ],
  [
    "weeks by number, of two years",
    "--by week --from 2025-12-15 --to 2026-01-18",
    () => [
      [2, 1],
      [1, 3],
      [52, 4],
      [51, 2],
    ],
    [
      [51, 2],
      [52, 4],
      [1, 3],
      [2, 1],
    ],
  ],
  [
    "weeks by a number that is one less",
    "--by week --from 2025-12-29 --to 2026-01-18",
    () => [
      [2, 1],
      [1, 3],
      [0, 4],
    ],
    [
      [0, 4],
      [1, 3],
      [2, 1],
    ],
  ],
  [
    "months, the newest first",
    "--by month --from 2026-08-01 --to 2026-10-31",
    () => [
      ["2026-10", 1],
      ["2026-08", 2],
      ["2026-09", 3],
    ],
    [
      ["2026-08", 2],
      ["2026-09", 3],
      ["2026-10", 1],
    ],
  ],
  [
    "months by number, of thirteen months",
    "--by month --from 2025-07-01 --to 2026-07-31",
    (start) => {
      if (start === "2025-07-01") return inYear;
      return start === "2026-01-01"
        ? [
            [2, 1],
            [6, 8],
            [1, 9],
          ]
        : [[7, 5]];
    },
    [...inYear.toReversed(), [1, 9], [2, 1], [6, 8], [7, 5]],
  ],
])("%s are in order", async (_, line, answer, expected) => {
  answers(answer);
  expect(told(await json(line))).toEqual(expected);
});

test("groups of anything else stay in the service's order", async () => {
  answers(() => [
    ["totem", 1],
    ["2026-10", 5],
    ["catalog", 3],
  ]);
  expect(told(await json("--by sales_channel --period 2026-10"))).toEqual([
    ["totem", 1],
    ["2026-10", 5],
    ["catalog", 3],
  ]);
});

test("weeks and days that only one of several stores has are in order in the total", async () => {
  answers((_start, storeId) =>
    storeId === 501
      ? [
          [52, 1],
          [2, 2],
        ]
      : [
          [51, 3],
          [1, 4],
        ],
  );
  const total = async (line: string) =>
    told(z.looseObject({ total: z.unknown() }).parse(await json(`${line} -s norte`)).total);
  expect(await total("--by week --from 2025-12-15 --to 2026-01-18")).toEqual([
    [51, 3],
    [52, 1],
    [1, 4],
    [2, 2],
  ]);
  answers((_start, storeId) =>
    storeId === 501
      ? [
          ["20/11/2025", 1],
          ["01/02/2026", 2],
        ]
      : [["02/12/2025", 3]],
  );
  expect(await total("--by day --from 2025-11-01 --to 2026-02-28")).toEqual([
    ["20/11/2025", 1],
    ["02/12/2025", 3],
    ["01/02/2026", 2],
  ]);
});
