/** Observers of calls, errors of the program's own functions, and the facts in an error. */
import { inspect } from "node:util";

import { describe, expect, test } from "vitest";

import { request } from "../../src/client/any-call.js";
import { ComandaError, isComandaError } from "../../src/base/errors.js";
import type { CallObserver, ClientOptions, ObservedCall, RateLimiter } from "../../src/client/options.js";
import { createClient } from "../../src/library/index.js";
import { TransportError } from "../../src/client/transport.js";
import { jumpingClock } from "./support/clock.js";
import { errorOf, scripted, scriptedClient, type Step } from "./support/scripted.js";
const refused = new TransportError("refused", false, "nothing listens");

/** Plays the steps, and records the order of the observer's calls and the requests. */
function watched(steps: readonly Step[], more: CallObserver = {}) {
  const told: string[] = [];
  const calls: ObservedCall[] = [];
  const { transport } = scripted(...steps);
  const observer: CallObserver = {
    begins(call) {
      told.push("begins");
      calls.push(call);
    },
    sends: (_, { attempt, credential }) => void told.push(`sends ${attempt} with ${credential}`),
    attempted: (_, { attempt, verdict: { outcome, httpStatus, code, evidence } }) =>
      void told.push([attempt, outcome, httpStatus, code, evidence].map(String).join(" ")),
    ended: (_, outcome) => void told.push(`ended: ${outcome}`),
    ...more,
  };
  const { client } = scriptedClient([], {
    baseUrl: "https://api.example/prefix",
    transport: { ...transport, send: (request) => (told.push("out"), transport.send(request)) },
    credentials: { bearer: () => Promise.resolve("SECRET"), apiKey: () => Promise.resolve("SECRET_KEY") },
    observer,
  });
  return { client, told, calls };
}

describe("an observer", () => {
  test("is called before the first byte, after each attempt, and at the end", async () => {
    const { client, told } = watched([refused, { status: 429 }, { status: 204 }]);
    await client.dispatchOrder("4711");
    expect(told).toEqual([
      "begins",
      ...["sends 1 with bearer", "out", "1 failed null unreachable null"],
      ...["sends 2 with bearer", "out", "2 refused 429 rate_limited gateway"],
      ...["sends 3 with bearer", "out", "3 done 204 null api"],
      "ended: done",
    ]);
  });

  test("receives the operation of a call, and no secret", async () => {
    const { client, calls, told } = watched([{ status: 204 }, { status: 204 }, { status: 200 }]);
    await client.cancelOrder("12", { cancellation_reason: "late" });
    await request(client, { method: "POST", path: "/api/partner/v1//orders/7/%63ancel?x=1" });
    await request(client, { method: "GET", path: "/api/partner/v1/orders/summary/grouped" });
    expect(JSON.stringify([calls, told])).not.toContain("SECRET");
    expect(calls).toMatchObject([
      { number: 1, operation: "cancelOrder", order: "12", body: '{"cancellation_reason":"late"}' },
      { number: 2, operation: "cancelOrder", order: "7" },
      { number: 3, operation: "groupedSummary", order: null },
    ]);
  });
});

test.each(["begins", "sends"])("an observer whose %s refuses prevents the request", async (name) => {
  const refuse = () => Promise.reject(new ComandaError("usage", "No."));
  const { client, told } = watched([], { [name]: refuse });
  expect(await errorOf(client.dispatchOrder("1"))).toMatchObject({ code: "usage", attempts: 0 });
  expect(told).not.toContain("out");
  expect(told.at(-1)).toBe("ended: failed");
});

const cause = new Error("my secret");
const fail = () => {
  throw cause;
};
const reject = () => Promise.reject(cause);
const nothing = () => undefined;
const acquire = () => Promise.resolve({ settle: nothing });
/** Announces a wait without awaiting the announcement. */
const waiting: RateLimiter["acquire"] = (_, { onWait }) => {
  onWait?.(5);
  return acquire();
};
const bearer = () => Promise.resolve("TOKEN");
const journal = { willSend: () => Promise.resolve(), attempted: nothing, ended: () => Promise.resolve() };

