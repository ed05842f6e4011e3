import { inspect } from "node:util";

import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";

import { exchangeCode, refreshTokens, revokeToken } from "../../src/auth/token-endpoint.js";
import { createTransport } from "../../src/client/http/undici-transport.js";
import type { Environment } from "../../src/state/sessions/session.js";
import { testEnvironment } from "./support/sessions.js";
import { json, raw, startTokenService, tokens, type TokenService } from "./support/token-service.js";

const transport = createTransport();
let service: TokenService;
let environment: Environment;

beforeAll(async () => {
  service = await startTokenService();
  environment = testEnvironment({ base_url: `${service.baseUrl}/prefix` });
});
afterAll(async () => {
  await transport.close();
  await service.stop();
});
beforeEach(() => {
  service.answer = tokens();
});

const codeVerifier = "v".repeat(43);
const exchange = () =>
  exchangeCode({ environment, transport }, { code: "c+ode", state: "state-1", codeVerifier });
const refresh = () => refreshTokens({ environment, transport }, "refresh-1");
const revoke = () => revokeToken({ environment, transport }, "refresh-1");

describe("requests", () => {
  test("the code is exchanged with the fields of section 5.2, step 4, and no others", async () => {
    await exchange();
    expect(service.requests.at(-1)).toMatchObject({
      path: "/prefix/api/partner/oauth/token",
      headers: {
        "content-type": expect.stringMatching(/^application\/x-www-form-urlencoded/) as string,
        accept: "application/json",
      },
    });
    expect(service.requests.at(-1)?.headers).not.toHaveProperty("authorization");
    expect(service.requests.at(-1)?.form).toEqual({
      grant_type: "authorization_code",
      code: "c+ode",
      redirect_uri: "http://127.0.0.1:8765/callback",
      client_id: "app-1",
      code_verifier: codeVerifier,
    });
  });

  test("a refresh sends its three fields", async () => {
    await refresh();
    expect(service.requests.at(-1)?.form).toEqual({
      grant_type: "refresh_token",
      refresh_token: "refresh-1",
      client_id: "app-1",
    });
  });

  test("a revocation sends token and client", async () => {
    service.answer = raw(200, "");
    await revoke();
    expect(service.requests.at(-1)).toMatchObject({
      path: "/prefix/api/partner/oauth/revoke",
      form: { token: "refresh-1", client_id: "app-1" },
    });
  });

  test("nothing goes over plain http to another machine", async () => {
    const call = { environment: testEnvironment({ base_url: "http://api.example" }), transport };
    await expect(refreshTokens(call, "r")).rejects.toMatchObject({ code: "configuration" });
  });
});

describe("tokens are accepted", () => {
  test.each([
    [
      "as section 5.2 shows them",
      {},
      { expiresIn: 7200, tokens: { refresh_token: "refresh-2", scopes: ["orders", "drivers"] } },
    ],
    ["without expires_in", { expires_in: undefined }, { expiresIn: 7200 }],
    ["with expires_in as text", { expires_in: "60" }, { expiresIn: 60 }],
    ["with nulls", { refresh_token: null, scope: null, expires_in: null }, { expiresIn: 7200 }],
    ["with a negative lifetime", { expires_in: -1 }, { expiresIn: 7200 }],
    ["with words for a lifetime", { expires_in: "soon" }, { expiresIn: 7200 }],
    ["with a lifetime beyond all clocks", { expires_in: 2 ** 63 }, { expiresIn: 31_536_000 }],
    ["with the longest lifetime of a number", { expires_in: 1e308 }, { expiresIn: 31_536_000 }],
    ["with bearer in capitals", { token_type: "BEARER" }, {}],
    ["with more members, an ID token among them", { id_token: "x.y.z", extra: [1] }, {}],
    [
      "with spaces around scopes",
      { scope: "  orders   drivers " },
      { tokens: { scopes: ["orders", "drivers"] } },
    ],
  ])("%s", async (_, members, expected) => {
    service.answer = tokens(members);
    for (const answer of [await refresh(), await exchange()]) {
      expect(answer).toMatchObject({ kind: "issued", tokens: { access_token: "access-2" } });
      expect(answer).toMatchObject(expected);
    }
  });

  test("without a refresh token: there is none in the result", async () => {
    service.answer = tokens({ refresh_token: undefined, scope: undefined });
    expect(await refresh()).toEqual({
      kind: "issued",
      tokens: { access_token: "access-2" },
      expiresIn: 7200,
    });
  });

  test("with another 2xx and another content type", async () => {
    service.answer = raw(201, JSON.stringify({ access_token: "access-2", token_type: "bearer" }), {
      "content-type": "text/plain",
    });
    expect(await refresh()).toMatchObject({ kind: "issued" });
  });
});

