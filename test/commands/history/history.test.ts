/** What `history` tells of writes, whichever command sent them. */
import { userInfo } from "node:os";

import { afterEach, beforeEach, describe, expect, test } from "vitest";

import { readFault } from "../../../src/emulator/http/faults.js";
import { parseCsv } from "../../support/desk.js";
import { parseJson } from "../../support/json.js";
import { StoreDesk } from "../../support/store-desk.js";

let store: StoreDesk;
beforeEach(async () => {
  store = await StoreDesk.open();
});
afterEach(() => store.close());

const fail = (...faults: readonly string[]) =>
  store.emulator.service.faults.set(faults.map((text) => readFault(text)));
const rows = async (line = "history --json", env: Readonly<Record<string, string>> = {}) => {
  const { stdout } = await store.comanda(line, { env });
  return stdout
    .split("\n")
    .slice(0, -1)
    .map((text) => parseJson(text) as Record<string, unknown>);
};

describe("history", () => {
  test("tells who did what, newest first, in the form that scripts rely on", async () => {
    const [order = ""] = await store.orders(1);
    await store.comanda(`driver assign ${order} 11 --fee 7,50`);
    store.desk.pass(1000);
    await store.comanda(["orders", "cancel", order, "--reason", "Out of flour"]);
    expect(await rows()).toEqual([
      {
        at: "2026-11-20T15:00:01.000Z",
        store: "centro",
        environment: "test",
        operation: "cancelOrder",
        order_id: order,
        arguments: { reason: "Out of flour" },
        outcome: "done",
        http_status: 204,
        code: null,
        attempts: 1,
        evidence: "api",
        service_code: null,
        actor: userInfo().username,
      },
      expect.objectContaining({
        at: "2026-11-20T15:00:00.000Z",
        operation: "assignDriver",
        arguments: { driver_id: 11, driver_fee: 7.5 },
        http_status: 200,
      }),
    ]);
    const table = await store.comanda(`history --order ${order} --outcome done`);
    expect(table.stdout).toContain("reason=Out of flour");
    const csv = parseCsv((await store.comanda("history --format csv")).stdout);
    expect(csv[0]?.slice(6)).toEqual(
      "outcome http_status code service_code attempts actor settled".split(" "),
    );
    expect(csv.map(([at, , , operation]) => [at, operation])).toEqual([
      ["at", "operation"],
      ["2026-11-20T15:00:01.000Z", "cancelOrder"],
      ["2026-11-20T15:00:00.000Z", "assignDriver"],
    ]);
  });

  test("says in its table why an order was refused", async () => {
    await store.comanda("orders dispatch 99999999");
    expect((await store.comanda("history")).stdout).toMatch(/ refused \(not_found\) /);
  });

  test("shows each time in the zone of its store, with the offset", async () => {
    const order = await store.order();
    await store.comanda("stores set centro --tz Asia/Kathmandu");
    await store.comanda(`orders dispatch ${order}`);
    const shown = async (line: string) => (await store.comanda(line)).stdout;
    expect(await shown("history")).toContain("2026-11-20 20:45:00 +05:45");
    expect(await shown("status")).toContain("Token until:  2026-11-20 22:45:00 +05:45\n");
  });

  test("of a pre-filled order keeps type and number of items, and nothing of the customer", async () => {
    await store.comanda(
      [
        "prefill",
        "--order-type",
        "takeout",
        "--customer-name",
        "Maria Silva",
        "--customer-phone",
        "11987654321",
        "--item",
        "3002x2",
      ],
      {
        env: store.keyEnvironment(),
      },
    );
    const [row] = await rows();
    expect(row).toMatchObject({
      store: null,
      operation: "createPrefilledOrder",
      order_id: null,
      outcome: "done",
    });
    expect(JSON.stringify(row)).not.toMatch(/Maria|1198765/);
  });

  test.each([
    ["--since 30s", ["deliverOrder"]],
    ["--since today", ["deliverOrder", "dispatchOrder"]],
    ["--since 2026-11-20T15:00:30Z", ["deliverOrder"]],
    ["--store CENTRO", ["deliverOrder", "dispatchOrder"]],
    ["--store other", []],
  ])("%s", async (filter, operations) => {
    const order = await store.order();
    await store.comanda(`orders dispatch ${order}`);
    store.desk.pass(60_000);
    await store.comanda(`orders deliver ${order}`);
    expect((await rows(`history --json ${filter}`)).map(({ operation }) => operation)).toEqual(operations);
  });
});

