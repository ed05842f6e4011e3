import { beforeEach, describe, expect, test } from "vitest";

import { ComandaError, createMemoryTokenStore, createOAuth } from "../../src/library/oauth.js";
import type { OAuthOptions, TokenStore } from "../../src/library/oauth.js";
import type { Clock } from "../../src/base/clock.js";
import { rotatingTokens, startTokenService } from "../auth/support/token-service.js";
import type { Rotation, TokenService } from "../auth/support/token-service.js";
import { app } from "../client/support/oauth-app.js";
import { containing } from "../support/output.js";

const redirectUri = "https://shop.example/comanda/callback?from=portal";
let service: TokenService;
let store: TokenStore;
let now: number;
/** A sleep advances this clock. */
const clock: Clock = {
  now: () => now,
  sleep: async (ms) => {
    now += ms;
    await new Promise((resolve) => setImmediate(resolve));
  },
};
/** The service accepts each refresh token once. */
let rotation: Rotation;
const refreshes = () => service.requests.filter(({ form }) => form["grant_type"] === "refresh_token");

beforeEach(async () => {
  now = 1_760_000_000_000;
  store = createMemoryTokenStore();
  rotation = { current: 1, count: 0, reused: 0 };
  service = await startTokenService(rotatingTokens(rotation));
});

function server(changes: Partial<OAuthOptions> = {}) {
  const { baseUrl } = service;
  const addresses = { authUrl: "https://portal.example/authorize?lang=pt", baseUrl, redirectUri };
  return createOAuth({ ...addresses, clientId: "app-1", store, clock, ...changes });
}

/** The address to which the portal returns with an answer, such as `code=c`. */
const returned = (state: string, answer = "code=the-code") =>
  `/comanda/callback?from=portal&${answer}&state=${state}`;

/** Authorizes a store, and returns its key. */
async function authorized(oauth = server(), key?: string): Promise<string> {
  const { pending } = await oauth.authorizationUrl({ key });
  return (await oauth.callback(returned(pending.state), pending)).key;
}

const send = () => Promise.resolve({ status: 204, headers: {}, body: "" });
const close = () => Promise.resolve();
const bearer = (oauth: ReturnType<typeof server>, key: string) => oauth.credentials(key).bearer();
const anHour = 7_200_000;

describe("an authorization", () => {
  test("sends the five parameters to the portal, and exchanges the returned code with the verifier", async () => {
    const oauth = server();
    const { url, pending } = await oauth.authorizationUrl();
    const parameters = Object.fromEntries(new URL(url).searchParams);
    expect(parameters).toEqual({
      lang: "pt",
      client_id: "app-1",
      state: pending.state,
      redirect_uri: redirectUri,
      code_challenge: expect.stringMatching(/^[\w-]{43}$/) as string,
      code_challenge_method: "S256",
    });
    expect(url).not.toContain(pending.codeVerifier);
    // The session of a browser stores it as JSON, and may add fields.
    const saved = JSON.parse(JSON.stringify({ ...pending, returnTo: "/shop" })) as typeof pending;
    const back = new URL(redirectUri);
    back.searchParams.set("code", "the-code");
    back.searchParams.set("state", pending.state);
    expect(await oauth.callback(back, saved)).toEqual({ key: pending.key, scopes: ["orders", "drivers"] });
    expect(service.requests).toMatchObject([
      { form: { code: "the-code", code_verifier: pending.codeVerifier, redirect_uri: redirectUri } },
    ]);
    expect(await bearer(oauth, pending.key)).toBe("access-1");
  });

  test("creates a key, or replaces the tokens of an existing one", async () => {
    const oauth = server();
    const [one, other] = [await authorized(oauth), await authorized(oauth)];
    expect(one).not.toBe(other);
    expect(await authorized(oauth, one)).toBe(one);
    expect((await store.load(one))?.generation).toBe(2);
    // The replaced tokens are revoked.
    expect(service.requests.slice(-2).map(({ form }) => form["token"])).toEqual(["refresh-1", "access-1"]);
  });

  test.each([
    ["another state", (state: string) => `?from=portal&code=c&state=${state}x`],
    ["another address", (state: string) => `?code=c&state=${state}`],
  ])("rejects a callback with %s, and sends nothing", async (_, query) => {
    const oauth = server();
    const { pending } = await oauth.authorizationUrl();
    const back = oauth.callback(`/comanda/callback${query(pending.state)}`, pending);
    await expect(back).rejects.toMatchObject({ code: "invalid_input" });
    expect(service.requests).toEqual([]);
  });

  test("requires another authorization if the exchange is lost, because a code can be used once", async () => {
    const lost = () => Promise.reject(new Error("reset"));
    await expect(authorized(server({ transport: { send: lost, close } }))).rejects.toMatchObject({
      code: "unreachable",
      hint: "The store's owner must authorize the app again: authorizationUrl({ key }).",
    });
  });

  test("reports a refusal of the owner, and expires after ten minutes", async () => {
    const oauth = server();
    const { pending } = await oauth.authorizationUrl();
    const refused = oauth.callback(returned(pending.state, "error=access_denied"), pending);
    await expect(refused).rejects.toMatchObject({
      code: "access_denied",
      hint: "The store's owner must authorize the app.",
    });
    now += 600_001;
    const late = oauth.callback(returned(pending.state), pending);
    await expect(late).rejects.toMatchObject({ code: "not_signed_in" });
    expect(service.requests).toEqual([]);
  });
});

