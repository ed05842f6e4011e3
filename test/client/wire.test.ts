/** The client against fixtures that are handwritten from the specification, over real HTTP. */
import { once } from "node:events";
import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";

import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { operations } from "../../src/api/operations.js";
import { createClient, type Client } from "../../src/library/index.js";
import { createTransport } from "../../src/client/http.js";
import { loadWireFixtures, wireSecrets, type WireAnswer, type WireRequest } from "../fixtures/wire/load.js";
import { callOf, isCallable } from "./support/calls.js";
import { jumpingClock } from "./support/clock.js";
import { errorOf } from "./support/scripted.js";

let server: Server;
let baseUrl = "";
let answer: Pick<WireAnswer, "status" | "headers" | "body">;
let received: { readonly request: IncomingMessage; readonly body: string }[] = [];
const transport = createTransport();

beforeAll(async () => {
  server = createServer((request, response) => {
    void text(request).then((body) => {
      received.push({ request, body });
      response.writeHead(answer.status, answer.headers).end(answer.body);
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterAll(async () => {
  await transport.close();
  server.close();
  await once(server, "close");
});

/** Calls append their paths to this prefix. */
const prefix = "/partner%20x";

function client(credential: WireRequest["credential"]): Client {
  received = [];
  return createClient({
    baseUrl: `${baseUrl}${prefix}/`,
    transport,
    clock: jumpingClock(),
    rateLimiter: false,
    maxWaitMs: 0,
    maxRetries: 0,
    credentials: {
      [credential === "bearer" ? "bearer" : "apiKey"]: () => Promise.resolve(wireSecrets[credential]),
    },
  });
}

const fixtures = loadWireFixtures();

test("the fixtures contain each operation of the client", () => {
  expect(fixtures.map(({ operation }) => operation).sort()).toEqual(Object.keys(operations).sort());
});

describe.each(fixtures)("$operation ($file)", ({ operation, requests, answers, forbidden }) => {
  if (!isCallable(operation)) throw new Error(`there is no operation ${operation}`);
  const success = answers.find(({ means }) => means === "success");
  if (!success) throw new Error(`no success for ${operation}`);

  test.each(requests)("sends, byte for byte: $comment", async (expected) => {
    answer = success;
    await callOf(operation, client(expected.credential), expected.input);
    expect(received).toHaveLength(1);
    const [{ request, body } = {}] = received;
    const { method, headers } = expected;
    expect(request).toMatchObject({ method, url: prefix + expected.path });
    expect(request?.headers).toMatchObject({ ...headers, accept: "application/json" });
    expect(body).toBe(expected.body);
    const names = "accept accept-encoding connection host user-agent".split(" ");
    if (method !== "GET") names.push("content-length");
    const sent = request?.rawHeaders.filter((_, index) => index % 2 === 0) ?? [];
    expect(sent.sort()).toEqual(names.concat(Object.keys(headers)).sort());
  });

  const [first] = requests;
  if (!first) throw new Error(`no request of ${operation}`);
  const unsent = forbidden.filter(({ input }) => input !== undefined);
  test.skipIf(unsent.length === 0).each(unsent)(
    "does not send what is forbidden: $comment",
    async ({ input }) => {
      answer = success;
      const error = await errorOf(callOf(operation, client(first.credential), input));
      expect(error.code).toBe("invalid_input");
      expect(error.message).toMatch(/\S[.?]$/);
      expect(received).toEqual([]);
    },
  );

  test.each(answers)("$status means $means: $comment", async (given) => {
    answer = given;
    const calling = callOf(operation, client(first.credential), first.input);
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
