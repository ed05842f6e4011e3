/** Keeps a store's legacy keys (section 5.1) beside its tokens. */
import { ComandaError } from "../client/errors.js";
import { t, translated } from "../languages/language.js";
import type { Environment, Session, SessionStore } from "../state/sessions/session.js";

import { refuseForeign } from "./code-exchange.js";

/** These names are those of the session's file. */
export type KeyKind = "api_key" | "partner_key";

const keyNames: Readonly<Record<KeyKind, string>> = {
  api_key: "API key",
  partner_key: "partner key",
};

const sources: Readonly<Record<KeyKind, string>> = {
  api_key: "The store portal shows it in its integrations section.",
  partner_key: "The service gives it to its partners.",
};

/**
 * @param text as it was typed or read; white space around it is dropped
 * @throws {ComandaError} `invalid_input` where it can't travel in a header
 */
export function parseKey(kind: KeyKind, text: string): string {
  const key = text.trim();
  if (/^[\x21-\x7e]{1,4096}$/.test(key)) return key;
  const name = translated(keyNames[kind]);
  throw new ComandaError(
    "invalid_input",
    key === ""
      ? t`No ${name} was given.`
      : kind === "api_key"
        ? t`An ${name} is one line of visible ASCII characters without spaces.`
        : t`A ${name} is one line of visible ASCII characters without spaces.`,
    { hint: t`${translated(sources[kind])} Pipe it in, or run the command at a terminal.` },
  );
}

/** @throws {ComandaError} `invalid_input` where the alias belongs to another environment */
export async function keepKey(
  sessions: SessionStore,
  { store, environment, kind, key }: NewKey,
): Promise<Session> {
  const written = await sessions.update(store, (current) => {
    refuseForeign(current, store, environment);
    return Promise.resolve({ version: 1, store, ...current, environment, [kind]: key });
  });
  if (written === undefined) throw new TypeError("the session was not written");
  return written;
}

interface NewKey {
  readonly store: string;
  readonly environment: Environment;
  readonly kind: KeyKind;
  readonly key: string;
}
