/** `summary` and `grouped` as a person, a script and a spreadsheet get them. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";

import type { Emulator } from "../../../src/emulator/index.js";
import { Desk, parseCsv, start, tokenFor, type RunOptions } from "../../support/desk.js";
import { startEmulator } from "../../support/emulators.js";

const desk = new Desk({ COMANDA_RATE_LIMITS: "off" });
let emulator: Emulator;
beforeAll(async () => {
  emulator = await startEmulator({ orders: 3_000, seed: 9, now: desk.clock, rateLimits: false });
  await desk.signIn("centro", emulator.baseUrl, tokenFor(emulator, 501));
  await desk.signIn("norte", emulator.baseUrl, tokenFor(emulator, 502));
  await desk.signIn("velho", emulator.baseUrl, "a-token-that-nobody-gave");
});
afterAll(async () => {
  await emulator.close();
  desk.remove();
});

/** Orders and cents of a store between two instants, counted plainly. */
function count(storeId: number, from: string, to: string) {
  const orders = emulator.world.orders
    .ofStore(storeId)
    .filter(({ createdAt }) => createdAt >= Date.parse(from) && createdAt < Date.parse(to));
  const cents = orders.reduce((sum, { total }) => sum + total, 0);
  return {
    total_order_count: orders.length,
    total_revenue: cents / 100,
    average_order_value: Math.floor(cents / orders.length + 0.5) / 100,
  };
}
const october = ["2026-10-01T03:00:00Z", "2026-11-01T03:00:00Z"] as const;
const saoPaulo = ["--tz", "America/Sao_Paulo"] as const;
const json = async (line: string, options: RunOptions = {}) => {
  const ran = await desk.run([...line.split(" "), ...saoPaulo, "--json"], options);
  return { ...ran, value: JSON.parse(ran.stdout) as unknown };
};
/** The request that `--debug` shows. */
const urlOf = (stderr: string) => new URL(/GET (\S+)/.exec(stderr)?.[1] ?? "http://nothing.sent");
const sent = () => emulator.service.log.entries().filter(({ path }) => path.includes("/orders/summary"));

describe("summary", () => {
  test("summary --json prints the API's object, with the window on stderr", async () => {
    const { code, stderr, value } = await json("summary -s centro --period last-month --fresh", {
      looksOn: true,
    });
    expect({ code, value }).toEqual({
      code: 0,
      value: {
        ...count(501, ...october),
        period: {
          from: "2026-10-01T00:00:00-03:00",
          to: "2026-10-31T23:59:59.999999-03:00",
          time_zone: "America/Sao_Paulo",
        },
        currency: null,
        asked_at: "2026-11-20T15:00:00.000Z",
        kept: false,
        canceled: null,
      },
    });
    expect(stderr).toBe("2026-10-01 to 2026-10-31 (America/Sao_Paulo)\n");
  });

  test("summary sends the parameters as section 4.6 spells them, values encoded", async () => {
    const { code, stderr } = await desk.run([
      ...["summary", "--debug", "-s", "centro", "--period", "2026-10", ...saoPaulo, "--fresh"],
      ...["--filter", "status=closed,delivered", "--filter", "customer_origin=a, b&c=d"],
      ...["--filter", "total_gteq=10", "--date-field", "created_at"],
    ]);
    expect(code).toBe(0);
    const url = urlOf(stderr);
    expect(url.pathname).toBe("/api/partner/v1/orders/summary");
    expect(url.search).toMatch(/^\?[\w.%&=[\]-]+$/);
    expect([...url.searchParams]).toEqual([
      ["start_date", "2026-10-01T00:00:00-03:00"],
      ["end_date", "2026-10-31T23:59:59.999999-03:00"],
      ["date_field", "created_at"],
      ["filters[status_in]", "closed"],
      ["filters[status_in]", "delivered"],
      ["filters[customer_origin_in]", "a, b&c=d"],
      ["filters[total_gteq]", "10"],
    ]);
  });

  test("A zone that nobody gave is warned about each time, and no longer once it is set", async () => {
    const own = new Desk({ COMANDA_RATE_LIMITS: "off" });
    try {
      await own.signIn("centro", emulator.baseUrl, tokenFor(emulator, 501));
      for (let time = 0; time < 2; time += 1) {
        const { stderr } = await own.run("summary --period 2026-10 --quiet");
        expect(stderr).toMatch(
          /^warning: .* this machine's time zone, .* comanda stores set centro --tz \S+\n$/,
        );
      }
      await own.run("stores set centro --tz America/Sao_Paulo");
      expect((await own.run("summary --period 2026-10")).stderr).toBe("");
    } finally {
      own.remove();
    }
  });

  test("summary asks by date for scheduled dates", async () => {
    const { code, stderr } = await json(
      "summary -s centro --debug --period 2026-10 --date-field scheduled_date --fresh",
    );
    expect(code).toBe(0);
    const search = urlOf(stderr).searchParams;
    expect([search.get("start_date"), search.get("end_date")]).toEqual(["2026-10-01", "2026-10-31"]);
  });

  test("summary is yesterday's where no period is given", async () => {
    const { stderr } = await json("summary -s centro", { looksOn: true });
    expect(stderr).toBe("2026-11-19 (America/Sao_Paulo)\n");
  });

  test.each(["table", "json", "csv", "markdown"])(
    "summary --format %s writes nothing of fresh figures to stderr where nobody looks on",
    async (format) => {
      const { code, stderr } = await desk.run(
        `summary -s centro --compare previous --tz UTC --fresh --format ${format}`,
      );
      expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    },
  );

  test("summary --compare prints both periods and the change", async () => {
    const line = "summary -s centro --period 2026-10 --compare year";
    const { value } = await json(line);
    const [current, previous] = [
      count(501, ...october),
      count(501, "2025-10-01T03:00:00Z", "2025-11-01T03:00:00Z"),
    ];
    expect(value).toMatchObject({
      current: {
        period: { from: "2026-10-01T00:00:00-03:00", zone: "America/Sao_Paulo" },
        ...current,
      },
      previous: { period: { from: "2025-10-01T00:00:00-03:00" }, ...previous },
      change: {
        total_order_count: { absolute: current.total_order_count - previous.total_order_count },
      },
    });
    // Both answers are kept by now, so that no bar is drawn.
    const { stderr } = await json(line, { looksOn: true });
    expect(stderr.replaceAll("\n", " ")).toContain("compared with 2025-10-01 to 2025-10-31");
  });

  test("summary is a table for people, in their currency", async () => {
    const { stdout } = await desk.run([
      ...[
        "summary",
        "-s",
        "centro",
        "--period",
        "2026-10",
        ...saoPaulo,
        "--currency",
        "BRL",
        "--locale",
        "pt-BR",
      ],
    ]);
    const { total_order_count, total_revenue } = count(501, ...october);
    const revenue = new Intl.NumberFormat("pt-BR", { style: "currency", currency: "BRL" }).format(
      total_revenue,
    );
    expect(stdout.split("\n")[0]).toMatch(/^ORDERS +REVENUE +AVERAGE$/);
    expect(stdout).toContain(` ${total_order_count} `.trimStart());
    expect(stdout).toContain(revenue);
  });
});

