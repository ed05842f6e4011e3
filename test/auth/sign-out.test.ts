import { afterEach, beforeEach, expect, test } from "vitest";

import { signOut } from "../../src/auth/sign-out.js";
import { createTransport } from "../../src/client/http.js";
import type { Session } from "../../src/state/sessions.js";
import { memorySessions } from "./support/memory-sessions.js";
import { testEnvironment, testSession } from "./support/sessions.js";
import { json, raw, startTokenService, type TokenService } from "./support/token-service.js";

let service: TokenService;
const transport = createTransport();
beforeEach(async () => {
  service = await startTokenService(raw(200, ""));
});
afterEach(() => service.stop());

const session = (changes: Partial<Session> = {}) =>
  testSession(testEnvironment({ base_url: service.baseUrl }), changes);
const revoked = () => service.requests.map(({ form }) => form["token"]);

/** The store stays known, with nothing to sign a call with. */
async function run(former: Session) {
  const sessions = memorySessions(former);
  const { error, ...result } = await signOut("centro", sessions, { transport });
  expect(result).toEqual({ former });
  const { version, store, environment } = former;
  expect(await sessions.read("centro")).toEqual({ version, store, environment });
  return error;
}

test("revokes the refresh token, then the access token, then forgets", async () => {
  expect(await run(session())).toBeUndefined();
  expect(revoked()).toEqual(["refresh-1", "access-1"]);
});

test("revokes the access token where it is the only one, and nothing where there is a key alone", async () => {
  expect(await run(session({ tokens: { access_token: "a", expires_at: 0, generation: 1 } }))).toBeUndefined();
  const { version, store, environment } = session();
  expect(await run({ version, store, environment, api_key: "key-1" })).toBeUndefined();
  expect(revoked()).toEqual(["a"]);
});

test("forgets though the service refuses, fails or can't be reached, and says so", async () => {
  service.answer = json(401, { error: "invalid_client" });
  expect(await run(session())).toMatchObject({ code: "configuration" });
  service.answer = raw(503, "");
  expect(await run(session())).toMatchObject({ exitCode: 8 });
  const stopped = session();
  await service.stop();
  expect(await run(stopped)).toMatchObject({ code: "unreachable", exitCode: 8 });
});

test("of a store that isn't known is an error; an interrupt while the service is slow keeps the session", async () => {
  await expect(signOut("centro", memorySessions(), { transport })).rejects.toMatchObject({
    code: "not_signed_in",
  });
  const sessions = memorySessions(session());
  const abort = new AbortController();
  service.answer = () => abort.abort(new Error("Ctrl-C"));
  const { signal } = abort;
  await expect(signOut("centro", sessions, { transport, signal })).rejects.toThrow("Ctrl-C");
  expect(await sessions.read("centro")).toEqual(session());
});
