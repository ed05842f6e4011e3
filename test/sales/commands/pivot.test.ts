/** `comanda pivot`, from the words that were typed to what it prints, at the busy restaurant. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import * as z from "zod/mini";

import { pivot } from "../../../src/sales/commands/pivot.js";
import { dimensions } from "../../../src/contract/enums.js";
import type { Emulator } from "../../../src/emulator/index.js";
import { Desk, tokenFor } from "../../support/desk.js";
import { startEmulator } from "../../support/emulators.js";
import { parse } from "../../support/parse.js";

const words = (line: string) => line.split(" ");

test.each([
  ["--rows day_of_week --cols hour", { rows: "day_of_week", cols: "hour", figure: "orders", heatmap: false }],
  ["--rows week --cols driver-id --dry-run", { rows: "week", cols: "driver_id", dryRun: true }],
  ["--rows day --cols status --figure revenue --heatmap", { figure: "revenue", heatmap: true }],
])("pivot reads its options from %j", async (line, options) => {
  await expect(parse(pivot, ...words(line))).resolves.toMatchObject(options);
});

test.each([
  ["--rows hour", "missing"],
  ["--rows hour --cols houer", 'no dimension "houer". Did you mean "hour"?'],
  ["--rows hour --cols hour", "the same dimension"],
  ["--rows hour --cols day --date-field scheduled_date", "can't be split by hour"],
  ["--rows hour --cols day --heatmap --json", "--heatmap doesn't go with --format json"],
  ["--rows hour --cols day --figure price", "Allowed choices are orders, revenue, average"],
])("pivot refuses %j", async (line, message) => {
  await expect(parse(pivot, ...words(line))).rejects.toThrow(message);
});

test("a refused dimension names the allowed ones", async () => {
  const refused = parse(pivot, "--rows", "x", "--cols", "day");
  await expect(refused).rejects.toHaveProperty("exitCode", 2);
  await expect(refused).rejects.toHaveProperty("hint", `Give --rows ${dimensions.join(", ")}.`);
});

describe("at the busy restaurant", () => {
  const desk = new Desk();
  let emulator: Emulator;
  beforeAll(async () => {
    emulator = await startEmulator({ scene: "busy", now: desk.clock });
    await desk.signIn("centro", emulator.baseUrl, tokenFor(emulator, 501));
    await desk.run("stores set centro --tz America/Sao_Paulo --currency BRL --locale pt-BR");
  });
  afterAll(async () => {
    await emulator.close();
    desk.remove();
  });

  const groupedCalls = () =>
    emulator.service.log.entries().filter(({ path }) => path.includes("/orders/summary/grouped")).length;

  test("A dry run says what it takes, and asks nothing", async () => {
    const line = "pivot --rows month --cols sales_channel --from 2026-05-01 --to 2026-10-31 --dry-run";
    const { code, stdout } = await desk.run(line);
    expect({ code, calls: groupedCalls() }).toEqual({ code: 0, calls: 0 });
    // The last one tells how the service writes months.
    expect(stdout).toMatch(/^7 calls: about 1 min\.\nSTORE +ENDPOINT +BY /);
    const json = await desk.run(`${line} --json`);
    expect(JSON.parse(json.stdout)).toMatchObject({
      ...{ calls: 7, estimated: false, seconds: 60 },
      requests: [...Array.from({ length: 6 }, () => "sales_channel"), "month"].map((group_by) => ({
        ...{ group_by, kept: false },
      })),
    });
    const byValue = await desk.run("pivot --rows day_of_week --cols hour --period 2026-09 --dry-run --json");
    expect(JSON.parse(byValue.stdout)).toMatchObject({
      ...{ calls: 26, estimated: true, seconds: 300 },
      requests: [{ group_by: "day_of_week" }, { group_by: "hour" }],
    });
  });

  test("JSON has the cells with orders; the rest is a column of its own; kept answers are not asked again", async () => {
    const line = "pivot --rows day_of_week --cols driver_id --period 2026-09";
    const { code, stdout, stderr } = await desk.run(`${line} --json`);
    expect(code, stderr).toBe(0);
    // Two totals and five drivers.
    expect(groupedCalls()).toBe(7);
    expect(stderr).toMatch(/5 calls, of which the service takes 5 a minute/);
    const cell = z.strictObject({
      row: z.number(),
      row_label: z.string(),
      col: z.nullable(z.number()),
      col_label: z.string(),
      other: z.boolean(),
      total_order_count: z.int(),
      total_revenue: z.number(),
      average_order_value: z.number(),
    });
    const found = z
      .looseObject({
        rows: z.string(),
        cols: z.string(),
        currency: z.string(),
        asked_at: z.string(),
        cells: z.array(cell),
      })
      .parse(JSON.parse(stdout));
    expect(found).toMatchObject({
      rows: "day_of_week",
      cols: "driver_id",
      currency: "BRL",
      period: { from: "2026-09-01T00:00:00-03:00", time_zone: "America/Sao_Paulo" },
      kept: false,
    });
    const rest = found.cells.filter(({ other }) => other);
    expect(rest.every(({ col, col_label }) => col === null && col_label === "Não informado")).toBe(true);
    const summary = z
      .looseObject({ total_order_count: z.int() })
      .parse(JSON.parse((await desk.run("summary --period 2026-09 --json")).stdout));
    expect(found.cells.reduce((sum, one) => sum + one.total_order_count, 0)).toBe(summary.total_order_count);
    // Two drivers of one name are two columns.
    expect(new Set(found.cells.map(({ col }) => col)).size).toBe(6);

    const again = await desk.run(`${line} --json`);
    expect([groupedCalls(), JSON.parse(again.stdout)]).toMatchObject([7, { kept: true, cells: found.cells }]);
    const kept = JSON.parse((await desk.run(`${line} --dry-run --json`)).stdout) as { requests: unknown[] };
    expect([kept, kept.requests.length]).toMatchObject([{ calls: 0, estimated: false, seconds: 0 }, 7]);
  });

  test("A table has totals and, as a heat map, shades; Markdown and CSV have the same figures", async () => {
    const line = "pivot --rows day_of_week --cols order_timing --period 2026-09";
    const table = await desk.run(`${line} --heatmap`);
    expect(table.stdout).toMatch(/day of week \\ order timing/i);
    expect(table.stdout).toMatch(/Segunda-feira .*\d+ +[░▒▓█ ]/);
    expect(table.stdout).toMatch(/█/);
    expect(table.stdout).toMatch(/Total +[\d.]+ +[\d.]+ +[\d.]+/);
    const csv = await desk.run(`${line} --format csv`);
    expect(csv.stdout).toMatch(
      /^row,row_label,col,col_label,other,total_order_count,total_revenue,average_order_value\r\n0,Domingo,immediate,Imediato,false,\d+,/,
    );
    const markdown = await desk.run(`${line} --format markdown --figure revenue`);
    expect(markdown.stdout).toMatch(/\| Total .*R\$/);
  });

  test.each([
    [200, "orders", /^DAY OF WEEK . HOUR +00:00 .*TOTAL$/m],
    [80, "orders", /^HOUR +DOM +SEG +TER +QUA +QUI +SEX +SÁB +TOTAL\n00:00 /m],
    [
      80,
      "revenue",
      /^HOUR +DOM .*TOTAL\n00:00 +\d[\d. ]+\n[^]*\nAmounts in whole units; --format csv has the cents\.\n$/m,
    ],
    [40, "orders", /^HOUR +DOM +SEG +TER +QUA +QUI +SEX +SÁB +TOTAL\n00:00 /m],
  ])("At %i columns, weekdays by hours are a table of %s", async (columns, figure, expected) => {
    const line = `pivot --rows day_of_week --cols hour --from 2026-09-01 --to 2026-09-09 --figure ${figure}`;
    const { stdout } = await desk.run(line, { columns });
    expect(stdout).toMatch(expected);
    expect(Math.max(...stdout.split("\n").map((each) => each.length))).toBeLessThanOrEqual(columns);
  });

  test("A group is called alike whichever way its figures came, and with days that start later", async () => {
    const labels = async (line: string) => {
      const { stdout } = await desk.run(`${line} --period 2026-08 --json`);
      const { groups } = z
        .object({ groups: z.array(z.looseObject({ label: z.string() })) })
        .parse(JSON.parse(stdout));
      return groups.map(({ label }) => label);
    };
    for (const by of ["week", "month", "day_of_week", "day"]) {
      // From the service, from two answers by day, from what is kept by day.
      const asked = await labels(`grouped --by ${by} --filter total>=0`);
      expect(await labels(`grouped --by ${by} --day-starts 04:00`)).toEqual(asked);
      await desk.run("grouped --by day --period 2026-08");
      expect(await labels(`grouped --by ${by}`)).toEqual(asked);
    }
    const weekday = "Segunda-feira +\\d";
    for (const line of [
      "grouped --by day_of_week --period 2026-08",
      "grouped --by day_of_week --period 2026-08 --filter total>=0",
      "pivot --rows day_of_week --cols month --period 2026-08",
      "pivot --rows day_of_week --cols order_timing --period 2026-08",
      "pivot --rows day_of_week --cols hour --period 2026-11-09",
    ])
      expect((await desk.run(line)).stdout, line).toMatch(new RegExp(`^${weekday}`, "m"));
    const english = await desk.run("grouped --by day_of_week --period 2026-08 --locale en");
    expect(english.stdout).toMatch(/^Monday +\d/m);
  });

  test("A pivot that was stopped goes on where it was", async () => {
    const line = "pivot --rows week --cols order_type --period 2026-06";
    const before = groupedCalls();
    emulator.service.faults.set([{ status: 400, path: "/grouped", times: 1, after: 3 }]);
    expect((await desk.run(line)).code).not.toBe(0);
    const asked = groupedCalls() - before;
    expect(asked).toBe(4);
    expect((await desk.run(line)).code).toBe(0);
    // Three were kept; the fourth and what comes after it are asked.
    const whole = JSON.parse((await desk.run(`${line} --dry-run --fresh --json`)).stdout) as {
      calls: number;
    };
    expect(groupedCalls() - before - asked).toBe(whole.calls - 3);
  });
});
