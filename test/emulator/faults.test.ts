import { afterEach, describe, expect, test } from "vitest";

import { ComandaError } from "../../src/base/errors.js";
import { readFault } from "../../src/emulator/http/faults.js";
import { startEmulator } from "../../src/emulator/index.js";
import type { FaultInput } from "../../src/emulator/inputs.js";
import { send, sending, type Outcome } from "./support.js";
import { errorOf } from "../client/support/scripted.js";
import { makeOrder } from "../support/emulators.js";
import { closing } from "../support/resources.js";
import { containing } from "../support/output.js";

const emulator = closing(await startEmulator({ orders: 0, rateLimits: false }));
const headers = { "x-api-key": emulator.world.stores.get(501)?.apiKey ?? "" };

const newOrder = () => Number(makeOrder(emulator, { payment_method_ids: [1] }));

describe("a fault", () => {
  const arm = (...faults: FaultInput[]) => fetch(`${emulator.url}/_emulator/faults`, sending("PUT", faults));
  const dispatch = (id: number, timeout = 0) =>
    send(`${emulator.url}/api/partner/v1/orders/${id}/dispatch`, "POST", { headers, timeout });
  const statusOf = (id: number) => emulator.world.orders.find(id)?.status;
  afterEach(() => arm());

  const locked = '{"id":1,"code":9999,"message":"cannot"}';
  const retryAfter = expect.objectContaining({ "retry-after": "7" }) as NodeJS.Dict<string>;
  const type = "text/plain;\ttitle=é";
  const marked = expect.objectContaining({ "x-emulator-fault": "truncate" }) as NodeJS.Dict<string>;

  test.each<{ fault: FaultInput; outcome: Outcome }>([
    { fault: { status: 503 }, outcome: { status: 503, body: '{"message":"Fault: HTTP 503"}' } },
    // A content type with every kind of character of a header.
    { fault: { status: 418, body: "no", content_type: type }, outcome: { status: 418, body: "no" } },
    { fault: { status: 204 }, outcome: { status: 204, body: "" } },
    { fault: { status: 200, body: locked }, outcome: { status: 200, body: locked } },
    { fault: { html: true }, outcome: { status: 200, body: containing("<html>") } },
    { fault: { garbage: true }, outcome: { status: 200, body: containing('{"code": 4\0') } },
    { fault: { redirect: "http://127.0.0.1:1/x", status: 307 }, outcome: { status: 307, body: "" } },
    { fault: { empty: true }, outcome: { status: 200, body: "" } },
    { fault: { oversize: 100_000 }, outcome: { status: 200, body: `"${"x".repeat(99_998)}"` } },
    { fault: { rate_limit: 7 }, outcome: { status: 429, headers: retryAfter } },
    { fault: { rate_limit: true }, outcome: { status: 429 } },
    { fault: { reset: true }, outcome: { error: "ECONNRESET" } },
    { fault: { not_http: true }, outcome: { error: "HPE_INVALID_CONSTANT" } },
    { fault: { truncate: true }, outcome: { status: 200, error: "Error: aborted", body: "{" } },
    { fault: { truncate: "head" }, outcome: { status: 200, body: "", headers: marked } },
    { fault: { hang: true }, outcome: { error: "gave up" } },
  ])("is performed before or after the change: $fault", async ({ fault, outcome }) => {
    await arm(fault);
    const id = newOrder();
    // Only a fault without an answer needs a timeout.
    const timeout = fault.hang ? 500 : 0;
    expect(await dispatch(id, timeout)).toMatchObject(outcome);
    // A truncated answer requires the change first; every other fault prevents the change.
    expect(statusOf(id)).toBe(fault.truncate ? "released" : "confirmed");

    await arm({ ...fault, when: "after" });
    expect(await dispatch(newOrder(), timeout)).toMatchObject(outcome);
    const last = [...emulator.world.orders.all()].at(-1);
    expect(last?.status).toBe("released");
  });

  test("applies to matching requests, after a number of others and at most a number of times", async () => {
    await arm(
      { status: 500, operation: "dispatchOrder", after: 1, times: 2 },
      { status: 501, method: "get", path: "/orders/{order_id}/dispatch" },
      { status: 502, path: "/finalize" },
    );
    const id = newOrder();
    const seen = [];
    for (let call = 0; call < 5; call += 1) seen.push((await dispatch(id)).status);
    expect(seen).toEqual([204, 500, 500, 409, 409]);
    const path = `${emulator.url}/api/partner/v1/orders/${id}`;
    expect((await send(`${path}/dispatch`, "GET")).status).toBe(501);
    expect((await send(`${path}/finalize`, "POST", { headers })).status).toBe(502);
    expect((await send(`${path}/cancel`, "POST", { headers })).status).toBe(204);
    const list = await fetch(`${emulator.url}/_emulator/faults`);
    expect(await list.json()).toMatchObject({ faults: [{ times: 2 }, { status: 501 }, {}] });
  });
});

describe("readFault", () => {
  const third = { when: "after", after: 3 };
  test.each([
    ["truncate=head", { truncate: "head" }],
    ["reset,when=after,operation=assignDriver,after=3", { reset: true, ...third, operation: "assignDriver" }],
    ["status=500,body=500,content_type=text/plain", { status: 500, body: "500", content_type: "text/plain" }],
    [" hang , path=/cancel", { hang: true, path: "/cancel" }],
    ['status=200,body="{""a"":1,""b"":2}",times=1', { status: 200, body: '{"a":1,"b":2}', times: 1 }],
    ['status=200,body={"error":"locked"}', { status: 200, body: '{"error":"locked"}' }],
    ['rate_limit="Fri, 20 Nov 2026 18:00:00 GMT"', { rate_limit: "Fri, 20 Nov 2026 18:00:00 GMT" }],
    ["html=true,path=/{order_id}/dispatch", { html: true, path: "/{order_id}/dispatch" }],
  ])("reads %s, and the same as an object", (text, fault) => {
    expect(readFault(text)).toEqual(fault);
    expect(readFault(fault as FaultInput)).toEqual(fault);
  });

  test.each([
    "status=502,html",
    "reset,times=0",
    "reset,__proto__=1",
    "garbage=304",
    "redirect=/x,status=200",
    "rate_limit=1.5",
    "rate_limit=Invalid Date",
    "status=503,content_type=日",
  ])("rejects %j", (text) => {
    expect(() => readFault(text)).toThrow(ComandaError);
  });

  test.each<readonly [FaultInput | string, RegExp]>([
    ["statos=503", /^Unknown fault "statos"\. Did you mean "status"\? Use one of /],
    ["reset,tims=2", /^The fault "reset,tims=2" has no field "tims"\. Did you mean "times"\? Use /],
    ["reset,times", /^The fault "reset,times": times must be a number\. $/],
    ["html=x", /^The fault "html=x": html must be true or 200-599\. $/],
    ["status=503,status=500", /^"status" is repeated\. Remove one of them\.$/],
    ["truncate,when=before", /cuts off the service's own response, which requires when=after\. $/],
    ["rate_limit=x", /: rate_limit must be true, seconds, or a date as HTTP/],
    [{ times: 2 }, /^The fault { times: 2 } must contain exactly one of (?:\w+, )*status[\w, ]*\. $/],
    [{ reset: true, body: "x" }, /has a body or content type, but its kind or status allows none/],
  ])("names what isn't valid in %j", async (fault, message) => {
    const { code, message: problem, hint = "" } = await errorOf(Promise.resolve(fault).then(readFault));
    expect(code).toBe("invalid_input");
    expect(`${problem} ${hint}`).toMatch(message);
  });
});
