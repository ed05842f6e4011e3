/** Tests sections 4.10, 4.11, 5.2 and 5.3 without the shared contract, so that a mistake in it is found. */
import { createHash } from "node:crypto";

import { describe, expect, test } from "vitest";

import { answerOf, createTestEmulator, someStore } from "./support.js";

const verifier = "v".repeat(43);
const challenge = createHash("sha256").update(verifier).digest("base64url");
const app = "comanda-local";
const otherApp = "painel-de-vendas";
const callback = "http://127.0.0.1:8765/callback";
const aToken: unknown = expect.stringMatching(/^[\x21-\x7e]{40,}$/);

interface Tokens {
  readonly access_token: string;
  readonly refresh_token: string;
}

/** Returns an emulator and the requests of an OAuth client. */
function start() {
  const emulator = createTestEmulator();
  const { server } = emulator.service;
  const consent = { clientId: app, redirectUri: callback, codeChallenge: challenge };
  const issue = (change: { readonly storeId?: number; readonly clientId?: string } = {}) =>
    server.issueCode({ ...consent, storeId: someStore, ...change });
  const post = (path: string, fields: Record<string, string> | string, type?: string) =>
    emulator.request(`/api/partner/oauth/${path}`, {
      method: "POST",
      headers: { "content-type": type ?? "application/x-www-form-urlencoded" },
      body: new URLSearchParams(fields).toString(),
    });
  const grant = (code: string, change: Record<string, string> = {}) => ({
    ...{ grant_type: "authorization_code", code, redirect_uri: callback, client_id: app },
    ...{ code_verifier: verifier, ...change },
  });
  const exchange = async (code: string, change?: Record<string, string>) =>
    answerOf(post("token", grant(code, change)));
  const signIn = async (change?: Parameters<typeof issue>[0]) =>
    (await exchange(issue(change), { client_id: change?.clientId ?? app })).body as Tokens;
  const refresh = (refresh_token: string) =>
    answerOf(post("token", { grant_type: "refresh_token", refresh_token, client_id: app }));
  const isValid = ({ access_token }: Tokens) => server.authenticate(access_token) !== undefined;
  return { emulator, server, issue, post, grant, exchange, signIn, refresh, isValid };
}

const invalidGrant = { status: 400, body: { error: "invalid_grant" } };

describe("an authorization code", () => {
  test("is exchanged for tokens as section 5.2 shows", async () => {
    const { post, grant, issue } = start();
    const answer = await post("token", grant(issue({ clientId: otherApp }), { client_id: otherApp }));
    expect(answer.headers.get("cache-control")).toBe("no-store");
    const tokens = { access_token: aToken, token_type: "Bearer", expires_in: 7200, refresh_token: aToken };
    expect(await answerOf(answer)).toEqual({ status: 200, body: { ...tokens, scope: "store orders" } });
  });

  test("is valid once, and a second use revokes the tokens of the first", async () => {
    const { issue, exchange, refresh, isValid } = start();
    const code = issue();
    const first = (await exchange(code)).body as Tokens;
    const renewed = (await refresh(first.refresh_token)).body as Tokens;
    expect(await exchange(code)).toMatchObject(invalidGrant);
    expect({ first: isValid(first), renewed: isValid(renewed) }).toEqual({ first: false, renewed: false });
    expect(await refresh(renewed.refresh_token)).toMatchObject(invalidGrant);
  });

  test.each<[string, Record<string, string>, string]>([
    ["another grant_type", { grant_type: "password" }, "unsupported_grant_type"],
    ["an app that isn't approved", { client_id: "app-em-analise" }, "invalid_client"],
    ["another redirect_uri", { redirect_uri: `${callback}/` }, "invalid_grant"],
    ["a verifier of 42 characters", { code_verifier: "v".repeat(42) }, "invalid_request"],
    ["another verifier", { code_verifier: "w".repeat(43) }, "invalid_grant"],
  ])("is refused with %s, and stays valid", async (_, change, error) => {
    const { issue, exchange, server } = start();
    const code = issue();
    const answer = await exchange(code, change);
    expect(answer).toEqual({ status: 400, body: { error, error_description: expect.any(String) as string } });
    expect(JSON.stringify(answer)).not.toContain(code);
    expect(server.installations()).toEqual([]);
    expect((await exchange(code)).status).toBe(200);
  });
});

