/** `comanda report`: what it writes, where, and what it costs. */
import { chmodSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";

import { useLanguage } from "../../../src/cli/program.js";
import type { Emulator, EmulatorOptions } from "../../../src/emulator/index.js";
import { ComandaError } from "../../../src/shared/errors.js";
import { Desk, parseCsv, tokenFor, type Ran } from "../../support/desk.js";
import { startEmulator } from "../../support/emulators.js";
import { inSearch } from "../../support/in-search.js";
import { parseJson } from "../../support/json.js";

let desk: Desk;
let emulator: Emulator;
async function open(env: Record<string, string> = {}, options: EmulatorOptions = {}): Promise<void> {
  desk = new Desk(env);
  emulator = await startEmulator({ orders: 800, seed: 4, now: desk.clock, ...options });
  await desk.signIn("centro", emulator.baseUrl, tokenFor(emulator, 501));
}
async function close(): Promise<void> {
  await emulator.close();
  desk.remove();
}

const calls = () =>
  emulator.service.log
    .entries()
    .filter(({ path: of, status }) => of.includes("/orders/summary") && status === 200).length;
const page = () => path.join(desk.folder, "report.html");
const report = (flags = "", options = {}) =>
  desk.run(`report --tz America/Sao_Paulo ${flags}`.trim(), options);
const headings = [
  "day",
  "hour",
  "weekday",
  "status",
  "channel",
  "order type",
  "payment method",
  "driver",
  "origin",
];

describe("a month's report, made once and looked at from all sides", () => {
  let made: Ran;
  /** What was there at each wait for the next minute. */
  const seen: { readonly calls: number; readonly html: string }[] = [];
  let html: string;
  beforeAll(async () => {
    await open();
    const sleep = desk.clock.sleep;
    desk.clock.sleep = (ms, signal) => {
      seen.push({ calls: calls(), html: readFileSync(page(), "utf8") });
      return sleep(ms, signal);
    };
    made = await report(`--out ${page()}`);
    html = readFileSync(page(), "utf8");
    desk.clock.sleep = sleep;
  });
  afterAll(close);

  test("A report takes 10 calls within the limits, and says how long", () => {
    expect(made).toMatchObject({ code: 0, stdout: `The report is in ${page()}.\n` });
    expect(made.stderr).toMatch(/^10 calls, of which the service takes 5 a minute: about 1 min\.$/m);
    expect(calls()).toBe(10);
  });

  test("It is one file with headline figures, a section for each dimension, two pictures and a table in each", () => {
    for (const heading of headings) expect(html).toContain(`>By ${heading}</h2>`);
    expect(html.match(/<figure>/g)).toHaveLength(2 * headings.length);
    expect(html.match(/<svg [^>]*role="img" aria-labelledby="[^"]+"/g)).toHaveLength(4 * headings.length);
    expect(html.match(/<title id=/g)).toHaveLength(4 * headings.length);
    expect(html.match(/<caption>/g)).toHaveLength(headings.length);
    // Nothing is loaded, nothing runs, and the pictures' colours are the page's.
    expect(html).not.toMatch(/<script|<link|src=|url\(|@import|#0a0b0/);
    expect(readdirSync(desk.folder).filter((name) => name.endsWith(".tmp"))).toEqual([]);
  });

  test("It compares three sections with the period before, and says how to compare them all", () => {
    expect(html.match(/<table role="table" class="compared"/g)).toHaveLength(3);
    expect(html).toContain("This compares them all: <code>comanda report --compare-sections</code>");
  });

  test("A table of more than twelve rows is folded, and says how many rows it has", () => {
    const tables = [...html.matchAll(/(?:<summary>([^<]*)<\/summary>)?<table[^>]*>[^]*?<\/table>/g)];
    const rowsOf = (table: string) => (table.match(/scope="row"/g) ?? []).length;
    const found = tables.map(([table, said]) => ({ said, rows: rowsOf(table) }));
    expect(found.filter(({ rows }) => rows > 12).length).toBeGreaterThan(1);
    for (const { said, rows } of found) {
      if (rows > 12) expect(said).toContain(`table of ${rows} rows`);
      else expect(said).toBeUndefined();
    }
  });

  test("The page is there after the first five calls, says that it isn't complete, and is completed", () => {
    expect(seen[0]?.calls).toBe(5);
    expect(made.stderr).toContain(`The first figures are in ${page()}; the others follow in 1 min, about.`);
    const first = seen[0]?.html ?? "";
    expect(first).toMatch(
      /This report isn’t complete yet\.[^<]*<\/strong>[^<]*at about November 20, 2026 at 12:01/,
    );
    for (const heading of ["day", "hour", "weekday", "status", "channel"])
      expect(first).toContain(`>By ${heading}</h2>`);
    expect(first).toMatch(/<\/html>\n$/);
    expect(html).not.toMatch(/isn’t complete|incomplete/);
  });

  test("The second time it takes no call, and the answers are kept until --fresh", async () => {
    const waited = desk.waits.length;
    const again = await report("--out -");
    expect({ code: again.code, calls: calls(), waits: desk.waits.length }).toEqual({
      code: 0,
      calls: 10,
      waits: waited,
    });
    const withoutTime = (text: string) =>
      text.replace(/Made by comanda on .*?\. /, "").replaceAll(/"kept":(?:true|false)/g, "");
    expect(withoutTime(again.stdout)).toBe(withoutTime(html));
    // The answers are kept by now, so that no bar is drawn. One more tells the keys of weekdays, which a page doesn't show.
    const { stderr } = await report("--json", { looksOn: true });
    expect(stderr).toContain("2026-10-01 to 2026-10-31 (America/Sao_Paulo), compared with");
    expect(calls()).toBe(11);
    await report("--json --fresh");
    expect(calls()).toBe(21);
  });

  test("In Portuguese the page and its amounts are as Brazil reads them", async () => {
    await useLanguage("pt-BR");
    const { stdout } = await report("--currency BRL --out -");
    expect(stdout).toMatch(/^<!doctype html>[\s\S]*<\/html>\n$/);
    expect(stdout).toContain('<html lang="pt-BR"');
    expect(stdout).toContain(">Relatório de vendas<");
    expect(stdout).toContain(">Ticket médio<");
    expect(stdout).toContain(">Por forma de pagamento</h2>");
    expect(stdout).toMatch(/R\$\s\d+(\.\d{3})*,\d\d/);
    expect(stdout.replace(/<style>.*<\/style>/s, "")).not.toMatch(
      />[^<]*\b(?:revenue|orders|average|table below)\b[^<]*</i,
    );
  });
});

describe("a report", () => {
  beforeEach(() => open());
  afterEach(close);

  test("report --dry-run says how many calls a report takes, and how long, and asks nothing", async () => {
    expect((await report("--dry-run")).stdout).toMatch(
      /^10 calls: about 1 min\.\nSTORE +ENDPOINT +BY .*\n(centro +grouped +day .*\n){2}/,
    );
    expect((await report("--dry-run --compare-sections")).stdout).toMatch(/^16 calls: about 3 min\.\n/);
    expect((await report("--dry-run --compare none")).stdout).toMatch(/^8 calls: about 1 min\.\n/);
    await desk.run("stores set centro --tz America/Sao_Paulo");
    // Two halves of the year for each of 8 dimensions, and of the year before for days and hours.
    const year = await desk.run("report --period last-year --dry-run");
    expect(year.stdout).toMatch(/^20 calls: about 3 min\.\n/);
    // JSON has the service's keys of weekdays, too.
    const withKeys = await desk.run("report --period last-year --dry-run --json");
    expect(JSON.parse(withKeys.stdout)).toMatchObject({ calls: 22 });
    // Each of seven days, or each of 24 hours at the most.
    const week = await report("--dry-run --heatmap --compare none --period last-week");
    expect(week.stdout).toMatch(/^15 calls: about 2 min\.\n/);
    const month = await report("--dry-run --heatmap --compare none --json");
    expect(JSON.parse(month.stdout)).toMatchObject({ calls: 33, seconds: 360, estimated: true });
    expect(calls()).toBe(0);
    await report("--json");
    expect((await report("--dry-run --compare none")).stdout).toMatch(
      /^0 calls: all of it is kept\.\nSTORE(.*\n)+centro .* yes\n$/,
    );
  });

  inSearch("A year's report is asked for in half-years, and is kept", async () => {
    await desk.run("stores set centro --tz America/Sao_Paulo");
    const whole = parseJson((await desk.run("report --period last-year --json")).stdout);
    // Ten of them, and one more tells the keys of weekdays.
    expect(calls()).toBe(21);
    expect((await desk.run("report --period last-year --json --offline")).code).toBe(0);
    const { stdout } = await desk.run("grouped --by order_type --period last-year --json --fresh");
    const groupsOf = (found: unknown) => (found as { groups: Record<string, unknown>[] }).groups;
    const { order_type: types } = (whole as { grouped: Record<string, unknown> }).grouped;
    expect(groupsOf(types)).toEqual(groupsOf(parseJson(stdout)));
  });

  test("A report goes on where it was interrupted", async () => {
    const interruption = new AbortController();
    const sleep = desk.clock.sleep;
    // Ctrl-C while it waits for the next minute.
    desk.clock.sleep = (ms, signal) => {
      interruption.abort(new ComandaError("interrupted", "Interrupted."));
      return sleep(ms, signal);
    };
    const { code, stdout } = await report(`--out ${page()}`, { signal: interruption.signal });
    expect({ code, stdout, calls: calls() }).toEqual({ code: 130, stdout: "", calls: 5 });
    expect(readFileSync(page(), "utf8")).toMatch(/isn’t complete yet[\s\S]*<\/html>\n$/);
    desk.clock.sleep = sleep;
    expect((await report(`--out ${page()} --max-wait 2m`)).code).toBe(0);
    expect(calls()).toBe(10);
    expect(readFileSync(page(), "utf8")).not.toContain("isn’t complete yet");
  });

  test("A report gives the same figures to machines", async () => {
    const { code, stdout } = await report("--json");
    expect(code).toBe(0);
    const value = JSON.parse(stdout) as { summary: { current: object }; grouped: Record<string, object> };
    const summary = JSON.parse(
      (await desk.run("summary --tz America/Sao_Paulo --period last-month --json")).stdout,
    ) as object;
    expect(value.summary.current).toMatchObject({ ...summary, kept: false });
    const byHour = await desk.run("grouped --by hour --tz America/Sao_Paulo --period last-month --json");
    expect(JSON.parse(byHour.stdout)).toMatchObject(value.grouped["hour"] ?? {});
    expect(Object.keys(value.grouped)).toHaveLength(9);
    const csv = parseCsv((await report("--format csv")).stdout);
    expect(csv[0]).toEqual([
      ...["section", "key", "label", "total_order_count", "total_revenue", "average_order_value"],
    ]);
    expect(new Set(csv.slice(1).map(([section]) => section))).toEqual(
      new Set([
        ...["summary", "previous", "previous_day", "previous_hour", "previous_day_of_week"],
        ...Object.keys(value.grouped),
      ]),
    );
    expect(calls()).toBe(11);
  });

  test("A report has no hours of scheduled dates", async () => {
    const { code, stdout } = await report("--date-field scheduled_date --json");
    expect(code).toBe(0);
    expect(Object.keys((JSON.parse(stdout) as { grouped: object }).grouped)).not.toContain("hour");
  });

  test("A report of a period without orders says so", async () => {
    const { code } = await report(`--filter total>=9999999 --out ${page()}`);
    expect(code).toBe(0);
    expect(readFileSync(page(), "utf8").match(/No orders in this period/g)).toHaveLength(9);
  });
});

// Where nobody waits, no page is drawn in between.
describe("a report without rate limits", () => {
  beforeEach(() => open({ COMANDA_RATE_LIMITS: "off" }, { rateLimits: false }));
  afterEach(close);

  test("A report compares each section with the period before, as grouped does, and derives what it can", async () => {
    const { stdout } = await report("--compare-sections --json");
    expect(calls()).toBe(17);
    const { grouped, grouped_previous: before } = JSON.parse(stdout) as Record<
      string,
      Record<string, { groups: object[] }>
    >;
    expect(Object.keys(before ?? {})).toEqual(Object.keys(grouped ?? {}));
    for (const dimension of ["sales_channel", "day"]) {
      const line = `grouped --by ${dimension} --compare previous --period last-month --tz America/Sao_Paulo --json`;
      const alone = JSON.parse((await desk.run(line)).stdout) as Record<
        "current" | "previous",
        { groups: object[] }
      >;
      // Beside this period's groups those of the other stand in their order.
      expect(new Set(before?.[dimension]?.groups)).toEqual(new Set(alone.previous.groups));
      expect(grouped?.[dimension]?.groups).toEqual(alone.current.groups);
    }
    expect(calls()).toBe(17);
    await report(`--compare-sections --out ${page()}`);
    const compared = readFileSync(page(), "utf8");
    expect(compared.match(/<table role="table" class="compared"/g)).toHaveLength(9);
    expect(compared).not.toContain("compares them all");
  });

  test("A heat map adds up to the hours and weekdays beside it, and costs a call for each hour with orders", async () => {
    const { stdout } = await report("--heatmap --compare none --json");
    interface Cell {
      row: number;
      col: string | number;
      total_order_count: number;
      total_revenue: number;
    }
    interface Group {
      key: string | number;
      total_order_count: number;
      total_revenue: number;
    }
    const { grouped, heatmap } = JSON.parse(stdout) as {
      grouped: Record<string, { groups: Group[] }>;
      heatmap: { rows: string; cols: string; cells: Cell[] };
    };
    expect(heatmap).toMatchObject({ rows: "day_of_week", cols: "hour" });
    const sold = (dimension: string) =>
      (grouped[dimension]?.groups ?? []).filter((one) => one.total_order_count > 0);
    for (const [dimension, side] of [
      ["hour", "col"],
      ["day_of_week", "row"],
    ] as const) {
      for (const group of sold(dimension)) {
        const own = heatmap.cells.filter((cell) => cell[side] === group.key);
        expect(own.reduce((sum, cell) => sum + cell.total_order_count, 0)).toBe(group.total_order_count);
        expect(own.reduce((sum, cell) => sum + Math.round(cell.total_revenue * 100), 0)).toBe(
          Math.round(group.total_revenue * 100),
        );
      }
    }
    expect(calls()).toBe(9 + sold("hour").length);
    expect((await report("--heatmap --compare none --dry-run")).stdout).toMatch(
      /^0 calls: all of it is kept/,
    );
    await report(`--heatmap --compare none --out ${page()}`);
    const html = readFileSync(page(), "utf8");
    expect(html.match(/<td class="h[0-4]">\d+<\/td>/g)).toHaveLength(7 * sold("hour").length);
    expect(html).not.toMatch(/class="compared"|class="legend"/);
  });
});

describe("a report of several stores, in two zones and two currencies", () => {
  let made: Ran;
  let html: string;
  beforeAll(async () => {
    await open({ COMANDA_RATE_LIMITS: "off" }, { rateLimits: false });
    await desk.signIn("norte", emulator.baseUrl, tokenFor(emulator, 502));
    await desk.signIn("lisboa", emulator.baseUrl, tokenFor(emulator, 501));
    await desk.signIn("velho", emulator.baseUrl, "nobody-gave-this");
    for (const store of ["centro", "norte"])
      await desk.run(`stores set ${store} --tz America/Sao_Paulo --currency BRL`);
    await desk.run("stores set lisboa --tz Europe/Lisbon --currency EUR");
    made = await desk.run(`report --all-stores --period 2026-10 --out ${page()}`);
    html = readFileSync(page(), "utf8");
  });
  afterAll(close);

  test("It says of each store whether it covers it: exit 10", () => {
    const { code, stderr } = made;
    expect(code).toBe(10);
    expect(stderr).toContain("1 of 4 stores gave no figures: velho.");
    expect(html).toContain("centro, lisboa, norte</bdi></h1>");
    expect(html).toMatch(/velho<\/bdi><\/th><td[^>]*>Not covered: /);
    expect(html).not.toContain("nobody-gave-this");
  });

  test("Each store is a line with its course, and those of one currency have a total", () => {
    const byStore = html.slice(
      html.indexOf('<h2 id="stores"'),
      html.indexOf("</section>", html.indexOf('id="stores"')),
    );
    const lines = [
      ...byStore.matchAll(/<bdi>([^<]*)<\/bdi><\/th><td[^>]*class="line"[^>]*>.*?points="([^"]*)"/gs),
    ];
    expect(lines.map(([, name, points = ""]) => [name, points.split(" ").length])).toEqual([
      ["centro", 31],
      ["lisboa", 31],
      ["norte", 31],
      ["Total BRL", 31],
    ]);
  });

  test("It names both zones and currencies, and adds nothing up across currencies", () => {
    expect(html).toContain("The stores are in several time zones: each one&#39;s days are its own.");
    expect(html).toContain(
      "The stores count in several currencies (BRL, EUR): amounts of different ones are not added up.",
    );
    expect(html).toMatch(/centro, norte: <\/bdi>2026-10-01 to 2026-10-31 \(America\/Sao_Paulo\)/);
    expect(html).toMatch(/lisboa: <\/bdi>2026-10-01 to 2026-10-31 \(Europe\/Lisbon\)/);
    const ofStores = /<section aria-labelledby="stores"[\s\S]*?<\/section>/.exec(html)?.[0] ?? "";
    // Each currency's headline is its line.
    for (const [line, currency] of [
      ["Total BRL", "BRL"],
      ["lisboa", "EUR"],
    ] as const) {
      const part = html.slice(html.indexOf(`>In ${currency}</h2>`));
      const revenue = /<dd class="figure">([^<]+)</.exec(part)?.[1] ?? "none";
      expect(new RegExp(`${line}</bdi></th>.*?</tr>`).exec(ofStores)?.[0]).toContain(`>${revenue}<`);
    }
  });
});

describe("where it goes", () => {
  beforeEach(() => open());
  afterEach(close);

  test.each([
    ["a folder that isn't there", () => path.join(desk.folder, "no", "report.html")],
    ["a folder in the file's place", () => desk.folder],
  ])("report says before any call that --out is %s", async (_, out) => {
    expect((await report(`--out ${out()}`)).code).toBe(2);
    expect(calls()).toBe(0);
  });

  test.skipIf(process.getuid?.() === 0)(
    "report says before any call that a folder can't be written",
    async () => {
      const folder = path.join(desk.folder, "closed");
      mkdirSync(folder);
      chmodSync(folder, 0o500);
      expect((await report(`--out ${path.join(folder, "report.html")}`)).code).toBe(2);
      expect(calls()).toBe(0);
    },
  );

  test("A report that fails leaves the one that was there", async () => {
    writeFileSync(page(), "the old one");
    emulator.service.limiter.enabled = false;
    expect((await report(`--out ${page()} --max-wait 0`)).code).toBe(7);
    expect(readFileSync(page(), "utf8")).toBe("the old one");
  });
});

describe("a line that is wrong", () => {
  beforeAll(() => open());
  afterAll(close);

  test.each([
    ["--format markdown", 2],
    ["--open --json", 2],
    ["--open --out -", 2],
    ["--compare-sections --compare none", 2],
    ["--heatmap --format csv", 2],
    ["--heatmap --date-field scheduled_date", 2],
  ])("report %s is refused", async (flags, code) => {
    expect((await report(flags)).code).toBe(code);
    expect(calls()).toBe(0);
  });
});
