import { describe, expect, test, vi } from "vitest";

import type { Client } from "../../src/client/client.js";
import { ComandaError } from "../../src/base/errors.js";
import type { ClientOptions, ObservedAttempt, WaitNotice } from "../../src/client/options.js";
import { TransportError, type HttpRequest } from "../../src/client/transport.js";
import { errorOf, period, scriptedClient, type Step } from "./support/scripted.js";

const refused = new TransportError("refused", false, "nothing listens");
const reset = new TransportError("reset", true, "reset");
const expired: Step = { status: 401, body: '{"code":4010,"message":"Invalid token"}' };
const figures = { body: '{"total_order_count":1,"total_revenue":1,"average_order_value":1}' };

describe("a retry", () => {
  test("happens until the call succeeds, and each wait is announced", async () => {
    const waits: WaitNotice[] = [];
    const attempts: ObservedAttempt[] = [];
    const { client, clock } = scriptedClient([refused, reset, { status: 503 }, figures], {
      onWait: (notice) => waits.push(notice),
      observer: { attempted: (_, attempt) => void attempts.push(attempt) },
    });
    expect(await client.summary(period)).toMatchObject({ attempts: 4, value: { total_order_count: 1 } });
    expect(clock.sleeps).toEqual([250, 500, 1000]);
    const told = waits.map(({ reason, attempts: sent }) => `${reason} ${sent}`);
    expect(told.join(", ")).toBe("no_answer 1, no_answer 2, no_answer 3");
    const results = attempts.map(({ answer, failure }) => answer?.status ?? failure);
    expect(results.join(", ")).toBe("refused, reset, 503, 200");
  });

  const takeout = { order_type: "takeout" } as const;

  test.each<[string, (client: Client) => Promise<unknown>, RegExp]>([
    ["cancelOrder", (client) => client.cancelOrder("1"), /safely.*4002/],
    ["dispatchOrder", (client) => client.dispatchOrder("1"), /portal before you try again/],
    ["createPrefilledOrder", (client) => client.createPrefilledOrder(takeout), /at worst, there are two/],
  ])("doesn't apply to %s once it was sent, and the hint says what to do", async (_, call, hint) => {
    const credentials = { apiKey: () => Promise.resolve("K") };
    const { client, requests } = scriptedClient([refused, reset], { credentials });
    const error = await errorOf(call(client));
    expect(error).toMatchObject({ code: "outcome_unknown", attempts: 2, exitCode: 9 });
    expect(error.hint).toMatch(hint);
    expect(requests).toHaveLength(2);
  });

  test("applies to an assignment, which can be sent twice", async () => {
    const order = { body: '{"id":1,"driver_id":7,"total":"odd","color":"blue"}' };
    const result = await scriptedClient([reset, order]).client.assignDriver("1", { driver_id: 7 });
    expect(result).toMatchObject({ attempts: 2 });
    // An undocumented field is in the result, and one that isn't valid is omitted.
    expect(result.value).toEqual({ id: 1, driver_id: 7, color: "blue" });
    expect(result.raw).toContain('"odd"');
  });

  test("follows the options of the call before those of the client", async () => {
    const { client, requests } = scriptedClient([refused, refused, {}], { maxRetries: 0, timeoutMs: 1000 });
    expect((await errorOf(client.dispatchOrder("1"))).attempts).toBe(1);
    const again = await client.dispatchOrder("1", { maxRetries: 1, timeoutMs: 5000 });
    expect(again).toMatchObject({ attempts: 2 });
    expect(requests.map(({ timeoutMs }) => timeoutMs)).toEqual([1000, 5000, 5000]);
  });
});

