import { randomBytes } from "node:crypto";
import { inspect } from "node:util";

import { afterEach, beforeEach, describe, expect, test } from "vitest";

import { createAccessTokenSource } from "../../src/auth/renewal.js";
import { signIn } from "../../src/auth/sign-in.js";
import { signOut } from "../../src/auth/exchange.js";
import { createTransport } from "../../src/client/http.js";
import { systemClock } from "../../src/client/clock.js";
import { ComandaError } from "../../src/client/errors.js";
import type { Session, SessionStore } from "../../src/state/sessions.js";
import { startAuthorizationServer, type AuthorizationServer } from "./support/authorization-server.js";
import { freePort } from "../support/free-port.js";
import { browse } from "./support/owner.js";
import { sessionsIn, temporaryFolder } from "./support/state.js";

const transport = createTransport();
let server: AuthorizationServer;
let folder: ReturnType<typeof temporaryFolder>;
let sessions: SessionStore;
let said: unknown[];

beforeEach(async () => {
  server = await startAuthorizationServer(`http://127.0.0.1:${await freePort()}/callback`);
  folder = temporaryFolder();
  sessions = sessionsIn(folder.folder);
  said = [];
});
afterEach(async () => {
  await server.stop();
  folder.remove();
});

async function login(store = "centro") {
  let page: ReturnType<typeof browse> | undefined;
  try {
    const session = await signIn({
      environment: server.environment,
      store,
      sessions,
      transport,
      clock: systemClock,
      random: randomBytes,
      showUrl: (url) => {
        page = browse(url);
      },
      notify: (message) => said.push(message),
    });
    return { session, page: await page };
  } catch (error) {
    said.push(error);
    expect(error).toBeInstanceOf(ComandaError);
    return { error: error as ComandaError, page: await page };
  }
}

async function signedIn(store?: string): Promise<Session & { tokens: NonNullable<Session["tokens"]> }> {
  const { session } = await login(store);
  if (session?.tokens === undefined) throw new Error("not signed in");
  return { ...session, tokens: session.tokens };
}

async function expire(store = "centro"): Promise<Session> {
  const expired = await sessions.update(store, (session) => {
    if (session?.tokens === undefined) throw new Error("not signed in");
    return Promise.resolve({ ...session, tokens: { ...session.tokens, expires_at: 0 } });
  });
  if (expired === undefined) throw new Error("not signed in");
  return expired;
}

/** What another process would open. */
const sourceOf = (session: Session) =>
  createAccessTokenSource({
    session,
    sessions: sessionsIn(folder.folder),
    transport,
    clock: systemClock,
    pid: 1,
    debug: (message) => said.push(message),
  });

describe("against another's authorization server", () => {
  test("the owner signs in: five parameters and the configured one go out, tokens with scopes come back", async () => {
    const { session, page } = await login();
    expect([...(server.authorizations[0]?.keys() ?? [])]).toEqual([
      "lang",
      "client_id",
      "state",
      "redirect_uri",
      "code_challenge",
      "code_challenge_method",
    ]);
    expect(page).toMatchObject({ status: 200, page: expect.stringContaining("You are signed in") as string });
    expect(session?.tokens).toMatchObject({ scopes: ["orders", "drivers"], generation: 1 });
    expect((session?.tokens?.expires_at ?? 0) - Date.now()).toBeGreaterThan(7_100_000);
    expect(await server.isAlive(session?.tokens?.access_token ?? "")).toBe(true);
    expect(await sessions.read("centro")).toEqual(session);
  });

  test("an expired token is refreshed, and the refresh token rotates", async () => {
    const before = await signedIn();
    const token = await sourceOf(await expire()).bearer();
    const after = await sessions.read("centro");
    expect(after?.tokens).toMatchObject({ access_token: token, generation: 2 });
    expect(after?.tokens?.refresh_token).not.toBe(before.tokens.refresh_token);
    expect(await server.isAlive(token)).toBe(true);
  });

  test("a refresh token that is used again ends the family: sign in again, and the session stays", async () => {
    await signedIn();
    const old = await expire();
    const token = await sourceOf(old).bearer();
    // A backup that was put back brings the spent refresh token along.
    await sessions.update("centro", () => Promise.resolve(old));
    await expect(sourceOf(old).bearer()).rejects.toMatchObject({ code: "token_refused", exitCode: 3 });
    expect(await server.isAlive(token)).toBe(false);
    expect(await sessions.read("centro")).toMatchObject({
      tokens: old.tokens,
      refused_at: expect.any(Number) as number,
    });

    expect(await signedIn()).not.toHaveProperty("refused_at");
  });

  test("a sign-out ends both tokens, and is forgotten", async () => {
    const { tokens } = await signedIn();
    expect((await signOut("centro", sessions, { transport })).error).toBeUndefined();
    expect(await server.isAlive(tokens.access_token)).toBe(false);
    expect(await server.isAlive(tokens.refresh_token ?? "")).toBe(false);
    expect((await sessions.read("centro"))?.tokens).toBeUndefined();
  });

  test("nothing that was said holds a secret", async () => {
    const { tokens } = await signedIn();
    const fresh = await sourceOf(await expire()).bearer();
    server.profile = "other";
    await login("norte");
    const text = inspect(said, { depth: 12, showHidden: true });
    expect(text).toContain("was refreshed");
    const state = server.authorizations[0]?.get("state");
    for (const secret of [tokens.access_token, tokens.refresh_token, fresh, state]) {
      expect(secret).toMatch(/.{20}/);
      expect(text).not.toContain(secret);
    }
  });
});
