import { describe, expect, test, vi } from "vitest";

import type { ObservedAttempt, WaitNotice } from "../../src/client/options.js";
import type { ClientOptions } from "../../src/client/options.js";
import { createClient, describeCall } from "../../src/client/client.js";
import { TransportError } from "../../src/client/transport.js";
import { ComandaError } from "../../src/client/errors.js";
import { jumpingClock } from "./support/clock.js";
import { errorOf } from "./support/error-of.js";
import { scripted, type Step } from "./support/scripted.js";

const refused = new TransportError("refused", false, "nothing listens");
const reset = new TransportError("reset", true, "reset");
const token = (body = '{"code":4010,"message":"Invalid token"}') => ({ status: 401, body });
const summaryBody = '{"total_order_count":1,"total_revenue":1,"average_order_value":1}';
const period = { start_date: "2026-10-01T00:00:00Z", end_date: "2026-10-02T00:00:00Z" };

function clientOf(
  { transport }: ReturnType<typeof scripted>,
  options: Partial<ClientOptions> & { clock?: ReturnType<typeof jumpingClock> } = {},
) {
  return createClient({
    baseUrl: "https://api.example",
    transport,
    rateLimiter: false,
    clock: jumpingClock(),
    random: () => 0.5,
    credentials: { bearer: () => Promise.resolve("TOKEN") },
    ...options,
  });
}

