/** Makes the error that a person reads where a call is no success: what happened, and what to do about it. */
import { operations, statusChanges } from "../api/operations.js";
import { t, translated } from "../languages/language.js";
import { functionNames, neededFor, type Credentials, type Signature } from "./credentials.js";
import { ComandaError, type ErrorCode, type ErrorOptions, type Outcome } from "./errors.js";
import { anyCallId, type Conclusion, type Failed } from "./judge.js";
import type { ObservedCall } from "./observer.js";
import { isOfAnOrder, type CalledOperation } from "./request.js";
import { baseUrlHint, type HttpRequest, type TransportError } from "./transport.js";

/** Hints use these names for what a reader may change: a program has options, a command line has flags. */
export interface OptionNames {
  readonly baseUrl: string;
  readonly timeoutMs: string;
  readonly maxWaitMs: string;
}

/** One call, as far as it has come. */
export interface CallState {
  readonly operation: CalledOperation;
  readonly request: HttpRequest;
  readonly observed: ObservedCall;
  /** The program's words, which the hints take up. */
  readonly credentials: Credentials;
  readonly optionNames: OptionNames;
  /** Requests that were begun. */
  attempts: number;
  /** What has signed it, the last one first: the others were refused. */
  signatures: readonly Signature[];
  /** What its requests so far have come to. */
  verdict: Outcome | undefined;
  /** The latest request of a write after which it may have been done. */
  doubt: Failed | undefined;
}

/** Makes the error of a call whose last request wasn't a success. */
export function callError(call: CallState, { outcome, told, isDoneOrRefused }: Conclusion, last: Failed) {
  if (isDoneOrRefused) {
    const message = t`The order was done before, or refused: a request went out of which nothing is known, and a later one was answered with code 4002.`;
    const hint = t`Look at the order in the store's portal: to send it once more would tell nothing new.`;
    return errorOf(call, "outcome_unknown", message, { outcome: "unknown", hint }, told);
  }
  if (outcome === "unknown") {
    // A redirect or a page that says no may come from another address than the service's.
    const isElsewhere = last.httpStatus !== null && last.httpStatus >= 300 && last.httpStatus < 500;
    return outcomeUnknown(call, told, last !== told || isElsewhere ? wordsFor(call, last)[1] : undefined);
  }
  if (told.failure?.failure === "aborted") return interrupted(call);
  const [sentence, hint] = wordsFor(call, told);
  const headers = told.answer?.headers;
  const is = outcome === "refused" ? "refused" : "failed";
  return errorOf(call, told.code, `${sentence}.`, { outcome: is, hint, headers }, told);
}

/** Makes the error of a call that threw: for want of a credential or a place, by an abort while waiting, or by a fault. */
export function thrownError(call: CallState, thrown: unknown): ComandaError {
  const { doubt, verdict } = call;
  if (call.request.signal?.aborted) return doubt ? outcomeUnknown(call, doubt) : interrupted(call);
  if (!(thrown instanceof ComandaError)) {
    // Where the answer is there, a function of the program's own that fails makes nothing undone.
    const isOver = verdict?.outcome === "unknown" || verdict?.outcome === "done";
    const message = t`A function that the program gave failed, or comanda itself.`;
    return errorOf(call, "callback_failed", message, {
      outcome: isOver ? "unknown" : "failed",
      httpStatus: verdict?.httpStatus ?? null,
      hint: isOver
        ? t`What it threw is the error's cause. A request had gone out: look whether it was done before you repeat it.`
        : t`What it threw is the error's cause.`,
      cause: thrown,
    });
  }
  const { code, message, hint: given } = thrown;
  // A limiter knows of the wait, and not what whoever waits may change.
  const hint = given ?? (code === "rate_limited" ? longerWaitHint(call) : undefined);
  if (doubt) return outcomeUnknown(call, doubt, hint);
  const outcome = verdict?.outcome === "done" ? "unknown" : thrown.outcome;
  return thrown.reworded(message, { ...about(call), hint, outcome });
}

