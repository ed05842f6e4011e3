import type { Session } from "../../../src/state/sessions.js";
import { testEnvironment, testSession, testTokens } from "../../auth/support/sessions.js";

export function session(store: string, generation = 1): Session {
  const tokens = testTokens({ access_token: `access-${generation}`, expires_at: 1, generation });
  return testSession(testEnvironment(), { store, tokens });
}
