/** Keeps a store's legacy key (section 5.1) beside its tokens. */
import { ComandaError } from "../errors/index.js";
import type { Environment, Session, SessionStore } from "../state/session.js";

import { refuseForeign } from "./keep-session.js";

/**
 * @param text as it was typed or read; white space around it is dropped
 * @throws {ComandaError} `invalid_input` where it can't travel in a header
 */
export function parseApiKey(text: string): string {
  const key = text.trim();
  if (/^[\x21-\x7e]{1,4096}$/.test(key)) return key;
  throw new ComandaError(
    "invalid_input",
    key === ""
      ? "No API key was given."
      : "An API key is one line of visible ASCII characters without spaces.",
    {
      hint: "The store portal shows it in its integrations section. Pipe it in, or run the command at a terminal.",
    },
  );
}

/** @throws {ComandaError} `invalid_input` where the alias belongs to another environment */
export async function keepApiKey(
  sessions: SessionStore,
  { store, environment, apiKey }: { store: string; environment: Environment; apiKey: string },
): Promise<Session> {
  const written = await sessions.update(store, (current) => {
    refuseForeign(current, store, environment);
    return Promise.resolve({ version: 1, store, ...current, environment, api_key: apiKey });
  });
  if (written === undefined) throw new TypeError("the session was not written");
  return written;
}
