/** Calls the two OAuth endpoints (4.10, 4.11): `oauth4webapi` builds requests and validates responses. */
import * as oauth from "oauth4webapi";
import * as z from "zod/mini";

import { errorSchemas } from "../api/responses.js";
import { errorCodes, accessTokenSeconds } from "../api/values.js";
import { isObject, parseJson } from "../base/basics.js";
import { revokePath, tokenPath, oauthSchemas } from "../api/oauth.js";
import type { Clock } from "../base/clock.js";
import { ComandaError, type ErrorCode, type ErrorOptions } from "../base/errors.js";
import { normalizeBaseUrl, TransportError, type HttpResponse, type Transport } from "../client/transport.js";
import { t, translated } from "../languages/language.js";
import type { Environment, Tokens } from "../state/sessions.js";
import { registrationOf } from "./authorize.js";

export interface OAuthCall {
  readonly environment: Environment;
  readonly transport: Transport;
  /** Milliseconds for one request (default: 20,000). */
  readonly timeoutMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

type Action = "the sign-in" | "the renewal of the access token" | "the revocation";

/** Tokens whose lifetime starts before the request. Without a `refresh_token`, the old one stays valid (RFC 6749, section 6). */
export type IssuedTokens = Omit<Tokens, "generation">;

/**
 * Requests tokens (section 5.2). Never retries, because the service treats a refresh token that arrives twice as stolen.
 *
 * @throws {ComandaError} a {@link Refusal}, or a failure whose cause is a {@link TransportError} if no complete response arrived
 */
export async function requestTokens(
  call: OAuthCall & { readonly clock: Clock },
  grant: "authorization_code" | "refresh_token",
  secrets: Readonly<Record<string, string>>,
): Promise<IssuedTokens> {
  const { redirect_uri } = call.environment;
  const action = grant === "refresh_token" ? "the renewal of the access token" : "the sign-in";
  const { server, client, options, judge } = openExchange(call, action, Object.values(secrets));
  const parameters = { ...secrets, ...(grant === "authorization_code" && { redirect_uri }) };
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

/** @returns the error of the revocation (RFC 7009); `undefined` if the service no longer accepts the tokens */
export async function revokeTokens(
  call: OAuthCall,
  { access_token, refresh_token }: Pick<Tokens, "access_token" | "refresh_token">,
): Promise<ComandaError | undefined> {
  // Revoking the refresh token first usually invalidates the access token too (RFC 7009, 2.1).
  for (const token of [refresh_token, access_token]) {
    if (token === undefined) continue;
    try {
      const { server, client, options, judge } = openExchange(call, "the revocation", [token]);
      const response = await oauth.revocationRequest(server, client, oauth.None(), token, options);
      if (response.status !== 200) await judge(response);
    } catch (error) {
      if (!(error instanceof ComandaError)) throw error;
      // A token that is no longer valid doesn't have to be revoked.
      if (!/^invalid_(?:token|grant)$/.test(error.serviceMessage ?? "")) return error;
    }
  }
  return undefined;
}

/** Sets up the library for one request. The service has no discovery document, so the server is described by hand. */
function openExchange(call: OAuthCall, action: Action, secrets: readonly string[]) {
  const { environment, transport, timeoutMs = 20_000, signal } = call;
  const base = normalizeBaseUrl(environment.base_url, environment.allow_insecure);
  // The library requires an issuer, though the service's responses contain no `iss`.
  const server = { issuer: base, token_endpoint: base + tokenPath, revocation_endpoint: base + revokePath };
  const client = { client_id: registrationOf(environment).client_id };

  async function send(url: string, { body }: { readonly body: URLSearchParams }): Promise<Response> {
    // The library's own headers name it as the user agent; the transport sets comanda's.
    const headers = { accept: "application/json", "content-type": "application/x-www-form-urlencoded" };
    const request = { method: "POST", url, headers, body: body.toString(), timeoutMs } as const;
    const answer = await transport.send({ ...request, ...(signal && { signal }) }).catch((error: unknown) => {
      signal?.throwIfAborted();
      if (error instanceof ComandaError) throw error;
      const isOwn = error instanceof TransportError;
      const lost = t`the transport failed`;
      throw failed(action, isOwn ? error : new TransportError("reset", true, lost, { cause: error }));
    });
    // A valid response is far smaller than 64 KiB.
    if (new TextEncoder().encode(answer.body).length > 65_536) throw failed(action, answer.status);
    return asFetchResponse(answer);
  }

  async function judge(response: Response) {
    const { status } = response;
    if (status >= 500 || status === 429) throw failed(action, status);
    const refusal = (error?: string, description?: unknown) =>
      new Refusal(action, environment, secrets, { error, description, httpStatus: status });
    const text = await response.clone().text();
    try {
      const tokens = await oauth.processGenericTokenEndpointResponse(server, client, response);
      return z.parse(oauthSchemas().tokenResponse, tokens);
    } catch (error) {
      // Only these two fields of the library's errors are read, because `cause` may contain a token.
      if (error instanceof oauth.ResponseBodyError) throw refusal(error.error, error.error_description);
    }
    // The specification doesn't show the endpoints' errors: they may have the form of section 7 …
    const api = z.safeParse(errorSchemas().error, parseJson(text));
    if (status >= 400 && api.success) {
      const { code, message, details } = api.data;
      const error = code === errorCodes.invalidToken ? "invalid_grant" : "invalid_request";
      throw refusal(error, details ?? message);
    }
    // … or an empty body, text or other JSON, which isn't quoted. An HTML page comes from a proxy.
    const isPage = text.trimStart().startsWith("<");
    throw (status === 400 || status === 401) && !isPage ? refusal() : failed(action, status);
  }

  // eslint-disable-next-line @typescript-eslint/no-deprecated -- deprecated only as a warning; set for loopback hosts, and if the environment allows it
  const options = { [oauth.customFetch]: send, [oauth.allowInsecureRequests]: base.startsWith("http:") };
  return { server, client, options, judge };
}

/** Normalizes harmless deviations that the library rejects, such as another 2xx, a null or an ID token. */
function asFetchResponse({ status, body }: HttpResponse): Response {
  const json = parseJson(body);
  const members = isObject(json) ? { ...json, expires_in: lifetime(json["expires_in"]) } : {};
  const known = Object.entries(members).filter(([name, value]) => value !== null && name !== "id_token");
  const text = isObject(json) ? JSON.stringify(Object.fromEntries(known)) : body;
  return new Response(status === 304 ? null : text, {
    status: status < 300 ? 200 : status,
    headers: { "content-type": "application/json" },
  });
}

/** @returns seconds, at most a year, so that the expiry is a valid date; `undefined` if the value isn't a positive number */
function lifetime(given: unknown): number | undefined {
  const seconds = typeof given === "string" ? Number.parseFloat(given) : given;
  return typeof seconds === "number" && seconds > 0 ? Math.min(seconds, 365 * 24 * 3600) : undefined;
}

/** An error response of the service or the portal (section 7; RFC 6749, 4.1.2.1, 5.2). `serviceMessage` is its error code. */
export class Refusal extends ComandaError {
  /**
   * @param secrets the values that were sent, which a service may quote
   * @param response the error's fields, without `httpStatus` if it arrived through the browser
   */
  constructor(
    action: Action,
    { name }: Environment,
    secrets: readonly string[],
    response: {
      readonly error?: string | undefined;
      readonly description: unknown;
      readonly httpStatus?: number;
    },
  ) {
    const { error, description, httpStatus } = response;
    // Only text in the form of an error code is shown (RFC 6749, section 5.2).
    const message = error === undefined || /^[\w.-]{1,64}$/.test(error) ? error : "unknown_error";
    const details = serviceText(description, secrets);
    const reason = message ?? `HTTP ${httpStatus ?? "?"}`;
    const summary = details === null ? reason : `${reason}: ${details.replace(/[.\s]+$/, "")}`;
    const [code, advice] = meaningOf(message, name);
    super(code, t`The service refused ${translated(action)} (${summary}).`, {
      ...advice,
      ...(httpStatus !== undefined && { serviceMessage: message ?? null, details, httpStatus }),
    });
  }
}

function meaningOf(error: string | undefined, environment: string): readonly [ErrorCode, ErrorOptions] {
  const isDown = error === "server_error" || error === "temporarily_unavailable";
  if (isDown) return ["server_error", { hint: t`Try again later.` }];
  if (error === "invalid_grant") return ["token_refused", { hintFacts: { about: "sign_in_expired" } }];
  if (error === "access_denied") return ["access_denied", { hintFacts: { about: "access_denied" } }];
  const isUnknown = error === "invalid_client" || error === "unauthorized_client";
  return [isUnknown ? "configuration" : "invalid_request", { hintFacts: { about: "app", environment } }];
}

/** Returns one line of at most 200 characters without control characters and secrets, which a service may quote. */
function serviceText(text: unknown, secrets: readonly string[]): string | null {
  if (typeof text !== "string") return null;
  const present = secrets.filter((secret) => secret !== "");
  const hidden = present.reduce((rest, secret) => rest.replaceAll(secret, "[hidden]"), text).slice(0, 800);
  const line = hidden.replaceAll(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\s]+/gu, " ").trim();
  return line.length > 200 ? `${line.slice(0, 199)}…` : line || null;
}

/** Describes a request without a valid response by its HTTP status or transport error. The body may contain anything. */
function failed(action: Action, cause: number | TransportError): ComandaError {
  const hintFacts = { about: "token_service" } as const;
  const reason = typeof cause === "number" ? `HTTP ${cause}` : cause.message;
  const message = t`The service did not complete ${translated(action)}: ${reason}.`;
  if (typeof cause !== "number") {
    const code = cause.failure === "bad_answer" ? "unexpected_answer" : "unreachable";
    return new ComandaError(code, message, { hintFacts, cause });
  }
  const code = cause >= 500 ? "server_error" : cause === 429 ? "rate_limited" : "unexpected_answer";
  return new ComandaError(code, message, { hintFacts, httpStatus: cause });
}
