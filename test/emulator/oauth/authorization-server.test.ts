import { describe, expect, test } from "vitest";

import { app, createFixture, otherApp, unapprovedApp } from "./fixture.js";

const refused = (error: string): unknown => expect.objectContaining({ name: "OAuthError", error });

describe("an authorization code", () => {
  test("is good once: a second use revokes what the first one brought", () => {
    const { server, consent, exchange, refresh } = createFixture();
    const code = server.issueCode(consent);
    const tokens = exchange(code);
    const renewed = refresh(tokens.refresh_token ?? "");

    expect(() => exchange(code)).toThrow(refused("invalid_grant"));
    expect(server.authenticate(tokens.access_token)).toBeUndefined();
    expect(server.authenticate(renewed.accessToken)).toBeUndefined();
    expect(() => refresh(renewed.refreshToken)).toThrow(refused("invalid_grant"));
    expect(server.counters().reusedCodes).toBe(1);
  });

  test("expires on the emulator's clock", () => {
    const { server, consent, exchange, clock } = createFixture({ codeSeconds: 30 });
    const [early, late] = [server.issueCode(consent), server.issueCode(consent)];
    clock.advanceSeconds(29.999);
    expect(exchange(early)).toHaveProperty("access_token");
    clock.advanceSeconds(0.001);
    expect(() => exchange(late)).toThrow(refused("invalid_grant"));
  });

  test.each([
    ["another client", { clientId: otherApp.clientId }, "invalid_grant"],
    ["an unapproved client", { clientId: unapprovedApp.clientId }, "invalid_client"],
    ["an unknown client", { clientId: "nobody" }, "invalid_client"],
    ["another redirect address", { redirectUri: "http://127.0.0.1:8765/callback/" }, "invalid_grant"],
    ["another verifier", { codeVerifier: "w".repeat(43) }, "invalid_grant"],
    ["another code", { code: "code_0000" }, "invalid_grant"],
  ])("is refused to %s and stays good", (_, change, error) => {
    const { server, consent, exchange } = createFixture();
    const code = server.issueCode(consent);
    const right = { ...consent, code, codeVerifier: "v".repeat(43) };
    expect(() => server.exchangeCode({ ...right, ...change })).toThrow(refused(error));
    expect(server.installations()).toEqual([]);
    expect(exchange(code)).toHaveProperty("access_token");
  });

  test.each([
    ["a manager", { personId: "bruno" }],
    ["an attendant", { personId: "cida", storeId: 3 }],
    ["the owner of another store", { personId: "kenji" }],
    ["nobody we know", { personId: "?" }],
    ["a store that there isn't", { storeId: 99 }],
  ])("is not issued to %s", (_, change) => {
    const { server, consent } = createFixture();
    expect(() => server.issueCode({ ...consent, ...change })).toThrow(refused("access_denied"));
  });
});

describe("a refresh token", () => {
  test("rotates: each answer brings new tokens, and the older access token lives on", () => {
    const { server, signIn, refresh } = createFixture();
    const first = signIn();
    const second = refresh(first.refreshToken);
    expect(second.refreshToken).not.toBe(first.refreshToken);
    expect(second.tokens).toMatchObject({ scope: "orders drivers", expires_in: 7200 });
    expect(server.authenticate(first.accessToken)).toBeDefined();
    expect(server.authenticate(second.accessToken)).toBeDefined();
    expect(server.counters().refreshes).toBe(1);
  });

  test("revokes its whole family when it is used twice, and no other", () => {
    const { server, signIn, refresh } = createFixture();
    const other = signIn();
    const first = signIn();
    const second = refresh(first.refreshToken);

    expect(() => refresh(first.refreshToken)).toThrow(refused("invalid_grant"));
    expect(server.authenticate(first.accessToken)).toBeUndefined();
    expect(server.authenticate(second.accessToken)).toBeUndefined();
    expect(() => refresh(second.refreshToken)).toThrow(refused("invalid_grant"));
    expect(server.authenticate(other.accessToken)).toBeDefined();
    expect(server.counters().reusedRefreshTokens).toBe(1);
    expect(server.installations()[0]?.active).toBe(true);
  });

  test("expires on the emulator's clock", () => {
    const { signIn, refresh, clock } = createFixture({ refreshTokenSeconds: 100 });
    const [early, late] = [signIn(), signIn()];
    clock.advanceSeconds(99);
    expect(refresh(early.refreshToken)).toHaveProperty("accessToken");
    clock.advanceSeconds(1);
    expect(() => refresh(late.refreshToken)).toThrow(refused("invalid_grant"));
  });
});

