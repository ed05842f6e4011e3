/** The errors of calls: what happened, and what to do about it. */
import { credentialKinds, operations, schemeTable, type AuthScheme } from "../api/operations.js";
import { t, translated, type Word } from "../languages/language.js";
import { ComandaError, type ErrorCode, type ErrorOptions } from "../base/errors.js";
import type { HintFacts, SignedStore } from "../base/hint-facts.js";
import { anyCallId, conclude } from "./judge.js";
import type { Attempt, CalledOperation, Conclusion, Failed } from "./judge.js";
import { CallbackError, type ObservedCall } from "./options.js";
import { limitReached } from "./rate-limit.js";
import { isSafe, type HttpRequest } from "./transport.js";

export interface CallState {
  readonly operation: CalledOperation;
  readonly request: HttpRequest;
  readonly attempts: readonly Attempt[];
  /** The store of this machine whose credentials sign the call, for hints. */
  readonly signedStore: SignedStore | undefined;
  readonly observed: ObservedCall;
  /** Milliseconds of the wait that would have taken longer than the call may wait. */
  leftMs?: number;
}

type EndedCall = CallState & Conclusion;

/** Returns the error of a call that ended without success, or that has no credential. */
export function callError(state: CallState): ComandaError {
  const call = { ...state, ...conclude(state.operation, state.attempts) };
  const { operation, signedStore, outcome, last, decisive, isDoneOrRefused } = call;
  if (!last || !decisive) {
    const [only = "bearer", ...others] = operation.credentials;
    let message = translated(requirements[only]);
    if (others.length > 0)
      message = t`The request requires a sign-in or an API key, and the store has neither.`;
    if (signedStore && only === "bearer") message = t`The store ${signedStore.store} is not signed in.`;
    // Without the addresses for a sign-in, only a key can be added.
    const schemes = signedStore?.canSignIn === false && others.length > 0 ? others : [only];
    const hintFacts = { about: "credential", problem: "missing", schemes, signedStore } as const;
    return errorOf(call, "not_signed_in", message, { hintFacts });
  }
  if (isDoneOrRefused) return outcomeUnknown(call, {});
  if (outcome.outcome === "unknown") {
    // A redirect or a 4xx page may come from another address than the service's.
    const isElsewhere = last.httpStatus !== null && last.httpStatus >= 300 && last.httpStatus < 500;
    const [, hint, hintFacts] = last !== decisive || isElsewhere ? wordsFor(call, last) : [];
    return outcomeUnknown(call, { hint, hintFacts });
  }
  if (decisive.failure?.failure === "aborted") return interrupted(call);
  const [sentence, hint, hintFacts] = wordsFor(call, decisive);
  return errorOf(call, decisive.code, sentence, { hint, hintFacts });
}

/**
 * Returns the error of a call that threw: because of a missing credential or slot, an abort while waiting, or a function of the program.
 * What was thrown after a response doesn't change the outcome.
 */
export function thrownError(state: CallState, thrown: unknown): ComandaError {
  const call = { ...state, ...conclude(state.operation, state.attempts) };
  const { operation, request, outcome, decisive } = call;
  const isUnknown = outcome.outcome === "unknown";
  const isDone = outcome.outcome === "done";
  if (request.signal?.aborted && !isDone) return isUnknown ? outcomeUnknown(call, {}) : interrupted(call);
  if (!(thrown instanceof ComandaError)) {
    const { name, cause, isLate } =
      thrown instanceof CallbackError ? thrown : { name: "comanda", cause: thrown, isLate: false };
    const hints = [
      outcome.evidence === null && t`Nothing was sent.`,
      !isLate && t`See the error's cause.`,
      isDone && !isSafe(operation) && t`The service confirmed the request, so don't repeat it.`,
      isUnknown && repeatHint(call),
    ];
    return errorOf(call, "callback_failed", isLate ? t`${name} took too long.` : t`${name} failed.`, {
      hint: hints.filter(Boolean).join("\n"),
      ...(isLate && { hintFacts: { about: "timeout" } }),
      cause,
    });
  }
  const { hint, hintFacts } = thrown;
  if (isUnknown) return outcomeUnknown(call, { hint, hintFacts, cause: thrown });
  const { httpStatus, serviceCode, serviceMessage, details, headers, ...facts } = factsOf(call);
  // A refused token is that of this response, not of the one to a renewal.
  const isOfResponse = isDone || decisive?.code === thrown.code;
  // An error without a response doesn't hide that there was one.
  const status = thrown.httpStatus === null ? { httpStatus } : {};
  const ofResponse = isOfResponse ? { httpStatus, serviceCode, serviceMessage, details, headers } : status;
  return thrown.reworded(thrown.message, { ...facts, ...ofResponse });
}

const requirements = {
  bearer: "The request requires a sign-in by the store's owner (access token). An API key isn't enough.",
  api_key: "The request requires the store's API key.",
  partner: "The request requires the store's API key and the partner key.",
} as const satisfies Readonly<Record<AuthScheme, Word>>;

/** Returns what all errors of the call contain. An error's own code replaces the outcome's. */
function factsOf({ operation, observed, outcome, decisive }: EndedCall) {
  const { method, path, order: orderId } = observed;
  const { serviceMessage = null, details = null, response } = decisive ?? {};
  const said = { serviceMessage, details, headers: response?.headers };
  return { ...outcome, operation: operation.id, method, path, orderId, ...said };
}

function errorOf(call: EndedCall, code: ErrorCode, message: string, more: ErrorOptions): ComandaError {
  // What the program's own `fetch` has thrown; absent for our own transports.
  const cause = call.decisive?.failure?.cause;
  return new ComandaError(code, message, { ...factsOf(call), cause, ...more });
}

