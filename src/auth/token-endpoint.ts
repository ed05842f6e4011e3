/** The requests to the two OAuth endpoints: sections 4.10 and 4.11. */
import type { TokenEndpointResponse } from "oauth4webapi";
import * as z from "zod/mini";

import { errorCodes } from "../api/errors.js";
import { errorBodySchema } from "../api/error-body.js";
import { accessTokenSeconds } from "../api/limits.js";
import { tokenResponseSchema } from "../api/oauth.js";
import type { HttpAnswer } from "../client/http/transport.js";
import { ComandaError } from "../client/errors.js";
import { t } from "../languages/language.js";
import { parseJson } from "../api/json.js";
import type { Tokens } from "../state/sessions/session.js";
import { openProtocol, type OAuthCall, type Protocol } from "./protocol.js";
import {
  createRefusal,
  oddAnswerError,
  refusalError,
  transportFault,
  unexplained,
  type Refusal,
} from "./refusals.js";

export interface IssuedTokens {
  readonly kind: "issued";
  /** Without a refresh token where the service keeps the old one (RFC 6749, section 6). */
  readonly tokens: Pick<Tokens, "access_token" | "refresh_token" | "scopes">;
  /** Seconds, counted from before the request. */
  readonly expiresIn: number;
}

export type TokenAnswer = IssuedTokens | Refusal;

export interface AuthorizationCode {
  readonly code: string;
  readonly state: string;
  readonly codeVerifier: string;
}

/**
 * Section 5.2, step 4.
 *
 * @throws {ComandaError} `server_error`, `rate_limited` or `unexpected_answer`
 * @throws {TransportError} where no complete answer came
 */
export async function exchangeCode(
  call: OAuthCall,
  { code, state, codeVerifier }: AuthorizationCode,
): Promise<TokenAnswer> {
  const { redirect_uri } = call.environment;
  return requestTokens(call, t`the sign-in`, [code, codeVerifier, state], {
    send: ({ oauth, server, client, authentication, options }) => {
      // Only these two: the library would act upon others (`iss`, `response`), which the service doesn't define.
      const callback = oauth.validateAuthResponse(
        server,
        client,
        new URLSearchParams({ code, state }),
        state,
      );
      return oauth.authorizationCodeGrantRequest(
        server,
        client,
        authentication,
        callback,
        redirect_uri,
        codeVerifier,
        options,
      );
    },
    judge: ({ oauth, server, client }, response) =>
      oauth.processAuthorizationCodeResponse(server, client, response),
  });
}

/**
 * Section 5.2, "Refresh". Sent once: a refresh token that arrives twice counts as stolen.
 *
 * @throws {ComandaError} `server_error`, `rate_limited` or `unexpected_answer`
 * @throws {TransportError} where no complete answer came; its `sent` says whether the token may be spent
 */
export async function refreshTokens(call: OAuthCall, refreshToken: string): Promise<TokenAnswer> {
  return requestTokens(call, t`the refresh of the access token`, [refreshToken], {
    send: ({ oauth, server, client, authentication, options }) =>
      oauth.refreshTokenGrantRequest(server, client, authentication, refreshToken, options),
    judge: ({ oauth, server, client }, response) =>
      oauth.processRefreshTokenResponse(server, client, response),
  });
}

/**
 * Section 4.11 and RFC 7009. Any 2xx is success, and so is an answer that the token is no longer valid.
 *
 * @throws {ComandaError} `server_error`, `rate_limited` or `unexpected_answer`
 * @throws {TransportError} where no complete answer came
 */
export async function revokeToken(call: OAuthCall, token: string): Promise<{ kind: "revoked" } | Refusal> {
  const action = t`the revocation`;
  const protocol = await openProtocol(call);
  const { oauth, server, client, authentication, options } = protocol;
  const response = await oauth.revocationRequest(server, client, authentication, token, options);
  const answer = protocol.answer();
  if (answer.status < 300) return { kind: "revoked" };
  const refusal = await refusalIn(protocol, answer, [token], () => oauth.processRevocationResponse(response));
  if (refusal === undefined) throw oddAnswerError(answer.status, action);
  return ["invalid_token", "invalid_grant"].includes(refusal.error) ? { kind: "revoked" } : refusal;
}

