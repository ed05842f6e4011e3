import { Hono } from "hono";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";

import { startEmulator, type Emulator } from "../../../src/emulator/index.js";
import { authorizeAsOwner } from "../../../src/emulator/sign-in.js";
import { codeVerifier } from "../oauth/fixture.js";
import { authorizationParameters, authorizePath, listen } from "./fixture.js";

const arrivals: URL[] = [];
let callback: Awaited<ReturnType<typeof listen>>;
let emulator: Emulator;
let redirectUri: string;

beforeAll(async () => {
  const app = new Hono();
  app.get("/callback", (c) => {
    arrivals.push(new URL(c.req.url));
    return c.redirect("/done", 303);
  });
  app.get("/done", (c) => c.text("done", 202));
  callback = await listen(app);
  redirectUri = `${callback.origin}/callback`;
  emulator = await startEmulator({ orders: 0, redirectUris: [redirectUri, "https://app.example/callback"] });
});
afterEach(() => {
  arrivals.length = 0;
});
afterAll(async () => {
  await emulator.close();
  await callback.close();
});

const url = (query: Record<string, string | undefined> = {}) =>
  emulator.url + authorizePath({ client_id: emulator.clientId, redirect_uri: redirectUri, ...query });

describe("a scripted owner", () => {
  test("signs in, allows, and arrives at the app as a browser would", async () => {
    const outcome = await authorizeAsOwner(url());
    expect(outcome.status).toBe(202);
    expect(arrivals.map(String)).toEqual([outcome.redirectedTo]);
    const { searchParams } = new URL(outcome.redirectedTo);
    expect(searchParams.get("state")).toBe(authorizationParameters.state);
    expect(searchParams.get("code")).toMatch(/^code_/);
  });

  test.each([
    [{ store: 502 }, 502],
    [{ store: 503 }, 503],
    [{ person: "ines" }, 503],
  ])("authorises the store that is asked for: %j", async (decision, storeId) => {
    const { redirectedTo } = await authorizeAsOwner(url(), decision);
    const { server } = emulator.service;
    server.exchangeCode({
      clientId: emulator.clientId,
      redirectUri,
      code: new URL(redirectedTo).searchParams.get("code") ?? "",
      codeVerifier,
    });
    expect(server.installations().at(-1)).toMatchObject({ storeId });
    server.reset();
  });

  test.each([{ allow: false }, { person: "marta" }, { person: "marta", allow: false }])(
    "brings access_denied to the app: %j",
    async (decision) => {
      await authorizeAsOwner(url(), decision);
      expect(arrivals.map(({ searchParams }) => searchParams.get("error"))).toEqual(["access_denied"]);
    },
  );

  test("tells what the portal's error page says", async () => {
    await expect(authorizeAsOwner(url({ state: undefined }))).rejects.toThrow(
      /HTTP 400.*invalid_request: state is required/,
    );
    await expect(authorizeAsOwner(url(), { person: "?" })).rejects.toThrow("no such person");
    await expect(authorizeAsOwner(url(), { store: 99 })).rejects.toThrow("no such person");
    await expect(authorizeAsOwner(url(), { person: "ana", store: 503 })).rejects.toThrow("no such store");
  });

  test("asks nothing off this machine", async () => {
    await expect(authorizeAsOwner("https://portal.example/portal/authorize")).rejects.toThrow("this machine");
    await expect(authorizeAsOwner("http://127.0.0.1.example/portal/authorize")).rejects.toThrow(
      "this machine",
    );
    const outcome = await authorizeAsOwner(url({ redirect_uri: "https://app.example/callback" }));
    expect(outcome.redirectedTo).toMatch(/^https:\/\/app\.example\/callback\?code=/);
    expect(outcome.status).toBeUndefined();
  });
});
