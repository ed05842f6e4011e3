/** Stores a key of the store, which the service is asked about before. */
import type { KeyKind } from "../../auth/api-key.js";
import { ComandaError } from "../../client/errors.js";
import { t } from "../../languages/language.js";
import type { Environment, Session } from "../../state/sessions/session.js";
import { storeOf } from "../../toolkit/choose-store.js";
import { decodeText, readBytes } from "../../toolkit/input-stream.js";
import type { Machine } from "../../toolkit/machine.js";
import { checkCredential, type CredentialCheck } from "../../toolkit/sign-in-check.js";

export interface LoginStore {
  readonly store: string;
  readonly environment: Environment;
  /** Called before the sign-in or key is kept. */
  readonly beforeKeep: () => Promise<void>;
}

export const keyNames: Readonly<Record<KeyKind, string>> = { api_key: "API key", partner_key: "partner key" };

/** @throws {ComandaError} where the service refuses the key, and where it is no key */
export async function storeKey(
  machine: Machine,
  kind: KeyKind,
  { store, environment, beforeKeep }: LoginStore,
): Promise<{ readonly session: Session; readonly checked: CredentialCheck | undefined }> {
  const { sessions } = await machine.state();
  const { keepKey, parseKey } = await import("../../auth/api-key.js");
  const { refuseForeign } = await import("../../auth/code-exchange.js");
  const key = parseKey(kind, await readKey(machine, store, kind));
  // The key must not be sent to another environment's address.
  refuseForeign(await sessions.read(store), store, environment);
  const checked = kind === "api_key" ? await checkKey(machine, store, environment, key) : undefined;
  await beforeKeep();
  return { session: await keepKey(sessions, { store, environment, kind, key }), checked };
}

/** @throws {ComandaError} where the service refuses the key */
async function checkKey(
  machine: Machine,
  store: string,
  environment: Environment,
  key: string,
): Promise<CredentialCheck> {
  const session = { version: 1, store, environment, api_key: key } as const;
  const check = await checkCredential(machine.context, {
    store,
    auth: "api_key",
    chosen: storeOf(session),
    singleAttempt: true,
  });
  const { result, failure } = check;
  if (failure === undefined || result === "not_checked") return check;
  throw new ComandaError(
    failure.code,
    t`The service refuses this API key of ${store} (${environment.name}), so it is not stored.`,
    {
      hint: t`Check the key: the store's portal shows it under Integrations.`,
      ...(failure.answer && { answer: failure.answer }),
      evidence: failure.evidence,
    },
  );
}

async function readKey(machine: Machine, store: string, kind: KeyKind): Promise<string> {
  const { signal } = machine.context;
  const stdin = machine.context.stdin();
  if (stdin.isTTY !== true)
    return decodeText(await readBytes({ stream: stdin, label: "stdin", signal }, 64 * 1024));
  if (machine.canAsk()) {
    return machine.askSecret(t`${kind === "api_key" ? "API" : "Partner"} key of ${store} (it isn't shown):`);
  }
  throw new ComandaError("usage", t`The ${keyNames[kind]} is read from stdin here; pipe it in.`, {
    hint: t`For example: comanda login --${kind.replace("_", "-")} --store ${store} < key.txt`,
  });
}
