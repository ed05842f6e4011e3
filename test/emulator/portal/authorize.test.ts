import { describe, expect, test } from "vitest";

import {
  app,
  codeChallenge,
  codeVerifier,
  createFixture,
  otherApp,
  people,
  stores,
} from "../oauth/fixture.js";

const authorizationParameters = {
  client_id: app.clientId,
  state: "state of the app",
  redirect_uri: "http://127.0.0.1:8765/callback",
  code_challenge: codeChallenge,
  code_challenge_method: "S256",
};

function authorizePath(change: Record<string, string | undefined> = {}): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries<string | undefined>({ ...authorizationParameters, ...change })) {
    if (value !== undefined) query.set(name, value);
  }
  return `/portal/authorize?${query.toString()}`;
}

function start(change?: Parameters<typeof createFixture>[1]) {
  const { request, server } = createFixture({}, change);
  const post = (path: string, fields: Record<string, string>, headers: Record<string, string> = {}) =>
    request(path, { method: "POST", body: new URLSearchParams(fields), headers });
  return { server, get: request, post };
}

const as = (person_id: string, change: Record<string, string | undefined> = {}) =>
  authorizePath({ ...change, person_id });
const namesTheChallenge: unknown = expect.stringContaining("code_challenge");
const locationOf = (answer: Response) => answer.headers.get("location") ?? "";

describe("a request that nobody may be redirected for", () => {
  const cases: [string, string, string][] = [
    ["an unknown client", authorizePath({ client_id: "nobody" }), "invalid_client"],
    ["no client", authorizePath({ client_id: undefined }), "invalid_client"],
    ["an app that isn't approved", authorizePath({ client_id: "app-3" }), "invalid_client"],
    ["no redirect address", authorizePath({ redirect_uri: undefined }), "invalid_request"],
    [
      "a redirect address with a slash more",
      authorizePath({ redirect_uri: `${authorizationParameters.redirect_uri}/` }),
      "invalid_request",
    ],
    [
      "a redirect address with another port",
      authorizePath({ redirect_uri: "http://127.0.0.1:8766/callback" }),
      "invalid_request",
    ],
    [
      "a redirect address in capitals",
      authorizePath({ redirect_uri: "HTTP://127.0.0.1:8765/callback" }),
      "invalid_request",
    ],
    ["no state", authorizePath({ state: undefined }), "invalid_request"],
    ["an empty state", authorizePath({ state: "" }), "invalid_request"],
    ...Object.entries(authorizationParameters).map(
      ([name, value]) =>
        [
          `${name} given twice`,
          `${authorizePath()}&${name}=${encodeURIComponent(value)}`,
          "invalid_request",
        ] satisfies [string, string, string],
    ),
  ];
  test.each(cases)("is answered with a page: %s", async (_, path, error) => {
    const { get } = start();
    for (const address of [path, `${path}&person_id=ana`]) {
      const answer = await get(address);
      expect(answer.status).toBe(400);
      expect(answer.headers.get("location")).toBeNull();
      expect(await answer.text()).toContain(error);
    }
  });

  test.each(["javascript:alert(1)", "data:text/html,x", "http://127.0.0.1/cb#part"])(
    "has a redirect address that is no place to go to, though registered: %s",
    async (address) => {
      const { get } = start({ apps: [{ ...app, redirectUris: [address] }] });
      expect((await get(authorizePath({ redirect_uri: address }))).status).toBe(400);
    },
  );
});

describe("a request with a wrong code challenge", () => {
  test.each([
    ["none", { code_challenge: undefined }],
    ["one of 42 characters", { code_challenge: "c".repeat(42) }],
    ["one that is no Base64url", { code_challenge: `${"c".repeat(42)}=` }],
    ["the method plain", { code_challenge_method: "plain" }],
    ["no method", { code_challenge_method: undefined }],
  ])("goes back to the app as invalid_request: %s", async (_, change) => {
    const { get } = start();
    const answer = await get(authorizePath(change));
    expect(answer.status).toBe(303);
    const location = new URL(locationOf(answer));
    expect(`${location.origin}${location.pathname}`).toBe(authorizationParameters.redirect_uri);
    expect(Object.fromEntries(location.searchParams)).toEqual({
      error: "invalid_request",
      error_description: namesTheChallenge,
      state: authorizationParameters.state,
    });
  });
});

describe("signing in on the way", () => {
  test("keeps the parameters of the request as they came", async () => {
    const { get } = start();
    const state = "a+b c/ü?&=#\"'";
    const page = await (await get(`${authorizePath({ state })}&extra=1&scope=everything`)).text();
    for (const person of people) expect(page).toContain(`name="person_id" value="${person.id}"`);
    expect(page).toContain('name="state" value="a+b c/ü?&amp;=#&quot;&#39;"');
    expect(page).toContain('name="extra" value="1"');
  });
});

