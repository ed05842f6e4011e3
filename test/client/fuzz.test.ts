/** Whatever comes back, a call ends: with its result or a ComandaError, soon, and with one request for a write. */
import fc from "fast-check";
import { expect, test } from "vitest";

import { createClient } from "../../src/client/index.js";
import { ComandaError } from "../../src/shared/errors.js";
import { calls, examples, isCallable } from "./support/calls.js";
import { jumpingClock } from "./support/clock.js";
import { rawServer } from "./support/raw-server.js";
import { testTransport } from "./support/transport.js";

const runs = process.env["COMANDA_SOAK"] ? 10_000 : 500;

const code = fc.oneof(fc.constantFrom(4000, 4002, 4010, 4041, "4002", -1, 1e308, null), fc.jsonValue());
const errorBody = fc
  .record({ code, message: fc.jsonValue(), details: fc.jsonValue() }, { requiredKeys: [] })
  .map((body) => JSON.stringify(body));
const orderBody = fc
  .record({ id: fc.jsonValue(), driver_id: fc.jsonValue(), total: fc.jsonValue(), items: fc.jsonValue() })
  .map((body) => JSON.stringify(body));
const figures = fc
  .record({ total_order_count: fc.jsonValue(), total_revenue: fc.jsonValue(), groups: fc.jsonValue() })
  .map((body) => JSON.stringify(body));
const body = fc.oneof(
  errorBody,
  orderBody,
  figures,
  fc.json(),
  fc.string({ unit: "binary" }),
  fc.constantFrom(
    "",
    "null",
    "{",
    "[[[[",
    "\uFEFF{}",
    "<html>",
    '{"__proto__":{"code":4002}}',
    "[".repeat(5000),
  ),
);
const header = fc.record({
  name: fc.constantFrom("retry-after", "content-type", "location", "set-cookie", "content-encoding", "x"),
  value: fc.oneof(
    fc.constantFrom("0", "-1", "1e9", "gzip", "text/html", "//evil"),
    fc.string({ unit: "grapheme-ascii" }),
  ),
});
/** Whole answers, with a body of the length that they promise. */
const answer = fc
  .record({ status: fc.integer({ min: 100, max: 999 }), headers: fc.array(header, { maxLength: 3 }), body })
  .map(({ status, headers, body: text }) => {
    const lines = headers.map(({ name, value }) => `${name}: ${value}\r\n`).join("");
    return Buffer.from(
      `HTTP/1.1 ${status} X\r\n${lines}content-length: ${Buffer.byteLength(text)}\r\n\r\n${text}`,
    );
  });
/** The same with bytes changed, cut off, or nothing like it. */
const broken = fc
  .record({ answer, at: fc.nat(), byte: fc.nat(255), cut: fc.option(fc.nat()) })
  .map(({ answer: bytes, at, byte, cut }) => {
    const changed = Buffer.from(bytes);
    changed[at % changed.length] = byte;
    return cut === null ? changed : changed.subarray(0, cut % changed.length);
  });
const bytes = fc.oneof(
  answer,
  broken,
  fc.uint8Array().map((chunk) => Buffer.from(chunk)),
);

test(`${runs} answers of every kind`, async () => {
  let next = Buffer.alloc(0);
  const server = await rawServer((socket) => socket.end(next));
  const client = createClient({
    baseUrl: server.url,
    transport: testTransport(),
    credentials: { bearer: () => Promise.resolve("TOKEN"), apiKey: () => Promise.resolve("KEY") },
    rateLimiter: false,
    clock: jumpingClock(),
    maxWaitMs: 1000,
    maxRetries: 1,
    timeoutMs: 2000,
  });
  const operation = fc.constantFrom(...Object.keys(calls).filter(isCallable));
  await fc.assert(
    fc.asyncProperty(operation, bytes, async (id, given) => {
      next = given;
      const before = server.requests.length;
      const outcome = await calls[id](client, examples[id]).catch((error: unknown) => error);
      const sent = server.requests.length - before;
      if (outcome instanceof Error) {
        expect(outcome).toBeInstanceOf(ComandaError);
        if (!(outcome instanceof ComandaError)) return;
        expect(outcome.code).not.toBe("internal");
        expect(outcome.message).toMatch(/^[^\n]+\.$/s);
        expect(outcome.hint).toBeTruthy();
        expect(outcome.attempts).toBe(sent);
        if (outcome.code === "outcome_unknown" && id !== "assignDriver") expect(sent).toBe(1);
      } else {
        expect(outcome).toMatchObject({ attempts: sent });
      }
    }),
    { numRuns: runs },
  );
}, 600_000);