describe("an expired token", () => {
  test("is refreshed once for all clients of all servers", async () => {
    const servers = Array.from({ length: 20 }, () => server());
    const key = await authorized(servers[0]);
    for (let round = 1; round <= 3; round += 1) {
      now += anHour;
      const given = await Promise.all(servers.flatMap((oauth) => [bearer(oauth, key), bearer(oauth, key)]));
      expect(new Set(given)).toEqual(new Set([`access-${round + 1}`]));
      expect(refreshes()).toHaveLength(round);
    }
  });

  test("is refreshed after a note is saved, and saved before it is used", async () => {
    const key = await authorized();
    now += anHour;
    const during: unknown[] = [];
    const first = service.answer;
    service.answer = (response, request) => {
      void store.load(key).then((loaded) => {
        during.push(loaded?.tokens);
        first(response, request);
      });
    };
    expect(await bearer(server(), key)).toBe("access-2");
    const note = { started_at: now, pid: expect.any(Number) as number };
    expect(during).toMatchObject([{ access_token: "access-1", refresh_in_flight: note }]);
    const { tokens: saved } = (await store.load(key)) ?? {};
    expect(saved).toMatchObject({ access_token: "access-2", refresh_token: "refresh-2" });
    expect(saved?.refresh_in_flight).toBeUndefined();
  });

  test("is refreshed only after the refresh of a crashed server must have ended", async () => {
    const key = await authorized();
    now += anHour;
    const loaded = await store.load(key);
    if (loaded === undefined) throw new Error("nothing is stored");
    const note = { started_at: now, pid: 1 };
    await store.save(key, { ...loaded.tokens, refresh_in_flight: note }, loaded.generation);
    const before = now;
    expect(await bearer(server({ timeoutMs: 5000 }), key)).toBe("access-2");
    expect(now - before).toBeGreaterThanOrEqual(5000);
  });

  test("isn't refreshed again after the service has rejected its refresh token", async () => {
    const key = await authorized();
    now += anHour;
    rotation.current = 7;
    const failure = await bearer(server(), key).catch((error: unknown) => error);
    expect(failure).toMatchObject({ code: "token_refused", hint: containing("authorizationUrl") });
    expect(failure).toBeInstanceOf(ComandaError);
    await expect(bearer(server(), key)).rejects.toMatchObject({ code: "token_refused" });
    expect(refreshes()).toHaveLength(1);
  });
});

test("tokens of one address are never sent to another", async () => {
  const key = await authorized();
  const other = await startTokenService();
  now += anHour;
  const elsewhere = server({ baseUrl: other.baseUrl });
  await expect(bearer(elsewhere, key)).rejects.toMatchObject({ code: "not_signed_in" });
  expect([...refreshes(), ...other.requests]).toEqual([]);
});

test("a revoked store has no tokens on any server, until its owner authorizes it again", async () => {
  const [oauth, elsewhere] = [server(), server()];
  const key = await authorized(oauth);
  await oauth.revoke(key);
  expect(service.requests.at(-1)).toMatchObject({ form: { token: "access-1" } });
  const inWordsForProgram = expect.stringContaining("authorizationUrl") as string;
  const unknown = { code: "not_signed_in", hint: inWordsForProgram };
  await expect(bearer(elsewhere, key)).rejects.toMatchObject(unknown);
  await expect(bearer(elsewhere, "unknown")).rejects.toMatchObject(unknown);
  expect(JSON.stringify(await store.load(key))).not.toMatch(/access-|refresh-/);
  await expect(oauth.revoke("unknown")).rejects.toMatchObject(unknown);
  await authorized(oauth, key);
  expect(await bearer(elsewhere, key)).toBe("access-1");
});

test("idle waits for a running refresh", async () => {
  const oauth = server();
  const key = await authorized(oauth);
  now += anHour;
  const call = bearer(oauth, key);
  await new Promise((resolve) => setImmediate(resolve));
  await oauth.idle();
  expect((await store.load(key))?.tokens.access_token).toBe("access-2");
  await call;
});

