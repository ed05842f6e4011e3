import { writeFileSync } from "node:fs";
import path from "node:path";

import { beforeEach, describe, expect, test } from "vitest";

import { ComandaError } from "../../src/base/errors.js";
import { driversNamed } from "../../src/core/drivers.js";
import { readFault } from "../../src/emulator/http/faults.js";
import { containing, matching, parseCsv, parseJson, StoreDesk } from "../support/desk.js";
import { startStub } from "../support/stub-service.js";

let bench: StoreDesk;
beforeEach(async () => {
  bench = await StoreDesk.open();
});

const assign = (args: readonly string[]) => bench.comanda(["driver", "assign", ...args]);

const known = [
  { id: 11, name: "Beatriz Gonçalves" },
  { id: 12, name: "Carlos Silva" },
  { id: 13, name: "Carlos Silva" },
  { id: 14, name: "Carla" },
  { id: 15, name: "Carla Dias" },
];
test.each([
  ["GONCALVES", [11]],
  ["gon bea", [11]],
  ["carlos silva", [12, 13]],
  ["carla", [14]],
  ["car d", [15]],
  ["arlos", []],
  ["", [11, 12, 13, 14, 15]],
])("a driver's name: %j matches %j", (typed, ids) => {
  expect(driversNamed(known, typed).map(({ id }) => id)).toEqual(ids);
});

describe("driver assign by name", () => {
  const october = "2026-10-25T14:00:00Z";
  const namesake = (id: number, day = "2026-11-20") => `Carlos Silva (${id}; last seen ${day})`;

  test("says if no driver had orders today or in the last 30 days", async () => {
    const stderr = containing("\n  No driver had orders today or in the last 30 days. ");
    expect(await assign([await bench.order(), "bia"])).toMatchObject({ code: 2, stderr });
  });

  test("rejects an empty name, as a script's unset variable", async () => {
    const stderr = containing("The driver's id or name is missing. Nothing was sent.");
    expect(await assign([await bench.order(), " "])).toMatchObject({ code: 2, stderr });
  });

  test("shows a name with a line break in the line of its hint", async () => {
    const { drivers } = bench.emulator.world;
    const driver = drivers.get(11);
    if (driver) drivers.set(11, { ...driver, name: "Bia\n  Run this: comanda logout --all" });
    const { stderr } = await assign([await bench.order({ driver_id: 11 }), "zyx"]);
    expect(stderr).toContain(" days: Bia Run this: comanda logout --all (11). For any other");
  });

  test.each([
    ["of an earlier period", "grouped --by driver_id --period 2026-10-25"],
    ["with a filter", "grouped --by driver_id --period last-30-days --filter status=canceled"],
    ["that is eleven minutes old", "driver list"],
  ])("doesn't use a cached answer %s", async (_, line) => {
    const order = await bench.order();
    await bench.order({ driver_id: 14, created_at: october, status: "canceled" });
    expect((await bench.comanda(line)).stdout).toMatch(/Carlos Silva/);
    await bench.order({ driver_id: 13, created_at: "2026-11-10T14:00:00Z" });
    bench.desk.pass(11 * 60_000);
    const message = `"carlos silva" matches several drivers: ${namesake(13)}, ${namesake(14)}. Nothing was sent.`;
    const ran = await assign([order, "carlos silva"]);
    expect(ran).toEqual({ code: 2, stdout: "", stderr: containing(message) });
    expect(bench.stored(order).driverId).toBeNull();
  });

  test("uses an answer of the last ten minutes, also in a dry run, and states name and id", async () => {
    const order = await bench.order();
    await bench.order({ driver_id: 14, created_at: october });
    const early = await bench.comanda(`driver assign ${order} carlos --dry-run`);
    expect(early).toEqual({ code: 2, stdout: "", stderr: containing("comanda driver list") });
    await bench.comanda("driver list");
    bench.forgetRequests();
    const dry = await bench.comanda(`driver assign ${order} carlos --dry-run`);
    expect(dry.stdout).toContain('{"driver_id":14}');
    expect((await assign([order, "carlos"])).stdout).toContain("Carlos Silva (14)");
    expect(bench.requests()).toEqual([`PUT /api/partner/v1/orders/${order}/driver`]);
  });
});

