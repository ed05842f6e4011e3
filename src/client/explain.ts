/** Makes the error that a person reads where a call is no success: what happened, and what to do about it. */
import type * as z from "zod/mini";

import { check } from "../api/input.js";
import type { AuthScheme } from "../api/operations.js";
import { t, translated } from "../languages/language.js";
import { ComandaError, type ErrorCode, type ErrorOptions } from "../base/errors.js";
import { anyCallId, conclude, outcomeOf, type Attempt, type CalledOperation, type Failed } from "./judge.js";
import { CallbackError, secretsOf } from "./options.js";
import type { CommandLineOptions, Credentials } from "./options.js";
import { baseUrlHint, type HttpRequest } from "./transport.js";

/** One call, as far as its errors depend on it. */
export interface CallState {
  readonly operation: CalledOperation;
  readonly request: HttpRequest;
  readonly attempts: readonly Attempt[];
  /** The program's words, which the hints take up. */
  readonly credentials: Credentials;
  readonly optionNames: Required<CommandLineOptions>["optionNames"];
  /** Every error of the call has these. */
  readonly facts: Pick<ComandaError, "operation" | "method" | "path" | "orderId">;
}

/** Makes the error of a call that ends without a success: of its last attempt, or for want of a credential. */
export function callError(call: CallState): ComandaError {
  const { outcome, decisive, isDoneOrRefused } = conclude(call.operation, call.attempts);
  const last = call.attempts.at(-1)?.judged;
  if (!decisive || last?.code === null || !last) return notSignedIn(call);
  if (isDoneOrRefused) {
    const message = t`The order was done before, or refused: a request went out of which nothing is known, and a later one was answered with code 4002.`;
    const hint = t`Look at the order in the store's portal: to send it once more would tell nothing new.`;
    return errorOf(call, "outcome_unknown", message, { outcome: "unknown", hint }, decisive);
  }
  if (outcome.outcome === "unknown") {
    // A redirect or a page with a 4xx may come from another address than the service's.
    const isElsewhere = last.httpStatus !== null && last.httpStatus >= 300 && last.httpStatus < 500;
    return outcomeUnknown(
      call,
      decisive,
      last !== decisive || isElsewhere ? wordsFor(call, last)[1] : undefined,
    );
  }
  if (decisive.failure?.failure === "aborted") return interrupted(call);
  const [sentence, hint] = wordsFor(call, decisive);
  const { response } = decisive;
  return errorOf(
    call,
    decisive.code,
    `${sentence}.`,
    { outcome: outcome.outcome === "refused" ? "refused" : "failed", hint, headers: response?.headers },
    decisive,
  );
}

/** Makes the error of a call that threw: for want of a credential or a slot, by an abort while waiting, or by a fault. */
export function thrownError(call: CallState, thrown: unknown): ComandaError {
  const { outcome, uncertain } = conclude(call.operation, call.attempts);
  if (call.request.signal?.aborted) return uncertain ? outcomeUnknown(call, uncertain) : interrupted(call);
  // If the response has come, an error of the program's own function undoes nothing.
  const isOver = outcome.outcome === "unknown" || outcome.outcome === "done";
  if (!(thrown instanceof ComandaError)) {
    const { name, cause } = thrown instanceof CallbackError ? thrown : { name: "comanda", cause: thrown };
    const message = t`${name} failed.`;
    return errorOf(call, "callback_failed", message, {
      outcome: isOver ? "unknown" : "failed",
      httpStatus: outcome.httpStatus,
      hint: isOver
        ? t`What it threw is the error's cause. A request had gone out: look whether it was done before you repeat it.`
        : t`What it threw is the error's cause.`,
      cause,
    });
  }
  const { code, message, hint: given } = thrown;
  // A limiter knows of the wait, and not what whoever waits may change.
  const hint = given ?? (code === "rate_limited" ? longerWaitHint(call) : undefined);
  if (uncertain) return outcomeUnknown(call, uncertain, hint);
  const { attempts, evidence } = outcome;
  return thrown.reworded(message, {
    ...call.facts,
    attempts,
    evidence,
    hint,
    outcome: outcome.outcome === "done" ? "unknown" : thrown.outcome,
  });
}

function notSignedIn(call: CallState): ComandaError {
  const { operation, credentials } = call;
  const [first = "bearer"] = operation.credentials;
  const alternatives = operation.credentials.map((scheme) => translated(needs[scheme]));
  const options = secretsOf[first].map((name) => `credentials.${name}`);
  const message = t`This call needs ${alternatives.join(t` or `)} of the store, and there is none.`;
  const hint = credentials.hint?.(first) ?? t`Give it to the client: ${options.join(t` and `)}.`;
  return errorOf(call, "not_signed_in", message, { hint });
}

/** What each scheme needs, as a part of a sentence. */
const needs: Readonly<Record<AuthScheme, string>> = {
  bearer: "an access token",
  api_key: "an API key",
  partner: "an API key with a partner key",
};

/** @param failed the request that it is told by */
function errorOf(
  { operation, attempts, facts }: CallState,
  code: ErrorCode,
  message: string,
  more: ErrorOptions,
  failed?: Failed,
): ComandaError {
  const { httpStatus = null, serviceCode = null, serviceMessage = null, details = null } = failed ?? {};
  return new ComandaError(code, message, {
    ...facts,
    attempts: attempts.length,
    evidence: failed?.evidence ?? outcomeOf(operation, attempts).evidence,
    httpStatus,
    serviceCode,
    serviceMessage,
    details,
    // Absent where a transport of ours failed: it is what the program's own `fetch` has thrown.
    cause: failed?.failure?.cause,
    ...more,
  });
}

