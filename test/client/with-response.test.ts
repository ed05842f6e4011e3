/** What the answer was, beside what it said. */
import { expect, test } from "vitest";

import { createClient } from "../../src/client/client.js";
import { jumpingClock } from "./support/clock.js";
import { errorOf } from "./support/error-of.js";
import { scripted, type Step } from "./support/scripted.js";

const clientOf = (...steps: readonly Step[]) =>
  createClient({
    baseUrl: "https://api.example",
    clock: jumpingClock(),
    transport: scripted(...steps).transport,
    credentials: { bearer: () => Promise.resolve("TOKEN"), apiKey: () => Promise.resolve("KEY") },
  });
const headers = { "x-request-id": "7", "x-echo": "Bearer TOKEN KEY" };
const query = { start_date: "2026-10-01T00:00:00Z", end_date: "2026-10-02T00:00:00Z" };

test("the result comes with status, attempts and headers, our own credential masked in them", async () => {
  const body = '{"total_order_count":1,"total_revenue":2,"average_order_value":2}';
  const client = clientOf({ status: 503, body: "" }, { status: 200, body, headers });
  expect(await client.withResponse().summary(query)).toEqual({
    data: { summary: JSON.parse(body) as unknown, raw: body, httpStatus: 200, attempts: 2 },
    status: 200,
    headers: { "x-request-id": "7", "x-echo": "Bearer **** KEY" },
    attempts: 2,
  });
});

test("every method that makes a call has it", async () => {
  const client = clientOf();
  const calls = Object.keys(client).filter((name) => name !== "withResponse" && name !== "close");
  expect(Object.keys(client.withResponse())).toEqual(calls);
  await client.close();
});

test("each of several calls at once has the answer that is its own", async () => {
  const answers = [1, 2, 3].map((n): Step => ({ status: 200 + n, body: "", headers: { "x-n": String(n) } }));
  const withResponse = clientOf(...answers).withResponse();
  const all = await Promise.all(["1", "2", "3"].map((order) => withResponse.deliverOrder(order)));
  for (const { data, status, headers: told } of all)
    expect([data.httpStatus, told["x-n"]]).toEqual([status, String(status - 200)]);
});

test("what goes wrong is thrown as ever", async () => {
  const call = clientOf({ status: 404, body: '{"code":4041,"message":"no"}' })
    .withResponse()
    .deliverOrder("1");
  expect((await errorOf(call)).code).toBe("not_found");
});