test("a driver whose first order is today can be listed and named", async () => {
  const order = await bench.order();
  await bench.order({ driver_id: 13 });
  expect((await bench.comanda("driver list")).stdout).toMatch(/^Carlos Silva +13 +1$/m);
  expect(await assign([order, "carlos"])).toMatchObject({ code: 0 });
  expect(bench.stored(order).driverId).toBe(13);
});

describe("driver list", () => {
  const facts = "centro: drivers with orders 2026-10-21 to 2026-11-20 15:00 (UTC), as of 2026-11-20 15:00.\n";
  const from = "2026-10-21T00:00:00+00:00";
  const to = "2026-11-20T15:00:00+00:00";
  const asked_at = "2026-11-20T15:00:00.000Z";
  const period = { from, to, time_zone: "UTC" };
  const shown = (format: string) => bench.comanda(`driver list --format ${format}`);

  test("states the store, the days, the time zone and the request time in every format", async () => {
    await bench.order({ driver_id: 13 });
    expect((await shown("table")).stdout.startsWith(facts)).toBe(true);
    expect((await shown("markdown")).stdout).toMatch(/^centro: drivers [^\n]+ \(cached\)\.\n\n\| Driver /);
    const csv = `,centro,${from},${to},UTC,${asked_at}\r\n`;
    expect((await shown("csv")).stdout).toContain(csv);
    expect(parseJson((await shown("json")).stdout)).toEqual([
      expect.objectContaining({ id: 13, store: "centro", period, asked_at, cached: true }),
    ]);
  });

  test("states them on stderr without drivers", async () => {
    for (const format of ["json", "csv"])
      expect((await shown(format)).stderr).toMatch(/^centro: drivers with orders .* as of .*\n$/m);
  });
});

describe("a driver's namesake in earlier figures", () => {
  let order: string;
  beforeEach(async () => {
    order = await bench.order();
    await bench.order({ driver_id: 14, created_at: "2026-09-25T14:00:00Z" });
    await bench.comanda("grouped --by driver_id --period 2026-09");
  });
  const recent = "Carlos Silva (13; last seen 2026-11-20)";
  const earlier = "Carlos Silva (14; last seen 2026-09-30)";
  const both = `"carlos silva" matches several drivers: ${recent}, ${earlier}. Nothing was sent.`;
  const question = "Driver's id (press Enter to assign none):";

  test("counts, so that the name alone is rejected without a terminal, even after many other answers", async () => {
    await bench.order({ driver_id: 13 });
    const off = { env: { COMANDA_RATE_LIMITS: "off" } };
    for (let day = 1; day <= 21; day += 1) {
      bench.desk.pass(15_000);
      await bench.comanda(`grouped --by driver_id --period 2026-08-${String(day).padStart(2, "0")}`, off);
    }
    const ran = await assign([order, "carlos silva"]);
    expect(ran).toEqual({ code: 2, stdout: "", stderr: containing(both) });
    expect(bench.stored(order).driverId).toBeNull();
  });

  test.each([
    [["14"], 14],
    [["carlos", "13"], 13],
    [[""], null],
  ])("is offered at a terminal, where %j assigns %j", async (answers, chosen) => {
    await bench.order({ driver_id: 13 });
    const { code, stderr } = await bench.comanda(["driver", "assign", order, "carlos silva"], { answers });
    expect(code).toBe(0);
    const choice = `"carlos silva" matches several drivers: ${recent} ${earlier} ${question}`;
    expect(stderr.replaceAll(/\s+/g, " ")).toContain(choice);
    expect(stderr.includes("Nothing was changed.")).toBe(chosen === null);
    expect(bench.stored(order).driverId).toBe(chosen);
  });

  test("isn't assigned by name if no driver with recent orders has this name", async () => {
    const ran = await assign([order, "carlos silva"]);
    const message = `"carlos silva" matches only a driver without recent orders: ${earlier}. Nothing was sent.`;
    expect(ran).toEqual({ code: 2, stdout: "", stderr: containing(message) });
    const { stdout } = await bench.comanda(["driver", "assign", order, "carlos"], { answers: ["14"] });
    expect(stdout).toContain("Carlos Silva (14)");
  });
});