/** @param hint what to do about the failure that ended the call, if that was a later one */
function outcomeUnknown(call: CallState, uncertain: Failed, hint?: string): ComandaError {
  const { operation, request } = call;
  const { url, signal } = request;
  const what =
    uncertain.failure?.message ??
    t`the service answered HTTP ${uncertain.httpStatus} and nothing that tells the outcome`;
  const message = t`The request was sent, but it is not known whether it was done: ${what}.`;
  // There is no shown call that reads an order back.
  let repeat = t`Look whether it is there before you repeat it (${new URL(url).host}): a repetition may make a second one.`;
  if (operation.repeatable) repeat = t`Repeating it does no harm: what is done twice comes to the same.`;
  else if (operation.isRefusedTwice === false)
    repeat = t`Look at the order in the store's portal before you repeat it.`;
  else if (operation.isRefusedTwice)
    repeat = t`Repeating it does no harm: an order that is already there is refused with code 4002.`;
  const cause = signal?.aborted ? { cause: signal.reason as unknown } : {};
  const hints = [repeat, hint].filter(Boolean).join("\n");
  return errorOf(call, "outcome_unknown", message, { outcome: "unknown", hint: hints, ...cause }, uncertain);
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
  const { operation, attempts, credentials, optionNames } = call;
  const { baseUrl, timeoutMs } = optionNames;
  if (failure) {
    const { host } = new URL(call.request.url);
    const { failure: kind, sent, atProxy, message } = failure;
    if (kind === "bad_answer")
      return [t`${host} gave no answer of the API: ${message}`, baseUrlHint(baseUrl)];
    const what = sent ? t`The call to ${host} failed` : t`${host} can't be reached`;
    let hint = t`Check the network and whether the service is up, then try again.`;
    if (kind === "dns") hint = t`Check the network.\n${baseUrlHint(baseUrl)}`;
    if (kind === "tls")
      hint = t`Check the base URL and this machine's clock; behind a company proxy, set NODE_EXTRA_CA_CERTS.`;
    if (kind === "timeout") hint = t`Try again, or allow more time: ${timeoutMs}.`;
    if (atProxy) hint = t`Check HTTPS_PROXY, HTTP_PROXY and NO_PROXY.`;
    return [`${what}: ${message}`, hint];
  }
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
    case "token_refused": {
      // The service has refused all of them, the first one last.
      const schemes = new Set(attempts.map(({ signature }) => signature.scheme).reverse());
      // The program's own words know its commands.
      const hints = Array.from(
        schemes,
        (scheme) =>
          credentials.hint?.(scheme) ??
          (scheme === "bearer"
            ? t`It has expired or was revoked: get a new one, or let credentials.renew get it.`
            : t`Check the key: the store's portal shows it under Integrations.`),
      );
      return [t`The service refused the credential`, hints.join("\n")];
    }
    case "forbidden": {
      const { scopes } = operation;
      if (attempts.at(-1)?.signature.scheme !== "bearer")
        return [t`The service does not allow this`, t`Check that the key belongs to this store.`];
      const which = scopes.length === 0 ? t`may lack a scope` : t`needs the scopes ${scopes.join(t` and `)}`;
      const hints = [
        t`The app ${which}; the store's owner grants them in a new sign-in.`,
        credentials.hint?.("bearer"),
      ];
      return [t`The service does not allow this`, hints.filter(Boolean).join("\n")];
    }
    case "not_found":
      if (call.facts.orderId !== null && !isAny)
        return [
          t`The service knows no such order`,
          t`Check the order id, and that it belongs to this store. The friendly number on the slip (display_id) is not the order id.`,
        ];
      return [
        t`The service knows nothing at this path`,
        isAny ? t`Check the path; it is joined to the store's base URL.` : baseUrlHint(baseUrl),
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
      return [t`The answer is not one of the API's (HTTP ${httpStatus})`, baseUrlHint(baseUrl)];
  }
}

function longerWaitHint({ optionNames }: CallState): string {
  return t`Try again later, or allow a longer wait: ${optionNames.maxWaitMs}.`;
}

/**
 * @returns the value as it was checked: what a getter would give a second time may be something else
 * @throws {ComandaError} `invalid_input` that names the field, what it must be, and the nearest name for a name that
 *   doesn't exist
 */
export function checkInput<Schema extends z.core.$ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const checked = check(schema, value);
  if (checked.ok) return checked.value;
  const [problem] = checked.problems;
  throw new ComandaError("invalid_input", problem.message, problem);
}

/**
 * Makes the error of a call that has no request. What is thrown while an input is read is the input's fault: a cycle, a BigInt, a
 * getter that fails, or a shape that the types forbid.
 */
export function inputError(
  thrown: unknown,
  about: { readonly id: string; readonly method?: unknown; readonly path?: unknown },
): ComandaError {
  const { id: operation, method, path } = about;
  const facts = {
    operation,
    method: typeof method === "string" ? method : null,
    path: typeof path === "string" ? path.replace(/\?.*/s, "") : null,
  };
  if (thrown instanceof ComandaError) return thrown.reworded(thrown.message, facts);
  const message = t`The input is not what the operation takes.`;
  return new ComandaError("invalid_input", message, { ...facts, cause: thrown });
}
