/** Creates environments, tokens and sessions for tests. */
import type { Environment, Session, Tokens } from "../../../src/state/sessions.js";

export function testEnvironment(changes: Partial<Environment> = {}): Environment {
  return {
    name: "sandbox",
    base_url: "http://127.0.0.1:1",
    auth_url: "https://portal.example/authorize",
    client_id: "app-1",
    redirect_uri: "http://127.0.0.1:8765/callback",
    ...changes,
  };
}

export function testTokens(changes: Partial<Tokens> = {}): Tokens {
  return { access_token: "access-1", refresh_token: "refresh-1", expires_at: 0, generation: 1, ...changes };
}

export function testSession(environment: Environment, changes: Partial<Session> = {}): Session {
  return { version: 1, store: "centro", environment, tokens: testTokens(), ...changes };
}

/** Returns the session of a store whose access token tells its generation. */
export function session(store: string, generation = 1): Session {
  const tokens = testTokens({ access_token: `access-${generation}`, expires_at: 1, generation });
  return testSession(testEnvironment(), { store, tokens });
}