const dispatch = (steps: readonly Step[], options: Partial<ClientOptions>) =>
  createClient({
    baseUrl: "https://api.example",
    transport: scripted(...steps).transport,
    rateLimiter: false,
    clock: jumpingClock(),
    credentials: { bearer },
    ...options,
  }).dispatchOrder("1");

test.each<[string, Partial<ClientOptions>, readonly Step[], number]>([
  ["credentials.bearer", { credentials: { bearer: fail } }, [], 0],
  ["credentials.renew", { credentials: { bearer, renew: reject } }, [{ status: 401 }], 1],
  ["onWait", { onWait: fail }, [refused], 1],
  ["onWait", { onWait: reject }, [refused], 1],
  ["onWait", { onWait: reject, rateLimiter: { acquire: waiting, blocked: nothing } }, [], 0],
  ["onFallback", { onFallback: reject, credentials: { bearer, apiKey: bearer } }, [{ status: 401 }], 1],
  ["observer.sends", { observer: { sends: reject } }, [{}], 0],
  ["observer.attempted", { observer: { attempted: reject } }, [{}], 1],
  ["observer.ended", { observer: { ended: reject } }, [{}], 1],
  ["rateLimiter.acquire", { rateLimiter: { acquire: reject, blocked: nothing } }, [], 0],
  ["rateLimiter.blocked", { rateLimiter: { acquire, blocked: fail } }, [{ status: 429 }], 1],
  [
    "rateLimiter.acquire.settle",
    { rateLimiter: { acquire: () => Promise.resolve({ settle: reject }), blocked: nothing } },
    [{}],
    1,
  ],
  ["journal.willSend", { journal: { ...journal, willSend: reject } }, [], 0],
  ["journal.attempted", { journal: { ...journal, attempted: reject } }, [{}], 1],
  ["journal.ended", { journal: { ...journal, ended: reject } }, [{}], 1],
  ["clock.sleep", { clock: { ...jumpingClock(), sleep: reject } }, [refused], 1],
  ["random", { random: fail }, [refused], 1],
])("the error that %s throws is the cause", async (name, options, steps, attempts) => {
  const error = await errorOf(dispatch(steps, options));
  expect(error).toMatchObject({ code: "callback_failed", exitCode: 1, attempts, cause });
  expect(error.message).toBe(`${name} failed.`);
  const printed = [error.message, error.hint, error.stack, JSON.stringify(error)];
  expect(printed.join("\n")).not.toContain("secret");
  expect(inspect(error)).toContain("secret");
});

test("an error of the transport counts as a lost connection", async () => {
  const error = await errorOf(dispatch([cause], {}));
  expect(error).toMatchObject({ code: "outcome_unknown", evidence: "nobody", attempts: 1, cause });
});

test("an error of an observer after the response contains the response, and a hint to check it", async () => {
  const error = await errorOf(dispatch([{ status: 204 }], { observer: { attempted: fail } }));
  expect(error).toMatchObject({ httpStatus: 204, outcome: "unknown" });
  expect(error.hint).toContain("before you try again");
});

test("an error contains its call, the service's words and the number of attempts", async () => {
  const body = '{"code":4002,"message":"no","details":"finished"}';
  const error = await errorOf(
    scriptedClient([{ status: 409, body, headers: { "x-request-id": "7" } }]).client.dispatchOrder("04711"),
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

test("the error of an invalid input contains the operation", async () => {
  const { client } = scriptedClient([]);
  expect(await errorOf(client.assignDriver("1", { driver_id: 0 }))).toMatchObject({
    code: "invalid_input",
    field: "driver_id",
    operation: "assignDriver",
    method: "PUT",
    path: "/api/partner/v1/orders/{order_id}/driver",
  });
  const elsewhere = request(client, { method: "GET", path: "/../x?key=1" });
  const facts = { code: "invalid_input", operation: "request", method: "GET", path: "/../x" };
  expect(await errorOf(elsewhere)).toMatchObject(facts);
});

test("isComandaError recognizes an error and its code", () => {
  const error: unknown = new ComandaError("not_found", "No.");
  const codes = [undefined, "not_found", "forbidden"] as const;
  expect(codes.map((code) => isComandaError(error, code))).toEqual([true, true, false]);
  expect(isComandaError(new Error("not_found"))).toBe(false);
});
