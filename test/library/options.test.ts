/** The options of `createClient`, of its calls and of the other entry points. */
import { describe, expect, test } from "vitest";

import { createClient, type ClientOptions } from "../../src/library/index.js";
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