describe("a refresh token", () => {
  test("is replaced on each use, and the earlier access token stays valid", async () => {
    const { signIn, refresh, isValid, server } = start();
    const first = await signIn();
    const second = await refresh(first.refresh_token);
    expect(second).toMatchObject({ status: 200, body: { refresh_token: aToken, expires_in: 7200 } });
    expect((second.body as Tokens).refresh_token).not.toBe(first.refresh_token);
    expect(isValid(first)).toBe(true);
    expect(isValid(second.body as Tokens)).toBe(true);
    expect(server.counters).toEqual({ refreshes: 1, reusedRefreshTokens: 0 });
  });

  test("revokes the tokens of only its own consent after a second use", async () => {
    const { signIn, refresh, isValid, server } = start();
    const other = await signIn();
    const first = await signIn();
    const second = (await refresh(first.refresh_token)).body as Tokens;
    expect(await refresh(first.refresh_token)).toMatchObject(invalidGrant);
    expect({ first: isValid(first), second: isValid(second) }).toEqual({ first: false, second: false });
    expect(isValid(other)).toBe(true);
    expect(await refresh(second.refresh_token)).toMatchObject(invalidGrant);
    expect(server.counters.reusedRefreshTokens).toBe(1);
  });
});

test("a token has the scopes that are in both its consent and the installation (section 5.3, rule 2)", async () => {
  const { signIn, server } = start();
  server.setApp({ scopes: ["orders", "drivers"] });
  const first = await signIn();
  server.setApp({ scopes: ["orders", "store"] });
  const scopesOf = ({ access_token }: Tokens) => server.authenticate(access_token)?.scopes;
  expect(scopesOf(first)).toEqual(["orders", "drivers"]);
  const second = await signIn();
  expect(scopesOf(first)).toEqual(["orders"]);
  expect(scopesOf(second)).toEqual(["orders", "store"]);
  expect(server.installations()).toHaveLength(1);
});

describe("revoking", () => {
  test("returns 200 for any token, and revokes only that access token", async () => {
    const { post, signIn, refresh, isValid } = start();
    const tokens = await signIn();
    for (const token of [tokens.access_token, tokens.access_token, "unknown"])
      expect(await answerOf(post("revoke", { token, client_id: app }))).toEqual({ status: 200, body: null });
    expect(isValid(tokens)).toBe(false);
    expect((await refresh(tokens.refresh_token)).status).toBe(200);
  });

  test("is refused with another app's token", async () => {
    const { post, signIn, isValid } = start();
    const tokens = await signIn();
    const answer = await answerOf(post("revoke", { token: tokens.access_token, client_id: otherApp }));
    expect(answer).toMatchObject({ status: 400, body: { error: "invalid_grant" } });
    expect(isValid(tokens)).toBe(true);
  });
});

const parameters = {
  client_id: app,
  state: "a+b c/ü?&=#%20<>\"'",
  redirect_uri: callback,
  code_challenge: challenge,
  code_challenge_method: "S256",
};
type Change = Readonly<Record<string, string>>;
const page = (change: Change = {}) =>
  `/portal/authorize?${new URLSearchParams({ ...parameters, ...change }).toString()}`;
const as = (person_id: string, change: Change = {}) => page({ ...change, person_id });
const locationOf = (answer: Response) => answer.headers.get("location") ?? "";
const allowing = (fields: Record<string, string>, headers: Record<string, string> = {}) => ({
  method: "POST",
  body: new URLSearchParams(fields),
  headers,
});

