/** The client against fixtures written by hand from the specification, over real HTTP. */
import { once } from "node:events";
import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";

import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { createClient, type Client } from "../../src/client/client.js";
import { createTransport } from "../../src/client/http.js";
import { ComandaError } from "../../src/client/errors.js";
import { loadWireFixtures, wireSecrets, type WireAnswer, type WireRequest } from "../fixtures/wire/load.js";
import { calls, isCallable } from "./support/calls.js";
import { jumpingClock } from "./support/clock.js";

let server: Server;
let baseUrl = "";
let answer: Pick<WireAnswer, "status" | "headers" | "body">;
let received: { readonly request: IncomingMessage; readonly body: string }[] = [];
const transport = createTransport();

beforeAll(async () => {
  server = createServer((request, response) => {
    void readBody(request).then((body) => {
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

/** Below a prefix, which calls keep. */
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

test("there is one for each operation of the client", () => {
  expect(fixtures.map(({ operation }) => operation).sort()).toEqual(Object.keys(calls).sort());
});

describe.each(fixtures)("$operation ($file)", ({ operation, requests, answers, forbidden }) => {
  if (!isCallable(operation)) throw new Error(`there is no operation ${operation}`);
  const call = calls[operation];
  const success = answers.find(({ means }) => means === "success");
  if (!success) throw new Error(`no success for ${operation}`);

  test.each(requests)("sends, byte for byte: $comment", async (expected) => {
    answer = success;
    await call(client(expected.credential), expected.input);
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

  const unsent = forbidden.filter(({ input }) => input !== undefined);
  test.skipIf(unsent.length === 0).each(unsent)(
    "does not send what is forbidden: $comment",
    async ({ input }) => {
      const [request] = requests;
      answer = success;
      const outcome = await call(client(request?.credential ?? "bearer"), input).catch(
        (error: unknown) => error,
      );
      expect(outcome).toMatchObject({
        code: "invalid_input",
        message: expect.stringMatching(/\S[.?]$/) as string,
      });
      expect(received).toEqual([]);
    },
  );

  test.each(answers)("$status means $means: $comment", async (given) => {
    const [request] = requests;
    if (!request) throw new Error("no request");
    answer = given;
    const outcome = await call(client(request.credential), request.input).catch((error: unknown) => error);
    if (given.means === "success") {
      expect(outcome).toMatchObject({ httpStatus: given.status, attempts: 1 });
      const rest =
        operation.endsWith("Order") && operation !== "createPrefilledOrder" ? {} : { raw: given.body };
      expect(outcome).toMatchObject(rest);
      return;
    }
    expect(outcome).toBeInstanceOf(ComandaError);
    expect(outcome).toMatchObject({ code: given.means, attempts: 1, httpStatus: given.status });
    if (outcome instanceof ComandaError) {
      expect(outcome.message).toMatch(/^[^\n]+\.$/);
      expect(outcome.hint).toBeTruthy();
    }
    expect(received).toHaveLength(1);
  });
});

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) if (Buffer.isBuffer(chunk)) chunks.push(chunk);
  return Buffer.concat(chunks).toString("utf8");
}
