import { afterEach, beforeEach, expect, test } from "vitest";

import { signOut } from "../../src/auth/sign-out.js";
import { createTransport } from "../../src/client/http/undici-transport.js";
import type { Session } from "../../src/state/sessions/session.js";
import { memorySessions } from "./support/memory-sessions.js";
import { testEnvironment, testSession } from "./support/sessions.js";
import { json, raw, startTokenService, type TokenService } from "./support/token-service.js";

let service: TokenService;

beforeEach(async () => {
  service = await startTokenService(raw(200, ""));
});
afterEach(() => service.stop());

const session = (changes: Partial<Session> = {}) =>
  testSession(testEnvironment({ base_url: service.baseUrl }), changes);

async function run(initial: Session) {
  const sessions = memorySessions(initial);
  const transport = createTransport();
  try {
    return await signOut({ store: "centro", sessions, transport });
  } finally {
    // The store stays known, with nothing to sign a call with.
    const { version, store, environment } = initial;
    expect(await sessions.read("centro")).toEqual({ version, store, environment });
    await transport.close();
  }
}

test("revokes the refresh token, then the access token, then forgets", async () => {
  expect(await run(session())).toEqual({ revocation: "revoked" });
  expect(service.requests.map(({ form }) => form["token"])).toEqual(["refresh-1", "access-1"]);
});

test("revokes the access token where it is the only one", async () => {
  const tokens = { access_token: "access-1", expires_at: 0, generation: 1 };
  expect(await run(session({ tokens }))).toEqual({ revocation: "revoked" });
  expect(service.requests.map(({ form }) => form["token"])).toEqual(["access-1"]);
});

test("an API key alone has nothing to revoke", async () => {
  const { version, store, environment } = session();
  expect(await run({ version, store, environment, api_key: "key-1" })).toEqual({
    revocation: "nothing_to_revoke",
  });
  expect(service.requests).toHaveLength(0);
});

test("a service that is unreachable or failing: forgets, and says so", async () => {
  service.answer = raw(503, "");
  expect(await run(session())).toMatchObject({ revocation: "failed", error: { exitCode: 8 } });
  const stopped = session();
  await service.stop();
  expect(await run(stopped)).toMatchObject({
    revocation: "failed",
    error: { code: "unreachable", exitCode: 8 },
  });
});

test("a refusal that leaves the tokens alive is said", async () => {
  service.answer = json(401, { error: "invalid_client" });
  expect(await run(session())).toMatchObject({ revocation: "failed", error: { code: "configuration" } });
});

test("a store that isn't known is an error", async () => {
  const sessions = memorySessions();
  const transport = createTransport();
  await expect(signOut({ store: "centro", sessions, transport })).rejects.toMatchObject({
    code: "not_signed_in",
  });
  await transport.close();
});

test("an interrupt while the service is slow keeps the session", async () => {
  const initial = session();
  const sessions = memorySessions(initial);
  const transport = createTransport();
  const abort = new AbortController();
  service.answer = () => abort.abort(new Error("Ctrl-C"));
  const { signal } = abort;
  await expect(signOut({ store: "centro", sessions, transport, signal })).rejects.toThrow("Ctrl-C");
  expect(await sessions.read("centro")).toEqual(initial);
  await transport.close();
});
