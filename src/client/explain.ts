/** Makes the error that a person reads where a call is no success: what happened, and what to do about it. */
import { isLoopbackHost } from "../api/loopback.js";
import { operations, statusChanges } from "../api/operations.js";
import { t, translated } from "../languages/language.js";
import { baseUrlHint } from "./base-url.js";
import { kinds, neededFor, type Credentials, type Signature } from "./credentials.js";
import { callback } from "./callback.js";
import { ComandaError, type ErrorCode, type ErrorOptions, type Outcome } from "./errors.js";
import { anyCallId, type Conclusion, type Failed } from "./judge.js";
import type { ObservedCall } from "./observer.js";
import { isOfAnOrder, isStatusChange, type CalledOperation } from "./request.js";
import type { HttpRequest, TransportError } from "./transport.js";

/** Hints use these names for what a reader may change: a program has options, a command line has flags. */
export interface OptionNames {
  readonly baseUrl: string;
  readonly timeoutMs: string;
  readonly maxWaitMs: string;
}

/** A call that ends without success. */
export interface Ended {
  readonly operation: CalledOperation;
  readonly request: HttpRequest;
  readonly observed: ObservedCall;
  readonly attempts: number;
  /** The credential that signed it, once that was chosen. */
  readonly credential: Signature | undefined;
  /** The credential that would have signed it, had the service not refused that. */
  readonly refused: Signature | undefined;
  /** What its requests so far have come to. */
  readonly verdict: Outcome | undefined;
  /** The latest request after which it may have been done. */
  readonly doubt: Failed | undefined;
  /** The program's words, which the hints take up. */
  readonly credentials: Credentials;
  readonly optionNames: OptionNames;
}

/** Makes the error of a call whose last request wasn't a success. */
export function callError(call: Ended, { outcome, told, isDoneOrRefused }: Conclusion, last: Failed) {
  if (outcome === "refused" || outcome === "failed")
    return told.failure ? noAnswer(call, told, told.failure) : refusal(call, told, outcome);
  if (isDoneOrRefused)
    return errorOf(
      call,
      "outcome_unknown",
      t`The order was done before, or refused: a request went out of which nothing is known, and a later one was answered with code 4002.`,
      {
        ...factsOf(told),
        outcome: "unknown",
        hint: t`Look at the order in the store's portal: to send it once more would tell nothing new.`,
      },
    );
  // A redirect or a page that says no may come from another address than the service's.
  const isElsewhere = last.httpStatus !== null && last.httpStatus >= 300 && last.httpStatus < 500;
  const says = last !== told || isElsewhere;
  return outcomeUnknown(call, told, says ? hintOf(call, last) : undefined);
}

/** Makes the error of a call that threw: for want of a credential or a place, by an abort while waiting, or by a fault. */
export function thrownError(call: Ended, error: unknown): ComandaError {
  const { request, operation, attempts, doubt } = call;
  if (request.signal?.aborted) return doubt ? outcomeUnknown(call, doubt) : interrupted(call);
  const thrown =
    error instanceof ComandaError
      ? error
      : new ComandaError("internal", t`The call failed inside comanda.`, {
          hint: t`Report it, with what the error's cause says.`,
          cause: error,
        });
  const isFault = ["callback_failed", "internal"].includes(thrown.code);
  if (doubt && !isFault) return outcomeUnknown(call, doubt, thrown.hint);
  const isUnsure = isFault && attempts > 0 && !operation.repeatable;
  const lookFirst = isUnsure && t`A request had gone out: look whether it was done before you repeat it.`;
  const hint = [thrown.hint, lookFirst].filter(Boolean).join("\n");
  const { code, message, httpStatus, serviceCode, serviceMessage, details, cause } = thrown;
  // A function of the program's own that fails when the answer is there makes nothing undone.
  const isOver = call.verdict?.outcome === "unknown" || call.verdict?.outcome === "done";
  const outcome = isOver ? "unknown" : thrown.outcome;
  return errorOf(call, code, message, {
    ...(hint !== "" && { hint }),
    ...{ outcome, httpStatus, serviceCode, serviceMessage, details, cause },
  });
}

