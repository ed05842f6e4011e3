/** `comanda history`: changes sent by any command. */
import { writeFileSync } from "node:fs";
import { userInfo } from "node:os";
import path from "node:path";

import { beforeEach, describe, expect, test } from "vitest";

import type * as z from "zod";

import type { driversOwed } from "../../src/core/results.js";
import { readFault } from "../../src/emulator/http/faults.js";
import type { HistoryRow } from "../../src/state/journal.js";
import {
  containing,
  matching,
  parseCsv,
  parseJson,
  parseJsonLines,
  StoreDesk,
  tokenFor,
} from "../support/desk.js";
import { inJournal } from "../support/journal.js";
import { startStub } from "../support/stub-service.js";

let store: StoreDesk;
beforeEach(async () => {
  store = await StoreDesk.open();
});

const fail = (...faults: readonly string[]) =>
  store.emulator.service.faults.set(faults.map((text) => readFault(text)));
const rows = async (line: string | readonly string[] = "history --json") =>
  parseJsonLines((await store.comanda(line)).stdout) as readonly HistoryRow[];

/** An order, a driver, and options. */
const assign = async (...lines: readonly string[]) => {
  for (const line of lines) {
    expect((await store.comanda(`driver assign ${line}`)).code, line).toBe(0);
    store.desk.pass(1000);
  }
};
const owed = async (line: string) => {
  const { stdout, stderr } = await store.comanda(`history drivers --json ${line}`.trim());
  const { stores } = parseJson(stdout) as z.output<typeof driversOwed>;
  const [first] = stores;
  if (!first) throw new Error(`no store: ${stderr}`);
  return { ...first, stores, stderr };
};

test("--alert exits with code 11 while the outcome of a change is unknown, and prints nothing otherwise", async () => {
  const [order = ""] = await store.orders(1);
  const line = "history --outcome unknown --alert";
  expect(await store.comanda(line)).toEqual({ code: 0, stdout: "", stderr: "" });
  const refused = "history --outcome refused --alert --limit 1";
  for (let sent = 1; sent <= 2; sent += 1) await store.comanda("orders deliver 999999");
  expect((await store.comanda(refused)).stderr).toContain("Alert: 2 changes match.\n");
  fail("status=503,when=after");
  expect(await store.comanda(`orders dispatch ${order}`)).toMatchObject({ code: 9 });
  const alerted = await store.comanda(`${line} --quiet`);
  const stderr = containing("error: Alert: 1 change matches.\n");
  expect(alerted).toEqual({ code: 11, stdout: containing(order), stderr });
  // The hint ends the alert.
  const [, settle = ""] = /comanda (history settle \S+ done)$/m.exec(alerted.stderr) ?? [];
  expect(await store.comanda(settle)).toMatchObject({ code: 0 });
  expect(await store.comanda(line)).toMatchObject({ code: 0, stdout: "" });
});

test.each([
  "sent_at = -9000000000000000",
  "sent_at = x'00'",
  "attempts = 'many', http_status = 1e300, service_code = 9223372036854775807",
  "store = x'63656e74726f', environment = x'ff', arguments = x'7b', outcome = x'00', evidence = 'rumor'",
  'arguments = \'{"driver_id":1e300,"driver_fee":1e300}\'',
  "outcome = 'unknown', settled_as = 'done', settled_by = 'ana', settled_at = 8640000000000001",
])("damaged rows of the journal don't hide other rows or make commands fail: %s", async (damage) => {
  const [damaged = "", other = "", open = ""] = await store.orders(3);
  await assign(`${damaged} 11 --fee 5`, `${other} 11 --fee 7`);
  inJournal(store.desk.folder, `update writes set ${damage} where order_id = ?`, damaged);
  const shown = await store.comanda("history --json");
  expect(shown).toMatchObject({ code: 0, stderr: "" });
  const times = (parseJsonLines(shown.stdout) as readonly HistoryRow[]).map(({ at }) => Date.parse(at));
  expect(times.every((at) => at >= 0 && at < Date.UTC(10_000, 0))).toBe(true);
  for (const line of ["history", "history drivers --period today", `history --order ${other}`])
    expect((await store.comanda(line)).code, line).toBe(0);
  const resumed = await store.comanda(["orders", "dispatch", open, "--resume", "--json"]);
  expect(resumed, resumed.stderr).toMatchObject({ code: 0 });
});

