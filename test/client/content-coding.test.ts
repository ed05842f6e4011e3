/** Answers that come compressed, which nobody asked for (RFC 9110, sections 8.4 and 12.5.3). */
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import zlib from "node:zlib";

import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { createClient } from "../../src/client/client.js";
import { fetchTransport } from "../../src/client/transport.js";
import { jumpingClock } from "./support/clock.js";
import { errorOf } from "./support/error-of.js";
import { failureOf, get, post, testTransport } from "./support/transport.js";

let url = "";
let behave: (response: ServerResponse) => void = () => undefined;
const server = createServer((request, response) => {
  request.resume().on("end", () => behave(response));
});
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

function answers(coding: string, body: Uint8Array, status = 200): void {
  behave = (response) => response.writeHead(status, { "content-encoding": coding }).end(body);
}

const text = '{"total_order_count":41,"total_revenue":3104.5,"average_order_value":75.72} · olá';
const compressed = zlib.gzipSync(text);

describe("an answer", () => {
  test.each(["Identity", ""])("that says %j is read", async (coding) => {
    answers(coding, Buffer.from(text));
    expect(await testTransport().send(get(url))).toMatchObject({ status: 200, body: text });
  });

  test.each(["gzip", "br", "zwieback"])("that says %s is an error that says so", async (coding) => {
    answers(coding, compressed);
    expect(await failureOf(testTransport().send(post(url)))).toMatchObject({
      failure: "bad_answer",
      sent: true,
      message: expect.stringContaining("it came compressed, and nobody asked for that") as string,
    });
  });

  test("that refuses keeps its status, and the connection is given up", async () => {
    answers("gzip", compressed, 401);
    const transport = testTransport();
    expect(await transport.send(post(url))).toMatchObject({ status: 401, body: "", truncated: true });
    behave = (response) => response.end("next");
    expect(await transport.send(post(url))).toMatchObject({ status: 200, body: "next" });
  });

  test("may have no body at all", async () => {
    answers("gzip", Buffer.alloc(0));
    expect(await testTransport().send(post(url))).toMatchObject({ status: 200, body: "" });
    answers("gzip", compressed);
    const head = await testTransport().send({ ...get(url), method: "HEAD" });
    expect(head).toMatchObject({ status: 200, body: "", headers: { "content-encoding": "gzip" } });
  });

  test("that a fetch has decoded by itself is read", async () => {
    answers("gzip", compressed);
    expect((await fetchTransport().send(get(url))).body).toBe(text);
  });
});

describe("a call", () => {
  const client = () =>
    createClient({
      baseUrl: url,
      rateLimiter: false,
      clock: jumpingClock(),
      transport: testTransport(),
      credentials: { bearer: () => Promise.resolve("TOKEN") },
    });

  test.each([200, 409])("of a write is unknown after HTTP %i", async (status) => {
    answers("br", zlib.brotliCompressSync('{"code":4002,"message":"No"}'), status);
    expect(await errorOf(client().dispatchOrder("1"))).toMatchObject({ code: "outcome_unknown" });
  });
});