function errorOf(
  { observed, attempts, verdict }: Ended,
  code: ErrorCode,
  message: string,
  options: ErrorOptions,
): ComandaError {
  const { operation, method, path, order } = observed;
  return new ComandaError(code, message, {
    ...options,
    ...{ operation, method, path, orderId: order, attempts },
    // Where the last request never went out, the word of the one before it counts.
    evidence: options.evidence ?? verdict?.evidence ?? null,
  });
}

function factsOf(attempt: Failed): ErrorOptions {
  const { httpStatus, serviceCode, serviceMessage, details, evidence, failure } = attempt;
  // Ours says nothing, a `fetch` of the program's may have thrown.
  return { httpStatus, serviceCode, serviceMessage, details, evidence, cause: failure?.cause };
}

/** @param hint what to do about the failure that ended the call, where that was a later one */
function outcomeUnknown(call: Ended, doubt: Failed, hint?: string): ComandaError {
  const { operation, request } = call;
  const message = t`The request was sent, but it is not known whether it was done: ${whatCame(call, doubt)}.`;
  const { signal } = request;
  return errorOf(call, "outcome_unknown", message, {
    ...factsOf(doubt),
    outcome: "unknown",
    hint: [repeatHint(operation, request), hint].filter(Boolean).join("\n"),
    ...(signal?.aborted && { cause: signal.reason as unknown }),
  });
}

function whatCame({ request: { signal } }: Ended, { failure, httpStatus }: Failed): string {
  if (!failure) return t`the service answered HTTP ${httpStatus} and nothing that tells the outcome`;
  const reason: unknown = failure.failure === "aborted" ? signal?.reason : undefined;
  if (!(reason instanceof ComandaError)) return failure.message;
  return reason.message.replace(/^[A-Z]/, (first) => first.toLowerCase()).replace(/\.$/, "");
}

/** There is no shown call that reads an order back. */
function repeatHint({ id, repeatable }: CalledOperation, { method, url }: HttpRequest): string {
  if (id === operations.assignDriver.id)
    return t`Repeating it does no harm: the same driver and fee are set again.`;
  if (id === statusChanges.dispatch.id)
    return t`Look at the order in the store's portal before you repeat it.`;
  if (isStatusChange(id))
    return t`Repeating it does no harm: an order that is already there is refused with code 4002.`;
  return repeatable
    ? t`Repeating it does no harm: a ${method} that is done twice comes to the same.`
    : t`Look whether it is there before you repeat it (${new URL(url).host}): a repetition may make a second one.`;
}

function noAnswer(call: Ended, attempt: Failed, { failure, sent, message }: TransportError): ComandaError {
  const { host, hostname } = new URL(call.request.url);
  if (failure === "aborted") return interrupted(call, attempt);
  const facts = { ...factsOf(attempt), hint: hintOf(call, attempt) };
  if (failure === "bad_answer")
    return errorOf(call, "unexpected_answer", t`${host} gave no answer of the API: ${message}.`, {
      ...facts,
      hint: baseUrlHint(call.optionNames.baseUrl),
    });
  // Both come after a connection was there, if anything was sent.
  const isReached = sent && (failure === "reset" || failure === "timeout");
  const what = isReached ? t`The call to ${host} failed` : t`${host} can't be reached`;
  const isEmulator = failure === "refused" && isLoopbackHost(hostname);
  return errorOf(call, "unreachable", `${what}: ${message}.`, {
    ...facts,
    ...(isEmulator && { hint: t`Start the emulator: comanda emulator start` }),
  });
}

/** Gives the signal's reason where it is one of ours, for example `terminated`; it is the error's cause in any case. */
function interrupted(call: Ended, attempt?: Failed): ComandaError {
  const reason: unknown = call.request.signal?.reason;
  const facts = { ...(attempt && factsOf(attempt)), cause: reason };
  if (reason instanceof ComandaError)
    return errorOf(call, reason.code, reason.message, { ...facts, hint: reason.hint });
  return errorOf(call, "interrupted", t`The call was interrupted before it was done.`, facts);
}

function refusal(call: Ended, attempt: Failed, outcome: ComandaError["outcome"]): ComandaError {
  const [sentence, hint] = wordsFor(call, attempt);
  const { headers } = attempt.answer ?? {};
  return errorOf(call, attempt.code, `${sentence}.`, { ...factsOf(attempt), outcome, hint, headers });
}