test("damaged settings hide no change, and no outcome that was recorded", async () => {
  fail("status=503,when=after");
  await store.comanda("driver assign 7001 11 --fee 5");
  writeFileSync(path.join(store.desk.folder, "settings.json"), "{", { mode: 0o600 });
  const stderr = matching(/^warning: .*settings\.json.*\n$/);
  for (const format of ["table", "csv", "markdown"])
    expect(await store.comanda(`history --format ${format}`)).toMatchObject({
      code: 0,
      stdout: matching(/id=11, (?:driver_fee=5|5\.00)/),
      stderr,
    });
  const settled = await store.comanda("history settle 7001 done");
  expect(settled).toMatchObject({ code: 0, stdout: containing('recorded as "done"'), stderr });
});

describe("history", () => {
  test("lists the changes and their users, newest first", async () => {
    const [order = ""] = await store.orders(1);
    await store.comanda(`driver assign ${order} 11 --fee 7,50`);
    store.desk.pass(1000);
    await store.comanda(["orders", "cancel", order, "--reason", "Out of flour"]);
    const done = { store: "centro", order_id: order, outcome: "done", actor: userInfo().username };
    const canceled = { operation: "cancelOrder", arguments: { reason: "Out of flour" } };
    const assigned = { operation: "assignDriver", arguments: { driver_id: 11, driver_fee: 7.5 } };
    expect(await rows()).toMatchObject([
      { ...done, ...canceled, at: "2026-11-20T15:00:01.000Z", http_status: 204 },
      { ...done, ...assigned, at: "2026-11-20T15:00:00.000Z", http_status: 200 },
    ]);
    const table = await store.comanda(`history --order ${order} --outcome done`);
    expect(table.stdout).toContain("reason=Out of flour");
    const csv = parseCsv((await store.comanda("history --format csv")).stdout);
    expect(csv[0]?.join()).toBe(
      "at,store,environment,operation,order_id,arguments,outcome,http_status,code,service_code,attempts,actor,settled,settled_by,settled_at,settled_note,evidence,driver_name",
    );
  });

  test("shows each time in the store's time zone, with the offset", async () => {
    const order = await store.order();
    await store.comanda("stores set centro --tz Asia/Kathmandu");
    await store.comanda(`orders dispatch ${order}`);
    const shown = async (line: string) => (await store.comanda(line)).stdout;
    for (const line of ["history", "history --format markdown"])
      expect(await shown(line), line).toContain("2026-11-20 20:45:00 +05:45");
    expect(await shown("status")).toContain("Token expiry:       2026-11-20 22:45:00 +05:45\n");
  });

  test("contains the type and number of items of a pre-filled order, but no customer data", async () => {
    const order = "--order-type takeout --customer-name Maria --customer-phone 11987654321 --item 3002x2";
    await store.comanda(`prefill ${order}`, { env: store.keyEnvironment() });
    const [row] = await rows();
    expect(row).toMatchObject({ store: null, operation: "createPrefilledOrder", order_id: null });
    expect(JSON.stringify(row)).not.toMatch(/Maria|1198765/);
  });

  test("filters by time and by store", async () => {
    const order = await store.order();
    await store.comanda(`orders dispatch ${order}`);
    store.desk.pass(60_000);
    await store.comanda(`orders deliver ${order}`);
    for (const [filter, operations] of [
      ["--since 30s", ["deliverOrder"]],
      ["--since today", ["deliverOrder", "dispatchOrder"]],
      ["--store CENTRO", ["deliverOrder", "dispatchOrder"]],
    ] as const)
      expect((await rows(`history --json ${filter}`)).map((row) => row.operation)).toEqual(operations);
    const first = await store.comanda("history --store centro --limit 1");
    expect(first.stderr).toBe("Older changes not shown: 1. To see them, add: --limit 2\n");
  });

  test.each(["history --since today", "history drivers", "history settle 4711 done"])(
    "of a store that is neither on this machine nor in the history is an error: %s",
    async (line) => {
      const stderr = containing(
        'error: There is no store "centor" on this machine. Did you mean "centro"?\n',
      );
      expect(await store.comanda(`${line} --store centor`)).toMatchObject({ code: 2, stdout: "", stderr });
      if (line.includes("settle")) return;
      await store.comanda(`orders dispatch ${await store.order()}`);
      await store.comanda("stores remove centro");
      expect(await store.comanda(`${line} --store Centro`)).toMatchObject({ code: 0 });
      expect(await rows("history --store CENTRO --json")).toMatchObject([{ store: "centro" }]);
    },
  );

  test("begins a day in the time zone of COMANDA_STORE's store, or else of the default one", async () => {
    const hour = 3_600_000;
    // At 10:00 UTC, the next day begins in this zone.
    store.desk.pass(9 * hour + 24 * hour - (store.desk.clock.now() % (24 * hour)));
    await store.signIn("centro");
    await store.comanda(`orders dispatch ${await store.order()}`);
    store.desk.pass(2 * hour);
    const since = async () => rows("history --json --since today");
    expect(await since()).toHaveLength(1);
    await store.comanda("stores set centro --tz Pacific/Kiritimati");
    expect(await since()).toHaveLength(0);
    await store.signIn("norte");
    await store.comanda("stores use centro");
    expect(await since()).toHaveLength(0);
    const env = { COMANDA_STORE: "Norte" };
    const { stdout } = await store.comanda("history --json --since today", { env });
    expect(parseJsonLines(stdout)).toHaveLength(1);
  });

  test.each([
    ["2027-01-01", " The period 2027-01-01 (UTC) starts in the future."],
    ["2026-02-30", ""],
  ])("says why --since %s isn't valid", async (typed, reason) => {
    const stderr = containing(`Invalid value "${typed}" for --since.${reason}\n  For example: 2h, `);
    expect(await store.comanda(`history --since ${typed}`)).toMatchObject({ code: 2, stderr });
  });
});

