/** Makes the error that a person reads of an outcome that is no success. */
import { operations, statusChanges } from "../../contract/operations.js";
import { isLoopbackHost } from "../../shared/loopback.js";
import { ComandaError, type ErrorCode, type Evidence, type FailedCall } from "../../shared/errors.js";
import { t } from "../../shared/language.js";
import { ownHint, refusedHint, type Credentials } from "./credentials.js";
import { baseUrlHint } from "../base-url.js";
import { longerWaitHint } from "./rate-limit.js";
import {
  anyCallId,
  evidenceOf,
  type Attempted,
  type Call,
  type CalledOperation,
  type Failed,
  type Unknown,
} from "./outcome.js";
import type { HttpRequest, TransportError, TransportFailure } from "../http/transport.js";

/** How hints call what a reader may change: a program has options, a command line has flags. */
export interface OptionNames {
  readonly baseUrl: string;
  readonly timeoutMs: string;
  readonly maxWaitMs: string;
}

/** What the hints of a call's errors are made of. */
export interface Advice {
  readonly credentials: Credentials;
  readonly optionNames: OptionNames;
}

export function callError(call: Call<unknown>, outcome: Failed | Unknown, advice: Advice): ComandaError {
  if (outcome.kind === "unknown") {
    const { doubt, last } = outcome;
    if (outcome.doneOrRefused) return doneOrRefused(call, last);
    return outcomeUnknown(call, doubt, last === doubt ? undefined : hintOf(call, last, advice));
  }
  if (outcome.kind === "no_answer") return noAnswer(call, outcome.error, advice);
  const { service } = outcome;
  return new ComandaError(outcome.code, `${sentence(outcome, call)}.`, {
    hint: refusalHint(outcome, call, advice),
    answer: service,
    evidence: evidenceFor(call, outcome),
    attempts: call.progress.attempts,
    call: call.observed,
    headers: outcome.answer.headers,
  });
}

function hintOf(call: Call<unknown>, last: Failed, advice: Advice): string {
  return last.kind === "no_answer" ? unreachableHint(last.error, advice) : refusalHint(last, call, advice);
}

/**
 * Gives the evidence of an outcome: that of the attempt which is told, or where it never went out, of the one before
 * that did.
 */
function evidenceFor({ progress }: Call<unknown>, told: Attempted<unknown>): Evidence | null {
  return evidenceOf(told) ?? progress.verdict?.evidence ?? null;
}

/** An order that was changed by the first request refuses the second. */
function doneOrRefused({ progress, observed }: Call<unknown>, last: Failed): ComandaError {
  return new ComandaError("outcome_unknown", doneOrRefusedText(), {
    hint: t`Look at the order in the store's portal: to send it once more would tell nothing new.`,
    ...(last.kind === "refusal" && { answer: last.service }),
    evidence: evidenceOf(last),
    attempts: progress.attempts,
    call: observed,
  });
}

/** Says what is known of an order whose first request is unknown and whose second was refused. */
export function doneOrRefusedText(): string {
  return t`The order was done before, or refused: a request went out of which nothing is known, and a later one was answered with code 4002.`;
}

/**
 * @param doubt the attempt that may have done it
 * @param hint what to do about the failure that ended the call, where that was a later one
 */
export function outcomeUnknown(call: Call<unknown>, doubt: Failed, hint?: string): ComandaError {
  const { operation, progress, request } = call;
  return new ComandaError(
    "outcome_unknown",
    t`The request was sent, but it is not known whether it was done: ${whatCame(call, doubt)}.`,
    {
      hint: [repeatHint(operation, request), hint].filter(Boolean).join("\n"),
      attempts: progress.attempts,
      call: call.observed,
      evidence: evidenceFor(call, doubt),
      ...(doubt.kind === "no_answer" ? causeOf(doubt.error) : { answer: doubt.service }),
      ...(request.signal?.aborted ? { cause: request.signal.reason as unknown } : {}),
    },
  );
}

/** What the transport says of it: ours says nothing, a `fetch` of the program's may have thrown. */
function causeOf({ cause }: TransportError): { readonly cause?: unknown } {
  return cause === undefined ? {} : { cause };
}

function whatCame({ request: { signal } }: Call<unknown>, doubt: Failed): string {
  if (doubt.kind !== "no_answer")
    return t`the service answered HTTP ${doubt.answer.status} and nothing that tells the outcome`;
  const reason: unknown = doubt.error.failure === "aborted" ? signal?.reason : undefined;
  if (!(reason instanceof ComandaError)) return doubt.error.message;
  return reason.message.replace(/^[A-Z]/, (first) => first.toLowerCase()).replace(/\.$/, "");
}

const harmless: readonly string[] = [
  statusChanges.deliver.id,
  statusChanges.finalize.id,
  statusChanges.cancel.id,
];

/** There is no shown call that reads an order back. */
function repeatHint({ id, repeatable }: CalledOperation, { method, url }: HttpRequest): string {
  if (id === operations.assignDriver.id)
    return t`Repeating it does no harm: the same driver and fee are set again.`;
  if (harmless.includes(id))
    return t`Repeating it does no harm: an order that is already there is refused with code 4002.`;
  if (repeatable) return t`Repeating it does no harm: a ${method} that is done twice comes to the same.`;
  return id === statusChanges.dispatch.id
    ? t`Look at the order in the store's portal before you repeat it.`
    : t`Look whether it is there before you repeat it (${new URL(url).host}): a repetition may make a second one.`;
}

