import { createHash } from "node:crypto";

import { describe, expect, test } from "vitest";

import type { Scope } from "../../../src/api/operations.js";
import { salesSchemas } from "../../../src/api/schemas.js";
import { createApp } from "../../../src/emulator/http/app.js";
import { createOrder } from "../../../src/emulator/domain/new-order.js";
import { createService } from "../../../src/emulator/service.js";
import { loadWireFixtures, wireSecrets } from "../../fixtures/wire/load.js";
import { now } from "./fixture.js";

// Written out by hand from sections 4.6 and 4.7.
const summaryPath = "/api/partner/v1/orders/summary";
const groupedPath = "/api/partner/v1/orders/summary/grouped";
const may = "start_date=2026-05-01T00:00:00-03:00&end_date=2026-10-31T23:59:59-03:00";

function start(scopes: readonly Scope[] = ["orders"]) {
  const service = createService({ seed: 7, orders: 1_500, now });
  const { server, world } = service;
  const owner = world.people.find(({ profile }) => profile === "owner");
  const store = world.stores.get(owner?.storeIds[0] ?? 0);
  const registered = world.apps.find(({ approved }) => approved);
  const redirectUri = registered?.redirectUris[0];
  if (!owner || !store || !registered || redirectUri === undefined) throw new RangeError("an empty world");
  server.setApp({ ...registered, scopes });
  const codeVerifier = "v".repeat(43);
  const codeChallenge = createHash("sha256").update(codeVerifier).digest("base64url");
  const { clientId } = registered;
  const consent = { clientId, redirectUri, codeChallenge, storeId: store.id, personId: owner.id };
  const code = server.issueCode(consent);
  const { access_token } = server.exchangeCode({ clientId, redirectUri, code, codeVerifier });
  const app = createApp(service);
  const authorization = `Bearer ${access_token}`;
  const get = (path: string, headers: Record<string, string> = { authorization }) =>
    app.request(path, { headers });
  const orders = () => world.orders.ofStore(store.id);
  return { service, store, get, orders, authorization };
}

const inPeriod = ({ createdAt }: { createdAt: number }) =>
  createdAt >= Date.parse("2026-05-01T03:00:00Z") && createdAt <= Date.parse("2026-11-01T02:59:59Z");

describe("the summary endpoint", () => {
  test("answers the figures of the token's store alone", async () => {
    const { get, orders, service } = start();
    const answer = await get(`${summaryPath}?${may}&filters[status_in]=closed&filters[status_in]=canceled`);
    expect(answer.status).toBe(200);
    const counted = orders().filter(
      (order) => inPeriod(order) && ["closed", "canceled"].includes(order.status),
    );
    expect(counted.length).toBeGreaterThan(10);
    expect(counted.length).toBeLessThan(service.world.orders.size);
    const cents = counted.reduce((sum, { total }) => sum + total, 0);
    expect(await answer.json()).toEqual({
      total_order_count: counted.length,
      total_revenue: cents / 100,
      average_order_value: Math.round(cents / counted.length) / 100,
    });
  });

  test("refuses with code 4000 and details", async () => {
    const { get } = start();
    const answer = await get(`${summaryPath}?${may}&group_by=day`);
    expect(answer.status).toBe(400);
    expect(await answer.json()).toEqual({
      code: 4000,
      message: "Invalid parameters",
      details: 'The query has no field "group_by"',
    });
  });

  test("takes no API key, and asks for the scope orders", async () => {
    const { get, store } = start();
    expect((await get(`${summaryPath}?${may}`, { "x-api-key": store.apiKey })).status).toBe(401);
    expect((await start(["drivers"]).get(`${summaryPath}?${may}`)).status).toBe(403);
  });
});

describe("the grouped summary endpoint", () => {
  test("says that group_by is required", async () => {
    const { get } = start();
    const answer = await get(`${groupedPath}?${may}`);
    expect([answer.status, await answer.json()]).toEqual([
      400,
      { code: 4000, message: "Invalid parameters", details: "group_by is required" },
    ]);
  });

  test("names drivers, and those without one as section 4.7 does", async () => {
    const { get, service } = start();
    const answer = await get(`${groupedPath}?${may}&group_by=driver_id`);
    const body = salesSchemas().groupedSummary.parse(await answer.json());
    expect(body.group_by).toBe("driver_id");
    expect(body.groups.length).toBeGreaterThan(1);
    for (const { key, label } of body.groups) {
      expect(label).toBe(key === null ? "Não informado" : service.world.drivers.get(Number(key))?.name);
    }
  });
});

const fixtures = loadWireFixtures().filter(({ operation }) => /summary$/i.test(operation));

describe.each(fixtures)("the wire fixture of $operation", ({ requests, answers }) => {
  test.each(requests)("is understood: $comment", async ({ path, headers }) => {
    const { get, authorization, service, store } = start();
    // Their channels and drivers are the specification's examples, which aren't of this world by themselves.
    for (const [name, value] of new URL(path, "http://127.0.0.1").searchParams) {
      if (name.includes("driver_id") && value !== "true") service.world.putDriver({ id: Number(value) });
      if (name.includes("sales_channel"))
        createOrder(service.world, { merchant_id: store.id, sales_channel: value });
    }
    const answer = await get(path, {
      ...headers,
      authorization: headers["authorization"]?.replace(`Bearer ${wireSecrets.bearer}`, authorization) ?? "",
    });
    expect(answer.status).toBe(200);
    const shown = answers.find(({ shown, means }) => shown && means === "success");
    expect(fieldsOf(await answer.text())).toEqual(fieldsOf(shown?.body ?? ""));
  });
});

/** The names of an answer's fields, those of its first group included. */
function fieldsOf(body: string): readonly string[] {
  const names = [...body.matchAll(/"(\w+)":/g)].map(([, name = ""]) => name);
  return [...new Set(names)].sort();
}

test("lets each of the two through five times a minute", async () => {
  const { get } = start();
  const statuses = async (path: string) => {
    const answers = [];
    for (let call = 0; call < 6; call += 1) answers.push((await get(path)).status);
    return answers;
  };
  const expected = [200, 200, 200, 200, 200, 429];
  expect(await statuses(`${summaryPath}?${may}`)).toEqual(expected);
  expect(await statuses(`${groupedPath}?${may}&group_by=hour`)).toEqual(expected);
});
