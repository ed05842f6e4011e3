/** Makes the error that a person reads where a call is no success: what happened, and what to do about it. */
import { operations, statusChanges } from "../../api/operations.js";
import { ComandaError, type ErrorCode, type ErrorOptions } from "../errors.js";
import { t } from "../../languages/language.js";
import { isLoopbackHost } from "../../api/loopback.js";
import { baseUrlHint } from "../base-url.js";
import type { HttpRequest, TransportError, TransportFailure } from "../http/transport.js";
import type { Call, CalledOperation } from "./call.js";
import { programHint, refusedHint, type Credentials } from "./credentials.js";
import { isOfAnOrder, isStatusChange } from "./of-orders.js";
import { anyCallId } from "./observer.js";
import {
  doneOrRefusedText,
  evidenceOf,
  type Attempt,
  type FailedAttempt,
  type NoAnswer,
  type Refusal,
  type UnknownOutcome,
} from "./outcome.js";
import { longerWaitHint } from "./rate-limit.js";

/** Hints use these names for what a reader may change: a program has options, a command line has flags. */
export interface OptionNames {
  readonly baseUrl: string;
  readonly timeoutMs: string;
  readonly maxWaitMs: string;
}

/** The program's words, which the hints of a call's errors take up. */
export interface Advice {
  readonly credentials: Credentials;
  readonly optionNames: OptionNames;
}

/** Makes the error of a call that its layers returned without success. */
export function callError(
  call: Call<unknown>,
  outcome: FailedAttempt | UnknownOutcome,
  advice: Advice,
): ComandaError {
  if (outcome.kind === "unknown") {
    const { doubt, last } = outcome;
    if (outcome.doneOrRefused) return doneOrRefused(call, last);
    // A redirect or a page that says no may come from another address than the service's.
    const isElsewhere = last.kind === "refusal" && last.answer.status >= 300 && last.answer.status < 500;
    const hint = last === doubt && !isElsewhere ? undefined : hintOf(call, last, advice);
    return outcomeUnknown(call, doubt, hint);
  }
  if (outcome.kind === "no_answer") return noAnswer(call, outcome, advice);
  const { service, answer, code } = outcome;
  const [sentence, hint] = wordsFor(call, outcome, advice);
  return errorOf(call, code, `${sentence}.`, outcome, { hint, answer: service, headers: answer.headers });
}

/** Makes the error of a call that threw: for want of a credential or a place, by an abort while waiting, or by a fault. */
export function thrownError(call: Call<unknown>, error: unknown): ComandaError {
  const { request, operation, progress } = call;
  const { attempts, doubt } = progress;
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
  return errorOf(call, thrown.code, thrown.message, undefined, {
    ...(hint === "" ? {} : { hint }),
    ...(thrown.answer === undefined ? {} : { answer: thrown.answer }),
    ...(thrown.cause === undefined ? {} : { cause: thrown.cause }),
  });
}

/**
 * @param attempt the attempt that is told, whose evidence is the error's; where it never went out, or none is told, that of
 *   the one before counts
 */
function errorOf(
  { progress, observed }: Call<unknown>,
  code: ErrorCode,
  message: string,
  attempt: Attempt<unknown> | undefined,
  options: ErrorOptions,
): ComandaError {
  const evidence = (attempt && evidenceOf(attempt)) ?? progress.verdict?.evidence ?? null;
  return new ComandaError(code, message, {
    ...options,
    attempts: progress.attempts,
    call: observed,
    evidence,
  });
}

/** An order that was changed by the first request refuses the second. */
function doneOrRefused(call: Call<unknown>, last: FailedAttempt): ComandaError {
  return errorOf(call, "outcome_unknown", doneOrRefusedText(), last, {
    hint: t`Look at the order in the store's portal: to send it once more would tell nothing new.`,
    ...(last.kind === "refusal" && { answer: last.service }),
  });
}

/**
 * @param doubt the attempt that may have done it
 * @param hint what to do about the failure that ended the call, where that was a later one
 */
function outcomeUnknown(call: Call<unknown>, doubt: FailedAttempt, hint?: string): ComandaError {
  const { operation, request } = call;
  const message = t`The request was sent, but it is not known whether it was done: ${whatCame(call, doubt)}.`;
  return errorOf(call, "outcome_unknown", message, doubt, {
    hint: [repeatHint(operation, request), hint].filter(Boolean).join("\n"),
    ...(doubt.kind === "no_answer" ? causeOf(doubt.error) : { answer: doubt.service }),
    ...(request.signal?.aborted ? { cause: request.signal.reason as unknown } : {}),
  });
}