describe("history settle", () => {
  test("says what a person has looked up: it is told, and no longer in doubt", async () => {
    const order = await store.order();
    fail("reset,when=after");
    await store.comanda(`orders dispatch ${order}`);
    fail();
    store.desk.pass(60_000);
    const { code, stdout } = await store.comanda([
      "history",
      "settle",
      order,
      "done",
      "--note",
      "in the portal",
      "--json",
    ]);
    const settled = {
      outcome: "done",
      by: userInfo().username,
      at: "2026-11-20T15:01:00.000Z",
      note: "in the portal",
    };
    expect([code, parseJson(stdout)]).toMatchObject([0, { order_id: order, outcome: "unknown", settled }]);
    expect(await rows()).toMatchObject([{ outcome: "unknown", settled }]);
    expect(await rows("history --outcome unknown --json")).toEqual([]);
    expect((await store.comanda("history")).stdout).toContain(`done (${userInfo().username}): in the portal`);
    const again = await store.comanda(`history settle ${order} not-done --store centro`);
    expect(again.stdout).toMatch(new RegExp(`^Order ${order}: dispatchOrder of .* was not done\\.\\n$`));
    const csv = parseCsv((await store.comanda("history --format csv")).stdout);
    expect(csv.map((record) => record.at(-1))).toEqual(["settled", "not-done"]);
  });

  test("of what isn't unknown, or by another word, is refused", async () => {
    const order = await store.order();
    await store.comanda(`orders dispatch ${order}`);
    const nothing = await store.comanda(`history settle ${order} done`);
    expect([nothing.code, nothing.error?.message]).toEqual([
      2,
      `Nothing that was sent of order ${order} is unknown here.`,
    ]);
    expect((await store.comanda(`history settle ${order} done --store norte`)).code).toBe(2);
    const word = await store.comanda(`history settle ${order} perhaps`);
    expect([word.code, word.error?.code]).toEqual([2, "usage"]);
  });

  test("counts for what drivers are owed", async () => {
    const [given, refused, canceled] = [await store.order(), await store.order(), await store.order()];
    await store.comanda(`driver assign ${canceled} 11 --fee 2`);
    fail("reset,when=after");
    for (const order of [given, refused]) await store.comanda(`driver assign ${order} 12 --fee 3`);
    await store.comanda(`orders cancel ${canceled}`);
    await store.comanda(`history settle ${given} done`);
    await store.comanda(`history settle ${refused} not-done`);
    await store.comanda(`history settle ${canceled} done`);
    store.desk.pass(1000);
    const { stdout, stderr } = await store.comanda("history drivers --period today --json");
    expect(parseJson(stdout)).toMatchObject([
      { driver_id: 11, orders: 1, canceled_orders: 1 },
      { driver_id: 12, orders: 1, total_fee: 3 },
    ]);
    expect(stderr).toBe("");
  });
});