describe("a rate limit", () => {
  const limited = (after?: string): Step => ({ status: 429, headers: after ? { "retry-after": after } : {} });

  test("delays a call, a write and other calls as the service requests", async () => {
    const told: string[] = [];
    const { client, clock } = scriptedClient([limited("12"), limited(), {}], {
      onWait: ({ reason }) => told.push(reason),
      rateLimiter: {
        acquire: () => Promise.resolve({ settle: () => undefined }),
        blocked: (bucket, ms) => void told.push(`${bucket} ${ms}`),
      },
    });
    expect(await client.dispatchOrder("1")).toMatchObject({ httpStatus: 200, attempts: 3 });
    expect(clock.sleeps).toEqual([12_000, 2000]);
    expect(told).toEqual(["general 12000", "rate_limited", "general 2000", "rate_limited"]);
  });

  test("frees the slot if nothing was sent", async () => {
    const settled: boolean[] = [];
    const settle = (sent: boolean) => void settled.push(sent);
    const rateLimiter = { acquire: () => Promise.resolve({ settle }), blocked: () => undefined };
    await errorOf(scriptedClient([refused, reset], { rateLimiter }).client.dispatchOrder("1"));
    const observer = { sends: () => Promise.reject(new ComandaError("state_unusable", "full")) };
    const refusal = await errorOf(scriptedClient([], { rateLimiter, observer }).client.dispatchOrder("1"));
    expect(refusal).toMatchObject({ code: "state_unusable", attempts: 0 });
    expect(settled).toEqual([false, true, false]);
  });
});

