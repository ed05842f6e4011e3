import { describe, expect, test } from "vitest";

import { app, codeVerifier, createFixture } from "./fixture.js";

// Written out by hand from sections 4.10 and 4.11, so that a slip in the contract shows.
const tokenPath = "/api/partner/oauth/token";
const revokePath = "/api/partner/oauth/revoke";

const aToken: unknown = expect.stringMatching(/^[\x21-\x7e]+$/);
const someText: unknown = expect.any(String);

function start() {
  const fixture = createFixture();
  const post = (path: string, body: string | Record<string, string>, type?: string) =>
    fixture.request(path, {
      method: "POST",
      headers: { "content-type": type ?? "application/x-www-form-urlencoded" },
      body: typeof body === "string" ? body : new URLSearchParams(body).toString(),
    });
  const form = () => ({
    grant_type: "authorization_code",
    code: fixture.server.issueCode(fixture.consent),
    redirect_uri: fixture.consent.redirectUri,
    client_id: app.clientId,
    code_verifier: codeVerifier,
  });
  return { ...fixture, post, form };
}

describe("the token endpoint", () => {
  test("exchanges a code as section 5.2 shows it", async () => {
    const { post, form } = start();
    const answer = await post(tokenPath, form());
    expect(answer.status).toBe(200);
    expect(answer.headers.get("cache-control")).toBe("no-store");
    expect(answer.headers.get("content-type")).toContain("application/json");
    expect(await answer.json()).toEqual({
      access_token: aToken,
      token_type: "Bearer",
      expires_in: 7200,
      refresh_token: aToken,
      scope: "orders drivers",
    });
  });

  test("refreshes, and takes a content type with a charset", async () => {
    const { post, signIn } = start();
    const { refreshToken } = signIn();
    const answer = await post(
      tokenPath,
      { grant_type: "refresh_token", refresh_token: refreshToken, client_id: app.clientId },
      "Application/x-www-form-urlencoded; charset=UTF-8",
    );
    expect(answer.status).toBe(200);
    expect(await answer.json()).toHaveProperty("refresh_token", expect.not.stringMatching(refreshToken));
  });

  const cases: [string, (form: Record<string, string>) => Record<string, string>, string][] = [
    ["no grant_type", (form) => ({ ...form, grant_type: "" }), "invalid_request"],
    ["another grant_type", (form) => ({ ...form, grant_type: "password" }), "unsupported_grant_type"],
    ["no code", (form) => ({ ...form, code: "" }), "invalid_request"],
    ["an unknown code", (form) => ({ ...form, code: "nope" }), "invalid_grant"],
    ["a code with control characters", (form) => ({ ...form, code: "a\u0000b" }), "invalid_grant"],
    ["no client_id", (form) => ({ ...form, client_id: "" }), "invalid_request"],
    ["an unknown client_id", (form) => ({ ...form, client_id: "?" }), "invalid_client"],
    ["an unapproved app", (form) => ({ ...form, client_id: "app-3" }), "invalid_client"],
    ["no redirect_uri", (form) => ({ ...form, redirect_uri: "" }), "invalid_request"],
    ["another redirect_uri", (form) => ({ ...form, redirect_uri: "http://127.0.0.1:1/" }), "invalid_grant"],
    ["no code_verifier", (form) => ({ ...form, code_verifier: "" }), "invalid_request"],
    ["a verifier of 42", (form) => ({ ...form, code_verifier: "v".repeat(42) }), "invalid_request"],
    ["a verifier of 129", (form) => ({ ...form, code_verifier: "v".repeat(129) }), "invalid_request"],
    ["another verifier", (form) => ({ ...form, code_verifier: "w".repeat(43) }), "invalid_grant"],
  ];
  test.each(cases)("refuses %s", async (_, change, error) => {
    const { post, form, server } = start();
    const answer = await post(tokenPath, change(form()));
    expect(answer.status).toBe(400);
    expect(answer.headers.get("cache-control")).toBe("no-store");
    expect(await answer.json()).toEqual({ error, error_description: someText });
    expect(server.installations()).toEqual([]);
  });

  test("refuses parameters that are given twice, and tolerates unknown ones", async () => {
    const { post, form } = start();
    const body = new URLSearchParams({ ...form(), scope: "everything" });
    const twice = await post(tokenPath, `${body.toString()}&client_id=${app.clientId}`);
    expect([twice.status, await twice.json()]).toMatchObject([400, { error: "invalid_request" }]);
    expect((await post(tokenPath, body.toString())).status).toBe(200);
  });

  test("never says a secret again", async () => {
    const { post, form } = start();
    const sent = form();
    const texts = [
      await post(tokenPath, { ...sent, redirect_uri: "x:y" }),
      await post(tokenPath, { ...sent, code_verifier: "short-secret" }),
    ];
    for (const answer of texts) {
      const text = await answer.text();
      expect(text).not.toContain(sent.code);
      expect(text).not.toContain("short-secret");
    }
  });

  test("reads no body that is too large", async () => {
    const { post } = start();
    expect((await post(tokenPath, `grant_type=${"x".repeat(70_000)}`)).status).toBe(413);
  });
});

describe("the revocation endpoint", () => {
  test("revokes and answers 200 with an empty body, also for an unknown token", async () => {
    const { post, signIn, server } = start();
    const { accessToken } = signIn();
    for (const token of [accessToken, accessToken, "unknown"]) {
      const answer = await post(revokePath, { token, client_id: app.clientId });
      expect([answer.status, await answer.text()]).toEqual([200, ""]);
    }
    expect(server.authenticate(accessToken)).toBeUndefined();
  });

  test.each([
    ["no token", { client_id: app.clientId }, "invalid_request"],
    ["no client_id", { token: "x" }, "invalid_request"],
    ["an unknown client_id", { token: "x", client_id: "?" }, "invalid_client"],
  ])("refuses %s", async (_, form, error) => {
    const { post } = start();
    const answer = await post(revokePath, form);
    expect([answer.status, await answer.json()]).toMatchObject([400, { error }]);
  });
});
