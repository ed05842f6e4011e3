/** A name that nobody knows is refused before anything is sent; dropped, it would change what a call does. */
import { describe, expect, test } from "vitest";

import { createDescriber } from "../../src/client/client.js";
import {
  createClient,
  createMemoryRateLimiter,
  type Client,
  type Credentials,
} from "../../src/library/index.js";
import { createTransport, fileSession } from "../../src/library/node.js";
import { startPublicEmulator } from "../support/emulators.js";
import { errorOf } from "./support/error-of.js";
import { scripted } from "./support/scripted.js";

type Method = (...all: readonly unknown[]) => unknown;

const baseUrl = "https://api.example";
const credentials = { bearer: () => Promise.resolve("TOKEN"), apiKey: () => Promise.resolve("KEY") };
const period = { start_date: "2026-10-01T00:00:00Z", end_date: "2026-10-02T00:00:00Z" };

const describer = createDescriber({ baseUrl, credentials }, ["bearer"]);

function clientOf(script: ReturnType<typeof scripted>) {
  return createClient({ baseUrl, credentials, transport: script.transport, rateLimiter: false });
}

describe("a call refuses", () => {
  const script = scripted();
  // What JavaScript lets through.
  const client = clientOf(script) as Client & Readonly<Record<string, Method>>;
  test.each<[keyof Client, readonly unknown[], string]>([
    [
      "summary",
      [{ ...period, filter: { status_in: "closed" } }],
      'no field "filter". Did you mean "filters"?',
    ],
    ["summary", [{ ...period, group_by: "day" }], 'no field "group_by"'],
    [
      "summary",
      [{ ...period, filters: { status: "closed" } }],
      'filters has no field "status". Did you mean "status_in"?',
    ],
    ["summary", [{ ...period, filters: { statusIn: "closed" } }], 'Did you mean "status_in"?'],
    ["summary", [{ ...period, filters: { toString: "closed" } }], 'filters has no field "toString"'],
    ["groupedSummary", [{ ...period, group_by: "day", groupBy: "week" }], 'Did you mean "group_by"?'],
    ["assignDriver", ["1", { driver_id: 7, driverFee: 5 }], 'Did you mean "driver_fee"?'],
    ["cancelOrder", ["1", { reason: "sold out" }], 'no field "reason". Did you mean "cancellation_reason"?'],
    ["cancelOrder", ["1", { cancelation_reason: "x" }], 'Did you mean "cancellation_reason"?'],
    ["cancelOrder", ["1", { signal: AbortSignal.timeout(1) }], 'no field "signal"'],
    ["dispatchOrder", ["1", { singal: undefined }], 'A call has no option "singal". Did you mean "signal"?'],
    ["deliverOrder", ["1", { timeoutMS: 5 }], 'no option "timeoutMS"'],
    ["finalizeOrder", ["1", { onRefusal: () => undefined }], 'no option "onRefusal"'],
    ["summary", [period, { Signal: undefined }], 'Did you mean "signal"?'],
    [
      "createPrefilledOrder",
      [{ order_type: "takeout", custommer: {} }],
      'The input has no field "custommer". Did you mean "customer"?',
    ],
    [
      "createPrefilledOrder",
      [{ order_type: "takeout", cart: [{ item: 3001, qty: 2 }] }],
      'cart.0 has no field "item". Did you mean "item_id"? It has no field "qty".',
    ],
    ["createPrefilledOrder", [{ order_type: "takeout" }, { signl: undefined }], 'Did you mean "signal"?'],
    [
      "request",
      [{ method: "POST", path: "/x", boddy: "{}" }],
      'A request has no field "boddy". Did you mean "body"?',
    ],
    ["request", [{ method: "GET", path: "/x" }, { signals: undefined }], 'Did you mean "signal"?'],
  ])("%s(%j)", async (name, given, message) => {
    const error = await errorOf((client[name] as Method)(...given) as Promise<unknown>);
    expect(error).toMatchObject({ code: "invalid_input", exitCode: 2, attempts: 0 });
    expect(error.message).toContain(message);
    expect(error.hint).toMatch(/^It has \w+/);
    expect(script.requests).toEqual([]);
  });

  test("the same where a request is only described", () => {
    for (const [id, input, nearest] of [
      ["assignDriver", { orderId: "1", driver_id: 7 }, "order_id"],
      ["dispatchOrder", { order_id: "1", cancelation: 1 }, undefined],
      ["summary", { ...period, filtres: {} }, "filters"],
    ] as const)
      expect(() => (describer.operation as Method)(id, input)).toThrow(
        expect.objectContaining({
          code: "invalid_input",
          message: expect.stringContaining(nearest ? `Did you mean "${nearest}"?` : "no field") as string,
        }),
      );
  });
});

