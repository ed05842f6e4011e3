import { expect, test } from "vitest";

import { signOut } from "../../src/auth/exchange.js";
import { createAccessTokenSource } from "../../src/auth/renewal.js";
import { systemClock } from "../../src/base/clock.js";
import { createTransport } from "../../src/client/http.js";
import { openState, temporaryFolder } from "../state/support/folder.js";
import { closing } from "../support/resources.js";
import { signInAt, startAuthorizationServer } from "./support/authorization-server.js";

test("oidc-provider accepts a sign-in with scopes, a refresh with a rotated token, and a sign-out", async () => {
  const transport = closing(createTransport());
  const server = await startAuthorizationServer();
  const folder = temporaryFolder();
  const { sessions } = openState(folder);
  const before = await signInAt(server, sessions);
  expect(before.tokens).toMatchObject({ scopes: ["orders", "drivers"], generation: 1 });
  expect((before.tokens?.expires_at ?? 0) - Date.now()).toBeGreaterThan(7_100_000);
  expect(await sessions.read("centro")).toEqual(before);

  // The sign-in has expired when another process reads it.
  const expired = { ...before, tokens: before.tokens && { ...before.tokens, expires_at: 0 } };
  await sessions.update("centro", () => Promise.resolve(expired));
  const own = { session: expired, sessions: openState(folder).sessions };
  const token = await createAccessTokenSource({ ...own, transport, clock: systemClock, pid: 1 }).bearer();
  const after = (await sessions.read("centro"))?.tokens;
  expect(after).toMatchObject({ access_token: token, generation: 2 });
  expect(after?.refresh_token).not.toBe(before.tokens?.refresh_token);
  expect(await server.isAlive(token)).toBe(true);

  expect((await signOut("centro", sessions, { transport })).error).toBeUndefined();
  expect(await server.isAlive(token)).toBe(false);
  expect(await server.isAlive(after?.refresh_token ?? "")).toBe(false);
  expect((await sessions.read("centro"))?.tokens).toBeUndefined();
});
