/** Sends the hand-written fixtures to the emulator, which finds mistakes in the shared contract. */
import { describe, expect, test } from "vitest";
import * as z from "zod/mini";

import { allOperations } from "../../src/api/oauth.js";
import { orderStatuses } from "../../src/api/values.js";
import { parseJson } from "../../src/base/basics.js";
import { createOrder } from "../../src/emulator/domain/new-order.js";
import { loadWireFixtures, wireSecrets, type WireFixture, type WireRequest } from "../fixtures/wire/load.js";
import { answerOf, bearer, createTestEmulator, type TestEmulator } from "./support.js";

const served = new Set<string>(Object.keys(allOperations));
const fixtures = loadWireFixtures().filter((fixture) => served.has(fixture.operation));

/** Sends a request of a fixture, in which only the order, the driver and the secrets are replaced. */
async function replay(
  emulator: TestEmulator,
  { changes }: Pick<WireFixture, "changes">,
  request: WireRequest,
  order?: number,
): Promise<Response> {
  const status = orderStatuses.find((each) => each === changes?.from) ?? "confirmed";
  const id = order ?? (await emulator.order({ status })).id;
  const token = emulator.accessToken();
  const headers = Object.entries(request.headers).map(([name, value]) => [
    name,
    value.replace(wireSecrets.bearer, token).replace(wireSecrets.api_key, emulator.apiKey()),
  ]);
  return emulator.request(request.path.replace(/(\/orders\/)[^/]+(\/\w+)$/, `$1${id}$2`), {
    method: request.method,
    headers: Object.fromEntries(headers) as Record<string, string>,
    ...(request.body !== "" && {
      body: request.body.replace(/"driver_id":\s*[1-9]\d*(?![.\d])/, '"driver_id":11'),
    }),
  });
}

/** Returns the sorted names of an object's fields, or those of a list's first element. */
function fieldsOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.length === 0 ? [] : [fieldsOf(value[0])];
  if (typeof value !== "object" || value === null) return null;
  return Object.keys(value).sort();
}

const ofFigures = ({ operation }: WireFixture) => /summary$/i.test(operation);
const emulator = createTestEmulator({ rateLimits: false });

describe.each(fixtures.filter((fixture) => !ofFigures(fixture)))("$operation", (fixture) => {
  const { requests, answers } = fixture;
  test.each(requests)("accepts the fixture's request: $comment", async (request) => {
    const response = await replay(emulator, fixture, request);
    const shown = answers.filter((answer) => answer.shown && answer.means === "success");
    const body = await response.text();
    expect(response.ok).toBe(true);
    expect(body === "").toBe(shown.every((answer) => answer.body === ""));
    // The longest answer of section 4.1 is the whole order.
    const [whole = ""] = shown.map((answer) => answer.body).sort((a, b) => b.length - a.length);
    expect(fieldsOf(parseJson(body))).toEqual(fieldsOf(parseJson(whole)));
  });

  /** Requests that cause each refusal for which section 7 shows a code. */
  const provoke: Readonly<Record<string, (request: WireRequest) => Promise<Response>>> = {
    4000: (request) => replay(emulator, fixture, { ...request, body: '{"driver_id":1,"driver_fee":1.005}' }),
    4002: async (request) => {
      const { id } = await emulator.order({ status: "closed" });
      return replay(emulator, fixture, request, id);
    },
    4010: (request) => replay(emulator, fixture, { ...request, headers: bearer("no") }),
    4041: (request) => replay(emulator, fixture, request, 999_999),
  };
  const refusals = answers.flatMap(({ shown, status, body }) => {
    const { code } = z.safeParse(errorSchema, parseJson(body)).data ?? {};
    return shown && code !== undefined && code in provoke ? [{ code, status, shape: parseJson(body) }] : [];
  });

  test.each(refusals)("is refused with $code as section 7 shows", async ({ code, status, shape }) => {
    const [request] = requests;
    if (!request) throw new Error("no request");
    const response = await provoke[code]?.(request);
    const body: unknown = await response?.json();
    expect(body).toMatchObject({ code, message: expect.stringMatching(/./) as string });
    // Section 7 doesn't show the HTTP status of 4002.
    if (code === 4002) return;
    // Details may be present (section 7).
    const fields = [body, shape].map((each) => fieldsOf({ details: "", ...Object(each) }));
    expect({ status: response?.status, fields: fields[0] }).toEqual({ status, fields: fields[1] });
  });
});

describe.each(fixtures.filter(ofFigures))("$operation", ({ requests, answers }) => {
  test.each(requests)("accepts the fixture's query: $comment", async ({ path, headers }) => {
    const own = createTestEmulator({ seed: 7, orders: 1_500 });
    const { world } = own.service;
    // Adds the drivers and channels of the specification's examples, which the seed doesn't contain.
    for (const [name, value] of new URL(path, "http://127.0.0.1").searchParams) {
      if (name.includes("driver_id") && value !== "true") world.putDriver({ id: Number(value) });
      if (name.includes("sales_channel")) createOrder(world, { sales_channel: value });
    }
    const token = own.accessToken();
    const authorization = headers["authorization"]?.replace(wireSecrets.bearer, token) ?? "";
    const answer = await own.request(path, { headers: { ...headers, authorization } });
    expect(answer.status).toBe(200);
    const shown = answers.find((each) => each.shown && each.means === "success");
    const namesIn = (body: string) => new Set([...body.matchAll(/"(\w+)":/g)].map(([, name]) => name));
    expect(namesIn(await answer.text())).toEqual(namesIn(shown?.body ?? ""));
  });
});

const forbidden = fixtures.flatMap(({ operation, changes, requests, forbidden: list }) =>
  list.map(({ comment, path, body }) => ({ operation, changes, comment, path, body, like: requests[0] })),
);

test.each(forbidden)("$operation refuses a request that the fixture forbids: $comment", async (given) => {
  if (!given.like) throw new Error("no request");
  const response = await replay(emulator, given, {
    ...given.like,
    path: given.path,
    body: given.body,
  });
  expect(await answerOf(response)).toEqual({
    status: 400,
    body: { code: 4000, message: "Invalid parameters", details: expect.stringMatching(/\w/) as string },
  });
});

const errorSchema = z.object({ code: z.int() });