describe("an access token", () => {
  test("expires on the emulator's clock", () => {
    const { server, signIn, clock } = createFixture();
    const { accessToken } = signIn();
    clock.advanceSeconds(7199);
    expect(server.authenticate(accessToken)).toBeDefined();
    clock.advanceSeconds(1);
    expect(server.authenticate(accessToken)).toBeUndefined();
  });

  test("keeps the scopes of its consent; the installation has those of the latest", () => {
    const { server, signIn } = createFixture();
    const first = signIn();
    server.setApp({ ...app, scopes: ["orders", "store"] });
    expect(server.authenticate(first.accessToken)?.scopes).toEqual(["orders", "drivers"]);
    const second = signIn();
    // Section 5.3, rule 2: what is in both.
    expect(server.authenticate(first.accessToken)?.scopes).toEqual(["orders"]);
    expect(server.authenticate(second.accessToken)?.scopes).toEqual(["orders", "store"]);
    expect(server.installations()).toHaveLength(1);
  });
});

describe("revoking", () => {
  test("an access token ends it alone", () => {
    const { server, signIn, refresh } = createFixture();
    const { accessToken, refreshToken } = signIn();
    server.revoke({ clientId: app.clientId, token: accessToken });
    expect(server.authenticate(accessToken)).toBeUndefined();
    expect(server.authenticate(refresh(refreshToken).accessToken)).toBeDefined();
  });

  test("a refresh token ends its family", () => {
    const { server, signIn, refresh } = createFixture();
    const { accessToken, refreshToken } = signIn();
    server.revoke({ clientId: app.clientId, token: refreshToken });
    server.revoke({ clientId: app.clientId, token: refreshToken });
    expect(server.authenticate(accessToken)).toBeUndefined();
    expect(() => refresh(refreshToken)).toThrow(refused("invalid_grant"));
    expect(server.counters().reusedRefreshTokens).toBe(0);
  });

  test("an unknown token is a success, another client's is refused", () => {
    const { server, signIn } = createFixture();
    const { accessToken } = signIn();
    server.revoke({ clientId: app.clientId, token: "unknown" });
    expect(() => server.revoke({ clientId: otherApp.clientId, token: accessToken })).toThrow(
      refused("invalid_grant"),
    );
    expect(() => server.revoke({ clientId: "?", token: accessToken })).toThrow(refused("invalid_client"));
    expect(server.authenticate(accessToken)).toBeDefined();
  });
});

describe("uninstalling", () => {
  test("makes the installation inactive and ends its tokens and codes", () => {
    const { server, signIn, refresh, consent, exchange } = createFixture();
    const { accessToken, refreshToken } = signIn();
    const code = server.issueCode(consent);
    server.uninstall(1);
    expect(server.installations()).toMatchObject([{ active: false }]);
    expect(server.authenticate(accessToken)).toBeUndefined();
    expect(() => refresh(refreshToken)).toThrow(refused("invalid_grant"));
    expect(() => exchange(code)).toThrow(refused("invalid_grant"));
  });

  test("one app leaves the others and other stores alone; installing again doesn't wake old tokens", () => {
    const { server, signIn } = createFixture();
    const one = signIn();
    const elsewhere = signIn({ storeId: 2 });
    const other = signIn({ clientId: otherApp.clientId });
    server.uninstall(1, app.clientId);
    expect(server.authenticate(one.accessToken)).toBeUndefined();
    expect(server.authenticate(elsewhere.accessToken)).toBeDefined();
    expect(server.authenticate(other.accessToken)).toBeDefined();

    const again = signIn();
    expect(server.authenticate(again.accessToken)).toMatchObject({ storeId: 1 });
    expect(server.installations()).toContainEqual(expect.objectContaining({ id: 1, active: true }));
    expect(server.authenticate(one.accessToken)).toBeUndefined();
  });
});

test.each([0, -1, Number.NaN, Number.POSITIVE_INFINITY])("refuses a lifetime of %d seconds", (seconds) => {
  const { server } = createFixture();
  expect(() => server.setLifetimes({ codeSeconds: seconds })).toThrow(RangeError);
});