test.each([
  ["history drivers --since 30d", "--since"],
  ["history --since 30d drivers", "--since"],
  ["history settle 4711 done --limit 5", "--limit"],
])("%s rejects the option of history, which it would ignore", async (line, option) => {
  const hint = `  Run comanda ${line.includes("drivers") ? "history drivers" : "history settle"} --help for usage.\n`;
  const stderr = `error: Unknown option '${option}'.\n${hint}`;
  expect(await store.comanda(line)).toEqual({ code: 2, stdout: "", stderr });
});

describe("history settle", () => {
  test("names the store in the hint and in its sentence if this machine has several", async () => {
    await store.signIn("norte", 502);
    fail("status=503,when=after");
    await store.comanda("orders dispatch 7001 --store norte");
    const { stderr } = await store.comanda("orders dispatch 7001 --store centro");
    const alert = await store.comanda("history --store centro --outcome unknown --alert");
    const settling = /comanda (history settle 7001 done --store centro)\n/;
    expect(alert.stderr).toMatch(settling);
    const [, line = ""] = settling.exec(stderr) ?? [];
    const several = await store.comanda("history settle 7001 not-done");
    expect(several.stderr).toMatch(/^ {2}For example: comanda history settle 7001 not-done --store \w+$/m);
    const stdout = containing("Order 7001 at centro: the change");
    expect(await store.comanda(line)).toMatchObject({ code: 0, stdout });
  });

  test("records the outcome that a person looked up, which is then no longer unknown", async () => {
    const order = await store.order();
    fail("reset,when=after");
    await store.comanda(`orders dispatch ${order}`);
    fail();
    store.desk.pass(60_000);
    const note = "in the portal";
    const line = ["history", "settle", order, "done", "--note", note, "--json"];
    const by = userInfo().username;
    const settled = { outcome: "done", by, at: "2026-11-20T15:01:00.000Z", note };
    expect(await rows(line)).toMatchObject([{ order_id: order, outcome: "unknown", settled }]);
    expect(await rows()).toMatchObject([{ outcome: "unknown", settled }]);
    expect(await rows("history --outcome unknown --json")).toEqual([]);
    await store.comanda("orders dispatch 99999999");
    const table = await store.comanda("history");
    expect(table.stdout).toMatch(/ dispatch +99999999 /);
    // The table shows why it was rejected, and the recorded outcome.
    expect(table.stdout).toMatch(/ refused \(not_found\) /);
    expect(table.stdout).toContain(`done (${by}): ${note}`);
    const markdown = (await store.comanda("history --format markdown")).stdout;
    expect(markdown).toMatch(/ Recorded at +\| Evidence \|\n/);
    expect(markdown).toMatch(/\| 2026-11-20 15:01:00 \+00:00 \| nobody +\|\n/);
    const again = await store.comanda(`history settle #0${order} not-done --store centro`);
    expect(again.stdout).toMatch(
      /^Order \d+: the change "dispatch" sent at .* is now recorded as "not-done"\.\n$/,
    );
    const csv = parseCsv((await store.comanda("history --format csv")).stdout);
    // The change is a record in these formats, too.
    const record = await store.comanda(`history settle ${order} not-done --format csv`);
    expect(parseCsv(record.stdout)).toEqual([csv[0], csv.at(-1)]);
    expect(csv.map((record) => record.slice(-6, -2))).toEqual([
      ["settled", "settled_by", "settled_at", "settled_note"],
      ["", "", "", ""],
      ["not-done", by, "2026-11-20T15:01:00.000Z", ""],
    ]);
  });

  test("records the newest unknown change, names it, and states how many remain", async () => {
    const order = await store.order();
    fail("reset,when=before");
    for (const action of ["cancel", "dispatch", "dispatch"]) {
      await store.comanda(`orders ${action} ${order}`);
      store.desk.pass(60_000);
    }
    const settle = async () => store.comanda(`history settle ${order} done`);
    const sentence = (change: string, time: string) =>
      `Order ${order}: the change "${change}" sent at 2026-11-20 ${time} +00:00 is now recorded as "done".\n`;
    const stderr = `Changes to this order whose outcome is still unknown: 2. To list them: comanda history --order ${order} --outcome unknown\n`;
    expect(await settle()).toEqual({ code: 0, stdout: sentence("dispatch", "15:02:00"), stderr });
    expect(await settle()).toMatchObject({ stdout: sentence("dispatch", "15:01:00") });
    expect(await rows("history --outcome unknown --json")).toMatchObject([{ operation: "cancelOrder" }]);
    expect(await settle()).toEqual({ code: 0, stdout: sentence("cancel", "15:00:00"), stderr: "" });
  });

  test("changes what drivers are owed", async () => {
    const [given = "", refused = "", canceled = ""] = await store.orders(3);
    await store.comanda(`driver assign ${canceled} 11 --fee 2`);
    fail("reset,when=after");
    for (const order of [given, refused]) await store.comanda(`driver assign ${order} 12 --fee 3`);
    await store.comanda(`orders cancel ${canceled}`);
    await store.comanda(`history settle ${given} done`);
    await store.comanda(`history settle ${refused} not-done`);
    await store.comanda(`history settle ${canceled} done`);
    store.desk.pass(1000);
    const { drivers, unknown, stderr } = await owed("--period today");
    const eleven = { driver_id: 11, orders: 1, canceled_orders: 1 };
    expect(drivers).toMatchObject([eleven, { driver_id: 12, orders: 1, total_fee: 3 }]);
    expect({ unknown, stderr }).toEqual({ unknown: 0, stderr: "" });
  });
});

