/** Any call: its signatures, its repetition, and what its observer and its limit are told. */
import { expect, test } from "vitest";

import type { CommandLineOptions } from "../../src/client/options.js";
import { createClient } from "../../src/client/client.js";
import { jumpingClock } from "./support/clock.js";
import { errorOf } from "./support/error-of.js";
import { scripted, type Step } from "./support/scripted.js";

const credentials = {
  bearer: () => Promise.resolve("TOKEN-1"),
  apiKey: () => Promise.resolve("KEY"),
  partnerKey: () => Promise.resolve("PARTNER"),
};
const ok: Step = { body: '{"ok":true}', headers: { "x-echo": "Bearer TOKEN-1 PARTNER" } };

function clientOf(steps: readonly Step[], options: Partial<CommandLineOptions> = {}) {
  const { transport, requests } = scripted(...steps);
  const base = { baseUrl: "https://api.example", rateLimiter: false, clock: jumpingClock() } as const;
  return { client: createClient({ ...base, transport, credentials, ...options }), requests };
}

test("is signed with the access token by default, and hands back status, headers and body", async () => {
  const { client, requests } = clientOf([ok]);
  const result = await client.request({ method: "GET", path: "/api/x", query: { a: "1" } });
  expect(requests).toMatchObject([
    { method: "GET", url: "https://api.example/api/x?a=1", headers: { authorization: "Bearer TOKEN-1" } },
  ]);
  expect(requests[0]?.headers).not.toHaveProperty("x-api-key");
  expect(result).toMatchObject({ httpStatus: 200, raw: '{"ok":true}', attempts: 1 });
  // Our own credentials are masked, where the service quotes them.
  expect(result.headers["x-echo"]).toBe("Bearer **** PARTNER");
});

test("is signed as a partner with both keys and no token, and needs both", async () => {
  const { client, requests } = clientOf([ok]);
  const partner = { method: "POST", path: "/api/orders", body: "{}", auth: "partner" } as const;
  expect((await client.request(partner)).headers["x-echo"]).toBe("Bearer TOKEN-1 ****");
  expect(requests[0]?.headers).toMatchObject({ "x-api-key": "KEY", "x-partner-key": "PARTNER" });
  expect(requests[0]?.headers).not.toHaveProperty("authorization");
  const alone = clientOf([], { credentials: { apiKey: credentials.apiKey } }).client;
  const error = await errorOf(alone.request(partner));
  expect(error).toMatchObject({ code: "not_signed_in", attempts: 0 });
  expect(error.hint).toContain("credentials.partnerKey");
});

test.each(["GET", "HEAD", "PUT", "DELETE"] as const)("repeats %s after a 503", async (method) => {
  const { client } = clientOf([{ status: 503 }, { status: 503 }, ok]);
  expect(await client.request({ method, path: "/x" })).toMatchObject({ attempts: 3 });
});

test.each(["POST", "PATCH"] as const)("never repeats %s after a 503, and tells its body", async (method) => {
  const bodies: string[] = [];
  const { client } = clientOf([{ status: 503, body: "away" }], {
    observer: { attempted: (_, { answer }) => void bodies.push(answer?.body ?? "") },
  });
  const error = await errorOf(client.request({ method, path: "/x", body: "{}" }));
  expect(error).toMatchObject({ code: "outcome_unknown", exitCode: 9, attempts: 1 });
  expect(bodies).toEqual(["away"]);
});

test("waits for a rate limit and takes part in the count", async () => {
  const acquired: string[] = [];
  const { client } = clientOf([{ status: 429, headers: { "retry-after": "1" } }, ok], {
    rateLimiter: {
      acquire: (bucket) => {
        acquired.push(bucket);
        return Promise.resolve({ settle: () => undefined });
      },
      blocked: (bucket, ms) => void acquired.push(`blocked ${bucket} ${ms}`),
    },
  });
  await client.request({ method: "POST", path: "/api/partner/v1/orders/history", body: "x" });
  expect(acquired).toEqual(["history", "blocked history 1000", "history"]);
});