/** @param failed the request that it is told by */
function errorOf(
  call: CallState,
  code: ErrorCode,
  message: string,
  facts: ErrorOptions,
  failed?: Failed,
): ComandaError {
  const whole = { ...about(call), ...facts };
  if (!failed) return new ComandaError(code, message, whole);
  const { httpStatus, serviceCode, serviceMessage, details, failure } = failed;
  // Ours says nothing, a `fetch` of the program's may have thrown.
  const cause = failure?.cause;
  const evidence = failed.evidence ?? whole.evidence;
  return new ComandaError(code, message, {
    httpStatus,
    serviceCode,
    serviceMessage,
    details,
    cause,
    ...whole,
    evidence,
  });
}

function about({ observed, attempts, verdict }: CallState) {
  const { operation, method, path, order: orderId } = observed;
  // Where the last request never went out, the word of the one before it counts.
  return { operation, method, path, orderId, attempts, evidence: verdict?.evidence ?? null };
}

/** @param hint what to do about the failure that ended the call, where that was a later one */
function outcomeUnknown(call: CallState, doubt: Failed, hint?: string): ComandaError {
  const { signal } = call.request;
  const what =
    doubt.failure?.message ??
    t`the service answered HTTP ${doubt.httpStatus} and nothing that tells the outcome`;
  const message = t`The request was sent, but it is not known whether it was done: ${what}.`;
  const hints = [repeatHint(call), hint].filter(Boolean).join("\n");
  const cause = signal?.aborted ? { cause: signal.reason as unknown } : {};
  return errorOf(call, "outcome_unknown", message, { outcome: "unknown", hint: hints, ...cause }, doubt);
}

/** There is no shown call that reads an order back. */
function repeatHint({ operation: { id, repeatable }, request: { method, url } }: CallState): string {
  if (id === operations.assignDriver.id)
    return t`Repeating it does no harm: the same driver and fee are set again.`;
  if (id === statusChanges.dispatch.id)
    return t`Look at the order in the store's portal before you repeat it.`;
  if (isOfAnOrder(id))
    return t`Repeating it does no harm: an order that is already there is refused with code 4002.`;
  return repeatable
    ? t`Repeating it does no harm: a ${method} that is done twice comes to the same.`
    : t`Look whether it is there before you repeat it (${new URL(url).host}): a repetition may make a second one.`;
}

/** Gives the signal's reason where it is one of ours, for example `terminated`; it is the error's cause in any case. */
function interrupted(call: CallState): ComandaError {
  const cause: unknown = call.request.signal?.reason;
  if (cause instanceof ComandaError)
    return errorOf(call, cause.code, cause.message, { hint: cause.hint, cause });
  return errorOf(call, "interrupted", t`The call was interrupted before it was done.`, { cause });
}