/**
 * Makes the service forget a sign-in's tokens.
 *
 * @returns why it failed; `undefined` where the service no longer accepts the tokens
 * @throws the signal's reason
 */
export async function revokeTokens(
  call: OAuthCall,
  tokens: Pick<Tokens, "access_token" | "refresh_token">,
): Promise<ComandaError | undefined> {
  // The refresh token first: it outlives the other, and its end usually is the other's too (RFC 7009, 2.1).
  for (const token of [tokens.refresh_token, tokens.access_token]) {
    if (token === undefined) continue;
    try {
      const answer = await revokeToken(call, token);
      if (answer.kind === "refused") return refusalError(answer, t`the revocation`, call.environment);
    } catch (error) {
      call.signal?.throwIfAborted();
      const fault = transportFault(error, t`the revocation`);
      if (fault instanceof ComandaError) return fault;
      throw fault;
    }
  }
  return undefined;
}

interface TokenRequest {
  readonly send: (protocol: Protocol) => Promise<Response>;
  readonly judge: (protocol: Protocol, response: Response) => Promise<TokenEndpointResponse>;
}

async function requestTokens(
  call: OAuthCall,
  action: string,
  secrets: readonly string[],
  { send, judge }: TokenRequest,
): Promise<TokenAnswer> {
  const protocol = await openProtocol(call);
  const response = await send(protocol);
  const answer = protocol.answer();
  if (answer.status >= 500 || answer.status === 429) throw oddAnswerError(answer.status, action);
  let body: unknown;
  const refusal = await refusalIn(protocol, answer, secrets, async () => {
    body = await judge(protocol, response);
  });
  if (refusal !== undefined) return refusal;
  const parsed = z.safeParse(tokenResponseSchema(), body);
  if (!parsed.success) throw oddAnswerError(answer.status, action);
  const { access_token, expires_in = accessTokenSeconds, refresh_token, scope } = parsed.data;
  return {
    kind: "issued",
    tokens: {
      access_token,
      ...(refresh_token !== undefined && { refresh_token }),
      ...(scope !== undefined && { scopes: scope.split(" ").filter(Boolean) }),
    },
    expiresIn: expires_in,
  };
}

/** Reads only two fields of the library's errors: `cause` may hold a token. */
async function refusalIn(
  { oauth }: Protocol,
  answer: HttpAnswer,
  secrets: readonly string[],
  judge: () => Promise<void>,
): Promise<Refusal | undefined> {
  try {
    await judge();
    return undefined;
  } catch (error) {
    if (error instanceof oauth.ResponseBodyError) {
      const description: unknown = error.error_description;
      return createRefusal(
        error.error,
        typeof description === "string" ? description : undefined,
        answer.status,
        secrets,
      );
    }
    return refusalOfApi(answer, secrets) ?? refusalWithoutWords(answer);
  }
}

/** The specification doesn't exclude the error form of section 7 for these two endpoints. */
function refusalOfApi({ status, body }: HttpAnswer, secrets: readonly string[]): Refusal | undefined {
  const parsed = z.safeParse(errorBodySchema, parseJson(body));
  if (status < 400 || status >= 500 || !parsed.success) return undefined;
  const { code, message, details } = parsed.data;
  const error = code === errorCodes.invalidToken ? "invalid_grant" : "invalid_request";
  return createRefusal(error, details ?? message, status, secrets);
}

/**
 * The specification doesn't show how the two endpoints refuse, so a refusal may have an empty body, a text or other
 * JSON. It is not quoted. A page comes from a proxy and not from the service.
 */
function refusalWithoutWords({ status, body }: HttpAnswer): Refusal | undefined {
  const isPage = body.trimStart().startsWith("<");
  if (isPage || (status !== 400 && status !== 401)) return undefined;
  return createRefusal(unexplained, undefined, status, []);
}
