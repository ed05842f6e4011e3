/** An error says which call it is of, so that a log of it alone is enough. */
import { expect, test } from "vitest";

import { createClient } from "../../src/client/client.js";
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
  expect(error).toMatchObject({
    operation: "dispatchOrder",
    method: "POST",
    path: "/api/partner/v1/orders/4711/dispatch",
    order_id: "4711",
    http_status: 409,
    service_code: 4002,
    service_message: "no",
    details: "finished",
    attempts: 1,
    headers: { "x-request-id": "7" },
  });
  expect(JSON.parse(JSON.stringify(error))).toEqual({
    name: "ComandaError",
    code: "status_conflict",
    message: error.message,
    hint: error.hint,
    operation: "dispatchOrder",
    method: "POST",
    path: "/api/partner/v1/orders/4711/dispatch",
    order_id: "4711",
    attempts: 1,
    evidence: "api",
    answer: { httpStatus: 409, code: 4002, message: "no", details: "finished" },
    http_status: 409,
    service_code: 4002,
    service_message: "no",
    details: "finished",
    headers: { "x-request-id": "7" },
  });
});

test("a wrong input is told by its field", async () => {
  const error = await errorOf(clientOf().assignDriver("1", { driver_id: 0 }));
  expect(error).toMatchObject({ code: "invalid_input", field: "driver_id" });
});
