/** Calls of any path: their addresses, headers, bodies and rate limits. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";

import { buildAnyRequest, request } from "../../src/client/any-call.js";
import { ComandaError } from "../../src/base/errors.js";
import { errorOf, scriptedClient } from "./support/scripted.js";

const target = "https://api.example/partner";

function addressOf(path: string): string {
  const { path: below, request } = buildAnyRequest({ method: "GET", path });
  return target + below + request.search;
}

describe("the address of a call", () => {
  test.each([
    ["api/x", "https://api.example/partner/api/x"],
    ["/x/..y/...", "https://api.example/partner/x/..y/..."],
    ["/user:pass@evil.example/", "https://api.example/partner/user:pass@evil.example/"],
  ])("of %s is valid", (path, url) => {
    expect(addressOf(path)).toBe(url);
  });

  const invalid = ["", "https://evil.example/partner/x", "/%2e%2e/x", "/x#y", "/café", "/%ff"];
  test.each(invalid)("of %j isn't valid", (path) => {
    expect(() => addressOf(path)).toThrow(/^Invalid value ".*" for path\.$/s);
  });

  test("is below the base URL for any path", () => {
    const pieces = fc.constantFrom(
      ..."/ // \\ .. . %2e %2F @ : https: evil.example ? # a %5c".split(" "),
      "\n",
    );
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 8 }), (parts) => {
        let url: URL;
        try {
          url = new URL(addressOf(parts.join("")));
        } catch (error) {
          return error instanceof ComandaError && error.code === "invalid_input";
        }
        return (
          url.origin === "https://api.example" && url.pathname.startsWith("/partner/") && url.username === ""
        );
      }),
      { numRuns: 700 },
    );
  });
});

test.each([
  ["GET", "/api/partner/v1/orders/summary", "summary", true],
  ["GET", "/api/partner/v1/orders/summary/grouped", "summary_grouped", true],
  ["GET", "/api/partner/v1/orders/summary/other", "summary", true],
  ["GET", "/api/partner/v1/orders/history", "history", true],
  ["POST", "/api/partner/v1/orders", "general", false],
  ["PUT", "/api/partner/v1/orders/1/driver", "general", true],
] as const)("the rate limit of a path with %s %s is %s", (method, path, bucket, repeatable) => {
  expect(buildAnyRequest({ method, path }).operation).toMatchObject({ bucket, repeatable });
});

test("a call of any path as a partner requires both keys", async () => {
  const { client } = scriptedClient([], { credentials: { apiKey: () => Promise.resolve("KEY") } });
  const partner = { method: "POST", path: "/api/orders", body: "{}", auth: "partner" } as const;
  const error = await errorOf(request(client, partner));
  expect(error).toMatchObject({ code: "not_signed_in", attempts: 0 });
  expect(error.hint).toContain("credentials.partnerKey");
});
