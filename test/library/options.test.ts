/** The options of `createClient`, of its calls and of the other entry points. */
import { describe, expect, onTestFinished, test } from "vitest";

import { startEmulator } from "../../src/library/emulator.js";
import { createClient, outcomeOf, type ClientOptions, type RateLimiter } from "../../src/library/index.js";
import { createTransport } from "../../src/library/node.js";
import { errorOf, scripted, type Step } from "../client/support/scripted.js";
import { closing } from "../support/cleanup.js";

/** A client of a service that responds with these steps, and the requests that it received. */
function clientWith(options: Partial<ClientOptions>, steps: readonly Step[] = [{ status: 204 }]) {
  const { transport, requests } = scripted(...steps);
  const credentials = { bearer: "TOKEN" };
  const client = createClient({ baseUrl: "https://api.example", credentials, transport, ...options });
  return { client, requests };
}

/** Returns the error of options that no client has. */
const refusal = (options: Partial<ClientOptions>) =>
  errorOf(Promise.resolve().then(() => clientWith(options)));

describe("a credential", () => {
  test("may be text, or a method of an object with other fields", async () => {
    class Keys {
      private readonly key = "KEY";
      apiKey() {
        return this.key;
      }
    }
    for (const [credentials, header, value] of [
      [{ bearer: "TOKEN" }, "authorization", "Bearer TOKEN"],
      [{ bearer: () => "TOKEN" }, "authorization", "Bearer TOKEN"],
      [{ bearer: "", apiKey: "KEY" }, "x-api-key", "KEY"],
      [new Keys(), "x-api-key", "KEY"],
    ] as const) {
      const { client, requests } = clientWith({ credentials });
      await client.dispatchOrder(1);
      expect(requests[0]?.headers).toMatchObject({ [header]: value });
    }
  });

  test.each(["Bearer TOKEN", "two words", "TOKEN\n", " TOKEN"])(
    "is rejected if it contains a blank: %j",
    async (secret) => {
      for (const field of ["bearer", "apiKey", "partnerKey"]) {
        const error = await refusal({ credentials: { [field]: secret } });
        expect(error).toMatchObject({ code: "invalid_input", field: `credentials.${field}` });
        expect(JSON.stringify(error)).not.toContain("TOKEN");
      }
      const { client } = clientWith({ credentials: { bearer: () => secret } });
      const error = await errorOf(client.dispatchOrder(1));
      expect(error).toMatchObject({ code: "not_signed_in", attempts: 0 });
      expect(JSON.stringify([error, error.message])).not.toContain("TOKEN");
    },
  );

  test("with an unknown name is rejected, with the nearest name", async () => {
    const credentials: object = { bearers: "TOKEN" };
    const error = await refusal({ credentials });
    expect(error).toMatchObject({ code: "invalid_input", field: "credentials.bearers" });
    expect(error.message).toBe('credentials has no field "bearers". Did you mean "bearer"?');
  });
});

