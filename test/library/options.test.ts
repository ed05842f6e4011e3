/** The options of `createClient`, of its calls and of the other entry points. */
import { describe, expect, test } from "vitest";

import { createClient, type ClientOptions, type RateLimiter } from "../../src/library/index.js";
import { errorOf, scripted, type Step } from "../client/support/scripted.js";

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
  test("may be a text, or a method of an object with other fields", async () => {
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
    "is rejected as a text with a blank: %j",
    async (secret) => {
      for (const field of ["bearer", "apiKey", "partnerKey"]) {
        const error = await refusal({ credentials: { [field]: secret } });
        expect(error).toMatchObject({ code: "invalid_input", field: `credentials.${field}` });
        expect(JSON.stringify(error)).not.toContain("TOKEN");
      }
      const { client } = clientWith({ credentials: { bearer: () => secret } });
      expect(await errorOf(client.dispatchOrder(1))).toMatchObject({ code: "not_signed_in", attempts: 0 });
    },
  );

  test("with an unknown name is rejected, with the nearest name", async () => {
    const credentials: object = { bearers: "TOKEN" };
    const error = await refusal({ credentials });
    expect(error).toMatchObject({ code: "invalid_input", field: "credentials.bearers" });
    expect(error.message).toBe('credentials has no field "bearers". Did you mean "bearer"?');
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

  test("must be a number of at least 0", async () => {
    const error = await errorOf(clientWith({}).client.dispatchOrder(1, { maxWaitMs: -1 }));
    expect(error).toMatchObject({ code: "invalid_input", field: "maxWaitMs" });
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