describe("repeating", () => {
  test("goes on until it succeeds, and says so before each wait", async () => {
    const clock = jumpingClock();
    const waits: WaitNotice[] = [];
    const attempts: ObservedAttempt[] = [];
    const script = scripted(refused, reset, { status: 503 }, { body: summaryBody });
    const client = clientOf(script, {
      clock,
      onWait: (n) => waits.push(n),
      observer: { attempted: (_, attempt) => void attempts.push(attempt) },
    });
    expect(await client.summary(period)).toMatchObject({ attempts: 4, value: { total_order_count: 1 } });
    expect(clock.sleeps).toEqual([250, 500, 1000]);
    expect(waits.map(({ reason, attempts: sent }) => [reason, sent])).toEqual([
      ["no_answer", 1],
      ["no_answer", 2],
      ["no_answer", 3],
    ]);
    expect(attempts.map(({ attempt, answer, failure }) => [attempt, answer?.status ?? failure])).toEqual([
      [1, "refused"],
      [2, "reset"],
      [3, 503],
      [4, 200],
    ]);
    expect(JSON.stringify(attempts)).not.toContain("TOKEN");
  });

  test.each([
    [reset, "The call to api.example failed: reset."],
    [
      new TransportError("timeout", true, "no complete answer came in time"),
      /^The call to api.example failed: no/,
    ],
    [refused, "api.example can't be reached: nothing listens."],
    // What a fetch can't tell apart counts as sent.
    [
      new TransportError("dns", true, "the host name has no address"),
      /^api.example can't be reached: the host/,
    ],
  ])("says that the service was not reached only where it was not: %s", async (failure, message) => {
    const error = await errorOf(clientOf(scripted(failure), { maxRetries: 0 }).summary(period));
    expect(error.code).toBe("unreachable");
    expect(error.message).toMatch(message);
  });

  test("does not happen to a write that was sent: one request, outcome unknown", async () => {
    const script = scripted(refused, reset);
    const error = await errorOf(clientOf(script).finalizeOrder("1"));
    expect(error).toMatchObject({ code: "outcome_unknown", attempts: 2, exitCode: 9 });
    expect(error.hint).toContain("4002");
    expect(script.requests).toHaveLength(2);
  });

  test("tells for each write what to do about an unknown outcome", async () => {
    const hint = async (call: (client: ReturnType<typeof clientOf>) => Promise<unknown>) =>
      (
        await errorOf(
          call(
            clientOf(scripted(reset), {
              credentials: { bearer: () => Promise.resolve("T"), apiKey: () => Promise.resolve("K") },
            }),
          ),
        )
      ).hint;
    expect(await hint((client) => client.cancelOrder("1"))).toContain("no harm");
    expect(await hint((client) => client.deliverOrder("1"))).toContain("no harm");
    expect(await hint((client) => client.dispatchOrder("1"))).toContain("portal");
    expect(await hint((client) => client.createPrefilledOrder({ order_type: "takeout" }))).toContain(
      "second",
    );
  });

  const mixed = new TransportError("refused", false, "the connection was refused");
  test.each<[string, readonly Step[]]>([
    ["each is reset", [reset, reset, reset, reset]],
    ["the first is reset, then nothing listens", [reset, mixed, mixed, mixed]],
    ["each is a page", Array.from({ length: 4 }, () => ({ body: "<html></html>" }))],
    ["it is a list, which isn't asked for again", [{ body: "[]" }]],
    ["the first is reset, then the token is refused", [reset, token()]],
    ...[403, 404].map((status): [string, readonly Step[]] => [
      `the first is reset, then a gateway's page says ${status}`,
      [reset, { status, body: "<h1>No</h1>" }],
    ]),
    [
      "the first is reset, then a scope is missing",
      [reset, { status: 403, body: '{"code":4030,"message":"No"}' }],
    ],
  ])("of a driver's assignment, %s: it is not known whether it was done", async (_, attempts) => {
    const script = scripted(...attempts);
    const error = await errorOf(clientOf(script).assignDriver("1", { driver_id: 7 }));
    expect(error).toMatchObject({ code: "outcome_unknown", exitCode: 9, attempts: attempts.length });
    expect(error.message).toMatch(/^The request was sent, but it is not known whether it was done: /);
    expect(error.hint).toMatch(/^Repeating it does no harm: the same driver and fee are set again\./);
  });

  test.each<[string, readonly Step[], string]>([
    ["nothing ever listened", [mixed, mixed, mixed, mixed], "unreachable"],
    [
      "refused after a reset",
      [reset, { status: 400, body: '{"code":4000,"message":"No"}' }],
      "invalid_request",
    ],
    ["not found after a reset", [reset, { status: 404, body: '{"code":4041,"message":"No"}' }], "not_found"],
  ])("of a driver's assignment, %s: known", async (_, attempts, code) => {
    const error = await errorOf(clientOf(scripted(...attempts)).assignDriver("1", { driver_id: 7 }));
    expect(error).toMatchObject({ code, attempts: attempts.length });
  });

  test.each<[string, (abort: AbortController) => Pick<ClientOptions, "onWait" | "rateLimiter">]>([
    ["an abort in the pause", (abort) => ({ onWait: () => abort.abort(new Error("enough")) })],
    [
      "a rate limit that leaves no place",
      () => {
        let places = 1;
        const acquire = () =>
          (places -= 1) < 0
            ? Promise.reject(new ComandaError("rate_limited", "full"))
            : Promise.resolve({ settle: () => undefined });
        return { rateLimiter: { acquire, blocked: () => undefined } };
      },
    ],
  ])("of a write in doubt, ended by %s, is unknown", async (_, options) => {
    const abort = new AbortController();
    const client = clientOf(scripted(reset), options(abort));
    const call = client.assignDriver("1", { driver_id: 7 }, { signal: abort.signal });
    expect(await errorOf(call)).toMatchObject({ code: "outcome_unknown", attempts: 1 });
  });

  test("happens to the driver, which can be set twice", async () => {
    const script = scripted(reset, { body: '{"id":1,"driver_id":7,"total":"odd","color":"blue"}' });
    const result = await clientOf(script).assignDriver("1", { driver_id: 7 });
    expect(result).toMatchObject({ attempts: 2, value: { id: 1, driver_id: 7, color: "blue" } });
    expect(result.value).not.toHaveProperty("total");
    expect(result.raw).toContain('"odd"');
  });
});

describe("a service that is away for a while and says for how long", () => {
  const away = { status: 503, headers: { "retry-after": "12" } };
  const month = { start_date: "2026-10-01T00:00:00Z", end_date: "2026-10-31T23:59:59Z" };
  const summary = { total_order_count: 1, total_revenue: 2, average_order_value: 2 };

  test("is asked again then, and not before", async () => {
    const clock = jumpingClock();
    const script = scripted(away, away, { body: JSON.stringify(summary) });
    expect((await clientOf(script, { clock }).summary(month)).attempts).toBe(3);
    expect(clock.sleeps).toEqual([12_000, 12_000]);
  });
});

