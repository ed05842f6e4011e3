/** The client against fixtures that are handwritten from the specification, over real HTTP. */
import { describe, expect, test } from "vitest";

import { operations } from "../../src/api/operations.js";
import type { Client } from "../../src/client/client.js";
import { createClient } from "../../src/library/index.js";
import { loadWireFixtures, wireSecrets, type WireAnswer, type WireRequest } from "../fixtures/wire/load.js";
import { jumpingClock } from "./support/clock.js";
import { httpAnswer, rawServer } from "./support/raw-server.js";
import { errorOf } from "./support/scripted.js";
import { testTransport } from "./support/transport.js";

/** Calls append their paths to this prefix. */
const prefix = "/partner%20x";

/** Returns a client of a service that returns this response, and the requests that arrive, in bytes. */
async function clientOf(credential: WireRequest["credential"], { status, headers, body }: WireAnswer) {
  const { url, requests } = await rawServer((socket) => socket.write(httpAnswer(status, body, headers)));
  const field = credential === "bearer" ? "bearer" : "apiKey";
  const client = createClient({
    baseUrl: `${url}${prefix}/`,
    transport: testTransport(),
    clock: jumpingClock(),
    rateLimiter: false,
    maxWaitMs: 0,
    maxRetries: 0,
    credentials: { [field]: () => Promise.resolve(wireSecrets[credential]) },
  });
  return { client, requests };
}

type Methods = Readonly<Record<string, (...all: readonly unknown[]) => Promise<unknown>>>;

/** Calls any operation with an input from a file. */
function callOf(operation: string, client: Client, input: WireRequest["input"] = {}): Promise<unknown> {
  const call = (client as unknown as Methods)[operation];
  if (!call) throw new Error(`the client has no method ${operation}`);
  const { order_id, ...fields } = input;
  if (order_id === undefined) return call(fields);
  return Object.keys(fields).length > 0 ? call(order_id, fields) : call(order_id);
}

const fixtures = loadWireFixtures();

test("the fixtures contain each operation of the client", () => {
  expect(fixtures.map(({ operation }) => operation).sort()).toEqual(Object.keys(operations).sort());
});

describe.each(fixtures)("$operation ($file)", ({ operation, requests, answers, forbidden }) => {
  const success = answers.find(({ means }) => means === "success");
  if (!success) throw new Error(`no success for ${operation}`);

  test.each(requests)("sends, byte for byte: $comment", async (expected) => {
    const { client, requests: received } = await clientOf(expected.credential, success);
    await callOf(operation, client, expected.input);
    expect(received).toHaveLength(1);
    const { method, headers } = expected;
    const [head = "", body = ""] = Buffer.from(received[0] ?? "", "latin1")
      .toString()
      .split("\r\n\r\n");
    const [line, ...lines] = head.split("\r\n");
    expect(line).toBe(`${method} ${prefix}${expected.path} HTTP/1.1`);
    for (const [name, value] of Object.entries({ ...headers, accept: "application/json" }))
      expect(lines).toContain(`${name}: ${value}`);
    expect(body).toBe(expected.body);
    const names = "accept accept-encoding connection host user-agent".split(" ");
    if (method !== "GET") names.push("content-length");
    const sent = lines.map((each) => each.slice(0, each.indexOf(":")));
    expect(sent.sort()).toEqual(names.concat(Object.keys(headers)).sort());
  });

  const [first] = requests;
  if (!first) throw new Error(`no request of ${operation}`);
  const unsent = forbidden.filter(({ input }) => input !== undefined);
  test.skipIf(unsent.length === 0).each(unsent)("rejects what is forbidden: $comment", async ({ input }) => {
    const { client, requests: received } = await clientOf(first.credential, success);
    const error = await errorOf(callOf(operation, client, input));
    expect(error.code).toBe("invalid_input");
    expect(error.message).toMatch(/\S[.?]$/);
    expect(received).toEqual([]);
  });

  test.each(answers)("$status means $means: $comment", async (given) => {
    const { client, requests: received } = await clientOf(first.credential, given);
    const calling = callOf(operation, client, first.input);
    if (given.means === "success") {
      // Section 4 doesn't show the body of a status change.
      const isChange = operation.endsWith("Order") && operation !== "createPrefilledOrder";
      const told = { httpStatus: given.status, attempts: 1, ...(!isChange && { raw: given.body }) };
      expect(await calling).toMatchObject(told);
      return;
    }
    const error = await errorOf(calling);
    expect(error).toMatchObject({ code: given.means, attempts: 1, httpStatus: given.status });
    expect(error.message).toMatch(/^[^\n]+\.$/);
    expect(error.hint).toBeTruthy();
    expect(received).toHaveLength(1);
  });
});