test.each([
  ["authUrl", "http://portal.example/authorize"],
  ["authUrl", "https://ana@portal.example/"],
  ["authUrl", "https://portal.example/#x"],
  ["redirectUri", "callback"],
])("rejects the %s %s with a message about its option", (field, address) => {
  const thrown = expect.objectContaining({
    code: "configuration",
    field,
    message: expect.not.stringContaining("environment") as string,
  }) as Error;
  expect(() => createOAuth({ ...app, [field]: address })).toThrow(thrown);
});

test("rejects a baseUrl by http: with a hint that names the option", () => {
  const thrown = expect.objectContaining({ code: "configuration", hint: "Check baseUrl." }) as Error;
  expect(() => createOAuth({ ...app, baseUrl: "http://a.example" })).toThrow(thrown);
});

test("accepts an authUrl by http: on this machine, and elsewhere with allowInsecure", () => {
  createOAuth({ ...app, authUrl: "http://127.0.0.1:4100/authorize" });
  createOAuth({ ...app, authUrl: "http://emulator:4100/authorize", allowInsecure: true });
});

test("rejects a key that isn't a string, and a callback without pending", async () => {
  const oauth = createOAuth(app);
  const wrong = { code: "invalid_input" };
  await expect(oauth.credentials(null as never).bearer()).rejects.toMatchObject({ ...wrong, field: "key" });
  const { pending } = await oauth.authorizationUrl();
  await expect(oauth.callback(Object.create(null) as never, pending)).rejects.toMatchObject(wrong);
  const back = oauth.callback("/callback", undefined as never);
  await expect(back).rejects.toMatchObject({ ...wrong, field: "pending" });
});

test.each([
  ["key", 5],
  ["state", ""],
  ["codeVerifier", undefined],
  ["expiresAt", "2100-01-01T00:00:00Z"],
  ["expiresAt", NaN],
])("rejects pending.%s that is %o before the code is used", async (field, value) => {
  const oauth = server();
  const { pending } = await oauth.authorizationUrl();
  const changed = { ...pending, [field]: value };
  const back = oauth.callback(returned(changed.state), changed);
  await expect(back).rejects.toMatchObject({ code: "invalid_input", field: `pending.${field}` });
  expect(service.requests).toEqual([]);
});

describe("the clients of oauth.client", () => {
  test("are cached only for keys in the store, and at most as many as maxClients", async () => {
    const keys: string[] = [];
    const clientOptions = (key: string) => {
      keys.push(key);
      return { transport: { send, close } };
    };
    const oauth = server({ maxClients: 2, clientOptions });
    const known = await authorized(oauth);
    const first = oauth.client(known);
    await first.dispatchOrder(1);
    const unknown = oauth.client("invented");
    await expect(unknown.dispatchOrder(1)).rejects.toMatchObject({ code: "not_signed_in" });
    expect(oauth.client("invented")).not.toBe(unknown);
    expect(oauth.client(known)).toBe(first);
    const last = oauth.client("last");
    // "invented" was used least recently.
    expect(oauth.client(known)).toBe(first);
    expect(oauth.client("last")).toBe(last);
    oauth.client("another");
    expect(oauth.client(known)).not.toBe(first);
    expect(keys).toEqual([known, "invented", "invented", "last", "another", known]);
  });

  test("share one refresh with a client that was removed from the cache", async () => {
    const oauth = server({ maxClients: 1, clientOptions: () => ({ transport: { send, close } }) });
    const key = await authorized(oauth);
    const removed = oauth.client(key);
    oauth.client("other");
    now += anHour;
    await Promise.all([removed.dispatchOrder(1), oauth.client(key).dispatchOrder(2)]);
    expect(refreshes()).toHaveLength(1);
  });
});

test("renewals counts the refreshes since the authorization, also after another one", async () => {
  const oauth = server();
  const key = await authorized(oauth);
  const renewals = async () => (await store.load(key))?.tokens.renewals;
  expect(await renewals()).toBe(0);
  now += anHour;
  await bearer(oauth, key);
  expect(await renewals()).toBe(1);
  now += 1;
  rotation.current += 1;
  await authorized(oauth, key);
  expect(await renewals()).toBe(0);
});

// Drivers of databases return a bigint as text.
test.each(["tokens", {}, { tokens: {}, generation: "1" }])(
  "reports a store whose load returns %o",
  async (loaded) => {
    const wrong = { ...store, load: () => Promise.resolve(loaded as never) };
    await expect(bearer(server({ store: wrong }), "centro")).rejects.toMatchObject({
      code: "state_unusable",
      message: "store.load returned a value that isn't LoadedTokens.",
    });
  },
);
