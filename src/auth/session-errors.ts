/** The errors of a stored session, with the command that helps. */
import type { Signature } from "../client/call/signature.js";
import { ComandaError } from "../client/errors.js";
import { t } from "../languages/language.js";
import type { Environment, Session } from "../state/sessions/session.js";
import { answerOf, unexplained, refusalText, type Refusal } from "./refusals.js";

function signInAgain(store: string, { name }: Environment): string {
  return t`Sign in: comanda login --store ${store} --env ${name}`;
}

/** Names the command that stores the credential for such a call. */
export function signInHint(signature: Signature, store: string, environment: Environment): string {
  switch (signature) {
    case "bearer":
      return signInAgain(store, environment);
    case "api_key":
      return storeKey(t`API key`, "--api-key", store);
    case "partner":
      return `${storeKey(t`API key`, "--api-key", store)}\n${storeKey(t`partner key`, "--partner-key", store)}`;
  }
}

function storeKey(what: string, flag: string, store: string): string {
  return t`Store the ${what} with: comanda login ${flag} --store ${store}`;
}

export function notSignedIn(store: string, environment: Environment): ComandaError {
  return new ComandaError("not_signed_in", t`No access token is stored for the store ${store}.`, {
    hint: signInAgain(store, environment),
  });
}

export function noSession(store: string): ComandaError {
  return new ComandaError("not_signed_in", t`The store ${store} is not signed in.`, {
    hint: t`See the stores that this machine knows: comanda stores list`,
  });
}

export function signedOutMeanwhile(store: string, environment: Environment): ComandaError {
  return new ComandaError("not_signed_in", t`The store ${store} was signed out meanwhile.`, {
    hint: signInAgain(store, environment),
  });
}

export function signedInElsewhere(store: string): ComandaError {
  return new ComandaError("not_signed_in", t`The store ${store} was signed in elsewhere meanwhile.`, {
    hint: t`Run the command again.`,
  });
}

export function nothingToRefresh({ store, environment }: Session): ComandaError {
  return new ComandaError(
    "token_refused",
    t`The access token of the store ${store} is no longer good, and the service gave none to refresh it with.`,
    { hint: signInAgain(store, environment) },
  );
}

/** No request went out, since its answer could not have been stored; every other error is returned as it is. */
export function notRenewed({ store }: Session, error: unknown): unknown {
  if (!(error instanceof ComandaError && error.code === "state_unusable")) return error;
  return new ComandaError(
    error.code,
    t`The access token of the store ${store} was not renewed, as the new one could not be stored. ${error.message}`,
    { ...(error.hint !== undefined && { hint: error.hint }), cause: error.cause },
  );
}

/** The sign-in succeeded but could not be stored; every other error is returned as it is. */
export function issuedNotStored(store: string, error: unknown, revoked: boolean): unknown {
  if (!(error instanceof ComandaError)) return error;
  const fate = revoked
    ? t`They were revoked.`
    : t`They could not be revoked either, and may work until they expire.`;
  return new ComandaError(
    error.code,
    t`The service gave tokens for the store ${store}, and they could not be stored. ${fate} ${error.message}`,
    { ...(error.hint !== undefined && { hint: error.hint }), cause: error.cause },
  );
}

/** The old refresh token is spent, and the new one is lost; every other error is returned as it is. */
export function renewedNotStored({ store, environment }: Session, error: unknown): unknown {
  if (!(error instanceof ComandaError && error.code === "state_unusable")) return error;
  return new ComandaError(
    error.code,
    t`The service renewed the tokens of the store ${store}, and the new ones could not be stored: the stored ones may be spent. ${error.message}`,
    { hint: [error.hint, signInAgain(store, environment)].filter(Boolean).join("\n"), cause: error.cause },
  );
}

/** @param refusal absent where an earlier run was refused */
export function refreshRefused(
  { store, environment, refresh_in_flight: mark }: Session,
  refusal?: Refusal,
): ComandaError {
  // The mark is still there where an earlier run was ended in the middle of a refresh.
  const isInterrupted = mark !== undefined;
  const cause = isInterrupted
    ? t`: an earlier run was ended or cut off in the middle of a refresh, so what it got was never stored`
    : t`; the app may have been uninstalled, or its access revoked`;
  const reason = refusal === undefined ? "" : ` (${refusalText(refusal)})`;
  const checkAddress =
    refusal?.error === unexplained
      ? t`\nIf that doesn't help: check the base_url with comanda env list, and whether a proxy answers in between.`
      : "";
  return new ComandaError(
    "token_refused",
    t`The service no longer accepts the sign-in of the store ${store}${reason}${cause}.`,
    { hint: signInAgain(store, environment) + checkAddress, ...(refusal && answerOf(refusal)) },
  );
}
