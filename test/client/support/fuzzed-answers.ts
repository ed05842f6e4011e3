/** Unusual responses: bodies of every kind, broken ones, bytes that aren't HTTP, and those that quote what they received. */
import { randomBytes } from "node:crypto";

import fc from "fast-check";

import { anyText } from "../../support/any-text.js";

/** The credential that a response may quote. */
export const secret = `planted_${randomBytes(12).toString("hex")}`;

const quoted = fc.constantFrom(
  secret,
  `"Bearer ${secret}"`,
  `\u001b[31m${secret}\u001b[0m`,
  `token ${secret} was refused, ${secret}!`,
  `{"code": 4010, "message": "cut short, ${secret}`,
);
const json = (fields: Record<string, fc.Arbitrary<unknown>>, constraints = {}) =>
  fc.record(fields, constraints).map((body) => JSON.stringify(body));
const anything = fc.jsonValue();
const quotedInJson = json({
  code: fc.constantFrom(4000, 4002, 4010, 4041, "4002", 1),
  message: quoted,
  details: quoted,
});
const code = fc.oneof(fc.constantFrom(4000, 4002, 4010, 4041, "4002", -1, 1e308, null), anything);
const errorBody = json({ code, message: anything, details: anything }, { requiredKeys: [] });
const orderBody = json({ id: anything, driver_id: anything, total: anything, items: anything });
const figures = json({ total_order_count: anything, total_revenue: anything, groups: anything });
const prototype = '{"__proto__":{"code":4002}}';
const body = fc.oneof(
  quoted,
  { arbitrary: quotedInJson, weight: 4 },
  errorBody,
  orderBody,
  figures,
  fc.json(),
  anyText(),
  fc.constantFrom("", "null", "{", "[[[[", "\uFEFF{}", "<html>", prototype, "[".repeat(5000)),
);
const header = fc.record({
  name: fc.constantFrom("retry-after", "content-type", "location", "set-cookie", "content-encoding", "x"),
  value: fc.oneof(
    fc.constantFrom("0", "-1", "1e9", "gzip", "text/html", "//evil", secret, `/elsewhere?token=${secret}`),
    fc.string({ unit: "grapheme-ascii" }),
  ),
});
/** Complete responses, with a body of their length. */
const answer = fc
  .record({ status: fc.integer({ min: 100, max: 999 }), headers: fc.array(header, { maxLength: 3 }), body })
  .map(({ status, headers, body: text }) => {
    const lines = headers.map(({ name, value }) => `${name}: ${value}\r\n`).join("");
    const length = Buffer.byteLength(text);
    return Buffer.from(`HTTP/1.1 ${status} X\r\n${lines}content-length: ${length}\r\n\r\n${text}`);
  });
/** The same with changed or missing bytes, or other bytes. */
const broken = fc
  .record({ answer, at: fc.nat(), byte: fc.nat(255), cut: fc.option(fc.nat()) })
  .map(({ answer: bytes, at, byte, cut }) => {
    const changed = Buffer.from(bytes);
    changed[at % changed.length] = byte;
    return cut === null ? changed : changed.subarray(0, cut % changed.length);
  });
/** Anything that a service may send over the wire. */
export const fuzzedAnswer = fc.oneof(
  { arbitrary: answer, weight: 3 },
  broken,
  fc.uint8Array().map((chunk) => Buffer.from(chunk)),
);