describe("credentials", () => {
  const bearer = () => Promise.resolve("TOKEN");
  const both = { bearer, apiKey: () => Promise.resolve("KEY") };
  const signedWith = (requests: readonly HttpRequest[]) =>
    requests.map(({ headers }) => [headers["authorization"], headers["x-api-key"]].filter(Boolean).join("+"));
  const gone = new ComandaError("token_refused", "Sign in again.", { hint: "login" });

  test("that are missing are named before any request", async () => {
    const { client } = scriptedClient([], { credentials: { apiKey: both.apiKey } });
    expect(await errorOf(client.summary(period))).toMatchObject({
      code: "not_signed_in",
      exitCode: 3,
      message: expect.stringContaining("access token") as string,
      hint: "Add credentials.bearer.",
    });
  });

  test("that are refused are renewed once, and the call is sent once more", async () => {
    const renew = vi.fn(() => Promise.resolve("NEW"));
    const { client, requests } = scriptedClient([expired, {}], { credentials: { bearer, renew } });
    expect(await client.dispatchOrder("1")).toMatchObject({ attempts: 2 });
    expect(renew.mock.calls).toEqual([["TOKEN"]]);
    expect(signedWith(requests)).toEqual(["Bearer TOKEN", "Bearer NEW"]);
    const again = scriptedClient([expired, expired], { credentials: { bearer, renew } }).client;
    expect(await errorOf(again.dispatchOrder("1"))).toMatchObject({ code: "token_refused", attempts: 2 });
  });

  const longer = (old: string) => Promise.resolve(`${old}+`);

  test.each<[string, Partial<ClientOptions["credentials"]>, number]>([
    ["the same token", { renew: (old: string) => Promise.resolve(old) }, 1],
    ["a new token each time", { renew: longer }, 2],
    ["another process's token each time", { renew: longer, isAdopted: () => true }, 3],
  ])("whose renewal returns %s are sent a limited number of times", async (_, more, attempts) => {
    const steps = Array.from({ length: 5 }, () => expired);
    const { client } = scriptedClient(steps, { credentials: { bearer, ...more } });
    expect(await errorOf(client.dispatchOrder("1"))).toMatchObject({ code: "token_refused", attempts });
  });

  test.each([null, ""])("that are %j count as missing", async (missing) => {
    const credentials = { bearer: () => missing as unknown as string, apiKey: both.apiKey };
    const { client, requests } = scriptedClient([{}], { credentials });
    await client.dispatchOrder("1");
    expect(signedWith(requests)).toEqual(["KEY"]);
  });

  test("that can't be read for another reason than a refusal aren't replaced", async () => {
    const away = new ComandaError("unreachable", "No.");
    const failing = { ...both, bearer: () => Promise.reject(away) };
    const { client } = scriptedClient([], { credentials: failing });
    expect(await errorOf(client.dispatchOrder("1"))).toMatchObject({ code: "unreachable", attempts: 0 });
  });

  test("that are refused without an API key are tried again in the next call", async () => {
    const { client } = scriptedClient([expired, {}], { credentials: { bearer } });
    expect(await errorOf(client.dispatchOrder("1"))).toMatchObject({ code: "token_refused" });
    expect(await client.dispatchOrder("1")).toMatchObject({ attempts: 1 });
    const ended = scriptedClient([], { credentials: { bearer: () => Promise.reject(gone) } }).client;
    expect(await errorOf(ended.dispatchOrder("1"))).toMatchObject({ message: "Sign in again." });
  });

  test.each<[string, ClientOptions["credentials"], number]>([
    ["can't be renewed", both, 1],
    ["are refused after the renewal too", { ...both, renew: () => Promise.resolve("NEW") }, 2],
    ["are refused in the renewal", { ...both, renew: () => Promise.reject(gone) }, 1],
    ["are known to be refused", { ...both, bearer: () => Promise.reject(gone) }, 0],
  ])("that %s are replaced by the API key for all later status changes", async (_, credentials, refusals) => {
    const onFallback = vi.fn();
    const steps = [...Array.from({ length: refusals }, () => expired), {}, {}];
    const { client, requests } = scriptedClient(steps, { credentials, onFallback });
    expect(await client.dispatchOrder("1")).toMatchObject({ attempts: refusals + 1 });
    expect(onFallback).toHaveBeenCalledTimes(1);
    expect(await client.dispatchOrder("2")).toMatchObject({ attempts: 1 });
    const bearers = ["Bearer TOKEN", "Bearer NEW"].slice(0, refusals);
    expect(signedWith(requests)).toEqual([...bearers, "KEY", "KEY"]);
    expect(onFallback).toHaveBeenCalledTimes(1);
  });

  test("that were replaced by the API key still sign calls that accept nothing else", async () => {
    const { client, requests } = scriptedClient([expired, {}, expired], { credentials: both });
    await client.dispatchOrder("1");
    expect(await errorOf(client.summary(period))).toMatchObject({ code: "token_refused", attempts: 1 });
    expect(signedWith(requests)).toEqual(["Bearer TOKEN", "KEY", "Bearer TOKEN"]);
  });

  test("that are all refused end the call, with a hint about each", async () => {
    const { client } = scriptedClient([expired, expired], { credentials: both });
    const error = await errorOf(client.dispatchOrder("1"));
    const message = "The service refused the credential (API key or access token).";
    expect(error).toMatchObject({ code: "token_refused", attempts: 2, message });
    expect(error.hint).toMatch(/^Check the key.*\nGet a new token/);
  });

  test("that a header quotes are masked after Retry-After is read", async () => {
    const bearer = () => Promise.resolve("30");
    const steps = [{ status: 429, headers: { "retry-after": "30" } }, {}];
    const { client, clock } = scriptedClient(steps, { credentials: { bearer } });
    await client.dispatchOrder("1");
    expect(clock.sleeps).toEqual([30_000]);
  });

  test("that the service quotes are masked", async () => {
    const body = '{"code":4000,"message":"bad TOKEN","details":"TOKEN!"}';
    const error = await errorOf(scriptedClient([{ status: 400, body }]).client.dispatchOrder("1"));
    expect(JSON.stringify([error, error.message])).not.toContain("TOKEN");
    expect(error).toMatchObject({ serviceCode: 4000, serviceMessage: "bad ****", details: "****!" });
  });
});

describe("a renewal", () => {
  /** A service that accepts the token `B`. */
  function rotating() {
    const send = ({ headers }: HttpRequest) =>
      Promise.resolve({ status: headers["authorization"] === "Bearer B" ? 204 : 401, headers: {}, body: "" });
    const transport = { send, close: () => Promise.resolve() };
    const renew = vi.fn<(refused: string) => Promise<string>>(async () => {
      await new Promise((resolve) => setImmediate(resolve));
      return "B";
    });
    const credentials = { bearer: () => Promise.resolve("A"), renew };
    return { renew, client: scriptedClient([], { transport, credentials }).client };
  }

  test("happens once for a token that was refused to 20 calls, including calls that are refused later", async () => {
    const { client, renew } = rotating();
    const calls = Array.from({ length: 20 }, (_, id) => client.dispatchOrder(id + 1));
    for (const result of await Promise.all(calls)) expect(result).toMatchObject({ attempts: 2 });
    await client.dispatchOrder("21");
    expect(renew.mock.calls).toEqual([["A"]]);
  });

  test("continues for other calls if the call that began it is aborted", async () => {
    const { client, renew } = rotating();
    let end: () => void = () => undefined;
    renew.mockImplementation(() => new Promise((resolve) => (end = () => resolve("B"))));
    const abort = new AbortController();
    const first = errorOf(client.dispatchOrder("1", { signal: abort.signal }));
    const other = client.dispatchOrder("2");
    await expect.poll(() => renew.mock.calls.length).toBe(1);
    abort.abort();
    expect(await first).toMatchObject({ code: "interrupted" });
    end();
    expect(await other).toMatchObject({ httpStatus: 204, attempts: 2 });
  });
});

