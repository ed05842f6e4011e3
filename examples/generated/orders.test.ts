/**
 * Tests the emulator with a client that is generated from the API's document. In a folder of your own:
 *
 *   npm install openapi-fetch && npm install --save-dev openapi-typescript typescript @types/node
 *   comanda openapi > openapi.json && npx openapi-typescript openapi.json -o partner-api.d.ts
 *   npx tsc --module nodenext --outDir built orders.test.ts
 *   comanda emulator exec -- node --test built/
 */
import assert from "node:assert/strict";
import { before, test } from "node:test";

import createClient from "openapi-fetch";

import type { paths } from "./partner-api.js";

const emulator = process.env["COMANDA_EMULATOR_URL"] ?? "";
const control = async (path: string, body: object) => {
  const headers = { "content-type": "application/json" };
  const answer = await fetch(`${emulator}/_emulator${path}`, {
    method: "POST",
    headers,
    body: JSON.stringify(body),
  });
  assert.ok(answer.ok, await answer.clone().text());
  return (await answer.json()) as Record<string, unknown>;
};

const client = createClient<paths>({ baseUrl: emulator });
before(async () => {
  const { access_token: token } = await control("/sign-in", {});
  client.use({
    onRequest: ({ request }) => request.headers.set("authorization", `Bearer ${String(token)}`),
  });
});

const newOrder = async (order: object) => String((await control("/orders", order))["id"]);

test("dispatches an order only once", async () => {
  const params = { path: { order_id: await newOrder({ order_type: "delivery", status: "confirmed" }) } };
  const first = await client.POST("/api/partner/v1/orders/{order_id}/dispatch", { params });
  assert.ok(first.response.ok);
  const second = await client.POST("/api/partner/v1/orders/{order_id}/dispatch", { params });
  assert.equal(second.error?.code, 4002);
});

test("assigns a driver with a fee, which the response contains", async () => {
  const params = { path: { order_id: await newOrder({ order_type: "delivery" }) } };
  const { data } = await client.PUT("/api/partner/v1/orders/{order_id}/driver", {
    params,
    body: { driver_id: 11, driver_fee: 7.5 },
  });
  assert.equal(data?.driver_fee, 7.5);
});

test("counts the canceled orders of a day", async () => {
  const count = async () => {
    const { data } = await client.GET("/api/partner/v1/orders/summary", {
      params: {
        query: {
          start_date: "2026-03-04T00:00:00Z",
          end_date: "2026-03-04T23:59:59Z",
          "filters[status_in]": ["canceled", "closed"],
        },
      },
    });
    return data?.total_order_count ?? Number.NaN;
  };
  // The emulator may have generated orders of that day.
  const before = await count();
  await newOrder({ status: "canceled", created_at: "2026-03-04T12:00:00Z" });
  assert.equal(await count(), before + 1);
});
