/** The client over a `fetch` of somebody else's: what it can't know, it doesn't pretend to. */
import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

import { afterAll, beforeAll, expect, test } from "vitest";

import { createClient } from "../../src/client/client.js";
import { fetchTransport, type Fetch } from "../../src/client/transport.js";
import { maxBodyBytes } from "../../src/client/transport.js";
import { freePort } from "../support/free-port.js";
import { jumpingClock } from "./support/clock.js";
import { errorOf } from "./support/error-of.js";

let server: Server;
let baseUrl = "";
let asked = 0;
let behave: (response: ServerResponse) => void = () => undefined;

beforeAll(async () => {
  server = createServer((request, response) => {
    asked += 1;
    request.resume().on("end", () => behave(response));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

function client(options: { baseUrl?: string; fetch?: Fetch; timeoutMs?: number } = {}) {
  asked = 0;
  const { timeoutMs } = options;
  return createClient({
    baseUrl: options.baseUrl ?? baseUrl,
    rateLimiter: false,
    clock: jumpingClock(),
    credentials: { bearer: () => Promise.resolve("TOKEN") },
    ...(timeoutMs !== undefined && { timeoutMs }),
    fetch: options.fetch ?? fetch,
  });
}

test("sends and reads as the usual transport does", async () => {
  behave = (response) => response.writeHead(204).end();
  expect(await client().dispatchOrder("1")).toMatchObject({ httpStatus: 204, attempts: 1 });
  behave = (response) => response.writeHead(409).end('{"code":4002,"message":"no"}');
  expect(await errorOf(client().dispatchOrder("1"))).toMatchObject({ code: "status_conflict" });
});

test("takes a POST over a fetch of the program's that failed for one that may have arrived, even where nothing listens", async () => {
  const nobody = client({
    baseUrl: `http://127.0.0.1:${await freePort()}`,
    fetch: (url, init) => fetch(url, init),
  });
  expect(await errorOf(nobody.dispatchOrder("1"))).toMatchObject({ code: "outcome_unknown", attempts: 1 });
});

test("repeats a POST of which the platform's own fetch tells that it never left", async () => {
  const port = await freePort();
  for (const nowhere of [`http://127.0.0.1:${port}`, `http://localhost:${port}`, "https://nowhere.invalid"]) {
    const nobody = client({ baseUrl: nowhere });
    expect(await errorOf(nobody.dispatchOrder("1"))).toMatchObject({ code: "unreachable", attempts: 4 });
  }
});

test("repeats no port that fetch never connects to for one that may have been sent", async () => {
  const error = await errorOf(client({ baseUrl: "http://127.0.0.1:6000" }).dispatchOrder("1"));
  expect(error).toMatchObject({ code: "unreachable", outcome: "failed", evidence: null });
});

test("takes a POST for one that may have arrived where a connection had come about", async () => {
  behave = (response) => response.destroy();
  expect(await errorOf(client().dispatchOrder("1"))).toMatchObject({ code: "outcome_unknown", attempts: 1 });
  expect(asked).toBe(1);
});

test("never follows a redirect", async () => {
  behave = (response) => response.writeHead(302, { location: `${baseUrl}/other` }).end();
  expect(await errorOf(client().dispatchOrder("1"))).toMatchObject({ code: "outcome_unknown" });
  expect(asked).toBe(1);
});

test("gives up in time, and when it is told to", async () => {
  behave = () => undefined;
  const slow = client({ timeoutMs: 29.5 });
  expect(await errorOf(slow.dispatchOrder("1"))).toMatchObject({ code: "outcome_unknown" });
  const stopped = client().request({ method: "GET", path: "/x" }, { signal: AbortSignal.timeout(30) });
  expect(await errorOf(stopped)).toMatchObject({ code: "interrupted" });
  const never = client().dispatchOrder("1", { signal: AbortSignal.abort() });
  expect(await errorOf(never)).toMatchObject({ code: "interrupted" });
  expect(asked).toBe(0);
});

test("keeps cookies apart, and the beginning of a refusal that is too large", async () => {
  behave = (response) =>
    response
      .writeHead(400, [
        ["set-cookie", "a=1"],
        ["vary", "x"],
        ["set-cookie", "b=2"],
        ["vary", "y"],
      ] as unknown as string[])
      .end("x".repeat(maxBodyBytes + 1));
  const transport = fetchTransport(fetch);
  const answer = await transport.send({ method: "POST", url: baseUrl, headers: {} });
  expect(answer).toMatchObject({ status: 400, setCookies: ["a=1", "b=2"], truncated: true });
  expect(answer.headers).toMatchObject({ vary: "x, y" });
  expect(answer.headers).not.toHaveProperty("set-cookie");
  expect(answer.body).toHaveLength(maxBodyBytes);
});