describe("a rate limit", () => {
  const limited = (header?: string) => ({ status: 429, headers: header ? { "retry-after": header } : {} });

  test("is waited for as the service says, also by a write", async () => {
    const clock = jumpingClock();
    const waits: WaitNotice[] = [];
    const script = scripted(limited("12"), limited(), {});
    const client = clientOf(script, { clock, onWait: (notice) => waits.push(notice) });
    expect(await client.dispatchOrder("1")).toMatchObject({ httpStatus: 200, attempts: 3 });
    expect(clock.sleeps).toEqual([12_000, 135_000]);
    expect(waits.map(({ reason }) => reason)).toEqual(["rate_limited", "rate_limited"]);
  });

  test("fails at once where nobody waits", async () => {
    const clock = jumpingClock();
    const error = await errorOf(clientOf(scripted(limited("1")), { clock, maxWaitMs: 0 }).dispatchOrder("1"));
    expect(error).toMatchObject({
      code: "rate_limited",
      attempts: 1,
      httpStatus: 429,
      exitCode: 7,
    });
    expect(clock.sleeps).toEqual([]);
  });

  test("that the service reports holds the other calls of its bucket back too", async () => {
    const clock = jumpingClock();
    const blocked: [string, number][] = [];
    const client = clientOf(scripted(limited("9"), {}), {
      clock,
      rateLimiter: {
        acquire: () => Promise.resolve({ settle: () => undefined }),
        blocked: (bucket, ms) => void blocked.push([bucket, ms]),
      },
    });
    await client.dispatchOrder("1");
    expect(blocked).toEqual([["general", 9000]]);
  });

  test("is kept without being told: the sixth summary of a minute waits", async () => {
    const clock = jumpingClock();
    const client = createClient({
      baseUrl: "https://api.example",
      transport: scripted(...Array.from({ length: 6 }, () => ({ body: summaryBody }))).transport,
      clock,
      credentials: { bearer: () => Promise.resolve("TOKEN") },
    });
    for (let n = 0; n < 6; n += 1) await client.summary(period);
    expect(clock.sleeps).toEqual([60_000]);
  });

  test("gives the place back where nothing was sent", async () => {
    const settled: boolean[] = [];
    const limiter = {
      acquire: () => Promise.resolve({ settle: (sent: boolean) => void settled.push(sent) }),
      blocked: () => undefined,
    };
    await errorOf(clientOf(scripted(refused, reset), { rateLimiter: limiter }).dispatchOrder("1"));
    expect(settled).toEqual([false, true]);
  });
});

