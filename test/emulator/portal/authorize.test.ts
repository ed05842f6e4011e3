import { describe, expect, test } from "vitest";

import { app, codeVerifier, otherApp, people, stores } from "../oauth/fixture.js";
import { authorizationParameters, authorizePath, createPortalApp, createVisitor } from "./fixture.js";

function start(change?: Parameters<typeof createPortalApp>[0]) {
  const portal = createPortalApp(change);
  return { ...portal, ...createVisitor(portal.root) };
}

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
    const { get, signIn } = start();
    for (const who of ["nobody yet", "ana"]) {
      if (who === "ana") await signIn("ana");
      const answer = await get(path);
      expect(answer.status).toBe(400);
      expect(answer.headers.get("location")).toBeNull();
      expect(await answer.text()).toContain(error);
    }
  });

  test("says that state is required, in these words", async () => {
    const { get } = start();
    const page = await (await get(authorizePath({ state: undefined }))).text();
    expect(page).toContain("<code>invalid_request</code>: state is required");
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
  test("leads to the login and back with the same parameters", async () => {
    const { get, signIn } = start();
    const path = `${authorizePath({ state: "a+b c/ü?&=#" })}&extra=1&scope=everything`;
    const toLogin = await get(path);
    expect([toLogin.status, locationOf(toLogin)]).toEqual([303, path.replace("/authorize", "/login")]);
    const back = await signIn("ana", path.slice(path.indexOf("?")));
    expect([back.status, locationOf(back)]).toEqual([303, path]);
    expect((await get(path)).status).toBe(200);
  });

  test("refuses a person that there isn't, and gives a session only under a new cookie", async () => {
    const { get, signIn, cookie } = start();
    await get("/portal/login");
    const before = cookie();
    expect((await signIn("nobody-at-all")).status).toBe(400);
    expect(cookie()).toBe(before);
    await signIn("ana");
    expect(cookie()).not.toBe(before);
  });

  test("as someone else ends the session and keeps the request", async () => {
    const { get, post, signIn } = start();
    await signIn("bruno");
    const search = authorizePath().slice("/portal/authorize".length);
    const out = await post(`/portal/logout${search}`, {}, authorizePath());
    expect(locationOf(out)).toBe(`/portal/login${search}`);
    expect(locationOf(await get(authorizePath()))).toBe(`/portal/login${search}`);
  });

  test("lasts twelve hours on the emulator's clock", async () => {
    const { get, signIn, clock } = start();
    await signIn("ana");
    clock.advanceSeconds(12 * 3600 - 1);
    expect((await get(authorizePath())).status).toBe(200);
    clock.advanceSeconds(1);
    expect((await get(authorizePath())).status).toBe(303);
  });
});

describe("the consent page", () => {
  test("shows the app, its permissions and the owner's stores alone", async () => {
    const { get, signIn } = start();
    await signIn("ana");
    const page = await (await get(`${authorizePath()}&scope=reviews`)).text();
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
    const { signIn, post, server } = start();
    await signIn("ana");
    const state = "a+b c/ü?&=#%20<>\"'";
    const answer = await post(authorizePath({ state }), { store_id: "2", decision: "allow" });
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
    const { signIn, post } = start();
    await signIn("kenji");
    const change = { client_id: otherApp.clientId, redirect_uri: "https://example.com/cb?keep=1&x=%20" };
    const answer = await post(authorizePath(change), { store_id: "3", decision: "allow" });
    expect(locationOf(answer)).toMatch(/^https:\/\/example\.com\/cb\?keep=1&x=%20&code=code_[\w-]+&state=/);
  });

  test("refuses: access_denied and the state, no code", async () => {
    const { signIn, post } = start();
    await signIn("ana");
    const answer = await post(authorizePath(), { decision: "refuse" });
    const { searchParams } = new URL(locationOf(answer));
    expect(searchParams.get("error")).toBe("access_denied");
    expect(searchParams.get("state")).toBe(authorizationParameters.state);
    expect(searchParams.has("code")).toBe(false);
  });

  test.each([
    ["no store", { decision: "allow" }],
    ["a store of someone else", { decision: "allow", store_id: "3" }],
    ["no decision", { store_id: "1" }],
  ])("asks again for %s", async (_, fields) => {
    const { signIn, post } = start();
    await signIn("ana");
    const answer = await post(authorizePath(), fields);
    expect([answer.status, answer.headers.get("location")]).toEqual([400, null]);
    expect(await answer.text()).toContain('role="alert"');
  });

  test("judges the request again when it is decided", async () => {
    const { signIn, get, send, server } = start();
    await signIn("ana");
    const page = await (await get(authorizePath())).text();
    const token = /name="form_token" value="([^"]+)"/.exec(page)?.[1] ?? "";
    server.setApp({ ...app, approved: false });
    const body = new URLSearchParams({ form_token: token, store_id: "1", decision: "allow" });
    const answer = await send(authorizePath(), { method: "POST", body });
    expect([answer.status, answer.headers.get("location")]).toEqual([400, null]);
  });
});

