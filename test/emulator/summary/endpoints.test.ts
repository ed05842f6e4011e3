import { describe, expect, test } from "vitest";

import { salesSchemas } from "../../../src/api/answers.js";
import { createOrder } from "../../../src/emulator/domain/new-order.js";
import { loadWireFixtures, wireSecrets } from "../../fixtures/wire/load.js";
import { answerOf, bearer, createTestEmulator, someStore } from "../support.js";

// Written out by hand from sections 4.6 and 4.7.
const summaryPath = "/api/partner/v1/orders/summary";
const groupedPath = "/api/partner/v1/orders/summary/grouped";
const may = "start_date=2026-05-01T00:00:00-03:00&end_date=2026-10-31T23:59:59-03:00";

function start() {
  const { request, service, ...emulator } = createTestEmulator({ seed: 7, orders: 1_500 });
  const token = emulator.accessToken();
  const get = (path: string, headers: Record<string, string> = bearer(token)) =>
    answerOf(request(path, { headers }));
  return { service, world: service.world, get, token, apiKey: emulator.apiKey() };
}

test("the summary has the figures of the token's store alone", async () => {
  const { get, world } = start();
  const counted = world.orders
    .ofStore(someStore)
    .filter(
      ({ createdAt, status }) =>
        createdAt >= Date.parse("2026-05-01T03:00:00Z") &&
        createdAt <= Date.parse("2026-11-01T02:59:59Z") &&
        (status === "closed" || status === "canceled"),
    );
  expect(counted.length).toBeGreaterThan(10);
  const cents = counted.reduce((sum, { total }) => sum + total, 0);
  const search = `${may}&filters[status_in]=closed&filters[status_in]=canceled`;
  expect(await get(`${summaryPath}?${search}`)).toEqual({
    status: 200,
    body: {
      total_order_count: counted.length,
      total_revenue: cents / 100,
      average_order_value: Math.round(cents / counted.length) / 100,
    },
  });
});

test("figures take no API key, and ask for the scope orders", async () => {
  const { get, apiKey } = start();
  expect((await get(`${summaryPath}?${may}`, { "x-api-key": apiKey })).status).toBe(401);
  const narrow = createTestEmulator();
  narrow.service.server.setApp({ scopes: ["drivers"] });
  const headers = bearer(narrow.accessToken());
  expect((await narrow.request(`${summaryPath}?${may}`, { headers })).status).toBe(403);
});

test("groups of drivers have their names, and none as section 4.7 has it", async () => {
  const { get, world } = start();
  const answer = await get(`${groupedPath}?${may}&group_by=driver_id`);
  const body = salesSchemas().groupedSummary.parse(answer.body);
  expect([body.group_by, body.groups.length > 1]).toEqual(["driver_id", true]);
  for (const { key, label } of body.groups)
    expect(label).toBe(key === null ? "Não informado" : world.drivers.get(Number(key))?.name);
});

const fixtures = loadWireFixtures().filter(({ operation }) => /summary$/i.test(operation));

describe.each(fixtures)("the wire fixture of $operation", ({ requests, answers }) => {
  test.each(requests)("is understood: $comment", async ({ path, headers }) => {
    const { get, world, token } = start();
    // Their channels and drivers are the specification's examples, which aren't of this world by themselves.
    for (const [name, value] of new URL(path, "http://127.0.0.1").searchParams) {
      if (name.includes("driver_id") && value !== "true") world.putDriver({ id: Number(value) });
      if (name.includes("sales_channel"))
        createOrder(world, { merchant_id: someStore, sales_channel: value });
    }
    const answer = await get(path, {
      ...headers,
      authorization: headers["authorization"]?.replace(wireSecrets.bearer, token) ?? "",
    });
    expect(answer.status).toBe(200);
    const shown = answers.find(({ shown, means }) => shown && means === "success");
    expect(fieldsOf(JSON.stringify(answer.body))).toEqual(fieldsOf(shown?.body ?? ""));
  });
});

/** The names of an answer's fields, those of its first group included. */
function fieldsOf(body: string): readonly string[] {
  const names = [...body.matchAll(/"(\w+)":/g)].map(([, name = ""]) => name);
  return [...new Set(names)].sort();
}
