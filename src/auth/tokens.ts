/**
 * The two OAuth endpoints: sections 4.10 and 4.11. `oauth4webapi` makes the requests and judges the answers, our transport
 * carries them. Loaded only for a sign-in, a renewal or a sign-out.
 */
import * as oauth from "oauth4webapi";
import * as z from "zod/mini";

import { errorSchemas } from "../api/schemas.js";
import { errorCodes } from "../api/errors.js";
import { isObject, parseJson } from "../api/json.js";
import { accessTokenSeconds } from "../api/limits.js";
import { revokePath, tokenPath, oauthSchemas } from "../api/oauth.js";
import { normalizeBaseUrl } from "../client/base-url.js";
import type { Clock } from "../client/clock.js";
import { ComandaError, type ErrorCode } from "../client/errors.js";
import { TransportError, type HttpAnswer, type Transport } from "../client/http/transport.js";
import { t, translated } from "../languages/language.js";
import type { Environment, Tokens } from "../state/sessions/session.js";

export interface OAuthCall {
  readonly environment: Environment;
  readonly transport: Transport;
  /** Milliseconds for one request; 20,000 by default. */
  readonly timeoutMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** What "The service refused …" ends with. */
type Action = "the sign-in" | "the refresh of the access token" | "the revocation";

/** Without a refresh token where the service keeps the old one (RFC 6749, section 6). */
export type IssuedTokens = Omit<Tokens, "generation">;

/**
 * Asks for tokens: section 5.2, step 4 and "Refresh". Sent once: a refresh token that arrives twice counts as stolen.
 *
 * @throws {ComandaError} {@link Refusal}, `server_error`, `rate_limited` or `unexpected_answer`; where no complete answer came,
 *   with a {@link TransportError} as its cause, whose `sent` says whether a token may be spent
 * @throws the signal's reason
 */
export async function requestTokens(
  call: OAuthCall & { readonly clock: Clock },
  grant: "authorization_code" | "refresh_token",
  { redirect_uri, ...secrets }: Readonly<Record<string, string>>,
): Promise<IssuedTokens> {
  const action = grant === "refresh_token" ? "the refresh of the access token" : "the sign-in";
  const { server, client, options, judge } = openExchange(call, action, Object.values(secrets));
  const parameters = { ...secrets, ...(redirect_uri !== undefined && { redirect_uri }) };
  // The lifetime is counted from before the request.
  const requestedAt = call.clock.now();
  const none = oauth.None();
  const response = await oauth.genericTokenEndpointRequest(server, client, none, grant, parameters, options);
  const { access_token, expires_in = accessTokenSeconds, refresh_token, scope } = await judge(response);
  return {
    access_token,
    ...(refresh_token !== undefined && { refresh_token }),
    ...(scope !== undefined && { scopes: scope.split(" ").filter(Boolean) }),
    issued_at: requestedAt,
    expires_at: requestedAt + expires_in * 1000,
  };
}

/**
 * Makes the service forget a sign-in's tokens: section 4.11 and RFC 7009.
 *
 * @returns why it failed; `undefined` where the service no longer accepts the tokens
 * @throws the signal's reason
 */
export async function revokeTokens(
  call: OAuthCall,
  { access_token, refresh_token }: Pick<Tokens, "access_token" | "refresh_token">,
): Promise<ComandaError | undefined> {
  // The refresh token first: it outlives the other, and its end usually is the other's too (RFC 7009, 2.1).
  for (const token of [refresh_token, access_token]) {
    if (token === undefined) continue;
    try {
      const { server, client, options, judge } = openExchange(call, "the revocation", [token]);
      const response = await oauth.revocationRequest(server, client, oauth.None(), token, options);
      if (response.status !== 200) await judge(response);
    } catch (error) {
      if (!(error instanceof ComandaError)) throw error;
      // A token that is no longer valid needs no revocation.
      const isOver = ["invalid_token", "invalid_grant"].includes(error.answer?.message ?? "");
      if (!(error instanceof Refusal && isOver)) return error;
    }
  }
  return undefined;
}

/** An answer of the two endpoints has no reason to be larger. */
const maxBodyBytes = 65_536;

/** The library, set up for one request. There is no discovery document, so the server is described by hand. */
function openExchange(call: OAuthCall, action: Action, secrets: readonly string[]) {
  const { environment, transport, timeoutMs = 20_000, signal } = call;
  const base = normalizeBaseUrl(environment.base_url, environment.allow_insecure, "comanda env list");
  // There is no `iss` in the service's answers; the library only wants it to be there.
  const server = { issuer: base, token_endpoint: base + tokenPath, revocation_endpoint: base + revokePath };
  const client = { client_id: environment.client_id };

  async function send(url: string, { body }: { readonly body: URLSearchParams }): Promise<Response> {
    try {
      // The library names itself as user agent; the transport sets comanda's.
      const headers = { accept: "application/json", "content-type": "application/x-www-form-urlencoded" };
      const request = { method: "POST", url, headers, body: body.toString(), timeoutMs } as const;
      return orderly(await transport.send({ ...request, ...(signal && { signal }) }));
    } catch (error) {
      signal?.throwIfAborted();
      throw error instanceof TransportError ? noAnswer(error, action) : error;
    }
  }

  async function judge(response: Response) {
    const { status } = response;
    if (status >= 500 || status === 429) throw oddAnswer(status, action);
    const refusal = (error?: string, description?: unknown) =>
      new Refusal(action, environment, secrets, { error, description, httpStatus: status });
    const text = await response.clone().text();
    try {
      const tokens = await oauth.processGenericTokenEndpointResponse(server, client, response);
      return z.parse(oauthSchemas().tokenResponse, tokens);
    } catch (error) {
      // Of the library's errors only these two fields are read: `cause` may hold a token.
      if (error instanceof oauth.ResponseBodyError) throw refusal(error.error, error.error_description);
    }
    // The specification shows no refusal of the two endpoints: it may have the error form of section 7 …
    const api = z.safeParse(errorSchemas().error, parseJson(text));
    if (status >= 400 && api.success) {
      const { code, message, details } = api.data;
      throw refusal(
        code === errorCodes.invalidToken ? "invalid_grant" : "invalid_request",
        details ?? message,
      );
    }
    // … or an empty body, a text or other JSON, which isn't quoted. A page comes from a proxy and not from the service.
    const isPage = text.trimStart().startsWith("<");
    throw (status === 400 || status === 401) && !isPage ? refusal() : oddAnswer(status, action);
  }

  // eslint-disable-next-line @typescript-eslint/no-deprecated -- marked so to stand out; for loopback hosts, and where the environment allows it
  const options = { [oauth.customFetch]: send, [oauth.allowInsecureRequests]: base.startsWith("http:") };
  return { server, client, options, judge };
}

/**
 * Makes an answer that the library can judge. It would take a challenge header for the whole answer, a success other than 200
 * for a failure, a JSON body without its content type for none, and refuse the whole for an ID token, which was never asked
 * for, or for a lifetime that is no number of seconds: the refresh token would be spent. `null` stands for an absent member.
 */
function orderly({ status, body }: HttpAnswer): Response {
  if (new TextEncoder().encode(body).length > maxBodyBytes) {
    const message = t`The service's answer is larger than a token answer can be.`;
    throw new ComandaError("unexpected_answer", message);
  }
  const json = parseJson(body);
  const members = isObject(json) ? { ...json, expires_in: lifetime(json["expires_in"]) } : {};
  const known = Object.entries(members).filter(([name, value]) => value !== null && name !== "id_token");
  const text = isObject(json) ? JSON.stringify(Object.fromEntries(known)) : body;
  return new Response(status === 304 ? null : text, {
    status: status < 300 ? 200 : status,
    headers: { "content-type": "application/json" },
  });
}

/** @returns seconds, at most a year, so that no end is beyond what a clock can show; undefined where none can be used */
function lifetime(given: unknown): number | undefined {
  const seconds = typeof given === "string" ? Number.parseFloat(given) : given;
  return typeof seconds === "number" && seconds > 0 ? Math.min(seconds, 365 * 24 * 3600) : undefined;
}

/** The service or the portal refused: section 7, and RFC 6749, 4.1.2.1 and 5.2. Its identifier is the `message` of `answer`. */
export class Refusal extends ComandaError {
  /**
   * @param secrets what was sent, which a service may quote
   * @param said the identifier is absent where there was none, the status where it came over the browser
   */
  constructor(
    action: Action,
    environment: Environment,
    secrets: readonly string[],
    said: {
      readonly error?: string | undefined;
      readonly description: unknown;
      readonly httpStatus?: number;
    },
  ) {
    const { error, description, httpStatus } = said;
    // A message shows only text that has the form of an identifier (RFC 6749, section 5.2).
    const message = error === undefined || /^[\w.-]{1,64}$/.test(error) ? error : "unknown_error";
    const details = serviceText(description, secrets);
    const answer = { ...(message !== undefined && { message }), ...(details !== undefined && { details }) };
    const reason = reasonOf({ ...answer, httpStatus });
    super(
      codes[message ?? ""] ?? "invalid_request",
      t`The service refused ${translated(action)} (${reason}).`,
      {
        hint: hintFor(message, httpStatus === undefined ? reason : "", environment),
        ...(httpStatus !== undefined && { answer: { ...answer, httpStatus } }),
      },
    );
  }
}

/** Gives the service's reason as a part of a sentence. */
export function reasonOf(
  answer: { message?: string; details?: string; httpStatus?: number | undefined } = {},
) {
  const { message = `HTTP ${answer.httpStatus ?? "?"}`, details } = answer;
  return details === undefined ? message : `${message}: ${details.replace(/[.\s]+$/, "")}`;
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

/** @param portalSaid empty where the refusal didn't come over the browser */
function hintFor(error = "", portalSaid: string, { name, auth_url }: Environment): string {
  switch (codes[error]) {
    case "configuration":
      return t`Check the client_id of the environment ${name} with comanda env list, and that the app is approved.`;
    case "token_refused":
      return t`Sign in again with comanda login.`;
    case "access_denied":
      return t`Somebody pressed Refuse at the portal, or who is signed in there isn't the store's Owner: the Owner alone may authorise an app. To try again: comanda login`;
    case "server_error":
      return t`Try again later.`;
    default: {
      // RFC 6749, 4.1.1, has these; section 5.2 doesn't name them, and they are never sent for that reason.
      const parameter = ["response_type", "scope"].find((each) => portalSaid.includes(each));
      if (parameter === undefined)
        return t`Check the environment ${name} with comanda env list: client_id and redirect_uri must be the registered ones.`;
      const query = `${auth_url.includes("?") ? "&" : "?"}${parameter}=${parameter === "scope" ? "…" : "code"}`;
      return t`The specification names no ${parameter}, so comanda sends none. Where the service wants one, put it into the query of the auth_url: comanda env set ${name} --auth-url '${(auth_url + query).replaceAll("'", "%27")}' …`;
    }
  }
}

/**
 * Makes the service's text fit for a message: runs of control, formatting and space characters become one space,
 * the secrets of the request are hidden (a service may quote what it refuses), and what is over 200 characters is cut.
 */
function serviceText(text: unknown, secrets: readonly string[]): string | undefined {
  if (typeof text !== "string") return undefined;
  const line = secrets
    .reduce((rest, secret) => rest.replaceAll(secret, "[hidden]"), text)
    .slice(0, 800)
    .replaceAll(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\s]+/gu, " ")
    .trim();
  return line.length > 200 ? `${line.slice(0, 199)}…` : line || undefined;
}

/** The error doesn't quote the body, which may hold anything. */
function oddAnswer(httpStatus: number, at: Action): ComandaError {
  const action = translated(at);
  const again = { hint: t`Try again later.`, answer: { httpStatus } };
  if (httpStatus >= 500)
    return new ComandaError("server_error", t`The service failed (HTTP ${httpStatus}) at ${action}.`, again);
  if (httpStatus === 429)
    return new ComandaError("rate_limited", t`The service had too many requests to answer ${action}.`, again);
  const message = t`The answer to ${action} (HTTP ${httpStatus}) is not one of the service's.`;
  return new ComandaError("unexpected_answer", message, { ...again, hint: proxyHint() });
}

function noAnswer(cause: TransportError, at: Action): ComandaError {
  const action = translated(at);
  const message = t`The answer to ${action} is not one of the service's.`;
  if (cause.failure === "bad_answer")
    return new ComandaError("unexpected_answer", message, { hint: proxyHint(), cause });
  const hint = t`Check the network and the base_url (comanda env list), then try again.`;
  const unreachable = t`The service could not be reached for ${action}: ${cause.message}.`;
  return new ComandaError("unreachable", unreachable, { hint, cause });
}

function proxyHint(): string {
  return t`Check the base_url with comanda env list, and whether a proxy answers in between.`;
}