describe("several stores", () => {
  test("summary of several stores comes with their total", async () => {
    const { code, value } = await json("summary -s centro -s norte --period 2026-10");
    const [centro, norte] = [count(501, ...october), count(502, ...october)];
    expect(code).toBe(0);
    // The one's answer was kept, the other's was not: the total is as old as the older.
    const asked_at = "2026-11-20T15:00:00.000Z";
    expect(value).toMatchObject({
      stores: [
        { store: "centro", ...centro, asked_at, kept: true },
        { store: "norte", ...norte, asked_at, kept: false },
      ],
      total: {
        asked_at,
        kept: true,
        stores: ["centro", "norte"],
        total_order_count: centro.total_order_count + norte.total_order_count,
        total_revenue: Math.round((centro.total_revenue + norte.total_revenue) * 100) / 100,
        average_order_value: expect.any(Number) as number,
      },
    });
  });

  test("Where one of several stores fails, the others' figures are there: exit 10, and the total says whose it is", async () => {
    const { code, value, stderr, stdout } = await json("summary --all-stores --period 2026-10");
    expect(code).toBe(10);
    expect(value).toMatchObject({
      stores: [
        { store: "centro", ...count(501, ...october) },
        { store: "norte" },
        { store: "velho", error: { exit_code: 3, code: "token_refused" } },
      ],
      total: { stores: ["centro", "norte"] },
    });
    expect(stderr).toContain("1 of 3 stores gave no figures: velho.");
    expect(stdout).not.toContain("a-token-that-nobody-gave");
    const table = await desk.run("summary --all-stores --period 2026-10 --tz America/Sao_Paulo");
    expect(table.stdout).toMatch(/^velho +– +– +–$/m);
    expect(table.stdout).toMatch(/^Total of 2 stores /m);
    const csv = parseCsv((await desk.run("summary --all-stores --period 2026-10 --format csv")).stdout);
    expect(csv.map(([store]) => store)).toEqual(["store", "centro", "norte"]);
  });

  test("--all-stores keeps its columns where there is one store and it fails", async () => {
    const lonely = new Desk({ COMANDA_RATE_LIMITS: "off" });
    const lines = [
      "summary --all-stores --period 2026-10 --tz UTC",
      "summary --all-stores --period 2026-10 --tz UTC --compare previous",
      "grouped --all-stores --by month --period 2026-10 --tz UTC",
    ].flatMap((line) => [`${line} --format csv`, `${line} --format markdown`]);
    const headings = async (code: number) => {
      const found: string[] = [];
      for (const line of lines) {
        const ran = await lonely.run(line);
        expect(ran.code).toBe(code);
        found.push(ran.stdout.split("\n")[0]?.replaceAll(/ +/g, " ") ?? "");
      }
      return found;
    };
    try {
      await lonely.signIn("centro", emulator.baseUrl, tokenFor(emulator, 501));
      const whole = await headings(0);
      lonely.forgetFigures();
      await lonely.signIn("centro", emulator.baseUrl, "a-token-that-nobody-gave");
      expect(await headings(10)).toEqual(whole);
      expect(whole[0]).toMatch(/^store,from,to,/);
    } finally {
      lonely.remove();
    }
  });

  test("grouped of several stores merges their groups", async () => {
    const { code, value } = await json(
      "grouped --by month -s centro -s norte --from 2026-09-01 --to 2026-10-31",
    );
    expect(code).toBe(0);
    expect(value).toMatchObject({
      total: { stores: ["centro", "norte"], groups: [{ key: "2026-09" }, { key: "2026-10" }] },
    });
  });

  test.each([
    ["an alias that isn't known", "summary -s centro -s nirgends", 2],
    ["--store beside --all-stores", "summary --all-stores -s centro", 2],
    ["--all-stores where it means nothing", "orders dispatch 1 --all-stores", 2],
    ["--store twice where it means nothing", "orders dispatch 1 -s centro -s norte", 2],
  ])("%s is refused", async (_, line, code) => {
    emulator.service.log.clear();
    expect((await desk.run(line)).code).toBe(code);
    expect(sent()).toEqual([]);
  });
});

