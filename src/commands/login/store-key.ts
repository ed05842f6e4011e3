/** Stores a key of the store, which the service is asked about before. */
import { ComandaError } from "../../client/errors.js";
import { t, translated } from "../../languages/language.js";
import type { Environment, Session } from "../../state/sessions.js";
import { storeOf } from "../store.js";
import { readInput } from "../input.js";
import type { Context } from "../../cli/context.js";
import { checkCredential, type CredentialCheck } from "../sign-in.js";

export interface LoginStore {
  readonly store: string;
  readonly environment: Environment;
  /** Called before the sign-in or key is kept. */
  readonly beforeKeep: () => Promise<void>;
}

/** These names are those of the session's file. */
export type KeyKind = "api_key" | "partner_key";

export const keyNames: Readonly<Record<KeyKind, string>> = { api_key: "API key", partner_key: "partner key" };

/** @throws {ComandaError} where the service refuses the key, and where it is no key */
export async function storeKey(
  context: Context,
  kind: KeyKind,
  { store, environment, beforeKeep }: LoginStore,
): Promise<{ readonly session: Session; readonly checked: CredentialCheck | undefined }> {
  const { sessions } = await context.state();
  const { refuseForeign } = await import("../../auth/exchange.js");
  const key = parseKey(kind, await readKey(context, store, kind));
  // The key must not be sent to another environment's address.
  refuseForeign(await sessions.read(store), store, environment);
  const checked = kind === "api_key" ? await checkKey(context, store, environment, key) : undefined;
  await beforeKeep();
  const session = await sessions.update(store, (current) => {
    refuseForeign(current, store, environment);
    return Promise.resolve({ version: 1, store, ...current, environment, [kind]: key });
  });
  if (session === undefined) throw new TypeError("the session was not written");
  return { session, checked };
}

const sources: Readonly<Record<KeyKind, string>> = {
  api_key: "The store portal shows it in its integrations section.",
  partner_key: "The service gives it to its partners.",
};

/**
 * @param text as it was typed or read; white space around it is dropped
 * @throws {ComandaError} `invalid_input` where it can't travel in a header
 */
function parseKey(kind: KeyKind, text: string): string {
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

/** @throws {ComandaError} where the service refuses the key */
async function checkKey(
  context: Context,
  store: string,
  environment: Environment,
  key: string,
): Promise<CredentialCheck> {
  const session = { version: 1, store, environment, api_key: key } as const;
  const check = await checkCredential(context, storeOf(session), "api_key", true);
  const { result, failure } = check;
  if (failure === undefined || result === "not_checked") return check;
  throw failure.reworded(
    t`The service refuses this API key of ${store} (${environment.name}), so it is not stored.`,
    { hint: t`Check the key: the store's portal shows it under Integrations.` },
  );
}

async function readKey(context: Context, store: string, kind: KeyKind): Promise<string> {
  if (context.canAsk())
    return context.askSecret(t`${kind === "api_key" ? "API" : "Partner"} key of ${store} (it isn't shown):`);
  const pipeHint = t`For example: comanda login --${kind.replace("_", "-")} --store ${store} < key.txt`;
  const { bytes } = await readInput(context, "-", { limit: 64 * 1024, pipeHint });
  return new TextDecoder().decode(bytes);
}