/** @param end what has ended the call, and the advice for it, unless that was the uncertain attempt itself */
function outcomeUnknown(
  call: EndedCall,
  end: Pick<ErrorOptions, "hint" | "hintFacts" | "cause">,
): ComandaError {
  const { uncertain, isDoneOrRefused } = call;
  const { failure, httpStatus = null } = uncertain ?? {};
  const silence =
    call.observed.order === null
      ? t`the response (HTTP ${httpStatus}) doesn't say whether the request was carried out`
      : t`the response (HTTP ${httpStatus}) doesn't say whether the order was changed`;
  const what = failure?.message ?? silence;
  const message = isDoneOrRefused
    ? t`An earlier request may have changed the order. A later one was refused with code 4002.`
    : t`The request was sent, but its outcome is unknown: ${what}.`;
  const hint = [repeatHint(call), end.hint].filter(Boolean).join("\n");
  const { hintFacts, cause = call.request.signal?.reason as unknown } = end;
  return errorOf(call, "outcome_unknown", message, {
    hint,
    hintFacts,
    ...(cause !== undefined && { cause }),
  });
}

/** Returns whether a call whose outcome is unknown can be repeated. No call that the specification shows reads an order back. */
function repeatHint({ operation, isDoneOrRefused }: EndedCall): string {
  if (isDoneOrRefused) return t`Check the order in the store's portal before you try again.`;
  if (operation.repeatable) return t`You can safely try again: the result is the same.`;
  if (operation.id === operations.createPrefilledOrder.id)
    return t`You can try again: at worst, there are two pre-filled orders.`;
  if (operation.isRefusedTwice === undefined)
    return t`Before you repeat the request, check whether it took effect.`;
  return operation.isRefusedTwice
    ? t`You can safely try again: if the order was changed, the service refuses with code 4002.`
    : t`Check the order in the store's portal before you try again.`;
}

/** Returns the signal's reason if it is one of ours, for example `terminated`. It is always the error's cause. */
function interrupted(call: EndedCall): ComandaError {
  const cause: unknown = call.request.signal?.reason;
  if (cause instanceof ComandaError)
    return errorOf(call, cause.code, cause.message, { hint: cause.hint, cause });
  const hint = call.outcome.evidence === null ? t`Nothing was sent.` : undefined;
  return errorOf(call, "interrupted", t`Interrupted.`, { hint, cause });
}

/** Returns what happened and what to do. The service's own words are in fields of the error. */
function wordsFor(
  call: CallState,
  { code, evidence, httpStatus, failure }: Failed,
): readonly [sentence: string, hint?: string | undefined, hintFacts?: HintFacts | undefined] {
  const { operation, attempts, signedStore } = call;
  const baseUrl = { about: "base_url", source: signedStore && "environment" } as const;
  const credential = { about: "credential", signedStore } as const;
  const { host } = new URL(call.request.url);
  if (failure) {
    const { failure: kind, atProxy, message } = failure;
    const sentence = t`The call to ${host} failed: ${message}.`;
    if (atProxy) return [sentence, undefined, { about: "proxy" }];
    if (kind === "bad_answer") return [sentence, undefined, baseUrl];
    if (kind === "timeout") return [sentence, undefined, { about: "timeout" }];
    if (kind === "tls")
      return [sentence, t`Check the base URL and this machine's clock.`, { about: "certificate" }];
    const hint = t`Check the network and whether the service is up, then try again.`;
    return [sentence, hint, kind === "dns" ? baseUrl : undefined];
  }
  const isAny = operation.id === anyCallId;
  // A gateway's page isn't evidence of an order or a path. For a call of any path, the response isn't described, so the status decides.
  const isBelieved = evidence === "api" || isAny || (code !== "not_found" && code !== "invalid_request");
  const refused = t`The service refused the request (HTTP ${httpStatus}).`;
  switch (isBelieved ? code : "unexpected_answer") {
    case "status_conflict":
      return [
        t`The order's status doesn't allow this change.`,
        t`The order may already have this status, may be final, or may not be ready for this change.`,
      ];
    case "token_refused": {
      // The service has refused all of them, the first one last.
      const schemes = [...new Set(attempts.map(({ signature }) => signature.scheme).reverse())];
      const names = schemes.map((scheme) =>
        schemeTable[scheme].kinds.map((kind) => translated(credentialKinds[kind].name)).join(" + "),
      );
      const sentence = t`The service refused the credential (${names.join(t` or `)}).`;
      return [sentence, undefined, { ...credential, problem: "refused", schemes }];
    }
    case "forbidden": {
      if (attempts.at(-1)?.signature.scheme !== "bearer")
        return [refused, t`Check the key: the store's portal shows it under Integrations.`];
      const hint = t`If the app lacks a permission (${operation.scopes.join(", ")}), the store's owner can grant it in a new sign-in.`;
      return [refused, hint, { ...credential, problem: "lacks_scope", schemes: ["bearer"] }];
    }
    case "not_found":
      if (call.observed.order !== null && !isAny)
        return [
          t`Order not found.`,
          t`Check the order id. The number printed on the ticket (display_id) isn't the order id.`,
        ];
      return isAny ? [t`Path not found.`, t`Check the path.`] : [t`Path not found.`, undefined, baseUrl];
    case "rate_limited": {
      const { leftMs } = call;
      const sentence = leftMs === undefined ? t`Rate limit reached.` : limitReached(leftMs);
      return [sentence, undefined, { about: "max_wait" }];
    }
    case "invalid_request":
      return [refused, t`Correct the invalid input, then try again.`];
    case "server_error":
      return [t`The service failed (HTTP ${httpStatus}).`, t`Try again later.`];
    default:
      return [t`The response from ${host} isn't from the API (HTTP ${httpStatus}).`, undefined, baseUrl];
  }
}