function noAnswer(call: Call<unknown>, error: TransportError, advice: Advice): ComandaError {
  const { request, progress } = call;
  const evidence = evidenceFor(call, { kind: "no_answer", error });
  const { host, hostname } = new URL(request.url);
  const attempts = progress.attempts;
  const { observed } = call;
  const cause = causeOf(error);
  if (error.failure === "aborted") return interrupted(request.signal, { attempts, evidence, call: observed });
  if (error.failure === "bad_answer")
    return new ComandaError("unexpected_answer", t`${host} gave no answer of the API: ${error.message}.`, {
      hint: baseUrlHint(advice.optionNames.baseUrl),
      attempts,
      call: observed,
      evidence,
      ...cause,
    });
  const what =
    reached.has(error.failure) && error.sent ? t`The call to ${host} failed` : t`${host} can't be reached`;
  return new ComandaError("unreachable", `${what}: ${error.message}.`, {
    hint:
      error.failure === "refused" && isLoopbackHost(hostname)
        ? t`Start the emulator: comanda emulator start`
        : unreachableHint(error, advice),
    attempts,
    call: observed,
    evidence,
    ...cause,
  });
}

/** Failures that come after a connection was there, if anything was sent. */
const reached: ReadonlySet<TransportFailure> = new Set(["reset", "timeout"]);

function unreachableHint({ failure, atProxy }: TransportError, { optionNames }: Advice): string {
  if (atProxy) return t`Check HTTPS_PROXY, HTTP_PROXY and NO_PROXY.`;
  switch (failure) {
    case "dns":
      return t`Check the network.\n${baseUrlHint(optionNames.baseUrl)}`;
    case "tls":
      return t`Check the base URL and this machine's clock; behind a company proxy, set NODE_EXTRA_CA_CERTS.`;
    case "timeout":
      return t`Try again, or allow more time: ${optionNames.timeoutMs}.`;
    default:
      return t`Check the network and whether the service is up, then try again.`;
  }
}

/** The caller's own reason where it is one of ours, for example `terminated`; it is the error's cause in any case. */
export function interrupted(
  signal: AbortSignal | undefined,
  sent: { readonly attempts: number; readonly evidence: Evidence | null; readonly call: FailedCall },
): ComandaError {
  const reason: unknown = signal?.reason;
  const options = { ...sent, cause: reason };
  if (reason instanceof ComandaError)
    return new ComandaError(reason.code, reason.message, {
      ...(reason.hint === undefined ? {} : { hint: reason.hint }),
      ...options,
    });
  return new ComandaError("interrupted", t`The call was interrupted before it was done.`, options);
}

type Refusal = Extract<Failed, { readonly kind: "refusal" }>;

/**
 * A gateway's page says nothing of an order or of what was asked for. What the answers of a call look like that nobody has
 * described isn't known: there the status is believed.
 */
function toldAs({ code, evidence }: Refusal, { id }: CalledOperation): ErrorCode {
  const isBelieved = evidence === "api" || id === anyCallId;
  return !isBelieved && (code === "not_found" || code === "invalid_request") ? "unexpected_answer" : code;
}

function isOfAnOrder({ id }: CalledOperation): boolean {
  const changes: readonly CalledOperation[] = Object.values(statusChanges);
  return id === operations.assignDriver.id || changes.some((change) => change.id === id);
}

/** Our own words alone; the service's are in `answer`, for whoever shows the error. */
function sentence(refusal: Refusal, { operation }: Call<unknown>): string {
  const { httpStatus: status } = refusal.service;
  switch (toldAs(refusal, operation)) {
    case "status_conflict":
      return t`The order's status can't be changed`;
    case "token_refused":
      return t`The service refused the credential`;
    case "forbidden":
      return t`The service does not allow this`;
    case "not_found":
      return isOfAnOrder(operation)
        ? t`The service knows no such order`
        : t`The service knows nothing at this path`;
    case "rate_limited":
      return t`The service's rate limit is reached`;
    case "invalid_request":
      return t`The service refused the request (HTTP ${status})`;
    case "server_error":
      return t`The service failed (HTTP ${status})`;
    default:
      return status >= 300 && status < 400
        ? t`The service answered with a redirect (HTTP ${status}), which is never followed`
        : t`The answer is not one of the API's (HTTP ${status})`;
  }
}

function refusalHint(
  refusal: Refusal,
  { operation, progress }: Call<unknown>,
  { credentials, optionNames }: Advice,
): string {
  switch (toldAs(refusal, operation)) {
    case "status_conflict":
      return t`The order may be finished, or not yet at the step that this needs.`;
    case "token_refused":
      return [progress.credential ?? "bearer", progress.refused]
        .flatMap((signature) => (signature === undefined ? [] : [refusedHint(signature, credentials)]))
        .join("\n");
    case "forbidden":
      if (progress.credential !== "bearer") return t`Check that the key belongs to this store.`;
      return [missingScopes(operation), ownHint("bearer", credentials)].filter(Boolean).join("\n");
    case "not_found":
      if (operation.id === anyCallId) return t`Check the path; it is joined to the store's base URL.`;
      if (!isOfAnOrder(operation)) return baseUrlHint(optionNames.baseUrl);
      return t`Check the order id, and that it belongs to this store. The friendly number on the slip (display_id) is not the order id.`;
    case "rate_limited":
      return longerWaitHint(optionNames.maxWaitMs);
    case "invalid_request":
      return t`Correct what the service names, then try again.`;
    case "server_error":
      return t`Try again later.`;
    default:
      return baseUrlHint(optionNames.baseUrl);
  }
}

function missingScopes({ scopes }: CalledOperation): string {
  const which = scopes.length === 0 ? t`may lack a scope` : t`needs the scopes ${scopes.join(t` and `)}`;
  return t`The app ${which}; the store's owner grants them in a new sign-in.`;
}
