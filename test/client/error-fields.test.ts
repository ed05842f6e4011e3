/** An error says which call it is of, so that a log of it alone is enough. */
import { expect, test } from "vitest";

import { ComandaError, createClient, isComandaError, type Client } from "../../src/library/index.js";
import { jumpingClock } from "./support/clock.js";
import { errorOf } from "./support/error-of.js";
import { scripted, type Step } from "./support/scripted.js";

function clientOf(...steps: Step[]) {
  return createClient({
    baseUrl: "https://api.example",
    clock: jumpingClock(),
    transport: scripted(...steps).transport,
    credentials: { bearer: () => Promise.resolve("TOKEN") },
  });
}

test("an error says which call it is of, what the service said, and how often it was asked", async () => {
  const body = '{"code":4002,"message":"no","details":"finished"}';
  const error = await errorOf(
    clientOf({ status: 409, body, headers: { "x-request-id": "7" } }).dispatchOrder("4711"),
  );
  const fields = {
    operation: "dispatchOrder",
    method: "POST",
    path: "/api/partner/v1/orders/4711/dispatch",
    orderId: "4711",
    outcome: "refused",
    httpStatus: 409,
    code: "status_conflict",
    serviceCode: 4002,
    serviceMessage: "no",
    details: "finished",
    evidence: "api",
    attempts: 1,
    headers: { "x-request-id": "7" },
  };
  expect(error).toMatchObject(fields);
  const { message, hint } = error;
  expect(JSON.parse(JSON.stringify(error))).toEqual({
    ...fields,
    name: "ComandaError",
    message,
    hint,
    value: null,
  });
});

test.each<[string, (client: Client) => Promise<unknown>, object]>([
  [
    "a field",
    (client) => client.assignDriver("1", { driver_id: 0 }),
    { field: "driver_id", operation: "assignDriver", method: "PUT" },
  ],
  [
    "an order's id",
    (client) => client.dispatchOrder("a/../b"),
    { operation: "dispatchOrder", method: "POST" },
  ],
  [
    "a path",
    (client) => client.request({ method: "GET", path: "/../x?key=1" }),
    { operation: "request", method: "GET", path: "/../x" },
  ],
])("a wrong input says what it was an input of: %s", async (_, call, fields) => {
  expect(await errorOf(call(clientOf()))).toMatchObject({ code: "invalid_input", attempts: 0, ...fields });
});

test("an error is known for comanda's, and by its code", () => {
  const error: unknown = new ComandaError("not_found", "No.");
  expect([
    isComandaError(error),
    isComandaError(error, "not_found"),
    isComandaError(error, "forbidden"),
  ]).toEqual([true, true, false]);
  expect(isComandaError(new Error("not_found"))).toBe(false);
});
