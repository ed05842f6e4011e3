/** Calls the two OAuth endpoints over real HTTP, and judges their responses. */
import { inspect } from "node:util";

import { beforeEach, describe, expect, test } from "vitest";

import { requestTokens, revokeTokens } from "../../src/auth/tokens.js";
import { systemClock } from "../../src/base/clock.js";
import { createTransport } from "../../src/client/http.js";
import { errorOf } from "../client/support/scripted.js";
import { containing } from "../support/output.js";
import { closing } from "../support/resources.js";
import { testEnvironment } from "./support/sessions.js";
import { json, raw, startTokenService, tokens } from "./support/token-service.js";

const transport = closing(createTransport());
const clock = { ...systemClock, now: () => Date.parse("2026-03-01T12:00:00Z") };
const service = await startTokenService();
const environment = testEnvironment({ base_url: `${service.baseUrl}/prefix` });
beforeEach(() => {
  service.answer = tokens();
});

const call = { environment, transport, clock };
const refresh = () => requestTokens(call, "refresh_token", { refresh_token: "refresh-1" });
const failure = () => errorOf(refresh());
const revoke = () => revokeTokens({ environment, transport }, { access_token: "access-1" });

describe("a request", () => {
  test("contains exactly the fields of sections 5.2 and 4.11", async () => {
    const code = { code: "c+ode", redirect_uri: environment.redirect_uri, code_verifier: "v".repeat(43) };
    await requestTokens(call, "authorization_code", code);
    await refresh();
    await revoke();
    const client_id = "app-1";
    const path = "/prefix/api/partner/oauth/token";
    expect(service.requests.map(({ path, form }) => ({ path, form }))).toEqual([
      { path, form: { grant_type: "authorization_code", client_id, ...code } },
      { path, form: { grant_type: "refresh_token", client_id, refresh_token: "refresh-1" } },
      { path: "/prefix/api/partner/oauth/revoke", form: { client_id, token: "access-1" } },
    ]);
    const [{ headers } = { headers: {} }] = service.requests;
    const type = "application/x-www-form-urlencoded";
    expect(headers).toMatchObject({ "content-type": type, accept: "application/json" });
    expect(headers).not.toHaveProperty("authorization");
  });

  test("is never sent over plain http to another machine", async () => {
    const elsewhere = { ...call, environment: testEnvironment({ base_url: "http://api.example" }) };
    const sent = requestTokens(elsewhere, "refresh_token", { refresh_token: "r" });
    await expect(sent).rejects.toMatchObject({ code: "configuration" });
  });
});

describe("a token response is accepted", () => {
  const year = 365 * 24 * 3600;
  test.each([
    ["as in section 5.2", {}, 7200],
    ["with expires_in as text", { expires_in: "60" }, 60],
    ["with nulls", { refresh_token: null, scope: null, expires_in: null }, 7200],
    ["with text for a lifetime", { expires_in: "soon" }, 7200],
    ["with a lifetime beyond any date", { expires_in: 2 ** 63 }, year],
    ["with BEARER as its type", { token_type: "BEARER" }, 7200],
    ["with additional members such as an ID token", { id_token: "x.y.z", extra: [1] }, 7200],
  ])("%s", async (_, members, seconds) => {
    service.answer = tokens(members);
    const times = { issued_at: clock.now(), expires_at: clock.now() + seconds * 1000 };
    expect(await refresh()).toMatchObject({ access_token: "access-2", ...times });
  });
});

describe("a token response is rejected", () => {
  const big = JSON.stringify({ access_token: "access-2", token_type: "bearer", x: "x".repeat(65_536) });
  test.each([
    ["with HTML", raw(200, "<html>secret-page</html>", { "content-type": "text/html" }), "unexpected_answer"],
    ["with a line break", tokens({ access_token: "secret-page\r\nX-Evil: 1" }), "unexpected_answer"],
    ["with a token that is too long", tokens({ access_token: "a".repeat(4097) }), "unexpected_answer"],
    ["with a space in the refresh token", tokens({ refresh_token: "secret-page b" }), "unexpected_answer"],
    ["with another token type", tokens({ token_type: "mac" }), "unexpected_answer"],
    ["with more than 64 KiB", raw(200, big), "unexpected_answer"],
    ["with a redirect", raw(302, "", { location: "https://evil.example/" }), "unexpected_answer"],
    ["with 401 and HTML", raw(401, "\n<html>secret-page</html>"), "unexpected_answer"],
    ["with 503 and an OAuth error", json(503, { error: "invalid_grant" }), "server_error"],
  ])("%s", async (_, answer, code) => {
    service.answer = answer;
    const error = await failure();
    expect(error.code).toBe(code);
    // The check includes `cause`.
    expect(inspect(error, { depth: 9 })).not.toContain("secret-page");
    expect(error).not.toHaveProperty("cause");
  });
});

describe("an OAuth error", () => {
  test.each([
    ["with an invalid code", json(400, { error: "no\u001b[31m" }), { serviceMessage: "unknown_error" }],
    ["without a body", raw(401, "", { "www-authenticate": 'Basic realm="x"' }), { httpStatus: 401 }],
    ["with an object as its code", json(400, { error: { id: 1 } }), { httpStatus: 400 }],
  ])("%s is reported safely", async (_, answer, expected) => {
    service.answer = answer;
    const reason = "serviceMessage" in expected ? expected.serviceMessage : "HTTP 40";
    expect(await failure()).toMatchObject({ ...expected, message: containing(reason) });
  });

  test("quotes one short line without the values that were sent", async () => {
    const error_description = `bad\u001b[2J\r\n\u202e token refresh-1 ${"x".repeat(500)}`;
    service.answer = json(400, { error: "invalid_request", error_description });
    const { details } = await failure();
    expect(details).toMatch(/^bad \[2J token \[hidden\] x+…$/);
    expect(details).toHaveLength(200);
  });

  test("stays readable if a sent value is empty", async () => {
    service.answer = json(400, { error: "invalid_request", error_description: "code is wrong" });
    const sent = { code: "c1", code_verifier: "" };
    const { details } = await errorOf(requestTokens(call, "authorization_code", sent));
    expect(details).toBe("code is wrong");
  });
});

describe("a revocation", () => {
  test.each([
    ["204", raw(204, "")],
    ["invalid_token", json(400, { error: "invalid_token" })],
    ["the API's error 4010", json(401, { code: 4010, message: "Invalid token" })],
  ])("succeeds with %s", async (_, answer) => {
    service.answer = answer;
    expect(await revoke()).toBeUndefined();
  });

  test.each([
    ["invalid_client", json(401, { error: "invalid_client" }), "configuration"],
    ["a redirect", raw(302, "", { location: "/" }), "unexpected_answer"],
  ])("fails with %s", async (_, answer, code) => {
    service.answer = answer;
    expect(await revoke()).toMatchObject({ code });
  });
});