describe("history drivers", () => {
  test("sums the last fee of each order's last driver", async () => {
    const [one = "", two = "", three = "", four = ""] = await store.orders(4);
    for (const line of [
      `${one} 11 --fee 7.10`,
      `${one} 12`,
      `${two} 12 --fee 0.20`,
      `${two} 12 --fee 5.10`,
      `${three} 12`,
      `${four} 11 --fee 3`,
      `${four} 11 --clear-fee`,
    ]) {
      expect((await store.comanda(`driver assign ${line}`)).code, line).toBe(0);
      store.desk.pass(1000);
    }
    await store.comanda("driver assign 999 11 --fee 100");
    store.desk.pass(24 * 60 * 60_000);
    const { stdout } = await store.comanda("history drivers --json");
    const none = { canceled_orders: 0, canceled_fee: 0 };
    expect(parseJson(stdout)).toEqual([
      { driver_id: 11, name: null, orders: 1, known_fees: 0, total_fee: 0, without_fee: 1, ...none },
      { driver_id: 12, name: null, orders: 3, known_fees: 2, total_fee: 12.2, without_fee: 1, ...none },
    ]);
    const table = await store.comanda("history drivers --period 2026-11-20");
    expect(table.stdout).toContain("12.20");
    await store.comanda("stores set centro --locale pt-BR --currency BRL");
    const inReais = await store.comanda("history drivers --period 2026-11-20");
    expect(inReais.stdout.replaceAll("\u00a0", " ")).toMatch(/^12 .* R\$ 12,20 /m);
    expect(parseJson((await store.comanda("history drivers --json --period 2026-11-19")).stdout)).toEqual([]);
  });

  test("counts an order once, where it was assigned last: a fee may be corrected the day after", async () => {
    await store.comanda("stores set centro --tz Asia/Shanghai");
    const [corrected, moved] = [await store.order(), await store.order()];
    for (const order of [corrected, moved]) await store.comanda(`driver assign ${order} 11 --fee 7`);
    const day = async (line: string) =>
      parseJson((await store.comanda(`history drivers --json ${line}`)).stdout);
    const owed = (driver: number, orders: number, total: number) =>
      expect.objectContaining({ driver_id: driver, orders, total_fee: total }) as unknown;
    expect(await day("--period today")).toEqual([owed(11, 2, 14)]);
    // From 23:00 to half past midnight.
    store.desk.pass(1.5 * 60 * 60_000);
    await store.comanda(`driver assign ${corrected} 11 --fee 8`);
    fail("status=503");
    await store.comanda(`driver assign ${moved} 12 --fee 7`);
    expect(await day("--period yesterday")).toEqual([owed(11, 1, 7)]);
    expect(await day("--period today")).toEqual([owed(11, 1, 8)]);
  });

  test("marks the fee of an order that was canceled, also after the period", async () => {
    const [kept = "", canceled = "", unpaid = "", byPath = "", doubtful = ""] = await store.orders(5);
    for (const line of [
      `${kept} 11 --fee 7`,
      `${canceled} 11 --fee 8.10`,
      `${unpaid} 12`,
      `${byPath} 12 --fee 2`,
      `${doubtful} 12 --fee 3`,
    ])
      expect((await store.comanda(`driver assign ${line}`)).code).toBe(0);
    // From 23:00 to half past midnight.
    await store.comanda("stores set centro --tz Asia/Shanghai");
    store.desk.pass(1.5 * 60 * 60_000);
    const owed = "history drivers --period yesterday";
    for (const order of [canceled, unpaid])
      expect((await store.comanda(`orders cancel ${order}`)).code).toBe(0);
    expect((await store.comanda(`api POST /api/partner/v1/orders/${byPath}/cancel`)).code).toBe(0);
    fail("status=503,when=after");
    expect((await store.comanda(`orders cancel ${doubtful}`)).code).toBe(9);
    const { stdout, stderr } = await store.comanda(`${owed} --json`);
    expect(parseJson(stdout)).toMatchObject([
      { driver_id: 11, orders: 2, total_fee: 15.1, canceled_orders: 1, canceled_fee: 8.1 },
      { driver_id: 12, orders: 3, total_fee: 5, canceled_orders: 2, canceled_fee: 2 },
    ]);
    expect(stderr).toContain("Of 1 assignments or cancels");
    const csv = await store.comanda(`${owed} --format csv`);
    expect(csv.stdout).toContain("canceled_orders,canceled_fee");
  });

  test("names drivers that sales figures have named, and says what is unknown", async () => {
    const order = await store.order();
    await store.comanda(`driver assign ${order} 11 --fee 1`);
    const [doubtful, repeated] = [await store.order(), await store.order()];
    fail("reset,when=after");
    for (const each of [doubtful, repeated]) await store.comanda(`driver assign ${each} 12 --fee 1`);
    fail();
    store.desk.pass(1000);
    await store.comanda(`driver assign ${repeated} 11 --fee 1`);
    store.desk.pass(60_000);
    const period = "--from 2026-11-20T00:00:00Z --to 2026-11-20T15:00:30Z";
    expect((await store.comanda(`grouped --by driver_id ${period}`)).code).toBe(0);
    const { stdout, stderr } = await store.comanda("history drivers --period today --json");
    expect(parseJson(stdout)).toEqual([
      expect.objectContaining({ name: expect.any(String) as unknown, orders: 2 }),
    ]);
    expect(stderr).toContain("Of 1 assignments or cancels");
  });
});