describe("what is no token answer is an error", () => {
  const big = JSON.stringify({ access_token: "access-2", token_type: "bearer", x: "x".repeat(65_536) });
  test.each([
    ["HTML", raw(200, "<html>secret-page</html>", { "content-type": "text/html" }), "unexpected_answer"],
    ["nothing", raw(204, ""), "unexpected_answer"],
    ["truncated JSON", raw(200, '{"access_token":"secret-pa'), "unexpected_answer"],
    ["an array", json(200, ["secret-page"]), "unexpected_answer"],
    ["no access token", tokens({ access_token: undefined }), "unexpected_answer"],
    ["a token with a line break", tokens({ access_token: "secret-page\r\nX-Evil: 1" }), "unexpected_answer"],
    ["a token that is too long", tokens({ access_token: "a".repeat(4097) }), "unexpected_answer"],
    ["a refresh token with a space", tokens({ refresh_token: "secret-page b" }), "unexpected_answer"],
    ["another token type", tokens({ token_type: "mac" }), "unexpected_answer"],
    ["a DPoP token", tokens({ token_type: "DPoP" }), "unexpected_answer"],
    ["more than 64 KiB", raw(200, big), "unexpected_answer"],
    ["a redirect", raw(302, "", { location: "https://evil.example/" }), "unexpected_answer"],
    ["not modified", raw(304, ""), "unexpected_answer"],
    ["404 with HTML", raw(404, "<html>secret-page</html>"), "unexpected_answer"],
    ["401 with HTML", raw(401, "\n<html>secret-page</html>"), "unexpected_answer"],
    ["403 with nothing", raw(403, ""), "unexpected_answer"],
    ["429", raw(429, ""), "rate_limited"],
    ["500", raw(500, "secret-page"), "server_error"],
    ["503 with an OAuth error", json(503, { error: "invalid_grant" }), "server_error"],
  ])("%s", async (_, answer, code) => {
    service.answer = answer;
    const failure = await refresh().catch((error: unknown) => error);
    expect(failure).toMatchObject({ name: "ComandaError", code });
    // Everything that the error holds, `cause` included.
    expect(inspect(failure, { depth: 9 })).not.toContain("secret-page");
    expect(failure).not.toHaveProperty("cause");
  });
});

describe("refusals", () => {
  test.each([
    ["invalid_grant", json(400, { error: "invalid_grant" }), { error: "invalid_grant", httpStatus: 400 }],
    [
      "one with a challenge",
      json(401, { error: "invalid_client" }, { "www-authenticate": "Basic" }),
      { error: "invalid_client", httpStatus: 401 },
    ],
    ["one without content type", raw(400, '{"error":"invalid_grant"}'), { error: "invalid_grant" }],
    ["one with an odd identifier", json(400, { error: "no\u001b[31m" }), { error: "unknown_error" }],
    [
      "one with an odd description",
      json(400, { error: "x", error_description: {} }),
      { description: undefined },
    ],
    [
      "the API's own form",
      json(401, { code: 4010, message: "Invalid token" }),
      { error: "invalid_grant", description: "Invalid token" },
    ],
    [
      "the API's own form of bad parameters",
      json(400, { code: 4000, message: "Invalid parameters", details: "client_id" }),
      { error: "invalid_request", description: "client_id" },
    ],
    ["401 with nothing", raw(401, "", { "www-authenticate": 'Basic realm="x"' }), { error: "unexplained" }],
    ["400 with a text", raw(400, "no"), { error: "unexplained", description: undefined, httpStatus: 400 }],
    ["an error that is no text", json(400, { error: { id: 1 } }), { error: "unexplained" }],
  ])("%s", async (_, answer, expected) => {
    service.answer = answer;
    expect(await refresh()).toMatchObject({ kind: "refused", ...expected });
  });

  test("the description is one short line without what was sent", async () => {
    const error_description = `bad\u001b[2J\r\n\u202e token refresh-1 ${"x".repeat(500)}`;
    service.answer = json(400, { error: "invalid_request", error_description });
    const refusal = await refresh();
    expect(refusal).toMatchObject({
      description: expect.stringMatching(/^bad \[2J token \[hidden\] x+…$/) as string,
    });
    expect((refusal as { description: string }).description).toHaveLength(200);
  });
});

describe("a revocation", () => {
  test.each([
    ["200", raw(200, "")],
    ["204", raw(204, "")],
    ["202 with a text", raw(202, "done")],
    ["a token that is no longer known", json(400, { error: "invalid_token" })],
    ["the API's word for that", json(401, { code: 4010, message: "Invalid token" })],
  ])("%s is success", async (_, answer) => {
    service.answer = answer;
    expect(await revoke()).toEqual({ kind: "revoked" });
  });

  test("a refusal is one", async () => {
    service.answer = json(401, { error: "invalid_client" });
    expect(await revoke()).toMatchObject({ kind: "refused", error: "invalid_client" });
  });

  test.each([
    [raw(500, ""), "server_error"],
    [json(500, { code: 5000, message: "x" }), "server_error"],
    [raw(302, "", { location: "/" }), "unexpected_answer"],
    [raw(404, "<html>"), "unexpected_answer"],
    [raw(429, ""), "rate_limited"],
  ])("an answer that says nothing is an error", async (answer, code) => {
    service.answer = answer;
    await expect(revoke()).rejects.toMatchObject({ code });
  });
});
