/** Answers that come compressed, asked for or not (RFC 9110, sections 8.4 and 12.5.3), over both transports. */
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import zlib from "node:zlib";

import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { createClient } from "../../src/client/client.js";
import { fetchTransport } from "../../src/client/http/fetch-transport.js";
import { maxBodyBytes, type BodySink } from "../../src/client/http/transport.js";
import { sized } from "../support/soak.js";
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
const codings: readonly [string, (body: string) => Buffer][] = [
  ["gzip", (body) => zlib.gzipSync(body)],
  ["X-GZIP", (body) => zlib.gzipSync(body)],
  ["br", (body) => zlib.brotliCompressSync(body)],
  ["deflate", (body) => zlib.deflateSync(body)],
  ["identity", (body) => Buffer.from(body)],
  ["", (body) => Buffer.from(body)],
];

describe("an answer that comes compressed", () => {
  test.each(codings)("as %s is read", async (coding, encode) => {
    answers(coding, encode(text));
    expect(await testTransport().send(get(url))).toMatchObject({ status: 200, body: text });
  });

  test("is told with a head that fits the body that is handed on", async () => {
    answers("gzip", zlib.gzipSync(text));
    const { headers } = await testTransport().send(get(url));
    expect(headers).not.toHaveProperty("content-encoding");
    expect(headers).not.toHaveProperty("content-length");
    expect(headers).toHaveProperty("date");
  });

  test("streams decoded, at the pace of who reads it", async () => {
    const long = "0123456789abcdef".repeat(20_000);
    answers("br", zlib.brotliCompressSync(long));
    let read = "";
    let busy = 0;
    const sink: BodySink = async (piece) => {
      busy += 1;
      expect(busy).toBe(1);
      await new Promise((resolve) => setImmediate(resolve));
      read += Buffer.from(piece).toString();
      busy -= 1;
    };
    const answer = await testTransport().send({ ...get(url), onAnswer: () => sink });
    expect(answer.body).toBe("");
    expect(read).toBe(long);
  });

  test("ends with what the program's own function threw", async () => {
    answers("gzip", zlib.gzipSync(text));
    const fault = new Error("mine");
    const onAnswer = () => () => Promise.reject(fault);
    await expect(testTransport().send({ ...get(url), onAnswer })).rejects.toBe(fault);
  });

  test("may have no body at all", async () => {
    answers("gzip", Buffer.alloc(0));
    expect(await testTransport().send(post(url))).toMatchObject({ status: 200, body: "" });
    answers("br", Buffer.alloc(0), 204);
    expect(await testTransport().send(post(url))).toMatchObject({ status: 204, body: "" });
    answers("gzip", zlib.gzipSync(text));
    const head = await testTransport().send({ ...get(url), method: "HEAD" });
    expect(head).toMatchObject({ status: 200, body: "", headers: { "content-encoding": "gzip" } });
  });

  test("is whole however it was cut on its way", async () => {
    const transport = testTransport();
    const way = fc.tuple(
      fc.constantFrom(...codings),
      fc.string({ unit: "grapheme", maxLength: 2_000 }),
      fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 4 }),
    );
    await fc.assert(
      fc.asyncProperty(way, async ([[coding, encode], body, cuts]) => {
        const sent = encode(body);
        const at = [
          0,
          ...cuts.map((cut) => Math.floor(cut * sent.length)).sort((a, b) => a - b),
          sent.length,
        ];
        behave = (response) => {
          response.writeHead(200, { "content-encoding": coding });
          for (let n = 1; n < at.length; n += 1) response.write(sent.subarray(at[n - 1], at[n]));
          response.end();
        };
        expect((await transport.send(get(url))).body).toBe(body);
      }),
      { numRuns: sized({ test: 15, search: 400, soak: 20_000 }) },
    );
  });
});

describe("the limit on an answer's body", () => {
  const bomb = zlib.gzipSync(Buffer.alloc(50 * 1024 * 1024));

  test("holds for what a small answer unfolds to", async () => {
    answers("gzip", bomb);
    const error = await failureOf(testTransport().send(get(url)));
    expect(error).toMatchObject({ failure: "bad_answer", sent: true });
    expect(error.message).toContain(`more than ${maxBodyBytes} bytes`);
  });

  test("keeps the beginning of a refusal that unfolds to more", async () => {
    answers("gzip", bomb, 400);
    const answer = await testTransport().send(post(url));
    expect(answer).toMatchObject({ status: 400, truncated: true });
    expect(answer.body).toHaveLength(maxBodyBytes);
  });

  test("is none for what is just as large", async () => {
    answers("gzip", zlib.gzipSync("x".repeat(maxBodyBytes)));
    const { body } = await testTransport().send(get(url));
    expect(body).toHaveLength(maxBodyBytes);
  });
});

