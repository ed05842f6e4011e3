import { Hono } from "hono";
import { afterEach, beforeEach, describe, expect, test } from "vitest";

import { authorizeAsOwner } from "../../../src/emulator/http/portal/scripted-owner.js";
import { app, people, stores } from "../oauth/fixture.js";
import { authorizationParameters, authorizePath, createPortalApp, listen } from "./fixture.js";

const arrivals: URL[] = [];
const closing: (() => Promise<void>)[] = [];
let portal: Awaited<ReturnType<typeof startPortal>>;

async function startPortal(change: { stores?: typeof stores } = {}) {
  const arrival = new Hono();
  arrival.get("/callback", (c) => {
    arrivals.push(new URL(c.req.url));
    return c.text("done", 202);
  });
  const callback = await listen(arrival);
  const redirectUri = `${callback.origin}/callback`;
  const registered = { ...app, redirectUris: [redirectUri, "https://app.example/callback"] };
  const { root, server } = createPortalApp({ ...change, apps: [registered] });
  const listening = await listen(root);
  closing.push(callback.close, listening.close);
  const url = (query: Record<string, string | undefined> = {}) =>
    `${listening.origin}${authorizePath({ redirect_uri: redirectUri, ...query })}`;
  return { url, server, redirectUri };
}

beforeEach(async () => {
  portal = await startPortal();
});
afterEach(async () => {
  arrivals.length = 0;
  await Promise.all(closing.splice(0).map((close) => close()));
});

describe("a scripted owner", () => {
  test("signs in, allows, and arrives at the app as a browser would", async () => {
    const outcome = await authorizeAsOwner(portal.url());
    expect(outcome.status).toBe(202);
    expect(arrivals.map(String)).toEqual([outcome.redirectedTo]);
    const { searchParams } = new URL(outcome.redirectedTo);
    expect(searchParams.get("state")).toBe(authorizationParameters.state);
    expect(searchParams.get("code")).toMatch(/^code_/);
  });

  test.each([
    [{ storeId: 2 }, 2],
    [{ storeId: 3 }, 3],
    [{ personId: "kenji" }, 3],
  ])("authorises the store that is asked for: %j", async (decision, storeId) => {
    const { redirectedTo } = await authorizeAsOwner(portal.url(), decision);
    portal.server.exchangeCode({
      clientId: app.clientId,
      redirectUri: portal.redirectUri,
      code: new URL(redirectedTo).searchParams.get("code") ?? "",
      codeVerifier: "v".repeat(43),
    });
    expect(portal.server.installations()).toMatchObject([{ storeId }]);
  });

  test.each([{ allow: false }, { personId: "bruno" }, { personId: "bruno", allow: false }])(
    "brings access_denied to the app: %j",
    async (decision) => {
      await authorizeAsOwner(portal.url(), decision);
      expect(arrivals.map(({ searchParams }) => searchParams.get("error"))).toEqual(["access_denied"]);
    },
  );

  test("tells what the portal's error page says", async () => {
    await expect(authorizeAsOwner(portal.url({ state: undefined }))).rejects.toThrow(
      /HTTP 400.*invalid_request : state is required/,
    );
    await expect(authorizeAsOwner(portal.url(), { personId: "?" })).rejects.toThrow("no such person");
    await expect(authorizeAsOwner(portal.url(), { storeId: 99 })).rejects.toThrow("no such person");
    await expect(authorizeAsOwner(portal.url(), { personId: "ana", storeId: 3 })).rejects.toThrow(
      "no such store",
    );
  });

  test("asks nothing off this machine", async () => {
    await expect(authorizeAsOwner("https://portal.example/portal/authorize")).rejects.toThrow("this machine");
    await expect(authorizeAsOwner("http://127.0.0.1.example/portal/authorize")).rejects.toThrow(
      "this machine",
    );
    const asked: string[] = [];
    const outcome = await authorizeAsOwner(portal.url({ redirect_uri: "https://app.example/callback" }), {
      fetch: (input, init) => {
        asked.push(new URL(input instanceof Request ? input.url : input).hostname);
        return fetch(input, init);
      },
    });
    expect(outcome.redirectedTo).toMatch(/^https:\/\/app\.example\/callback\?code=/);
    expect(outcome.status).toBeUndefined();
    expect(new Set(asked)).toEqual(new Set(["127.0.0.1"]));
  });

  test("reads names that look like HTML", async () => {
    const awkward = await startPortal({
      stores: stores.map((store) => ({ ...store, name: `</form>"&'<x> ${store.id}` })),
    });
    expect((await authorizeAsOwner(awkward.url(), { personId: people[0]?.id ?? "" })).status).toBe(202);
  });
});