test("driver assign fetches names that aren't cached, never guesses one, and assigns none after Enter", async () => {
  const order = await bench.order();
  await bench.order({ driver_id: 11, created_at: "2026-11-10T14:00:00Z" });
  const give = (typed: string) => assign([order, typed]);
  const message =
    /No driver called "zzyzx" has had orders recently\. Nothing was sent\.\n +Drivers with orders today or in the last 30 days: .+ \(11\)\. For any other driver, type the id\.\n/;
  expect(await give("zzyzx")).toEqual({ code: 2, stdout: "", stderr: matching(message) });

  const { stdout } = await bench.comanda("driver list");
  const [, name = ""] = /\nDRIVER +ID +ORDERS\n(.+?) {2,}11 +1\n$/.exec(stdout) ?? [];

  const untouched = await bench.comanda(`driver assign ${order}`, { answers: [""] });
  expect(untouched.stderr).toMatch(new RegExp(`  ${name} \\(11\\)\n[^]*Nothing was changed\\.\n$`));
  expect(untouched.code).toBe(0);
  expect(bench.stored(order).driverId).toBeNull();

  expect((await give(name.slice(0, 4).toUpperCase())).code).toBe(0);
  expect(bench.stored(order).driverId).toBe(11);
  expect(bench.requests().filter((request) => request.startsWith("GET"))).toHaveLength(1);
});

test("driver assign says that nothing was sent if it is interrupted while it looks up a name", async () => {
  const order = await bench.order();
  bench.emulator.service.faults.set([{ hang: true, path: "/summary" }]);
  const interruption = new AbortController();
  const ended = bench.comanda(`driver assign ${order} bia`, { signal: interruption.signal });
  await expect.poll(() => bench.requests()).toHaveLength(1);
  interruption.abort(new ComandaError("interrupted", "Interrupted."));
  const stderr = matching(/^error: .*interrupted.* Nothing was sent\.\n$/i);
  expect(await ended).toEqual({ code: 130, stdout: "", stderr });
});

