/** Any call on the wire: signatures and repetition. */
import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";

import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";

import type { CallObserver } from "../../src/client/observer.js";
import type { RateLimiter } from "../../src/client/rate-limit.js";
import { createClient } from "../../src/client/client.js";
import type { CommandLineOptions } from "../../src/client/call.js";
import { createTransport } from "../../src/client/http.js";
import { jumpingClock } from "./support/clock.js";
import { errorOf } from "./support/error-of.js";

interface Seen {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
}

describe("on the wire", () => {
  let server: Server;
  let baseUrl = "";
  let seen: Seen[] = [];
  let statuses: number[] = [];
  let answerBody: Buffer | string = '{"ok":true}';
  const transport = createTransport();

  beforeAll(async () => {
    server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on("data", (chunk: Buffer) => chunks.push(chunk));
      request.on("end", () => {
        const { method = "", url = "", headers } = request;
        seen.push({ method, url, headers, body: Buffer.concat(chunks).toString("utf8") });
        const status = statuses.shift() ?? 200;
        response.writeHead(status, {
          "content-type": "application/json",
          "x-echo": `${headers.authorization ?? ""} ${String(headers["x-partner-key"] ?? "")}`,
          "retry-after": "1",
        });
        response.end(answerBody);
      });
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(async () => {
    await transport.close();
    server.close();
  });
  beforeEach(() => {
    seen = [];
    statuses = [];
    answerBody = '{"ok":true}';
  });

  const watch = (bodies: string[]): CallObserver => ({
    attempted: (_, { answer }) => void bodies.push(`${answer?.status ?? "-"} ${answer?.body ?? ""}`),
  });
  const client = (options: Partial<CommandLineOptions> = {}) =>
    createClient({
      baseUrl,
      transport,
      rateLimiter: false,
      clock: jumpingClock(),
      credentials: {
        bearer: () => Promise.resolve("TOKEN-1"),
        apiKey: () => Promise.resolve("KEY"),
        partnerKey: () => Promise.resolve("PARTNER"),
      },
      ...options,
    });

  test("signs with the access token by default, and hands back status, headers and body", async () => {
    const result = await client().request({ method: "GET", path: "/api/x", query: { a: "1" } });
    expect(seen).toMatchObject([
      { method: "GET", url: "/api/x?a=1", headers: { authorization: "Bearer TOKEN-1" } },
    ]);
    expect(seen[0]?.headers).not.toHaveProperty("x-api-key");
    expect(result).toMatchObject({ httpStatus: 200, raw: '{"ok":true}', attempts: 1 });
  });

  test("signs as a partner with both keys and no token", async () => {
    await client().request({ method: "POST", path: "/api/orders", body: "{}", auth: "partner" });
    expect(seen[0]?.headers).toMatchObject({ "x-api-key": "KEY", "x-partner-key": "PARTNER" });
    expect(seen[0]?.headers).not.toHaveProperty("authorization");
  });

  test("needs both keys for that", async () => {
    const alone = client({ credentials: { apiKey: () => Promise.resolve("KEY") } });
    const error = await errorOf(alone.request({ method: "POST", path: "/x", body: "{}", auth: "partner" }));
    expect(error).toMatchObject({ code: "not_signed_in", attempts: 0 });
    expect(error.hint).toContain("credentials.partnerKey");
    expect(seen).toEqual([]);
  });

  test("masks our credentials where the service quotes them in a header", async () => {
    const { headers } = await client().request({ method: "GET", path: "/x" });
    expect(headers["x-echo"]).toBe("Bearer **** ");
    const partner = { method: "POST", path: "/x", body: "{}", auth: "partner" } as const;
    expect((await client().request(partner)).headers["x-echo"]).toBe("****");
  });

  test.each(["GET", "HEAD", "PUT", "DELETE"] as const)("repeats %s after a 503", async (method) => {
    statuses = [503, 503];
    expect(await client().request({ method, path: "/x" })).toMatchObject({ attempts: 3 });
  });

  test.each(["POST", "PATCH"] as const)("never repeats %s after a 503", async (method) => {
    statuses = [503];
    const bodies: string[] = [];
    const observer = watch(bodies);
    const call = client({ observer }).request({ method, path: "/x", body: "{}" });
    expect(await errorOf(call)).toMatchObject({ code: "outcome_unknown", exitCode: 9, attempts: 1 });
    expect(bodies).toEqual(['503 {"ok":true}']);
  });

  test("waits for a rate limit and takes part in the count", async () => {
    statuses = [429];
    const acquired: string[] = [];
    const limiter: RateLimiter = {
      acquire: (bucket) => {
        acquired.push(bucket);
        return Promise.resolve({ settle: () => undefined });
      },
      blocked: (bucket, ms) => void acquired.push(`blocked ${bucket} ${ms}`),
    };
    await client({ rateLimiter: limiter }).request({
      method: "POST",
      path: "/api/partner/v1/orders/history",
      body: "x",
    });
    expect(acquired).toEqual(["history", "blocked history 1000", "history"]);
  });

  test("tells its observer of the body of a refusal", async () => {
    statuses = [404];
    answerBody = '{"code":4041,"message":"gone"}';
    const bodies: string[] = [];
    const observer = watch(bodies);
    const call = client({ observer }).request({ method: "GET", path: "/x" });
    expect(await errorOf(call)).toMatchObject({ code: "not_found", serviceCode: 4041 });
    expect(bodies).toEqual([`404 ${answerBody}`]);
  });
});