describe("a call takes", () => {
  test("undefined for what is optional", async () => {
    const script = scripted({}, { body: '{"id":1}' });
    const client = clientOf(script);
    const nothing = undefined as unknown as never;
    await client.cancelOrder("1", { cancellation_reason: nothing }, { signal: nothing });
    await client.assignDriver("1", { driver_id: 7, driver_fee: nothing });
    expect(script.requests.map(({ body }) => body)).toEqual([undefined, '{"driver_id":7}']);
    const { url } = describer.operation("summary", {
      ...period,
      date_field: nothing,
      filters: { status_in: nothing, total_eq: 5 },
    });
    expect(url).toMatch(/end_date=[^&]*&filters\[total_eq\]=5$/);
  });

  test("objects of a class, with getters", () => {
    class Query {
      readonly start_date = period.start_date;
      readonly end_date = period.end_date;
      get filters() {
        return { status_in: ["closed"] as const };
      }
    }
    expect(describer.operation("summary", new Query()).url).toContain("[status_in]=closed");
  });

  test("one value or several where a filter is about a list, and one where it isn't", () => {
    const url = (filters: object) =>
      decodeURIComponent(describer.operation("summary", { ...period, filters }).url).replace(
        /.*?&filters/,
        "filters",
      );
    expect(url({ status_in: "closed" })).toBe("filters[status_in]=closed");
    expect(url({ status_in: ["closed", "ready"] })).toBe(
      "filters[status_in]=closed&filters[status_in]=ready",
    );
    expect(url({ driver_id_not_in: [7, "8"] })).toBe(
      "filters[driver_id_not_in]=7&filters[driver_id_not_in]=8",
    );
    expect(url({ total_gteq: 49.9 })).toBe("filters[total_gteq]=49.9");
    expect(url({ total_gteq: "49.90" })).toBe("filters[total_gteq]=49.90");
    expect(url({ customer_origin_not_null: true })).toBe("filters[customer_origin_not_null]=true");
  });
});

describe("options are refused", () => {
  const client = (more: object) => createClient({ baseUrl, credentials, ...more });
  test.each<[string, () => unknown, string]>([
    ["createClient", () => client({ maxRetry: 3 }), 'no option "maxRetry". Did you mean "maxRetries"?'],
    [
      "the same, undefined",
      () => client({ timeout: undefined }),
      'no option "timeout". Did you mean "timeoutMs"?',
    ],
    ["a whole session", () => client({ store: "centro" }), 'no option "store"'],
    [
      "a misspelt credential",
      () => client({ credentials: { ...credentials, renw: () => Promise.resolve("x") } }),
      'credentials has no option "renw". Did you mean "renew"?',
    ],
    ["createTransport", () => createTransport({ connection: 5 } as object), 'Did you mean "connections"?'],
  ])("%s", (_, run, message) => {
    expect(run).toThrow(
      expect.objectContaining({
        code: "configuration",
        message: expect.stringContaining(message) as string,
        hint: expect.stringMatching(/^It has \w+/) as string,
      }),
    );
  });

  test("fileSession", async () => {
    expect(await errorOf(fileSession({ stor: "centro", env: {} } as object))).toMatchObject({
      code: "configuration",
      message: 'fileSession has no option "stor". Did you mean "store"?',
    });
  });

  test("startEmulator", async () => {
    await expect(startPublicEmulator({ prot: 0, order: 5 } as object)).rejects.toThrow(
      /"prot".* Did you mean "port"\?.*"order".* Did you mean "orders"\?/,
    );
  });

  test("but not what an object of a class holds beside them", () => {
    class Store implements Credentials {
      readonly token = "TOKEN";
      bearer() {
        return Promise.resolve(this.token);
      }
    }
    const clock = { now: Date.now, sleep: () => Promise.resolve(), advance: () => undefined };
    const rateLimiter = { ...createMemoryRateLimiter(), name: "shared" };
    expect(() => client({ credentials: new Store(), clock, rateLimiter })).not.toThrow();
  });
});