describe("credentials", () => {
  const both = { bearer: () => Promise.resolve("TOKEN"), apiKey: () => Promise.resolve("KEY") };

  test("that are missing are named, before any request", async () => {
    const script = scripted();
    const key = clientOf(script, { credentials: { apiKey: both.apiKey } });
    const bearer = clientOf(script, { credentials: { bearer: both.bearer } });
    const summary = await errorOf(key.summary(period));
    expect(summary).toMatchObject({ code: "not_signed_in", exitCode: 3 });
    expect([summary.message, summary.hint]).toEqual([
      "This call needs an access token of the store, and there is none.",
      "Give it to the client: credentials.bearer.",
    ]);
    const prefill = await errorOf(bearer.createPrefilledOrder({ order_type: "takeout" }));
    expect([prefill.message, prefill.hint]).toEqual([
      "This call needs an API key of the store, and there is none.",
      "Give it to the client: credentials.apiKey.",
    ]);
  });

  test("that can't travel in a header are refused without being shown", async () => {
    const credentials = { bearer: () => Promise.resolve("a\r\nx-evil: 1") };
    const error = await errorOf(clientOf(scripted(), { credentials }).dispatchOrder("1"));
    expect(error.code).toBe("not_signed_in");
    expect(`${error.message} ${error.hint ?? ""}`).not.toContain("evil");
  });

  test("that are refused are renewed once, and the call repeated once", async () => {
    const renewed: string[] = [];
    const renew = (old: string) => {
      renewed.push(old);
      return Promise.resolve("NEW");
    };
    const script = scripted(token(), {});
    const client = clientOf(script, { credentials: { ...both, renew } });
    expect(await client.dispatchOrder("1")).toMatchObject({ attempts: 2 });
    expect(renewed).toEqual(["TOKEN"]);
    expect(script.requests.map(({ headers }) => headers["authorization"])).toEqual([
      "Bearer TOKEN",
      "Bearer NEW",
    ]);
    const again = clientOf(scripted(token(), token()), { credentials: { bearer: both.bearer, renew } });
    expect(await errorOf(again.dispatchOrder("1"))).toMatchObject({ code: "token_refused", attempts: 2 });
  });

  test("that another process has renewed before, and are refused all the same, are renewed in their turn, once", async () => {
    const renewed: string[] = [];
    const renew = (old: string) => {
      renewed.push(old);
      return Promise.resolve(old === "TOKEN" ? "THEIRS" : "NEW");
    };
    const isAdopted = (each: string) => each === "THEIRS";
    const credentials = { bearer: both.bearer, renew, isAdopted };
    const client = clientOf(scripted(token(), token(), {}), { credentials });
    expect(await client.dispatchOrder("1")).toMatchObject({ attempts: 3 });
    expect(renewed).toEqual(["TOKEN", "THEIRS"]);
    const again = clientOf(scripted(token(), token(), token()), { credentials });
    expect(await errorOf(again.dispatchOrder("1"))).toMatchObject({ code: "token_refused", attempts: 3 });
  });

  test("that can't be renewed end the call", async () => {
    for (const renew of [() => Promise.resolve(undefined), () => Promise.resolve("TOKEN"), undefined]) {
      const credentials = { bearer: both.bearer, ...(renew ? { renew } : {}) };
      const error = await errorOf(clientOf(scripted(token()), { credentials }).summary(period));
      expect(error).toMatchObject({ code: "token_refused", attempts: 1 });
    }
  });

  describe("that are refused for good", () => {
    const signedWith = ({ requests }: ReturnType<typeof scripted>) =>
      requests.map(({ headers }) =>
        [headers["authorization"], headers["x-api-key"]].filter(Boolean).join("+"),
      );
    const gone = new ComandaError("token_refused", "The sign-in is no longer accepted.");

    test.each<[string, ClientOptions["credentials"], number]>([
      ["can't be renewed", both, 1],
      ["are refused after the renewal too", { ...both, renew: () => Promise.resolve("NEW") }, 2],
      ["are refused in the renewal", { ...both, renew: () => Promise.reject(gone) }, 1],
      ["are known to be refused", { ...both, bearer: () => Promise.reject(gone) }, 0],
    ])("since they %s, leave a status change to the API key", async (_, credentials, refusals) => {
      const onFallback = vi.fn();
      const script = scripted(...Array.from({ length: refusals }, () => token()), {}, {});
      const client = clientOf(script, { credentials, onFallback });
      expect(await client.dispatchOrder("1")).toMatchObject({ attempts: refusals + 1 });
      expect(await client.dispatchOrder("2")).toMatchObject({ attempts: 1 });
      const bearers = ["Bearer TOKEN", "Bearer NEW"].slice(0, refusals);
      expect(signedWith(script)).toEqual([...bearers, "KEY", "KEY"]);
      expect(onFallback).toHaveBeenCalledTimes(1);
    });

    test("say so where there is no API key", async () => {
      const onFallback = vi.fn();
      const alone = clientOf(scripted(token()), { credentials: { bearer: both.bearer }, onFallback });
      expect(await errorOf(alone.dispatchOrder("1"))).toMatchObject({ code: "token_refused", attempts: 1 });
      const credentials = { bearer: () => Promise.reject(gone) };
      expect(
        await errorOf(clientOf(scripted(), { credentials, onFallback }).dispatchOrder("1")),
      ).toMatchObject({
        code: "token_refused",
        attempts: 0,
        message: gone.message,
      });
      expect(onFallback).not.toHaveBeenCalled();
    });

    test("are both told where the API key is refused too", async () => {
      const error = await errorOf(
        clientOf(scripted(token(), token()), { credentials: both }).dispatchOrder("1"),
      );
      expect(error).toMatchObject({ code: "token_refused", attempts: 2 });
      expect(error.hint).toMatch(/^Check the key.*\nIt has expired or was revoked/);
    });

    test("are not those that a service which can't be reached keeps from being renewed", async () => {
      const away = new ComandaError("unreachable", "away");
      const credentials = { ...both, renew: () => Promise.reject(away) };
      const script = scripted(token());
      expect(await errorOf(clientOf(script, { credentials }).dispatchOrder("1"))).toMatchObject({
        code: "unreachable",
      });
      expect(signedWith(script)).toEqual(["Bearer TOKEN"]);
    });
  });

  test("are told of in the words of whoever gave them", async () => {
    const hint = (signature: string) => `Get one of ${signature} here.`;
    const refused = clientOf(scripted(token()), { credentials: { bearer: both.bearer, hint } });
    expect((await errorOf(refused.summary(period))).hint).toBe("Get one of bearer here.");
    const forbidden = clientOf(scripted({ status: 403 }), { credentials: { bearer: both.bearer, hint } });
    expect((await errorOf(forbidden.summary(period))).hint).toMatch(/scopes orders;.*\nGet one of bearer/s);
    const none = clientOf(scripted(), { credentials: { hint } });
    expect((await errorOf(none.createPrefilledOrder({ order_type: "takeout" }))).hint).toContain("api_key");
  });

  test.each<unknown>([null, ""])("that are %j count as none", async (nothing) => {
    const credentials = { bearer: () => Promise.resolve(nothing as string | undefined), apiKey: both.apiKey };
    const script = scripted({});
    await clientOf(script, { credentials }).dispatchOrder("1");
    expect(script.requests[0]?.headers).toMatchObject({ "x-api-key": "KEY" });
  });

  test("keep their own errors", async () => {
    const ours = new ComandaError("token_refused", "Sign in again.", { hint: "login" });
    const own = { bearer: () => Promise.reject(ours) };
    expect(await errorOf(clientOf(scripted(), { credentials: own }).dispatchOrder("1"))).toMatchObject({
      code: "token_refused",
      hint: "login",
      attempts: 0,
    });
  });

  test("that the service quotes back are masked", async () => {
    const script = scripted({ status: 400, body: '{"code":4000,"message":"bad TOKEN","details":"TOKEN!"}' });
    const error = await errorOf(clientOf(script).dispatchOrder("1"));
    expect(JSON.stringify([error, error.message])).not.toContain("TOKEN");
    expect(error).toMatchObject({
      httpStatus: 400,
      serviceCode: 4000,
      serviceMessage: "bad ****",
      details: "****!",
    });
  });
});