describe("history drivers", () => {
  test("warns about unknown outcomes, also with --quiet, with the command that lists them", async () => {
    fail("status=503,when=after");
    await store.comanda(`driver assign ${await store.order()} 11 --store centro`);
    store.desk.pass(24 * 60 * 60_000);
    await store.signIn("centro");
    await store.signIn("norte", 502);
    await store.comanda("driver assign 7001 11 --store norte");
    const order = await store.order();
    await store.comanda(`driver assign ${order} 11 --store centro`);
    fail();
    const warned = await store.comanda("history drivers --period today --store centro");
    const [, list = ""] = /To list them: comanda (.*)$/m.exec(warned.stderr) ?? [];
    expect(await rows(`${list} --json`)).toMatchObject([{ order_id: order }]);
    const all = await store.comanda("history drivers --period this-week --all-stores");
    const [, listAll = ""] = /To list them: comanda (.*)$/m.exec(all.stderr) ?? [];
    expect(await rows(`${listAll} --json`)).toHaveLength(3);
    for (const format of ["table", "csv"]) {
      const { stderr } = await store.comanda(
        `history drivers --period today --store centro --quiet --format ${format}`,
      );
      expect(stderr).toMatch(/^warning: Assignments or cancellations with an unknown outcome: 1\. /);
    }
  });

  test("states the stores and days without changes on stderr if no row shows them", async () => {
    await store.signIn("norte", 502);
    await assign(`${await store.order()} 11 --store centro`);
    const days = "Drivers of norte, 2026-11-20 to 2026-11-20 15:00 (UTC): orders assigned from this machine.";
    const stderr = `${days} No matching changes in the history.\n`;
    const ran = await store.comanda("history drivers --period today --all-stores --format csv");
    expect(ran).toMatchObject({ stdout: containing("centro"), stderr });
  });

  test("sums the fees at the store of environment variables", async () => {
    const { baseUrl } = store.emulator;
    const env = { COMANDA_BASE_URL: baseUrl, COMANDA_ACCESS_TOKEN: tokenFor(store.emulator, 501) };
    const [order = "", other = ""] = await store.orders(2);
    await store.comanda(`driver assign ${order} 11 --fee 5`, { env });
    await store.comanda(`driver assign ${other} 11 --fee 7`);
    const { host } = new URL(store.emulator.baseUrl);
    const table = await store.comanda("history");
    for (const place of ["centro", host]) expect(table.stdout).toMatch(new RegExp(` ${place} +assign`));
    const today = await store.comanda("history drivers --period today --json", { env });
    expect(parseJson(today.stdout)).toMatchObject({ stores: [{ store: host, totals: { total_fee: 5 } }] });
    expect(await owed("--period today")).toMatchObject({ store: "centro", totals: { total_fee: 7 } });
    await store.comanda("stores remove centro");
    const all = await store.comanda("history drivers --period today --all-stores --json", { env });
    const stores = [{ totals: { total_fee: 5 } }, { store: "centro", totals: { total_fee: 7 } }];
    expect(parseJson(all.stdout)).toMatchObject({ stores });
  });

  test("sums the last fee of each order's last driver", async () => {
    const [one = "", two = "", three = "", four = ""] = await store.orders(4);
    await assign(`${one} 11 --fee 7.10`, `${one} 12`, `${two} 12 --fee 0.20`, `${two} 12 --fee 5.10`);
    await assign(`${three} 12`, `${four} 11 --fee 3`, `${four} 11 --clear-fee`);
    await store.comanda("driver assign 999 11 --fee 100");
    store.desk.pass(24 * 60 * 60_000);
    const none = { zero_fee: 0, fee_not_shown: 0, canceled_orders: 0, canceled_fee: 0 };
    expect((await owed("")).drivers).toEqual([
      { driver_id: 11, name: null, orders: 1, with_fee: 0, fee_not_set: 1, total_fee: 0, ...none },
      { driver_id: 12, name: null, orders: 3, with_fee: 2, fee_not_set: 1, total_fee: 12.2, ...none },
    ]);
    await store.comanda("stores set centro --locale pt-BR --currency BRL");
    const inReais = await store.comanda("history drivers --period 2026-11-20");
    expect(inReais.stdout.replaceAll("\u00a0", " ")).toMatch(/^12 .* R\$ 12,20$/m);
    expect((await owed("--period 2026-11-19")).drivers).toEqual([]);
  });

  test("counts the fee that the service returned, after any command that assigned the driver", async () => {
    const byName = await store.order({ driver_fee: 1 });
    const byPath = await store.order({ driver_fee: 2 });
    const byLine = await store.order({ driver_fee: 4 });
    await assign(`${byName} 11`);
    await store.comanda(`api PUT /api/partner/v1/orders/${byPath}/driver -F driver_id=11`);
    await store.comanda("counter", { answers: [`d ${byLine} 11`, "y", "q"] });
    expect((await owed("--period today")).drivers).toMatchObject([{ orders: 3, with_fee: 3, total_fee: 7 }]);
    const assigned = (await rows()).filter((row) => row.operation === "assignDriver");
    expect(assigned).toHaveLength(3);
    expect(assigned.map((row) => row.arguments)).toEqual(assigned.map(() => ({ driver_id: 11 })));
  });

  const noFees = { with_fee: 0, zero_fee: 0, fee_not_set: 0, fee_not_shown: 0, total_fee: 0 };
  test.each([
    ["no fee", {}, "", { fee_not_shown: 1 }, ""],
    ["no fee after one was sent", {}, "--fee=3", { with_fee: 1, total_fee: 3 }, ""],
    ["no fee after it was cleared", {}, "--clear-fee", { fee_not_set: 1 }, ""],
    ["null", { driver_fee: null }, "", { fee_not_set: 1 }, ""],
    ["0", { driver_fee: 0 }, "", { zero_fee: 1 }, "0.00"],
    ["another fee than was sent", { driver_fee: 4.5 }, "--fee=3", { with_fee: 1, total_fee: 4.5 }, "4.50"],
  ])("counts the fee of a response that contains %s", async (_, fields, option, expected, shown) => {
    const stub = await startStub();
    const body = JSON.stringify({ id: 7, status: "confirmed", driver_id: 11, ...fields });
    stub.behave({ status: 200, body });
    await store.desk.signIn("norte", stub.url, "token");
    const assigned = await store.comanda(`driver assign 7 11 --store norte --format csv ${option}`.trim());
    expect(assigned).toMatchObject({ code: 0 });
    expect(parseCsv(assigned.stdout)[1]?.at(-1)).toBe(shown);
    const { drivers } = await owed("--period today --store norte");
    expect(drivers).toMatchObject([{ orders: 1, ...noFees, ...expected }]);
  });

  test("doesn't show a fee that an assignment with an unknown outcome may have changed", async () => {
    const stub = await startStub();
    const assigned = JSON.stringify({ id: 7, status: "confirmed" });
    await store.desk.signIn("norte", stub.url, "token");
    const assignAs = async (options: string, status: number) => {
      stub.behave({ status, body: assigned });
      store.desk.pass(1_000);
      await store.comanda(`driver assign 7 ${options} --store norte`);
    };
    await assignAs("11 --fee 5", 200);
    await assignAs("12 --fee 9", 404);
    await assignAs("13", 200);
    const after = async () => (await owed("--period today --store norte")).drivers;
    expect(await after()).toMatchObject([{ driver_id: 13, orders: 1, ...noFees, fee_not_shown: 1 }]);
    await assignAs("13 --fee 4", 200);
    await assignAs("14", 200);
    // The order's earlier fee still holds.
    const { drivers } = await owed("--from 2026-11-20T15:00:05Z --store norte");
    expect(drivers).toMatchObject([{ driver_id: 14, ...noFees, with_fee: 1, total_fee: 4 }]);
  });

  test("counts an order once, for its last assignment, which may correct a fee a day later", async () => {
    await store.comanda("stores set centro --tz Asia/Shanghai");
    const [corrected = "", moved = ""] = await store.orders(2);
    await assign(`${corrected} 11 --fee 7`, `${moved} 11 --fee 7`);
    const driver = { driver_id: 11, orders: 1 };
    expect((await owed("--period today")).drivers).toMatchObject([{ ...driver, orders: 2, total_fee: 14 }]);
    // From 23:00 to 00:30.
    store.desk.pass(1.5 * 60 * 60_000);
    await assign(`${corrected} 11 --fee 8`);
    fail("status=503");
    await store.comanda(`driver assign ${moved} 12 --fee 7`);
    expect((await owed("--period yesterday")).drivers).toMatchObject([{ ...driver, total_fee: 7 }]);
    expect((await owed("--period today")).drivers).toMatchObject([{ ...driver, total_fee: 8 }]);
  });

  test("counts the fees of canceled orders separately, even if they were canceled after the period", async () => {
    const [kept = "", canceled = "", unpaid = "", byPath = "", doubtful = ""] = await store.orders(5);
    await assign(`${kept} 11 --fee 7`, `${canceled} 11 --fee 8.10`, `${unpaid} 12`);
    await assign(`${byPath} 12 --fee 2`, `${doubtful} 12 --fee 3`);
    // From 23:00 to 00:30.
    await store.comanda("stores set centro --tz Asia/Shanghai");
    store.desk.pass(1.5 * 60 * 60_000);
    await store.comanda(`orders cancel ${canceled}`);
    await store.comanda(`orders cancel ${unpaid}`);
    await store.comanda(`api POST /api/partner/v1/orders/${byPath}/cancel`);
    fail("status=503,when=after");
    expect((await store.comanda(`orders cancel ${doubtful}`)).code).toBe(9);
    const { drivers, totals, unknown, stderr } = await owed("--period yesterday");
    expect(drivers).toMatchObject([
      { driver_id: 11, orders: 2, total_fee: 15.1, canceled_orders: 1, canceled_fee: 8.1 },
      { driver_id: 12, orders: 3, total_fee: 5, canceled_orders: 2, canceled_fee: 2 },
    ]);
    expect(totals).toMatchObject({ orders: 5, total_fee: 20.1, canceled_orders: 3, canceled_fee: 10.1 });
    expect(unknown).toBe(1);
    expect(stderr).toContain("Assignments or cancellations with an unknown outcome: 1.");
    const csv = await store.comanda("history drivers --period yesterday --format csv");
    // Without a total, so that a sum of the column is right.
    expect(csv.stdout).toMatch(
      /,canceled_orders,total_fee,canceled_fee\r\ncentro,.*,11,.*,1,15\.10,8\.10\r\ncentro,.*,12,.*,2,5\.00,2\.00\r\n$/,
    );
  });

  test("counts the earlier cancellations of an order that is assigned again", async () => {
    const [canceled = "", doubtful = ""] = await store.orders(2);
    await assign(`${canceled} 11 --fee 7.50`, `${doubtful} 11 --fee 5`);
    await store.comanda(`orders cancel ${canceled}`);
    fail("status=503,when=after");
    await store.comanda(`orders cancel ${doubtful}`);
    fail();
    store.desk.pass(60 * 60_000 + 500);
    await assign(`${canceled} 12`, `${doubtful} 12`);
    // The last assignment was in this second.
    store.desk.pass(-1000);
    const fees = { total_fee: 12.5, canceled_fee: 7.5 };
    expect(await owed("--from 2026-11-20T15:30:00Z")).toMatchObject({
      drivers: [{ driver_id: 12, ...fees }],
      unknown: 1,
    });
  });

  test("counts the driver that the service assigned last, whatever this machine's clock was", async () => {
    const stub = await startStub();
    await store.desk.signIn("norte", stub.url, "token");
    const assignAt = async (driver: number, time: string) => {
      const updated_at = `2026-11-20T12:${time}Z`;
      stub.behave({ status: 200, body: JSON.stringify({ id: 7, status: "confirmed", updated_at }) });
      await store.comanda(`driver assign 7 ${driver} --fee ${driver} --store norte`);
    };
    await assignAt(11, "00:00");
    store.desk.pass(-5 * 60_000);
    await assignAt(12, "00:59.250");
    const { drivers } = await owed("--period today --store norte");
    expect(drivers).toMatchObject([{ driver_id: 12, total_fee: 12 }]);
  });

  test("has a total for each store, and accepts the days of a payday", async () => {
    await store.signIn("norte", 502);
    await store.comanda("stores set norte --currency BRL --locale pt-BR --tz America/Sao_Paulo");
    store.desk.pass(-13 * 24 * 60 * 60_000);
    await assign(`${await store.order()} 11 --fee 100 --store centro`);
    store.desk.pass(7 * 24 * 60 * 60_000);
    await assign(`${await store.order()} 11 --fee 7 --store centro`);
    await assign(`${await store.order()} 12 --fee 0.5 --store centro`);
    store.desk.pass(6 * 24 * 60 * 60_000);
    await assign(`${await store.order({ merchant_id: 502 })} 21 --fee 3 --store norte`);
    const payday = "--from 2026-11-08 --to 2026-11-20";
    const { stores } = await owed(`${payday} --all-stores`);
    const period = { from: "2026-11-08T00:00:00+00:00", time_zone: "UTC" };
    const inSaoPaulo = { from: "2026-11-08T00:00:00-03:00", time_zone: "America/Sao_Paulo" };
    expect(stores).toMatchObject([
      { store: "centro", period, currency: null, totals: { orders: 2, with_fee: 2, total_fee: 7.5 } },
      { store: "norte", period: inSaoPaulo, currency: "BRL", totals: { orders: 1, total_fee: 3 } },
    ]);
    const table = await store.comanda(`history drivers ${payday} --all-stores`);
    const rowsOf = (name: string, ids: string) =>
      `Drivers of ${name}, 2026-11-08 to 2026-11-20 .*\nDRIVER .*\n${ids}`;
    const centro = rowsOf("centro", "11 .* 7\\.00\n12 .* 0\\.50\nTotal .* 7\\.50\n");
    const norte = rowsOf("norte", "21 .* R\\$ 3,00\nTotal .* R\\$ 3,00\n");
    expect(table.stdout.replaceAll("\u00a0", " ")).toMatch(new RegExp(`^${centro}${norte}$`));
  });

  test("--all-stores includes stores that are no longer on this machine, if they had assignments", async () => {
    await store.signIn("norte", 502);
    await assign(`${await store.order()} 11 --fee 7 --store centro`);
    await assign(`${await store.order({ merchant_id: 502 })} 21 --fee 3 --store norte`);
    store.desk.pass(1000);
    await store.comanda("stores remove norte");
    const totals = async (period: string) => {
      const { stores } = await owed(`--period ${period} --all-stores`);
      return Object.fromEntries(stores.map((each) => [each.store, each.totals.total_fee]));
    };
    expect(await totals("today")).toEqual({ centro: 7, norte: 3 });
    expect(await totals("yesterday")).toEqual({ centro: 0 });
  });

  test("shows the drivers' earlier names after a new sign-in, unless the new figures have other names", async () => {
    const [before = "", after = "", other = ""] = await store.orders(3);
    for (const driver_id of [11, 12]) await store.order({ driver_id });
    const list = parseJson((await store.comanda("driver list --json")).stdout) as { name: string }[];
    const names = list.map(({ name }) => name);
    await assign(`${before} 11`);
    await store.signIn("centro");
    await assign(`${after} 11`, `${other} 12`);
    const named = async () => (await owed("--period today")).drivers.map(({ name }) => name);
    expect(await named()).toEqual(names);
    expect((await store.comanda(`history --order ${other}`)).stdout).toContain(`${names[1] ?? ""} (12)`);
    const renamed = store.emulator.world.drivers.get(12);
    if (renamed) Object.assign(renamed, { name: "Beatriz" });
    await store.comanda("driver list");
    expect(await named()).toEqual([names[0], "Beatriz"]);
  });
});