describe("grouped", () => {
  test("grouped --top --rest ranks, and sums up the rest", async () => {
    const { value } = await json("grouped --by sales_channel -s centro --period 2026-10 --top 2 --rest");
    const whole = (await json("grouped --by sales_channel -s centro --period 2026-10")).value;
    const revenues = (groups: unknown) =>
      (groups as { groups: { total_revenue: number }[] }).groups.map(({ total_revenue }) => total_revenue);
    const ranked = revenues(whole).toSorted((a, b) => b - a);
    expect(revenues(value)).toEqual(ranked.slice(0, 2));
    expect(value).toMatchObject({
      rest: {
        group_count: ranked.length - 2,
        total_revenue: Math.round(ranked.slice(2).reduce((sum, one) => sum + one * 100, 0)) / 100,
      },
    });
  });

  test("grouped has a line for each day, its weekday, its share, and a total", async () => {
    const line = "grouped --by day -s centro --from 2026-10-05 --to 2026-10-07 --filter total>=999999";
    const { stdout } = await desk.run(`${line} --tz America/Sao_Paulo --locale en`);
    expect(stdout.replaceAll(/ +/g, " ")).toBe(
      [
        "DAY ORDERS REVENUE AVERAGE SHARE",
        "2026-10-05 Mon 0 0.00 0.00 –",
        "2026-10-06 Tue 0 0.00 0.00 –",
        "2026-10-07 Wed 0 0.00 0.00 –",
        "Total 0 0.00 0.00 –",
        "",
      ].join("\n"),
    );
    expect(
      (await desk.run(`${line} --tz America/Sao_Paulo --no-fill`)).stdout.trim().split("\n"),
    ).toHaveLength(1);
  });

  test("grouped shows shares of the whole, also of what --top leaves out", async () => {
    const line = "grouped --by sales_channel -s centro --period 2026-10 --top 2 --rest --locale en";
    const { stdout } = await desk.run([...line.split(" "), ...saoPaulo]);
    const lines = stdout.trim().split("\n");
    expect(lines.at(-2)).toMatch(/^\d+ others? .* [\d.]+%$/);
    expect(lines.at(-1)).toMatch(/^Total .* 100%$/);
    const shares = lines.slice(1, -1).map((one) => Number(/([\d.]+)%$/.exec(one)?.[1]));
    expect(shares.reduce((sum, share) => sum + share, 0)).toBeCloseTo(100, 0);
  });

  test("A locale that is written from right to left has no escapes of its own marks", async () => {
    const line = "summary -s centro --period 2026-10 --compare previous --currency SAR --locale ar";
    const { stdout } = await desk.run([...line.split(" "), ...saoPaulo]);
    expect(stdout).not.toMatch(/\\u|[\u061c\u200e\u200f]/);
    expect(new Intl.NumberFormat("ar", { style: "currency", currency: "SAR" }).format(-1)).toMatch(
      /[\u061c\u200e\u200f]/,
    );
  });

  test("grouped draws bars beneath its table on a terminal, as wide as it is, where the dimension is temporal", async () => {
    const line = ["grouped", "--by", "day", "-s", "centro", "--period", "last-week", ...saoPaulo];
    const { stdout } = await desk.run(line, { columns: 60 });
    const bars = stdout.split("\n").filter((one) => one.includes("█"));
    expect(bars.length).toBeGreaterThan(3);
    expect(Math.max(...bars.map((one) => one.length))).toBe(60);
    expect((await desk.run(line)).stdout).not.toContain("█");
    expect((await desk.run([...line, "--chart"])).stdout).toContain("█");
    expect((await desk.run(line, { columns: 60, env: { TERM: "dumb" } })).stdout).not.toContain("█");
    const channels = line.map((word) => (word === "day" ? "sales_channel" : word));
    expect((await desk.run(channels, { columns: 60 })).stdout).not.toContain("█");
  });

  test("grouped --compare compares days by their place in the period", async () => {
    const { value } = await json("grouped --by day -s centro --period last-week --compare previous");
    expect(value).toMatchObject({
      change: {
        group_by: "day",
        groups: expect.arrayContaining([
          expect.objectContaining({ key: "2026-11-09", previous_key: "2026-11-02" }),
        ]) as unknown[],
      },
    });
  });
});