describe("interrupting", () => {
  test("while waiting ends the call with the caller's own reason", async () => {
    const abort = new AbortController();
    const client = clientOf(scripted(refused), {
      onWait: () => abort.abort(new ComandaError("terminated", "Ended.")),
    });
    const error = await errorOf(client.dispatchOrder("1", { signal: abort.signal }));
    expect(error).toMatchObject({ code: "terminated", attempts: 1 });
  });

  test("after a write was sent leaves its outcome unknown", async () => {
    const aborted = new TransportError("aborted", true, "aborted");
    expect(await errorOf(clientOf(scripted(aborted)).cancelOrder("1"))).toMatchObject({
      code: "outcome_unknown",
    });
    expect(await errorOf(clientOf(scripted(aborted)).summary(period))).toMatchObject({ code: "interrupted" });
  });

  test("before anything is begun begins nothing, and keeps the signal's reason", async () => {
    const asked: string[] = [];
    const bearer = () => Promise.resolve(asked.push("bearer").toString());
    const reason = new Error("closing time");
    const call = clientOf(scripted(), { credentials: { bearer } }).dispatchOrder("1", {
      signal: AbortSignal.abort(reason),
    });
    expect(await errorOf(call)).toMatchObject({ code: "interrupted", attempts: 0, cause: reason });
    expect(asked).toEqual([]);
  });

  test("an unknown outcome keeps the reason too", async () => {
    const abort = new AbortController();
    const transport = {
      send: () => {
        abort.abort("enough");
        return Promise.reject(new TransportError("aborted", true, "aborted"));
      },
      close: () => Promise.resolve(),
    };
    const error = await errorOf(
      clientOf({ ...scripted(), transport }).dispatchOrder("1", { signal: abort.signal }),
    );
    expect(error).toMatchObject({ code: "outcome_unknown", attempts: 1, cause: "enough" });
  });

  test.each(["bearer", "renew", "apiKey"])("doesn't wait for a %s that takes its time", async (slow) => {
    const abort = new AbortController();
    const never = () => {
      setImmediate(() => abort.abort());
      return new Promise<string>(() => undefined);
    };
    const bearer = () => Promise.resolve(slow === "renew" ? "TOKEN" : undefined);
    const credentials = { bearer, [slow]: never };
    const call = clientOf(scripted(token()), { credentials }).dispatchOrder("1", { signal: abort.signal });
    expect(await errorOf(call)).toMatchObject({ code: "interrupted", attempts: slow === "renew" ? 1 : 0 });
  });
});