describe("the portal's pages", () => {
  test.each<readonly [string, string, string]>([
    ["an unknown client", page({ client_id: "nobody" }), "invalid_client"],
    ["a redirect address with an extra slash", page({ redirect_uri: `${callback}/` }), "invalid_request"],
    ["no state", page({ state: "" }), "invalid_request"],
    ["a repeated state", `${page()}&state=2`, "invalid_request"],
  ])("don't redirect a request with %s", async (_, path, error) => {
    for (const address of [path, `${path}&person_id=ana`]) {
      const answer = await createTestEmulator().request(address);
      expect({ status: answer.status, location: locationOf(answer) }).toEqual({ status: 400, location: "" });
      expect(await answer.text()).toContain(error);
    }
  });

  test.each<Change>([{ code_challenge: `${"c".repeat(42)}=` }, { code_challenge_method: "plain" }])(
    "redirect a request with %j to the app with an error",
    async (change) => {
      const answer = await createTestEmulator().request(page(change));
      const location = new URL(locationOf(answer));
      expect(answer.status).toBe(303);
      expect(location.origin + location.pathname).toBe(callback);
      expect(Object.fromEntries(location.searchParams)).toEqual({
        error: "invalid_request",
        error_description: expect.stringContaining("code_challenge") as string,
        state: parameters.state,
      });
    },
  );

  test("offer sign-in with an unchanged request, and forbid frames, caching and scripts", async () => {
    const { request, service } = createTestEmulator();
    const answer = await request(`${page()}&extra=1`);
    const { headers } = answer;
    expect(headers.get("content-security-policy")).toMatch(/^default-src 'none';.*frame-ancestors 'none'/);
    expect(headers.get("cache-control")).toBe("no-store");
    expect(headers.get("referrer-policy")).toBe("same-origin");
    const text = await answer.text();
    const links = [...text.matchAll(/href="([^"]+)"/g)].map(([, link = ""]) => link.replaceAll("&amp;", "&"));
    expect(links).toHaveLength(service.world.people.length);
    const { searchParams } = new URL(links[0] ?? "", "http://127.0.0.1");
    expect(Object.fromEntries(searchParams)).toEqual({ ...parameters, extra: "1", person_id: "ana" });
  });

  test("redirect to the app with a code for the chosen store and the unchanged state", async () => {
    const { emulator, exchange, server } = start();
    const answer = await emulator.request(as("ana"), allowing({ store_id: "502" }));
    const { searchParams } = new URL(locationOf(answer));
    expect(answer.status).toBe(303);
    expect([...searchParams.keys()]).toEqual(["code", "state"]);
    expect(searchParams.get("state")).toBe(parameters.state);
    expect(server.installations()).toEqual([]);
    expect((await exchange(searchParams.get("code") ?? "")).status).toBe(200);
    expect(server.installations()).toMatchObject([{ storeId: 502, active: true }]);
  });

  test.each([
    ["an owner who refuses", "ana", {}],
    ["a manager", "marta", { store_id: "501" }],
  ])("redirect %s to the app with access_denied", async (_, person, fields) => {
    const { request } = createTestEmulator();
    const text = await (await request(as(person))).text();
    expect(text.includes("Allow at")).toBe(person === "ana");
    const { searchParams } = new URL(locationOf(await request(as(person), allowing(fields))));
    expect(searchParams.get("error")).toBe("access_denied");
    expect(searchParams.get("state")).toBe(parameters.state);
  });

  test("refuse a form from a page of another site", async () => {
    const foreign = allowing({ store_id: "501" }, { origin: "https://attacker.example" });
    const answer = await createTestEmulator().request(as("ana"), foreign);
    expect({ status: answer.status, location: locationOf(answer) }).toEqual({ status: 403, location: "" });
  });

  test("escape markup in names and parameters", async () => {
    const attack = `"><script>alert(1)</script><img src=x onerror=alert(2)>'</form>`;
    const { request, service } = createTestEmulator({ stores: [{ id: 1, name: attack }] });
    service.server.setApp({ name: attack });
    const paths = [...Object.keys(parameters), "extra", "person_id"].flatMap((name) => [
      page({ [name]: attack }),
      as("ana", { [name]: attack }),
    ]);
    for (const path of [...paths, as("ana")])
      expect(await (await request(path)).text()).not.toMatch(/<script|<img src=x/);
    expect(await (await request(as("ana"))).text()).toContain("&lt;script&gt;");
  });
});
