import { beforeEach, expect, test } from "vitest";

import { signOut } from "../../src/auth/exchange.js";
import { createAccessTokenSource } from "../../src/auth/renewal.js";
import { systemClock } from "../../src/base/clock.js";
import { createTransport } from "../../src/client/http.js";
import type { Session, SessionStore } from "../../src/state/sessions.js";
import { openState, temporaryFolder } from "../state/support/folder.js";
import {
  signInAt,
  startAuthorizationServer,
  type AuthorizationServer,
} from "./support/authorization-server.js";

const transport = createTransport();
let server: AuthorizationServer;
let folder: string;
let sessions: SessionStore;

beforeEach(async () => {
  server = await startAuthorizationServer();
  folder = temporaryFolder();
  sessions = openState(folder).sessions;
});

/** Opens the session with an expired token, as another process would. */
async function sourceOf({
  tokens = { access_token: "", generation: 0, expires_at: 0 },
  ...session
}: Session) {
  const expired = { ...session, tokens: { ...tokens, expires_at: 0 } };
  await sessions.update("centro", () => Promise.resolve(expired));
  const own = openState(folder).sessions;
  return createAccessTokenSource({ session: expired, sessions: own, transport, clock: systemClock, pid: 1 });
}

test("oidc-provider accepts a sign-in with scopes, a refresh with a rotated token, and a sign-out", async () => {
  const before = await signInAt(server, sessions);
  expect(before.tokens).toMatchObject({ scopes: ["orders", "drivers"], generation: 1 });
  expect((before.tokens?.expires_at ?? 0) - Date.now()).toBeGreaterThan(7_100_000);
  expect(await sessions.read("centro")).toEqual(before);

  const token = await (await sourceOf(before)).bearer();
  const after = (await sessions.read("centro"))?.tokens;
  expect(after).toMatchObject({ access_token: token, generation: 2 });
  expect(after?.refresh_token).not.toBe(before.tokens?.refresh_token);
  expect(await server.isAlive(token)).toBe(true);

  expect((await signOut("centro", sessions, { transport })).error).toBeUndefined();
  expect(await server.isAlive(token)).toBe(false);
  expect(await server.isAlive(after?.refresh_token ?? "")).toBe(false);
  expect((await sessions.read("centro"))?.tokens).toBeUndefined();
});

test("a refresh token that is used twice requires a new sign-in, without deleting the session", async () => {
  const old = await signInAt(server, sessions);
  const token = await (await sourceOf(old)).bearer();
  // A restored backup contains the used refresh token.
  await expect((await sourceOf(old)).bearer()).rejects.toMatchObject({ code: "token_refused", exitCode: 3 });
  expect(await server.isAlive(token)).toBe(false);
  expect(await sessions.read("centro")).toMatchObject({
    tokens: { refresh_token: old.tokens?.refresh_token },
    refused_at: expect.any(Number) as number,
  });
  expect(await signInAt(server, sessions)).not.toHaveProperty("refused_at");
});