describe("undefined", () => {
  test("counts as absent in all options", async () => {
    const absent = {
      allowInsecure: undefined,
      fetch: undefined,
      rateLimiter: undefined,
      clock: undefined,
      random: undefined,
      maxWaitMs: undefined,
      timeoutMs: undefined,
      maxRetries: undefined,
      userAgent: undefined,
      onWait: undefined,
      observer: { sends: undefined, attempted: undefined },
      journal: undefined,
      onFallback: undefined,
    };
    const credentials = { bearer: "TOKEN", renew: undefined, apiKey: undefined, partnerKey: undefined };
    const ofCall = { signal: undefined, timeoutMs: undefined, maxRetries: undefined, maxWaitMs: undefined };
    const { client, requests } = clientWith({ ...absent, credentials });
    expect(await client.dispatchOrder(1, ofCall)).toMatchObject({ outcome: "done" });
    expect(requests).toMatchObject([{ timeoutMs: 30_000 }]);
  });

  test("counts as absent in the query and the body", async () => {
    const { client, requests } = clientWith({}, [{ body: "{}" }, { body: "{}" }]);
    const [start_date, end_date] = ["2026-10-01T00:00:00Z", "2026-10-02T00:00:00Z"];
    const filters = { status_in: undefined };
    await errorOf(client.summary({ start_date, end_date, date_field: undefined, filters }));
    await errorOf(client.assignDriver(1, { driver_id: 7, driver_fee: undefined }, { maxRetries: 0 }));
    const search = "?start_date=2026-10-01T00%3A00%3A00Z&end_date=2026-10-02T00%3A00%3A00Z";
    expect(new URL(requests[0]?.url ?? "").search).toBe(search);
    expect(requests[1]?.body).toBe('{"driver_id":7}');
  });

  test("counts as absent in the options of the emulator, of its client and of createTransport", async () => {
    const emulator = closing(
      await startEmulator({
        port: undefined,
        orders: 0,
        readings: { conflict_status: undefined },
        faults: [{ status: 503, times: undefined, path: undefined }],
        rateLimits: undefined,
      }),
    );
    const transport = createTransport({ connections: undefined, connectTimeoutMs: undefined });
    onTestFinished(() => transport.close());
    const client = emulator.client({
      baseUrl: undefined,
      clock: undefined,
      credentials: undefined,
      transport,
    });
    const { id } = emulator.createOrder({ status: undefined, order_type: "takeout", merchant_id: undefined });
    expect(await errorOf(client.finalizeOrder(id))).toMatchObject({ httpStatus: 503 });
    emulator.setFaults();
    expect(await client.cancelOrder(id, { cancellation_reason: undefined })).toMatchObject({
      outcome: "done",
    });
  });
});

describe("maxWaitMs", () => {
  const tooMany = { status: 429, headers: { "retry-after": "7" } };

  test("of a call replaces the client's, for the service's limit and for our own", async () => {
    const limited = clientWith({}, [tooMany]).client;
    const atOnce = { code: "rate_limited", attempts: 1 };
    expect(await errorOf(limited.dispatchOrder(1, { maxWaitMs: 0 }))).toMatchObject(atOnce);
    const asked: number[] = [];
    const acquire: RateLimiter["acquire"] = (_, { maxWaitMs }) => {
      asked.push(maxWaitMs);
      return Promise.resolve({ settle: () => undefined });
    };
    const rateLimiter = { acquire, blocked: () => undefined };
    const { client } = clientWith({ maxWaitMs: 5, rateLimiter }, [{ status: 204 }, { status: 204 }]);
    await client.dispatchOrder(1, { maxWaitMs: 0 });
    await client.dispatchOrder(1, { maxWaitMs: undefined });
    expect(asked).toEqual([0, 5]);
  });
});

describe("the header User-Agent", () => {
  test.each([
    [undefined, /^comanda\/\d+\.\d+\.\d+$/],
    ["shop/2.1 (Ana)", /^shop\/2\.1 \(Ana\) comanda\/\d+\.\d+\.\d+$/],
  ])("names the program and comanda's version: %s", async (userAgent, expected) => {
    const { client, requests } = clientWith({ userAgent });
    await client.dispatchOrder(1);
    expect(requests[0]?.headers["user-agent"]).toMatch(expected);
  });

  test("accepts no other line and no letter with an accent", async () => {
    for (const userAgent of ["shop\r\nx: 1", "açaí/1"])
      expect(await refusal({ userAgent })).toMatchObject({ code: "invalid_input", field: "userAgent" });
  });
});

describe("outcomeOf", () => {
  test("returns the result or the error, which have the same fields", async () => {
    const { client } = clientWith({}, [
      { status: 204 },
      { status: 409, body: '{"code":4002,"message":"no"}' },
    ]);
    const done = await outcomeOf(client.dispatchOrder(1));
    const refused = await outcomeOf(client.dispatchOrder(2));
    const facts = { evidence: "api", attempts: 1, value: null };
    expect(done).toMatchObject({ ...facts, outcome: "done", code: null, httpStatus: 204 });
    expect(refused).toMatchObject({ ...facts, outcome: "refused", code: "status_conflict", httpStatus: 409 });
  });

  test("throws what isn't a ComandaError", async () => {
    const other = new Error("another");
    await expect(outcomeOf(Promise.reject(other))).rejects.toBe(other);
  });
});
