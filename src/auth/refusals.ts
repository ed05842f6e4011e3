/** Makes comanda's own errors of what the OAuth endpoints refuse: section 7, and RFC 6749, 4.1.2.1 and 5.2. */
import { TransportError } from "../client/http/transport.js";
import { ComandaError, type ErrorCode, type ServiceAnswer } from "../client/errors.js";
import { t } from "../languages/language.js";
import type { Environment } from "../state/sessions/session.js";

export interface Refusal {
  readonly kind: "refused";
  /** An identifier such as `invalid_grant`, or {@link unexplained}. */
  readonly error: string;
  readonly description: string | undefined;
  /** Absent where the refusal came over the browser. */
  readonly httpStatus?: number;
}

/** Stands for the identifier where the service gave none: an empty body, or one that isn't of the protocol. */
export const unexplained = "unexplained";

export function createRefusal(
  error: string,
  description: string | undefined,
  httpStatus: number | undefined,
  secrets: readonly string[],
): Refusal {
  return {
    kind: "refused",
    error: errorIdentifier(error),
    description: serviceText(description, secrets),
    ...(httpStatus === undefined ? {} : { httpStatus }),
  };
}

/** Every other identifier is `invalid_request`. */
const codes: Readonly<Record<string, ErrorCode>> = {
  invalid_grant: "token_refused",
  access_denied: "access_denied",
  invalid_client: "configuration",
  unauthorized_client: "configuration",
  server_error: "server_error",
  temporarily_unavailable: "server_error",
};

/** @param action the end of "The service refused …" */
export function refusalError(refusal: Refusal, action: string, environment: Environment): ComandaError {
  const code = codes[refusal.error] ?? "invalid_request";
  return new ComandaError(code, t`The service refused ${action} (${refusalText(refusal)}).`, {
    hint: hintFor(refusal, environment),
    ...answerOf(refusal),
  });
}

/** Gives the service's reason as a part of a sentence. */
export function refusalText({ error, description, httpStatus }: Refusal): string {
  if (error === unexplained) return `HTTP ${httpStatus ?? "?"}`;
  return description === undefined ? error : `${error}: ${description.replace(/[.\s]+$/, "")}`;
}

function hintFor(refusal: Refusal, environment: Environment): string {
  const { name } = environment;
  switch (refusal.error) {
    case "invalid_client":
    case "unauthorized_client":
      return t`Check the client_id of the environment ${name} with comanda env list, and that the app is approved.`;
    case "invalid_grant":
      return t`Sign in again with comanda login.`;
    case "access_denied":
      return t`Somebody pressed Refuse at the portal, or who is signed in there isn't the store's Owner: the Owner alone may authorise an app. To try again: comanda login`;
    case "server_error":
    case "temporarily_unavailable":
      return t`Try again later.`;
    default:
      return (
        missingParameterHint(refusal, environment) ??
        t`Check the environment ${name} with comanda env list: client_id and redirect_uri must be the registered ones.`
      );
  }
}

/** Parameters of RFC 6749, 4.1.1, that section 5.2 doesn't name, and which are never sent for that reason. */
const unnamedParameters = { response_type: "code", scope: "…" } as const;

/** A service that requires one of them gets it in the query of the configured `auth_url`. */
function missingParameterHint(
  { httpStatus, error, description = "" }: Refusal,
  { name, auth_url }: Environment,
): string | undefined {
  if (httpStatus !== undefined) return undefined;
  for (const [parameter, value] of Object.entries(unnamedParameters)) {
    if (!`${error} ${description}`.includes(parameter)) continue;
    const url = `${auth_url}${auth_url.includes("?") ? "&" : "?"}${parameter}=${value}`;
    return t`The specification names no ${parameter}, so comanda sends none. Where the service wants one, put it into the query of the auth_url: comanda env set ${name} --auth-url '${url.replaceAll("'", "%27")}' …`;
  }
  return undefined;
}

/** A refusal that came over the browser has no HTTP answer. */
export function answerOf({ httpStatus, error, description }: Refusal): { answer?: ServiceAnswer } {
  if (httpStatus === undefined) return {};
  return {
    answer: {
      httpStatus,
      ...(error === unexplained ? {} : { message: error }),
      ...(description === undefined ? {} : { details: description }),
    },
  };
}

/** The error doesn't quote the body, which may hold anything. */
export function oddAnswerError(httpStatus: number, action: string): ComandaError {
  const answer = { answer: { httpStatus } };
  const again = { hint: t`Try again later.`, ...answer };
  if (httpStatus >= 500) {
    return new ComandaError("server_error", t`The service failed (HTTP ${httpStatus}) at ${action}.`, again);
  }
  if (httpStatus === 429) {
    return new ComandaError("rate_limited", t`The service had too many requests to answer ${action}.`, again);
  }
  return new ComandaError(
    "unexpected_answer",
    t`The answer to ${action} (HTTP ${httpStatus}) is not one of the service's.`,
    { hint: t`Check the base_url with comanda env list, and whether a proxy answers in between.`, ...answer },
  );
}

/** @returns every error but a {@link TransportError} as it is */
export function transportFault(error: unknown, action: string): unknown {
  if (!(error instanceof TransportError)) return error;
  if (error.failure === "bad_answer") {
    return new ComandaError("unexpected_answer", t`The answer to ${action} is not one of the service's.`, {
      hint: t`Check the base_url with comanda env list, and whether a proxy answers in between.`,
    });
  }
  return new ComandaError(
    "unreachable",
    t`The service could not be reached for ${action}: ${error.message}.`,
    {
      hint: t`Check the network and the base_url (comanda env list), then try again.`,
    },
  );
}

/** A message quotes so many characters of the service's text. */
const maxLength = 200;

/**
 * Makes the service's text fit for a message: runs of control, formatting and space characters become one space,
 * the secrets of the request are hidden (a service may quote what it refuses), and the rest is cut.
 */
function serviceText(text: string | undefined, secrets: readonly string[]): string | undefined {
  if (text === undefined) return undefined;
  const redacted = secrets
    .filter(Boolean)
    .reduce((rest, secret) => rest.replaceAll(secret, "[hidden]"), text);
  const line = redacted
    .slice(0, 4 * maxLength)
    .replaceAll(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\s]+/gu, " ")
    .trim();
  if (line === "") return undefined;
  return line.length > maxLength ? `${line.slice(0, maxLength - 1)}…` : line;
}

/** A message shows only text that has the form of an OAuth error identifier (RFC 6749, section 5.2). */
function errorIdentifier(text: string): string {
  return /^[A-Za-z0-9_.-]{1,64}$/.test(text) ? text : "unknown_error";
}
