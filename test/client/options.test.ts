/** What a client and its transports can't be set to, and what is done about it: before anything is sent. */
import { describe, expect, test } from "vitest";

import { ComandaError, createClient, type ClientOptions } from "../../src/library/index.js";
import { createTransport } from "../../src/library/node.js";
import { scripted } from "./support/scripted.js";

/** What JavaScript lets through. */
const anyOptions = (options: object) => options as ClientOptions;
const good = { baseUrl: "https://api.example", credentials: { bearer: () => Promise.resolve("TOKEN") } };

function thrownBy(run: () => unknown): ComandaError {
  try {
    run();
  } catch (error) {
    if (error instanceof ComandaError) return error;
    throw error;
  }
  throw new Error("it was taken");
}

describe("createClient refuses", () => {
  test.each<[string, unknown, RegExp]>([
    ["nothing", undefined, /What createClient takes must be an object, not undefined/],
    ["null", null, /must be an object, not null/],
    ["a text", "https://api.example", /must be an object, not a string/],
    ["no base URL", { credentials: {} }, /base URL/],
    ["no credentials", { baseUrl: good.baseUrl }, /credentials must be an object, not undefined/],
    [
      "a token in the place of a function",
      { ...good, credentials: { bearer: "SECRET" } },
      /credentials.bearer must/,
    ],
    [
      "a key in the place of a function",
      { ...good, credentials: { apiKey: "SECRET" } },
      /credentials.apiKey must/,
    ],
    [
      "a renew that is none",
      { ...good, credentials: { renew: true } },
      /credentials.renew must be a function/,
    ],
    ["a transport without send", { ...good, transport: {} }, /transport.send must be a function/],
    ["a text for fetch", { ...good, fetch: "https://x" }, /fetch must be a function, not a string/],
    ["fetch as a transport", { ...good, transport: fetch }, /transport must be an object, not a function/],
    [
      "true for a limiter",
      { ...good, rateLimiter: true },
      /rateLimiter must be a rate limiter, or false, not a boolean/,
    ],
    [
      "a limiter that can't tell",
      { ...good, rateLimiter: { acquire: () => undefined } },
      /rateLimiter must be a rate limiter/,
    ],
    ["a clock that can't sleep", { ...good, clock: { now: () => 0 } }, /clock.sleep/],
    ["a number for random", { ...good, random: 4 }, /random must be a function, not 4/],
    ["a text for onWait", { ...good, onWait: "log" }, /onWait must be a function/],
    ["a list for onFallback", { ...good, onFallback: [] }, /onFallback must be a function, not a list/],
    ["no time", { ...good, timeoutMs: 0 }, /timeoutMs must be a number of milliseconds above 0, not 0/],
    ["less than no time", { ...good, timeoutMs: -1 }, /timeoutMs must .* not -1/],
    ["a time that is no number", { ...good, timeoutMs: NaN }, /timeoutMs must .* not NaN/],
    ["a time as text", { ...good, timeoutMs: "30s" }, /timeoutMs must .* not a string/],
    ["less than no wait", { ...good, maxWaitMs: -1 }, /maxWaitMs must be .* at least 0, not -1/],
    ["a wait that is no number", { ...good, maxWaitMs: NaN }, /maxWaitMs/],
    ["less than no retry", { ...good, maxRetries: -1 }, /maxRetries must be a whole number of at least 0/],
    ["half a retry", { ...good, maxRetries: 0.5 }, /maxRetries/],
    ["retries that are no number", { ...good, maxRetries: NaN }, /maxRetries/],
  ])("%s", (_, options, message) => {
    const error = thrownBy(() => createClient(anyOptions(options as object)));
    expect(error.code).toBe("configuration");
    expect(error.message).toMatch(message);
    expect(`${error.message} ${error.hint ?? ""}`).not.toContain("SECRET");
  });

  test("nothing that is right", () => {
    for (const more of [
      { timeoutMs: Infinity, maxWaitMs: Infinity, maxRetries: Infinity },
      { timeoutMs: 0.5, maxWaitMs: 0, maxRetries: 0 },
      { transport: undefined, rateLimiter: undefined, onWait: undefined },
      { rateLimiter: false },
    ])
      expect(() => createClient(anyOptions({ ...good, ...more }))).not.toThrow();
  });
});

test.each([
  [Infinity, 2 ** 31 - 1],
  [1e12, 2 ** 31 - 1],
  [30_000, 30_000],
])("a timeout of %d goes to the transport as %d", async (timeoutMs, sent) => {
  const script = scripted({});
  await createClient({ ...good, transport: script.transport, timeoutMs }).dispatchOrder("1");
  expect(script.requests[0]?.timeoutMs).toBe(sent);
});

describe("createTransport refuses", () => {
  test.each([
    ["connectTimeoutMs", -1],
    ["connectTimeoutMs", NaN],
    ["connections", 0],
    ["connections", 1.5],
    ["connections", Infinity],
  ])("%s: %d", (name, value) => {
    expect(thrownBy(() => createTransport({ [name]: value }))).toMatchObject({
      code: "configuration",
      message: expect.stringContaining(name) as string,
    });
  });

  test("what no process can be", () => {
    expect(thrownBy(() => createTransport({ shortLived: "no" } as object))).toMatchObject({
      code: "configuration",
      message: "shortLived must be true or false, not a string.",
    });
  });

  test("what is no object", () => {
    expect(thrownBy(() => createTransport(null as unknown as object)).code).toBe("configuration");
    expect(thrownBy(() => createTransport({ env: "x" } as object)).code).toBe("configuration");
  });
});