describe("someone who isn't the owner", () => {
  test.each(["bruno", "cida", "nobody"])(
    "sees why, and goes back with access_denied: %s",
    async (personId) => {
      const { signIn, get, post } = start();
      await signIn(personId);
      const page = await get(authorizePath());
      expect(page.status).toBe(200);
      const text = await page.text();
      expect(text).toContain("Only the owner");
      expect(text).not.toContain('value="allow"');
      for (const decision of ["refuse", "allow"]) {
        const answer = await post(authorizePath(), { decision, store_id: "1" });
        const { searchParams } = new URL(locationOf(answer));
        expect(searchParams.get("error")).toBe("access_denied");
        expect(searchParams.get("state")).toBe(authorizationParameters.state);
      }
    },
  );
});

describe("forms of another session", () => {
  test.each([
    ["/portal/login", { person_id: "ana" }],
    [authorizePath(), { decision: "allow", store_id: "1" }],
    ["/portal/logout", {}],
    ["/portal/integrations/key", { store_id: "1" }],
    ["/portal/integrations/uninstall", { store_id: "1", client_id: app.clientId }],
  ])("change nothing: %s", async (path, fields) => {
    const { signIn, send, root } = start();
    await signIn("ana");
    const other = createVisitor(root);
    await other.signIn("ana");
    const theirs = await (await other.get("/portal/integrations")).text();
    const formToken = /name="form_token" value="([^"]+)"/.exec(theirs)?.[1] ?? "";
    for (const token of ["", "x", formToken]) {
      const body = new URLSearchParams({ ...fields, form_token: token });
      const answer = await send(path, { method: "POST", body });
      expect([answer.status, answer.headers.get("location")]).toEqual([403, null]);
    }
  });
});

describe("what is hostile", () => {
  const attack = `"><script>alert(1)</script><img src=x onerror=alert(2)>'</form>`;

  test("in a parameter stays text", async () => {
    const { get, signIn, send } = start();
    for (const name of [...Object.keys(authorizationParameters), "extra", "scope"]) {
      for (const page of [
        authorizePath({ [name]: attack }),
        authorizePath({ [name]: attack }).replace("/authorize", "/login"),
      ]) {
        const answer = await get(page);
        expect(await answer.text()).not.toMatch(/<script|<img src=x|alert\(1\)<\/script>/);
      }
    }
    await signIn("ana");
    const page = await (await get(authorizePath({ state: attack }))).text();
    expect(page).not.toMatch(/<script|<img src=x/);
    const body = new URLSearchParams({ form_token: attack, person_id: attack, store_id: attack });
    expect(await (await send("/portal/login", { method: "POST", body })).text()).not.toMatch(/<script/);
  });

  test("in a name stays text", async () => {
    const hostile = {
      apps: [{ ...app, name: attack }],
      people: people.map((person) => ({ ...person, name: attack, email: attack })),
      stores: stores.map((store) => ({ ...store, name: attack, apiKey: attack })),
    };
    const { get, post, signIn } = start(hostile);
    const pages = [await get(authorizePath().replace("/authorize", "/login"))];
    await signIn("bruno");
    pages.push(await get(authorizePath()), await get("/portal"));
    await signIn("ana");
    pages.push(
      await get(authorizePath()),
      await get("/portal/integrations"),
      await post("/portal/integrations/key", { store_id: "1" }, "/portal/integrations"),
    );
    for (const page of pages) {
      expect(page.status).toBe(200);
      const text = await page.text();
      expect(text).toContain("&lt;script&gt;");
      expect(text).not.toMatch(/<script|<img src=x|=""><script/);
    }
  });
});

describe("headers", () => {
  test.each(["/portal", "/portal/login", "/portal/nowhere", authorizePath(), authorizePath({ state: "" })])(
    "keep %s out of frames, caches and reach of scripts",
    async (path) => {
      const { get } = start();
      const { headers } = await get(path);
      expect(headers.get("content-security-policy")).toMatch(
        /^default-src 'none';.*frame-ancestors 'none'; form-action 'self'$/,
      );
      expect(headers.get("x-frame-options")).toBe("DENY");
      expect(headers.get("cache-control")).toBe("no-store");
      expect(headers.get("referrer-policy")).toBe("no-referrer");
    },
  );

  test("let the consent page's form lead on to the app", async () => {
    const { get, signIn } = start();
    await signIn("ana");
    const { headers } = await get(authorizePath());
    expect(headers.get("content-security-policy")).not.toContain("form-action");
    expect(headers.get("content-security-policy")).toContain("default-src 'none'");
  });

  test("set a cookie for the portal alone that no script reads", async () => {
    const { get } = start();
    const [cookie = ""] = (await get("/portal/login")).headers.getSetCookie();
    expect(cookie).toMatch(/; Path=\/portal(;|$)/);
    expect(cookie).toMatch(/; HttpOnly(;|$)/);
    expect(cookie).toMatch(/; SameSite=Lax(;|$)/);
  });
});