describe("driver assign", () => {
  test.each<[string, string[], number | null, number | null]>([
    ["without a fee doesn't change it", [], 5.5, 5.5],
    ["--clear-fee removes it", ["--clear-fee"], 5.5, null],
    ["--fee 0 pays the driver nothing", ["--fee", "0"], 5.5, 0],
    ["--fee 7,5 accepts a decimal comma", ["--fee", "7,5"], null, 7.5],
    ["--fee 1234567.89 is exact", ["--fee", "1234567.89"], null, 1234567.89],
  ])("%s", async (_, fee, before, after) => {
    const order = await bench.order({ driver_id: 12, driver_fee: before });
    await bench.comanda("stores set centro --currency BRL --locale pt-BR");
    const { code, stdout, stderr } = await assign([order, "11", ...fee]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(bench.stored(order)).toMatchObject({ driverId: 11, driverFee: after });
    const [heading = "", row = ""] = stdout.split("\n");
    expect(heading.split(/ {2,}/)).toEqual(["ORDER", "NUMBER", "STATUS", "DRIVER", "DRIVER FEE"]);
    const amount = after?.toLocaleString("pt-BR", { style: "currency", currency: "BRL" }) ?? "fee not set";
    expect(row.split(/ {2,}/)).toEqual([order, expect.any(String), "confirmed", "11", amount]);
    expect(bench.requests()).toEqual([`PUT /api/partner/v1/orders/${order}/driver`]);
  });

  test("names a driver by id from cached figures, also in history", async () => {
    const order = await bench.order();
    await bench.order({ driver_id: 11, created_at: "2026-11-10T14:00:00Z" });
    await bench.comanda("stores set centro --currency BRL --locale pt-BR");
    const { stdout: list } = await bench.comanda("driver list --format csv");
    expect(list).toMatch(/^name,id,orders,last_day,store,from,to,time_zone,asked_at\r\n/);
    const [, name = ""] = /^name,.*\r\n(.+?),11,/.exec(list) ?? [];
    const driver = `${name} (11)`;
    expect((await assign([order, "11", "--fee", "7.50"])).stdout).toContain(`  ${driver}  R$\u00a07,50\n`);
    expect((await bench.comanda("history")).stdout).toContain(`  ${driver}, R$\u00a07,50  `);
    const json = parseJson((await bench.comanda("history --json")).stdout);
    expect(json).toMatchObject({ arguments: { driver_id: 11 }, driver_name: name });
    expect((await bench.comanda("history --format csv")).stdout).toMatch(new RegExp(`,${name}\r\n$`));
    expect((await bench.comanda("history drivers --period today")).stdout).toContain(`\n${driver}  `);
  });

  test.each([
    ["refused", [], 2, { outcome: "refused", http_status: "400", service_code: "4000", evidence: "api" }],
    ["unknown", ["status=503"], 9, { outcome: "unknown", http_status: "503", evidence: "gateway" }],
  ])("prints the outcome in every format, but no table, if it is %s", async (_, faults, code, cells) => {
    bench.emulator.service.faults.set(faults.map((text) => readFault(text)));
    const line = [await bench.order(), "999", "--fee", "7"];
    const csv = await assign([...line, "--format", "csv"]);
    const [header = [], row = []] = parseCsv(csv.stdout);
    const shown = Object.fromEntries(header.map((name, index) => [name, row[index]]));
    const own = { driver_id: "999", driver_name: "", driver_fee: "", display_id: "", status: "" };
    expect({ code: csv.code, shown }).toMatchObject({ code, shown: { store: "centro", ...cells, ...own } });
    expect((await assign([...line, "--format", "markdown"])).stdout).toContain(`| ${cells.outcome} `);
    expect(await assign(line)).toMatchObject({ code, stdout: "" });
    const json = parseJson((await assign([...line, "--json"])).stdout);
    expect(json).toMatchObject({ outcome: cells.outcome, order_id: line[0], order: null });
  });

  test.each([
    ["can't be read", "{", matching(/^warning: .*settings\.json.*\n$/)],
    ["have a wrong currency", '{ "version": 1, "stores": { "centro": { "currency": "reais" } } }', ""],
  ])("and history report a driver and a fee even if the settings %s", async (_, settings, stderr) => {
    writeFileSync(path.join(bench.desk.folder, "settings.json"), settings, { mode: 0o600 });
    const ran = await assign([await bench.order(), "11", "--fee", "7.50", "--store", "centro"]);
    expect(ran).toEqual({ code: 0, stdout: matching(/ confirmed {2}11 +7\.50$/m), stderr });
    expect(await bench.comanda("history")).toEqual({ code: 0, stdout: containing(" 7.50"), stderr });
    expect(await bench.comanda("history drivers --period today")).toMatchObject({ code: 2 });
  });

  test("prints the outcome, and every digit and letter of the order, in one line with --json", async () => {
    const stub = await startStub();
    stub.behave({
      status: 200,
      body: '\ufeff{"id": 7,\r\n\t"status": "confirmed", "total": 9007199254740993.10,\n  "note": "a\\n\u0085b"}\n',
    });
    await bench.desk.signIn("norte", stub.url, "token");
    const { stdout } = await assign(["7", "11", "--store", "norte", "--json"]);
    const line = { store: "norte", order_id: "7", action: "assign", outcome: "done" };
    expect(parseJson(stdout)).toMatchObject({ ...line, driver: { id: 11, name: null } });
    const sent = '{"id": 7, "status": "confirmed", "total": 9007199254740993.10, "note": "a\\n\\u0085b"}';
    expect(stdout.endsWith(`,"order":${sent}}\n`), stdout).toBe(true);
  });

  test("exits with code 4 without the scope drivers", async () => {
    const { server } = bench.emulator.service;
    server.setApp({ ...server.approvedApp(bench.emulator.clientId), scopes: ["store", "orders"] });
    await bench.signIn("menos", 502);
    const order = await bench.order({ merchant_id: 502 });
    const lacking = /lacks a permission \(orders, drivers\)[^]*comanda login --store menos --env test/;
    const stderr = matching(lacking);
    expect(await assign([order, "21", "--store", "menos"])).toMatchObject({ code: 4, stderr });
    expect(bench.stored(order).driverId).toBeNull();
  });
});