describe("an abort", () => {
  test("during a wait ends the call with the caller's reason", async () => {
    const abort = new AbortController();
    const onWait = () => abort.abort(new ComandaError("terminated", "Ended."));
    const { client } = scriptedClient([{ status: 429 }], { onWait });
    const call = client.dispatchOrder("1", { signal: abort.signal });
    // The response before the wait still counts.
    expect(await errorOf(call)).toMatchObject({ code: "terminated", attempts: 1, httpStatus: 429 });
  });

  test("leaves the outcome of an earlier request unknown, like a rate limit without a free slot", async () => {
    const abort = new AbortController();
    const onWait = () => abort.abort("enough");
    const full = new ComandaError("rate_limited", "full");
    const acquire = vi
      .fn()
      .mockResolvedValueOnce({ settle: () => undefined })
      .mockRejectedValue(full);
    const rateLimiter = { acquire, blocked: () => undefined };
    for (const { cause, ...options } of [
      { rateLimiter, cause: full },
      { onWait, cause: "enough" },
    ]) {
      const { client } = scriptedClient([reset], options);
      const call = client.assignDriver("1", { driver_id: 7 }, { signal: abort.signal });
      const error = await errorOf(call);
      expect(error).toMatchObject({ code: "outcome_unknown", attempts: 1, cause });
      expect(error.hint).toMatch(/^You can safely try again: the result is the same\./);
    }
  });

  test("after a write was sent leaves its outcome unknown", async () => {
    const aborted = new TransportError("aborted", true, "aborted");
    const { client } = scriptedClient([aborted, aborted]);
    expect(await errorOf(client.cancelOrder("1"))).toMatchObject({ code: "outcome_unknown" });
    const read = await errorOf(client.summary(period));
    expect(read).toMatchObject({ code: "interrupted", attempts: 1 });
    expect(read.hint).toBeUndefined();
  });

  test("ends all calls of one signal with a single listener", async () => {
    const warned = vi.fn();
    process.on("warning", warned);
    const abort = new AbortController();
    const bearer = () => new Promise<never>(() => undefined);
    const { client } = scriptedClient([], { credentials: { bearer } });
    const calls = Array.from({ length: 20 }, () => errorOf(client.summary(period, { signal: abort.signal })));
    await new Promise((resolve) => setImmediate(resolve));
    abort.abort();
    for (const error of await Promise.all(calls)) expect(error).toMatchObject({ code: "interrupted" });
    process.off("warning", warned);
    expect(warned).not.toHaveBeenCalled();
  });

  test("before the call begins nothing, and has the signal's reason", async () => {
    const bearer = vi.fn(() => Promise.resolve("TOKEN"));
    const cause = new Error("closing time");
    const signal = AbortSignal.abort(cause);
    const call = scriptedClient([], { credentials: { bearer } }).client.dispatchOrder("1", { signal });
    const hint = "Nothing was sent.";
    expect(await errorOf(call)).toMatchObject({ code: "interrupted", attempts: 0, cause, hint });
    expect(bearer).not.toHaveBeenCalled();
  });
});

test.each(["no url", "http://api.example", "https://u:p@api.example", "https://api.example?x=1"])(
  "rejects a base URL that isn't valid, isn't encrypted, or contains more than a path: %s",
  (baseUrl) => expect(() => scriptedClient([], { baseUrl })).toThrow(ComandaError),
);