describe("a body that can't be decoded", () => {
  const cases: readonly [string, string, Buffer][] = [
    ["that ends too early, as gzip", "gzip", zlib.gzipSync(text).subarray(0, -6)],
    ["that ends too early, as br", "br", zlib.brotliCompressSync(text).subarray(0, -6)],
    ["whose checksum is wrong", "gzip", flipped(zlib.gzipSync(text), -6)],
    ["that is no gzip", "gzip", Buffer.from(text)],
    ["that is no br", "br", Buffer.from([0x5b, 0xff, 0x12, 0x99, 1, 2, 3, 4, 5, 6, 7, 8, 9, 200, 201, 202])],
    ["that is encoded twice", "gzip, gzip", zlib.gzipSync(zlib.gzipSync(text))],
    ["of a coding that nobody knows", "zwieback", Buffer.from(text)],
  ];

  test.each(cases)("%s is an error that says so", async (_, coding, body) => {
    answers(coding, body);
    const error = await failureOf(testTransport().send(post(url)));
    expect(error).toMatchObject({ failure: "bad_answer", sent: true });
    expect(error.message).toMatch(/^its content coding is (?:broken, or cut off|none that comanda reads)$/);
  });

  test.each(cases)("%s leaves a refusal its status", async (_, coding, body) => {
    answers(coding, body, 401);
    expect(await testTransport().send(post(url))).toMatchObject({ status: 401, truncated: true });
  });

  test("ends a stream with an error", async () => {
    answers("gzip", zlib.gzipSync(text).subarray(0, -6));
    const sending = testTransport().send({ ...get(url), onAnswer: () => () => undefined });
    expect(await failureOf(sending)).toMatchObject({ failure: "bad_answer" });
  });

  test("in a stream that never ends, the time is over", async () => {
    behave = (response) => {
      response.writeHead(200, { "content-encoding": "gzip" }).write(zlib.gzipSync(text).subarray(0, -6));
    };
    const error = await failureOf(testTransport().send({ ...get(url), timeoutMs: 50 }));
    expect(error).toMatchObject({ failure: "timeout", sent: true });
  });
});

describe("over a fetch, which decodes by itself", () => {
  test.each(codings)("%s is decoded once", async (coding, encode) => {
    answers(coding, encode(text));
    expect((await fetchTransport().send(get(url))).body).toBe(text);
  });

  test("a body that can't be decoded is an error that says so", async () => {
    answers("gzip", Buffer.from(text));
    expect(await failureOf(fetchTransport().send(get(url)))).toMatchObject({
      failure: "bad_answer",
      message: "its content coding is broken, or cut off",
    });
  });
});

describe("a call", () => {
  const client = () =>
    createClient({
      baseUrl: url,
      rateLimiter: false,
      clock: jumpingClock(),
      credentials: { bearer: () => Promise.resolve("TOKEN") },
    });

  test("gets its figures at the first time of asking", async () => {
    const figures = '{"total_order_count":41,"total_revenue":3104.5,"average_order_value":75.72}';
    answers("gzip", zlib.gzipSync(figures));
    const period = { start_date: "2026-10-05T00:00:00Z", end_date: "2026-10-05T23:59:59Z" };
    expect(await client().summary(period)).toMatchObject({
      summary: { total_order_count: 41 },
      attempts: 1,
    });
  });

  test("learns of a refusal what the service said", async () => {
    answers("br", zlib.brotliCompressSync('{"code":4002,"message":"No"}'), 409);
    expect(await errorOf(client().dispatchOrder("1"))).toMatchObject({ code: "status_conflict" });
  });

  test("of a write whose answer can't be read leaves it unknown", async () => {
    answers("gzip", Buffer.from("no gzip"));
    expect(await errorOf(client().dispatchOrder("1"))).toMatchObject({
      code: "outcome_unknown",
      message: expect.stringContaining("its content coding is broken, or cut off") as unknown,
    });
  });
});

function flipped(bytes: Buffer, at: number): Buffer {
  const copy = Buffer.from(bytes);
  copy.writeUInt8(copy.readUInt8(copy.length + at) ^ 1, copy.length + at);
  return copy;
}