/**
 * A gateway's page says nothing of an order or of what was asked for. What the answers of a call look like that nobody has
 * described isn't known: there the status is believed.
 */
function toldAs({ code, evidence }: Failed, { id }: CalledOperation): ErrorCode {
  const isBelieved = evidence === "api" || id === anyCallId;
  return !isBelieved && (code === "not_found" || code === "invalid_request") ? "unexpected_answer" : code;
}

/** Our own words alone; the service's stand in fields of their own, for whoever shows the error. */
function wordsFor(call: Ended, attempt: Failed): readonly [sentence: string, hint: string] {
  const { operation, credential, refused, credentials, optionNames } = call;
  const { httpStatus: status } = attempt;
  switch (toldAs(attempt, operation)) {
    case "status_conflict":
      return [
        t`The order's status can't be changed`,
        t`The order may be finished, or not yet at the step that this needs.`,
      ];
    case "token_refused": {
      const signatures = [credential ?? "bearer", ...(refused ? [refused] : [])];
      const hints = signatures.map((signature) => refusedHint(signature, credentials));
      return [t`The service refused the credential`, hints.join("\n")];
    }
    case "forbidden": {
      const hints =
        credential === "bearer"
          ? [missingScopes(operation), programHint("bearer", credentials)]
          : [t`Check that the key belongs to this store.`];
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
        operation.id === anyCallId
          ? t`Check the path; it is joined to the store's base URL.`
          : baseUrlHint(optionNames.baseUrl),
      ];
    case "rate_limited":
      return [t`The service's rate limit is reached`, longerWaitHint(optionNames.maxWaitMs)];
    case "invalid_request":
      return [
        t`The service refused the request (HTTP ${status})`,
        t`Correct what the service names, then try again.`,
      ];
    case "server_error":
      return [t`The service failed (HTTP ${status})`, t`Try again later.`];
    default: {
      const isRedirect = status !== null && status >= 300 && status < 400;
      return [
        isRedirect
          ? t`The service answered with a redirect (HTTP ${status}), which is never followed`
          : t`The answer is not one of the API's (HTTP ${status})`,
        baseUrlHint(optionNames.baseUrl),
      ];
    }
  }
}

function hintOf(call: Ended, attempt: Failed): string {
  const { baseUrl, timeoutMs } = call.optionNames;
  if (!attempt.failure) return wordsFor(call, attempt)[1];
  const { failure, atProxy } = attempt.failure;
  if (atProxy) return t`Check HTTPS_PROXY, HTTP_PROXY and NO_PROXY.`;
  switch (failure) {
    case "dns":
      return t`Check the network.\n${baseUrlHint(baseUrl)}`;
    case "tls":
      return t`Check the base URL and this machine's clock; behind a company proxy, set NODE_EXTRA_CA_CERTS.`;
    case "timeout":
      return t`Try again, or allow more time: ${timeoutMs}.`;
    default:
      return t`Check the network and whether the service is up, then try again.`;
  }
}

export function longerWaitHint(optionName: string): string {
  return t`Try again later, or allow a longer wait: ${optionName}.`;
}

function missingScopes({ scopes }: CalledOperation): string {
  const which = scopes.length === 0 ? t`may lack a scope` : t`needs the scopes ${scopes.join(t` and `)}`;
  return t`The app ${which}; the store's owner grants them in a new sign-in.`;
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
  const options = neededFor[first].map((kind) => `credentials.${kinds[kind].functionName}`).join(t` and `);
  return new ComandaError(
    "not_signed_in",
    t`This call needs ${alternatives} of the store, and there is none.`,
    {
      hint: programHint(first, credentials) ?? t`Give it to the client: ${options}.`,
    },
  );
}

/** Gives the program's own words, which know its commands. */
function programHint(signature: Signature, credentials: Credentials): string | undefined {
  return callback("credentials.hint", () => credentials.hint?.(signature));
}

/** Says what to do about a credential that the service has refused. */
function refusedHint(signature: Signature, credentials: Credentials): string {
  const hint = programHint(signature, credentials);
  if (hint !== undefined) return hint;
  return signature === "bearer"
    ? t`It has expired or was revoked: get a new one, or let credentials.renew get it.`
    : t`Check the key: the store's portal shows it under Integrations.`;
}
