import { describe, expect, test } from "vitest";
import * as z from "zod/mini";

import { orderSchemas } from "../../src/api/responses.js";
import type { NewOrder } from "../../src/emulator/inputs.js";
import { answerOf, bearer, createTestEmulator, sending, someStore } from "./support.js";
import type { TestEmulator } from "./support.js";

const get = (emulator: TestEmulator, path: string) => answerOf(emulator.request(`/_emulator${path}`));

describe("the control API", () => {
  test("lists only calls that exist", async () => {
    const emulator = createTestEmulator();
    const listed = z.object({ body: z.object({ calls: z.array(z.string()) }) });
    const { calls } = z.parse(listed, await get(emulator, "")).body;
    expect(await get(emulator, "/")).toEqual(await get(emulator, ""));
    expect(calls.length).toBeGreaterThan(15);
    for (const call of calls) {
      const [method = "", path = ""] = call.replace("{id}", "1").split(" ");
      expect((await emulator.request(path, { method })).status, call).not.toBe(405);
    }
  });

  test.each([
    ["PUT", "/faults", [{ kind: "fire" }]],
    ["POST", "/authorize", { url: "http://127.0.0.1/elsewhere" }],
    ["POST", "/orders", { color: "red" }],
    ["GET", "/orders?status=eaten", undefined],
  ])("refuses %s %s with the body %j and returns details", async (method, path, body) => {
    const emulator = createTestEmulator();
    const init = body === undefined ? { method } : sending(method, body);
    const answer = await answerOf(emulator.request(`/_emulator${path}`, init));
    const details = expect.stringMatching(/\w{4}/) as string;
    expect(answer).toMatchObject({ status: 400, body: { code: 4000, details } });
    expect(emulator.service.world.orders.size).toBe(0);
    expect(emulator.service.faults.list()).toEqual([]);
  });
});

test.each<NewOrder>([
  { status: "scheduled_confirmed" },
  { order_type: "closed_table", service_fee: 4.2, table_number: "3" },
  { merchant_id: 503, delivery_fee: 7.77, additional_fee: 0.01, payment_method_ids: [1, 3] },
  { id: 77, sales_channel: "portal", customer: null, driver_id: 11, driver_fee: 0 },
  { items: [], total: 0, payments: [] },
])("an order created through the control API has the fields %j and adds up", async (wish) => {
  const emulator = createTestEmulator();
  const made = await emulator.order(wish);
  const { payment_method_ids, ...fields } = wish;
  expect(made).toMatchObject(fields);
  if (payment_method_ids) expect(made._emulator.payment_method_ids).toEqual(payment_method_ids);
  expect(z.safeParse(orderSchemas().order, made).success).toBe(true);
  const amounts = [
    ...made.items.map((item) => item.total_price),
    ...[made.delivery_fee, made.service_fee, made.additional_fee],
    ...made.payments.map((payment) => Number(payment.payment_fee)),
  ];
  expect(made.total).toBeCloseTo(
    amounts.reduce((sum, amount) => sum + amount, 0),
    5,
  );
  expect(await emulator.look(made.id)).toEqual(made);
});

test("a reset restores the seeded orders and doesn't change installations and tokens", async () => {
  const emulator = createTestEmulator({ orders: 200 });
  const { world, faults, server } = emulator.service;
  const before = await get(emulator, "/orders?limit=999");
  const init = { method: "POST", headers: bearer(emulator.accessToken()) };
  for (const { id } of [...world.orders.ofStore(someStore)])
    await emulator.request(`/api/partner/v1/orders/${id}/cancel`, init);
  const { id } = await emulator.order();
  await emulator.request("/_emulator/faults", sending("PUT", [{ status: 503 }]));
  await emulator.request("/_emulator/app", sending("PUT", { approved: false }));
  expect(await get(emulator, "/orders?limit=999")).not.toEqual(before);

  expect((await emulator.request("/_emulator/reset", { method: "POST" })).status).toBe(204);
  expect(await get(emulator, "/orders?limit=999")).toEqual(before);
  expect((await get(emulator, `/orders/${id}`)).status).toBe(404);
  expect(faults.list()).toEqual([]);
  expect(server.approvedApp("comanda-local").approved).toBe(true);
  expect((await emulator.request("/api/partner/v1/orders/1/dispatch", init)).status).toBe(404);
});

test("the control API lists stores and installations, and changes apps, drivers and installations", async () => {
  const emulator = createTestEmulator();
  const token = emulator.accessToken();
  const { server } = emulator.service;
  const inactive = expect.objectContaining({ id: 25, name: "Tainá Iracema", active: false }) as unknown;
  expect((await get(emulator, "/stores")).body).toMatchObject({
    stores: [
      { id: 501, time_zone: "America/Sao_Paulo", api_key: emulator.apiKey(501) },
      { id: 502, drivers: expect.arrayContaining([inactive]) as unknown },
      { id: 503, people: [{ id: "ines", profile: "owner" }] },
    ],
  });
  expect(await get(emulator, "/installations")).toMatchObject({
    body: { installations: [{ client_id: "comanda-local", store_id: 501, active: true }] },
  });
  const redirect_uris = ["http://localhost:1/cb"];
  const app = sending("PUT", { client_id: "novo", redirect_uris, scopes: ["orders"] });
  expect(await answerOf(emulator.request("/_emulator/app", app))).toMatchObject({
    body: { name: "novo", approved: true, scopes: ["orders"] },
  });
  expect(server.approvedApp("novo")).toHaveProperty("redirectUris", redirect_uris);
  const driver = sending("PUT", { id: 90, store_id: 502, name: "Bia" });
  expect(await answerOf(emulator.request("/_emulator/drivers", driver))).toMatchObject({
    body: { id: 90, store_id: 502, name: "Bia", active: true },
  });
  await emulator.request("/_emulator/uninstall", sending("POST", { store_id: 501 }));
  expect(server.installations()).toMatchObject([{ active: false }]);
  expect(server.authenticate(token)).toBeUndefined();
});

test("the request log lists query parameters of any name", async () => {
  const emulator = createTestEmulator();
  await emulator.request("/api/partner/v1/orders?__proto__=1&constructor=2&toString=3&toString=4");
  const [first] = emulator.service.log.received();
  expect(Object.entries(first?.query ?? {})).toEqual([
    ["__proto__", ["1"]],
    ["constructor", ["2"]],
    ["toString", ["3", "4"]],
  ]);
  expect(await get(emulator, "/log")).toMatchObject({ status: 200, body: { requests: [{}, {}] } });
});