describe("CSV", () => {
  test("CSV has plain numbers, and its period", async () => {
    const { stdout } = await desk.run(
      "summary -s centro --period 2026-10 --tz America/Sao_Paulo --format csv --currency BRL --locale pt-BR",
    );
    const { total_order_count, total_revenue, average_order_value } = count(501, ...october);
    expect(stdout).toBe(
      "from,to,total_order_count,total_revenue,average_order_value\r\n" +
        `2026-10-01,2026-10-31,${total_order_count},${total_revenue.toFixed(2)},${average_order_value.toFixed(2)}\r\n`,
    );
  });

  test("Days stand by the reader's locale, and in English by ISO", async () => {
    const line = "grouped --by day -s centro --period 2026-10-05 --tz America/Sao_Paulo --locale";
    const shown: unknown[] = [];
    for (const locale of ["en-US", "pt-BR", "de"])
      shown.push(/^(\d\S+ \S+)/m.exec((await desk.run(`${line} ${locale}`)).stdout)?.[1]);
    expect(shown).toEqual(["2026-10-05 Mon", "05/10/2026 seg.", "05.10.2026 Mo"]);
  });
});

describe("what can't be asked", () => {
  test.each([
    ["grouped", "dimension"],
    ["grouped --by dy", 'Did you mean "day"?'],
    ["grouped --by hour --date-field scheduled_date", "can't be split by hour"],
    ["summary --period last-mouth", 'Did you mean "last-month"?'],
    ["summary --period 2023-01", "more than 3 years back"],
    ["summary --from 2026-10-05 --to 2026-10-01", "ends"],
    ["summary --from 2026-10-05 --period today", "--period can't be given together"],
    ["summary --tz America/Sao_Paolo", 'Did you mean "America/Sao_Paulo"?'],
    ["summary --filter status=closd", 'Did you mean "closed"?'],
    ["summary --filter stats=closed", 'Did you mean "status"?'],
    ["summary --filter status>closed", "doesn't take >"],
    ["summary --compare last", "There is no comparison"],
    ["summary --currency REAL", "There is no currency"],
    ["summary --locale xx-not-one", "There is no locale"],
    ["summary --date-field updated_at", "updated_at"],
    ["grouped --by day --top 0", "--top"],
    ["grouped --by day --rest", "--top"],
    ["grouped --by day --sort price", "can't be sorted"],
    ["grouped --by day --chart --json", "--chart"],
  ])("%s: exit 2, no call, and a word of help", async (line, words) => {
    emulator.service.log.clear();
    const { code, stderr, stdout } = await desk.run(`${line} -s centro`);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain(words);
    expect(sent()).toEqual([]);
  });
});

test("The store's own zone is taken from the settings", async () => {
  const { code } = await desk.run("stores set norte --tz America/Manaus --currency brl --locale pt-br");
  expect(code).toBe(0);
  const { stderr, stdout } = await desk.run("summary -s norte --period 2026-10", { looksOn: true });
  expect(stderr).toContain("(America/Manaus)");
  expect(stdout).toContain("R$");
  expect(start).toBe(desk.clock.now());
});
