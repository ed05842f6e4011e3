/** Observers of calls, errors of the program's own functions, and the facts in an error. */
import { inspect } from "node:util";

import { describe, expect, onTestFinished, test, vi } from "vitest";

import { request } from "../../src/client/any-call.js";
import { ComandaError, isComandaError, type Outcome } from "../../src/base/errors.js";
import type { CallObserver, CallOptions, ClientOptions, RateLimiter } from "../../src/client/options.js";
import { createClient } from "../../src/library/index.js";
import { TransportError } from "../../src/client/transport.js";
import { jumpingClock } from "./support/clock.js";
import { errorOf, scripted, scriptedClient, type Step } from "./support/scripted.js";
const refused = new TransportError("refused", false, "nothing listens");

test("an observer receives the call, each request and its verdict, and no secret", async () => {
  const seen: unknown[] = [];
  const observer: CallObserver = {
    sends: (call, about) => void seen.push({ ...call, ...about }),
    attempted: (_, { verdict }) => void seen.push(verdict),
  };
  const { client } = scriptedClient([refused, { status: 429 }, { status: 204 }, { status: 204 }, {}], {
    baseUrl: "https://api.example/prefix",
    credentials: { bearer: () => "SECRET", apiKey: () => "SECRET_KEY" },
    observer,
  });
  await client.cancelOrder("12", { cancellation_reason: "late" });
  await request(client, { method: "POST", path: "/api/partner/v1//orders/7/%63ancel?x=1" });
  await request(client, { method: "GET", path: "/api/partner/v1/orders/summary/grouped" });
  expect(JSON.stringify(seen)).not.toContain("SECRET");
  const cancellation = { number: 1, operation: "cancelOrder", order: "12", credential: "bearer" };
  expect(seen).toMatchObject([
    { ...cancellation, attempt: 1, body: '{"cancellation_reason":"late"}' },
    { outcome: "failed", httpStatus: null, code: "unreachable", evidence: null },
    { ...cancellation, attempt: 2 },
    { outcome: "refused", httpStatus: 429, code: "rate_limited", evidence: "gateway" },
    { ...cancellation, attempt: 3 },
    { outcome: "done", httpStatus: 204, code: null, evidence: "api" },
    { number: 2, operation: "cancelOrder", order: "7", attempt: 1 },
    { outcome: "done", httpStatus: 204 },
    { number: 3, operation: "groupedSummary", order: null },
    { outcome: "done", httpStatus: 200 },
  ]);
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
const done = () => Promise.resolve();
const journal = { willSend: done, attempted: nothing, ended: done };

const dispatch = (steps: readonly Step[], options: Partial<ClientOptions>, limits: CallOptions = {}) =>
  createClient({
    baseUrl: "https://api.example",
    transport: scripted(...steps).transport,
    rateLimiter: false,
    clock: jumpingClock(),
    credentials: { bearer },
    ...options,
  }).dispatchOrder("1", limits);

test.each<[string, Partial<ClientOptions>, Step]>([
  ["rateLimiter.blocked", { rateLimiter: { acquire, blocked: fail } }, { status: 429 }],
  ["clock.sleep", { clock: { ...jumpingClock(), sleep: reject } }, refused],
  ["random", { random: fail }, refused],
])("the error that %s throws is the cause", async (name, options, step) => {
  const error = await errorOf(dispatch([step], options));
  expect(error).toMatchObject({ code: "callback_failed", exitCode: 1, attempts: 1, cause });
  expect(error.message).toBe(`${name} failed.`);
  const printed = [error.message, error.hint, error.stack, JSON.stringify(error)];
  expect(printed.join("\n")).not.toContain("secret");
  expect(inspect(error)).toContain("secret");
});

test("an error of the transport counts as a lost connection", async () => {
  const error = await errorOf(dispatch([cause], {}));
  expect(error).toMatchObject({ code: "outcome_unknown", evidence: "nobody", attempts: 1, cause });
});

const names = (text: string) => text.split(" ");

/** The options of a client whose function of this name does something else. */
function withFunction(name: string, own: () => unknown): Partial<ClientOptions> {
  const run = own as () => Promise<never>;
  const settling = () => Promise.resolve({ settle: run });
  const options: Readonly<Record<string, Partial<ClientOptions>>> = {
    "credentials.bearer": { credentials: { bearer: run } },
    onWait: { onWait: run, rateLimiter: { acquire: waiting, blocked: nothing } },
    "observer.sends": { observer: { sends: run } },
    "observer.attempted": { observer: { attempted: run } },
    "journal.willSend": { journal: { ...journal, willSend: run } },
    "journal.attempted": { journal: { ...journal, attempted: run } },
    "journal.ended": { journal: { ...journal, ended: run } },
    "rateLimiter.acquire": { rateLimiter: { acquire: run, blocked: nothing } },
    "rateLimiter.acquire.settle": { rateLimiter: { acquire: settling, blocked: nothing } },
  };
  return options[name] ?? {};
}
const never = () => new Promise<never>(nothing);
const beforeRequest = names("credentials.bearer onWait observer.sends journal.willSend rateLimiter.acquire");
const afterResponse = names("journal.attempted observer.attempted rateLimiter.acquire.settle journal.ended");

/** Lets a call run for half a second of fake time. */
async function played<Value>(call: () => Promise<Value>): Promise<Value> {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const running = call();
  running.catch(nothing);
  await vi.advanceTimersByTimeAsync(500);
  return running;
}

/** Aborts a call after some milliseconds. */
function stopAfter(ms: number): CallOptions {
  const stop = new AbortController();
  setTimeout(() => stop.abort(), ms);
  return { signal: stop.signal };
}

describe.each(beforeRequest)("%s, which is called before the request,", (name) => {
  test.each([
    { how: "fails", own: fail, message: `${name} failed.` },
    { how: "never ends", own: never, message: `${name} took too long.` },
  ])("ends the call if it $how, and the error says that nothing was sent", async ({ own, message }) => {
    const options = { ...withFunction(name, own), maxWaitMs: 0, timeoutMs: 20 };
    const error = await played(() => errorOf(dispatch([], options)));
    const unsent = { code: "callback_failed", outcome: "failed", evidence: null, attempts: 0 };
    expect(error).toMatchObject({ ...unsent, message });
    expect(error.hint).toContain("Nothing was sent.");
  });

  test("is given up when the call is aborted", async () => {
    const call = () => dispatch([], withFunction(name, never), stopAfter(20));
    const error = await played(() => errorOf(call()));
    expect(error).toMatchObject({ code: "interrupted", outcome: "failed", evidence: null, attempts: 0 });
  });
});

const conflict = { status: 409, body: '{"code":4002,"message":"no"}' };
const responses = [
  { response: { status: 204 }, outcome: "done", httpStatus: 204, code: null },
  { response: conflict, outcome: "refused", httpStatus: 409, code: "status_conflict" },
  { response: { status: 502 }, outcome: "unknown", httpStatus: 502, code: "outcome_unknown" },
  { response: { status: 429 }, outcome: "refused", httpStatus: 429, code: "rate_limited" },
];
describe.each(afterResponse)("%s, which is called after the response,", (name) => {
  test.each(responses)(
    "changes no outcome if it fails: HTTP $httpStatus, $outcome",
    async ({ response, code, ...facts }) => {
      for (const own of [fail, reject]) {
        const error = await errorOf(dispatch([response], { ...withFunction(name, own), maxWaitMs: 0 }));
        // At the end, an error of the call says more.
        const isOwn = code === null || name !== "journal.ended";
        expect(error).toMatchObject({ ...facts, code: isOwn ? "callback_failed" : code, attempts: 1 });
        if (isOwn) expect(error).toMatchObject({ cause, message: `${name} failed.` });
        if (response === conflict) expect(error).toMatchObject({ serviceCode: 4002, serviceMessage: "no" });
        if (code === null) expect(error.hint).toContain("don't repeat it");
        if (facts.outcome === "unknown") expect(error.hint).toContain("before you try again");
      }
    },
  );

  test.each(responses)(
    "is given up by timeout and signal if it never ends: HTTP $httpStatus, $outcome",
    async ({ response, ...facts }) => {
      for (const limit of [() => ({ timeoutMs: 20 }), () => stopAfter(20)]) {
        const call = () => dispatch([response], { ...withFunction(name, never), maxWaitMs: 0 }, limit());
        const { code, outcome, httpStatus } = await played(() =>
          call().catch((error: unknown) => (isComandaError(error) ? error : Promise.reject(error as Error))),
        );
        expect({ code, outcome, httpStatus }).toEqual(facts);
      }
    },
  );
});

describe.each<readonly [string, number, Partial<ClientOptions>, string]>([
  ["credentials.renew", 401, { credentials: { bearer, renew: reject } }, "failed"],
  ["credentials.renew", 401, { credentials: { bearer, renew: never } }, "took too long"],
  ["onFallback", 401, { credentials: { bearer, apiKey: bearer }, onFallback: reject }, "failed"],
  ["onFallback", 401, { credentials: { bearer, apiKey: bearer }, onFallback: never }, "took too long"],
  ["onWait", 429, { onWait: reject }, "failed"],
  ["onWait", 429, { onWait: never }, "took too long"],
])("%s, which is called between two requests,", (name, status, options, what) => {
  test(`has the outcome of HTTP ${status} if it ${what}`, async () => {
    const error = await played(() => errorOf(dispatch([{ status }], { ...options, timeoutMs: 20 })));
    const facts = { code: "callback_failed", outcome: "refused", httpStatus: status, attempts: 1 };
    expect(error).toMatchObject({ ...facts, message: `${name} ${what}.` });
    expect(error.hint).not.toContain("Nothing was sent");
  });
});

test("a call that its observer aborts after code 4002 has the outcome that the observer saw", async () => {
  const stop = new AbortController();
  const seen: Outcome[] = [];
  const attempted: CallObserver["attempted"] = (_, { verdict }) => {
    seen.push(verdict);
    if (seen.length < 2) return;
    stop.abort();
    throw cause;
  };
  const lost = new TransportError("reset", true, "the connection ended");
  const { client } = scriptedClient([lost, conflict], { observer: { attempted } });
  const error = await errorOf(client.assignDriver(1, { driver_id: 7 }, { signal: stop.signal }));
  expect(error).toMatchObject({ ...seen[1], code: "outcome_unknown", serviceCode: 4002, evidence: "api" });
  expect(error.message).toContain("refused with code 4002");
});

test("the functions of a program are called in the documented order", async () => {
  const called: string[] = [];
  const tell = (name: string) => () => void called.push(name);
  const telling = (name: string) => () => Promise.resolve(called.push(name)).then(nothing);
  const token = (name: string, value: string) => () => Promise.resolve(called.push(name)).then(() => value);
  const permit = { settle: tell("settle") };
  const acquire: RateLimiter["acquire"] = async (_, { onWait }) => {
    called.push("acquire");
    await onWait?.(5);
    return permit;
  };
  const [attempted, ended] = ["journal.attempted", "journal.ended"];
  const { transport } = scripted({ status: 401 }, { status: 401 }, { status: 429 }, refused, { status: 204 });
  await dispatch([], {
    transport: { ...transport, send: (built) => (called.push("request"), transport.send(built)) },
    observer: { sends: tell("sends"), attempted: tell("observer.attempted") },
    journal: { willSend: telling("willSend"), attempted: tell(attempted), ended: telling(ended) },
    credentials: {
      bearer: token("bearer", "1"),
      renew: token("renew", "2"),
      apiKey: token("apiKey", "3"),
    },
    onFallback: tell("onFallback"),
    onWait: tell("onWait"),
    random: () => called.push("random") * 0,
    rateLimiter: { acquire, blocked: tell("blocked") },
    clock: { ...jumpingClock(), sleep: telling("sleep") },
  });
  const sending = ["acquire", "onWait", "sends", "willSend", "request"];
  const attempt = [...sending, "journal.attempted", "observer.attempted", "settle"];
  const failed = [...attempt, "random"];
  expect(called).toEqual([
    ...["bearer", ...failed],
    ...["renew", ...failed],
    ...["apiKey", "onFallback", ...failed, "blocked", "onWait", "sleep"],
    ...[...failed, "onWait", "sleep"],
    ...[...attempt, "journal.ended"],
  ]);
});

test("functions that never end delay a call by one timeout, and each is called", async () => {
  const called: string[] = [];
  const stall = (name: string) => () => {
    called.push(name);
    return never();
  };
  const all: Partial<ClientOptions> = {
    observer: { attempted: stall("observer.attempted") },
    journal: { ...journal, attempted: stall("journal.attempted"), ended: stall("journal.ended") },
    ...withFunction("rateLimiter.acquire.settle", stall("rateLimiter.acquire.settle")),
  };
  const call = () => dispatch([{ status: 204 }], all, { timeoutMs: 490 });
  expect(await played(call)).toMatchObject({ outcome: "done" });
  expect(called).toEqual(afterResponse);
});

test("a slot that a limiter grants too late is freed", async () => {
  let grant: ((permit: { settle(sent: boolean): void }) => void) | undefined;
  const late = () => new Promise<{ settle(sent: boolean): void }>((resolve) => (grant = resolve));
  const options = { rateLimiter: { acquire: late, blocked: nothing }, maxWaitMs: 0, timeoutMs: 20 };
  const error = await played(() => errorOf(dispatch([], options)));
  expect(error).toMatchObject({ code: "callback_failed", attempts: 0 });
  const settled = new Promise((settle) => grant?.({ settle }));
  expect(await settled).toBe(false);
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
  const whole = { ...fields, name: "ComandaError", message, hint, value: null };
  expect(JSON.parse(JSON.stringify(error))).toEqual(whole);
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
