/** A job that runs twice: what was done before is no failure, as far as that is known. */
import { expect, test } from "vitest";

import type { CallOptions } from "../../src/client/call/caller.js";
import type { ClientOptions } from "../../src/client/client-options.js";
import { createClient } from "../../src/client/client.js";
import { jumpingClock } from "./support/clock.js";
import { errorOf } from "./support/error-of.js";
import { scripted, type Step } from "./support/scripted.js";

const conflict: Step = { status: 409, body: '{"code":4002,"message":"no","details":"TOKEN, finished"}' };
const page: Step = { status: 409, body: "<html>no</html>" };
const done: Step = { status: 204, body: "" };
const already = { ok_if_already: true };

function clientOf(steps: readonly Step[], options: Partial<ClientOptions> = {}) {
  return createClient({
    baseUrl: "https://api.example",
    clock: jumpingClock(),
    transport: scripted(...steps).transport,
    credentials: { bearer: () => Promise.resolve("TOKEN") },
    ...options,
  });
}

test("a change that the client itself made before counts as done, with the service's words", async () => {
  const client = clientOf([done, conflict]);
  expect(await client.finalizeOrder("1", already)).toEqual({ httpStatus: 204, attempts: 1 });
  expect(await client.finalizeOrder("1", already)).toEqual({
    httpStatus: 409,
    attempts: 1,
    already: { httpStatus: 409, code: 4002, message: "no", details: "****, finished" },
  });
});

test.each<[string, readonly Step[], (client: ReturnType<typeof clientOf>) => Promise<unknown>]>([
  ["nothing is known of the order", [conflict], (client) => client.finalizeOrder("1", already)],
  ["it isn't asked for", [done, conflict], (client) => client.finalizeOrder("1")],
  ["another change was made", [done, conflict], (client) => client.cancelOrder("1", {}, already)],
  ["another order was changed", [done, conflict], (client) => client.finalizeOrder("2", already)],
  ["it isn't the API that refuses it", [done, page], (client) => client.finalizeOrder("1", already)],
])("a refused change is an error where %s", async (_, steps, call) => {
  const client = clientOf(steps);
  if (steps.length > 1) await client.finalizeOrder("1");
  expect((await errorOf(call(client))).answer?.httpStatus).toBe(409);
});

test("the program's own knowledge decides where it has any", async () => {
  const asked: unknown[] = [];
  const doneBefore = (change: unknown) => asked.push(change) === 1;
  const client = clientOf([conflict, conflict], { doneBefore });
  expect(await client.dispatchOrder("7", already)).toMatchObject({ already: { code: 4002 } });
  expect((await errorOf(client.dispatchOrder("7", already))).code).toBe("status_conflict");
  expect(asked).toEqual([
    { operation: "dispatchOrder", order: "7" },
    { operation: "dispatchOrder", order: "7" },
  ]);
});

test("knowledge that can't be had is named as the program's own failure", async () => {
  const client = clientOf([conflict], { doneBefore: () => Promise.reject(new Error("no database")) });
  expect(await errorOf(client.dispatchOrder("7", already))).toMatchObject({
    code: "callback_failed",
    message: "The function doneBefore, which the program gave, failed.",
  });
});

test("it is an option of changes of a status alone", async () => {
  const query = { start_date: "2026-10-01T00:00:00Z", end_date: "2026-10-02T00:00:00Z" };
  const options: CallOptions & typeof already = already;
  const error = await errorOf(clientOf([]).summary(query, options));
  expect(error).toMatchObject({ code: "invalid_input", message: 'A call has no option "ok_if_already".' });
});