/** Keeps what the transport says of it: ours says nothing, a `fetch` of the program's may have thrown. */
function causeOf({ cause }: TransportError): { readonly cause?: unknown } {
  return cause === undefined ? {} : { cause };
}

function whatCame({ request: { signal } }: Call<unknown>, doubt: FailedAttempt): string {
  if (doubt.kind !== "no_answer")
    return t`the service answered HTTP ${doubt.answer.status} and nothing that tells the outcome`;
  const reason: unknown = doubt.error.failure === "aborted" ? signal?.reason : undefined;
  if (!(reason instanceof ComandaError)) return doubt.error.message;
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

function noAnswer(call: Call<unknown>, attempt: NoAnswer, advice: Advice): ComandaError {
  const { error } = attempt;
  const { host, hostname } = new URL(call.request.url);
  const cause = causeOf(error);
  if (error.failure === "aborted") return interrupted(call, attempt);
  if (error.failure === "bad_answer") {
    const message = t`${host} gave no answer of the API: ${error.message}.`;
    const hint = baseUrlHint(advice.optionNames.baseUrl);
    return errorOf(call, "unexpected_answer", message, attempt, { hint, ...cause });
  }
  const what =
    reached.has(error.failure) && error.sent ? t`The call to ${host} failed` : t`${host} can't be reached`;
  return errorOf(call, "unreachable", `${what}: ${error.message}.`, attempt, {
    hint:
      error.failure === "refused" && isLoopbackHost(hostname)
        ? t`Start the emulator: comanda emulator start`
        : hintOf(call, attempt, advice),
    ...cause,
  });
}

/** Failures that come after a connection was there, if anything was sent. */
const reached: ReadonlySet<TransportFailure> = new Set(["reset", "timeout"]);

/** Gives the signal's reason where it is one of ours, for example `terminated`; it is the error's cause in any case. */
function interrupted(call: Call<unknown>, attempt?: NoAnswer): ComandaError {
  const reason: unknown = call.request.signal?.reason;
  if (!(reason instanceof ComandaError)) {
    const message = t`The call was interrupted before it was done.`;
    return errorOf(call, "interrupted", message, attempt, { cause: reason });
  }
  const { code, message, hint } = reason;
  return errorOf(call, code, message, attempt, { ...(hint !== undefined && { hint }), cause: reason });
}

/**
 * A gateway's page says nothing of an order or of what was asked for. What the answers of a call look like that nobody has
 * described isn't known: there the status is believed.
 */
function toldAs({ code, evidence }: Refusal, { id }: CalledOperation): ErrorCode {
  const isBelieved = evidence === "api" || id === anyCallId;
  return !isBelieved && (code === "not_found" || code === "invalid_request") ? "unexpected_answer" : code;
}

/** Our own words alone; the service's are in `answer`, for whoever shows the error. */
function wordsFor(
  { operation, progress }: Call<unknown>,
  refusal: Refusal,
  { credentials, optionNames }: Advice,
): readonly [sentence: string, hint: string] {
  const { httpStatus: status } = refusal.service;
  switch (toldAs(refusal, operation)) {
    case "status_conflict":
      return [
        t`The order's status can't be changed`,
        t`The order may be finished, or not yet at the step that this needs.`,
      ];
    case "token_refused": {
      const refused = [progress.credential ?? "bearer", ...(progress.refused ? [progress.refused] : [])];
      const hints = refused.map((signature) => refusedHint(signature, credentials));
      return [t`The service refused the credential`, hints.join("\n")];
    }
    case "forbidden": {
      const hints =
        progress.credential === "bearer"
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
      const isRedirect = status >= 300 && status < 400;
      return [
        isRedirect
          ? t`The service answered with a redirect (HTTP ${status}), which is never followed`
          : t`The answer is not one of the API's (HTTP ${status})`,
        baseUrlHint(optionNames.baseUrl),
      ];
    }
  }
}

function hintOf(call: Call<unknown>, attempt: FailedAttempt, advice: Advice): string {
  return attempt.kind === "no_answer"
    ? unreachableHint(attempt.error, advice.optionNames)
    : wordsFor(call, attempt, advice)[1];
}

function unreachableHint({ failure, atProxy }: TransportError, { baseUrl, timeoutMs }: OptionNames): string {
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

function missingScopes({ scopes }: CalledOperation): string {
  const which = scopes.length === 0 ? t`may lack a scope` : t`needs the scopes ${scopes.join(t` and `)}`;
  return t`The app ${which}; the store's owner grants them in a new sign-in.`;
}