/** Our own words alone; the service's stand in fields of their own, for whoever shows the error. */
function wordsFor(
  call: CallState,
  { code, evidence, httpStatus, failure }: Failed,
): readonly [string, string] {
  const { operation, signatures, credentials } = call;
  const checkBaseUrl = baseUrlHint(call.optionNames.baseUrl);
  if (failure) return wordsForNoAnswer(call, failure);
  const isAny = operation.id === anyCallId;
  // A gateway's page says nothing of an order or of what was asked for. What the answers of a call look like that nobody has
  // described isn't known: there the status is believed.
  const isBelieved = evidence === "api" || isAny || (code !== "not_found" && code !== "invalid_request");
  switch (isBelieved ? code : "unexpected_answer") {
    case "status_conflict":
      return [
        t`The order's status can't be changed`,
        t`The order may be finished, or not yet at the step that this needs.`,
      ];
    case "token_refused":
      return [
        t`The service refused the credential`,
        signatures.map((signature) => refusedHint(signature, credentials)).join("\n"),
      ];
    case "forbidden": {
      const { scopes } = operation;
      if (signatures[0] !== "bearer")
        return [t`The service does not allow this`, t`Check that the key belongs to this store.`];
      const which = scopes.length === 0 ? t`may lack a scope` : t`needs the scopes ${scopes.join(t` and `)}`;
      const hints = [
        t`The app ${which}; the store's owner grants them in a new sign-in.`,
        credentials.hint?.("bearer"),
      ];
      return [t`The service does not allow this`, hints.filter(Boolean).join("\n")];
    }
    case "not_found":
      if (isOfAnOrder(operation.id))
        return [
          t`The service knows no such order`,
          t`Check the order id, and that it belongs to this store. The friendly number on the slip (display_id) is not the order id.`,
        ];
      return [
        t`The service knows nothing at this path`,
        isAny ? t`Check the path; it is joined to the store's base URL.` : checkBaseUrl,
      ];
    case "rate_limited":
      return [t`The service's rate limit is reached`, longerWaitHint(call)];
    case "invalid_request":
      return [
        t`The service refused the request (HTTP ${httpStatus})`,
        t`Correct what the service names, then try again.`,
      ];
    case "server_error":
      return [t`The service failed (HTTP ${httpStatus})`, t`Try again later.`];
    default:
      return [
        httpStatus !== null && httpStatus >= 300 && httpStatus < 400
          ? t`The service answered with a redirect (HTTP ${httpStatus}), which is never followed`
          : t`The answer is not one of the API's (HTTP ${httpStatus})`,
        checkBaseUrl,
      ];
  }
}

function wordsForNoAnswer(
  { request: { url }, optionNames: { baseUrl, timeoutMs } }: CallState,
  { failure, sent, atProxy, message }: TransportError,
): readonly [string, string] {
  const { host } = new URL(url);
  if (failure === "bad_answer")
    return [t`${host} gave no answer of the API: ${message}`, baseUrlHint(baseUrl)];
  // Both come after a connection was there, if anything was sent.
  const isReached = sent && (failure === "reset" || failure === "timeout");
  const what = isReached ? t`The call to ${host} failed` : t`${host} can't be reached`;
  const hints: Readonly<Partial<Record<TransportError["failure"], string>>> = {
    dns: t`Check the network.\n${baseUrlHint(baseUrl)}`,
    tls: t`Check the base URL and this machine's clock; behind a company proxy, set NODE_EXTRA_CA_CERTS.`,
    timeout: t`Try again, or allow more time: ${timeoutMs}.`,
  };
  const hint = atProxy ? t`Check HTTPS_PROXY, HTTP_PROXY and NO_PROXY.` : hints[failure];
  return [`${what}: ${message}`, hint ?? t`Check the network and whether the service is up, then try again.`];
}

function longerWaitHint({ optionNames }: CallState): string {
  return t`Try again later, or allow a longer wait: ${optionNames.maxWaitMs}.`;
}

/** What each signature takes, as it stands in a sentence. */
const needs: Readonly<Record<Signature, string>> = {
  bearer: "an access token",
  api_key: "an API key",
  partner: "an API key with a partner key",
};

export function notSignedIn({ credentials: signatures }: CalledOperation, credentials: Credentials) {
  const [first = "bearer"] = signatures;
  const alternatives = signatures.map((signature) => translated(needs[signature])).join(t` or `);
  const options = neededFor[first].map((kind) => `credentials.${functionNames[kind]}`).join(t` and `);
  return new ComandaError(
    "not_signed_in",
    t`This call needs ${alternatives} of the store, and there is none.`,
    { hint: credentials.hint?.(first) ?? t`Give it to the client: ${options}.` },
  );
}

/** Says what to do about a credential that the service has refused: in the program's own words, which know its commands. */
function refusedHint(signature: Signature, credentials: Credentials): string {
  return (
    credentials.hint?.(signature) ??
    (signature === "bearer"
      ? t`It has expired or was revoked: get a new one, or let credentials.renew get it.`
      : t`Check the key: the store's portal shows it under Integrations.`)
  );
}