describe("an amount", () => {
  test.each([
    ["0", '{"driver_id":1,"driver_fee":0}'],
    ["007.50", '{"driver_id":1,"driver_fee":7.50}'],
    ["0.1", '{"driver_id":1,"driver_fee":0.1}'],
  ])("a typed fee of %s goes out as a JSON number", async (driverFee, body) => {
    const script = scripted({ body: '{"id":1}' });
    await clientOf(script).assignDriver("1", { driver_id: 1, driver_fee: driverFee });
    expect(script.requests[0]?.body).toBe(body);
    expect(JSON.parse(body)).toBeTruthy();
  });
});

test("a call has its own time and number of retries, in place of the client's", async () => {
  const script = scripted(refused, refused, {});
  const client = clientOf(script, { maxRetries: 0, timeoutMs: 1000 });
  expect((await errorOf(client.dispatchOrder("1"))).attempts).toBe(1);
  expect(await client.dispatchOrder("1", { maxRetries: 1, timeoutMs: 5000 })).toMatchObject({ attempts: 2 });
  expect(script.requests.map(({ timeoutMs }) => timeoutMs)).toEqual([1000, 5000, 5000]);
});

test.each([4711, "4711"])("an order's id may be a number or a text: %j", async (order) => {
  const script = scripted({ status: 204 });
  await clientOf(script).dispatchOrder(order);
  expect(script.requests[0]?.url).toBe("https://api.example/api/partner/v1/orders/4711/dispatch");
});

describe("the base URL", () => {
  test.each([
    "no url",
    "ftp://api.example",
    "http://api.example",
    "https://user:pass@api.example",
    "https://api.example?x=1",
    "https://api.example/#x",
  ])("%s is refused", (baseUrl) => {
    expect(() => clientOf(scripted(), { baseUrl })).toThrow(ComandaError);
  });

  test.each(["https://api.example/a/", "http://127.0.0.1:1", "http://[::1]:1/", "http://localhost:1"])(
    "%s is taken",
    (baseUrl) => {
      expect(() => clientOf(scripted(), { baseUrl })).not.toThrow();
    },
  );
});

describe("a described request", () => {
  const options = { baseUrl: "https://api.example", credentials: {} };

  test("is the one that would be sent, the secret masked", async () => {
    const script = scripted({ body: '{"id":1}' });
    const input = { driver_id: 7, driver_fee: "7.50" };
    await clientOf(script).assignDriver("1", input);
    const described = await describeCall(options, ["api_key", "bearer"], (client) =>
      client.assignDriver("1", input),
    );
    const { method, url, headers, body } = script.requests[0] ?? {};
    expect(described).toEqual({ method, url, body, headers: { ...headers, authorization: "Bearer ****" } });
  });

  test("needs the credential that the call would need, and its input", async () => {
    const described = (call: Parameters<typeof describeCall>[2]) => describeCall(options, ["api_key"], call);
    expect(await errorOf(described((client) => client.summary(period)))).toMatchObject({
      code: "not_signed_in",
    });
    expect(await errorOf(described((client) => client.dispatchOrder("x")))).toMatchObject({
      code: "invalid_input",
    });
    const { headers } = await described((client) => client.dispatchOrder("1"));
    expect(headers).toMatchObject({ "x-api-key": "****" });
  });

  test("has a filter's values as section 4.8 spells them", async () => {
    const filters = {
      status_in: ["closed", "ready"],
      driver_id_not_in: [7, "8"],
      total_gteq: "49.90",
      customer_origin_not_null: true,
    } as const;
    const { url } = await describeCall(options, ["bearer"], (client) =>
      client.summary({ ...period, filters }),
    );
    expect(
      decodeURIComponent(url)
        .replace(/.*?&filters/, "filters")
        .split("&"),
    ).toEqual([
      "filters[status_in]=closed",
      "filters[status_in]=ready",
      "filters[driver_id_not_in]=7",
      "filters[driver_id_not_in]=8",
      "filters[total_gteq]=49.90",
      "filters[customer_origin_not_null]=true",
    ]);
  });
});