describe("the consent page", () => {
  test("shows the app, its permissions and the owner's stores alone", async () => {
    const { get } = start();
    const page = await (await get(`${as("ana")}&scope=reviews`)).text();
    expect(page).toContain("Comanda");
    expect(page).toContain("Read, create and change orders, summaries");
    expect(page).toContain("Assign or remove order drivers");
    expect(page).not.toContain("Reviews");
    expect(page).toContain("Cantina da Praça");
    expect(page).toContain("Pizzaria &lt;b&gt;Bella&lt;/b&gt; &amp; Filhos");
    expect(page).not.toContain("Sushi");
    expect(page).not.toMatch(/type="radio"[^>]*checked/);
  });

  test("allows: redirects with a code for the chosen store, and the state unchanged", async () => {
    const { post, server } = start();
    const state = "a+b c/ü?&=#%20<>\"'";
    const answer = await post(as("ana", { state }), { store_id: "2", decision: "allow" });
    expect(answer.status).toBe(303);
    const { searchParams } = new URL(locationOf(answer));
    expect([...searchParams.keys()]).toEqual(["code", "state"]);
    expect(searchParams.get("state")).toBe(state);
    expect(server.installations()).toEqual([]);
    server.exchangeCode({
      clientId: app.clientId,
      redirectUri: authorizationParameters.redirect_uri,
      code: searchParams.get("code") ?? "",
      codeVerifier,
    });
    expect(server.installations()).toMatchObject([{ storeId: 2, active: true }]);
  });

  test("keeps the query of the redirect address to the letter", async () => {
    const { post } = start();
    const change = { client_id: otherApp.clientId, redirect_uri: "https://example.com/cb?keep=1&x=%20" };
    const answer = await post(as("kenji", change), { store_id: "3", decision: "allow" });
    expect(locationOf(answer)).toMatch(/^https:\/\/example\.com\/cb\?keep=1&x=%20&code=code_[\w-]+&state=/);
  });

  test.each<[string, Record<string, string>]>([
    ["no store", { decision: "allow" }],
    ["a store of someone else", { decision: "allow", store_id: "3" }],
    ["no decision", { store_id: "1" }],
  ])("asks again for %s", async (_, fields) => {
    const { post } = start();
    const answer = await post(as("ana"), fields);
    expect([answer.status, answer.headers.get("location")]).toEqual([400, null]);
    expect(await answer.text()).toContain('role="alert"');
  });

  test.each([
    { origin: "https://attacker.example" },
    { origin: "null" },
    { "sec-fetch-site": "cross-site" },
  ] as Record<string, string>[])("takes no form of another site's page: %j", async (headers) => {
    const { post } = start();
    const answer = await post(as("ana"), { decision: "allow", store_id: "1" }, headers);
    expect([answer.status, answer.headers.get("location")]).toEqual([403, null]);
  });
});

describe("someone who isn't the owner", () => {
  test.each(["bruno", "cida", "nobody"])(
    "sees why, and goes back with access_denied: %s",
    async (personId) => {
      const { get, post } = start();
      const page = await get(as(personId));
      expect(page.status).toBe(200);
      const text = await page.text();
      expect(text).toContain("Only the owner");
      expect(text).not.toContain('value="allow"');
      for (const decision of ["refuse", "allow"]) {
        const answer = await post(as(personId), { decision, store_id: "1" });
        const { searchParams } = new URL(locationOf(answer));
        expect(searchParams.get("error")).toBe("access_denied");
        expect(searchParams.get("state")).toBe(authorizationParameters.state);
      }
    },
  );
});

describe("what is hostile", () => {
  const attack = `"><script>alert(1)</script><img src=x onerror=alert(2)>'</form>`;

  test("in a parameter stays text", async () => {
    const { get, post } = start();
    for (const name of [...Object.keys(authorizationParameters), "extra", "scope", "person_id"])
      for (const path of [authorizePath({ [name]: attack }), as("ana", { [name]: attack })])
        expect(await (await get(path)).text()).not.toMatch(/<script|<img src=x/);
    const page = await post(as("ana"), { decision: attack, store_id: attack });
    expect(await page.text()).not.toMatch(/<script|<img src=x/);
  });

  test("in a name stays text", async () => {
    const { get } = start({
      apps: [{ ...app, name: attack }],
      people: people.map((person) => ({ ...person, name: attack, email: attack })),
      stores: stores.map((store) => ({ ...store, name: attack })),
    });
    for (const path of [authorizePath(), as("bruno"), as("ana")]) {
      const page = await get(path);
      expect(page.status).toBe(200);
      const text = await page.text();
      expect(text).toContain("&lt;script&gt;");
      expect(text).not.toMatch(/<script|<img src=x|=""><script/);
    }
  });
});

describe("headers", () => {
  test.each([authorizePath(), authorizePath({ state: "" })])(
    "keep %s out of frames, caches and reach of scripts",
    async (path) => {
      const { headers } = await start().get(path);
      expect(headers.get("content-security-policy")).toMatch(
        /^default-src 'none';.*frame-ancestors 'none'; form-action 'self'$/,
      );
      expect(headers.get("x-frame-options")).toBe("DENY");
      expect(headers.get("cache-control")).toBe("no-store");
      expect(headers.get("referrer-policy")).toBe("same-origin");
    },
  );

  test("let the consent page's form lead on to the app", async () => {
    const { headers } = await start().get(as("ana"));
    expect(headers.get("content-security-policy")).not.toContain("form-action");
    expect(headers.get("content-security-policy")).toContain("default-src 'none'");
  });
});
