/** Checks an authorization request (section 5.2, step 2), and the addresses that may be registered for its answer. */
import { authorizationParameters, codeChallengeMethod } from "../../api/oauth.js";
import type { App } from "../domain/model.js";
import { type AuthorizationServer, OAuthError } from "./authorization-server.js";

/**
 * Can an app be called back there? Any absolute address (RFC 6749, section 3.1.2) without a fragment; one that can run
 * as script is never a place to go to, registered or not.
 */
export function isRedirectTarget(redirectUri: string): boolean {
  if (!URL.canParse(redirectUri) || redirectUri.includes("#")) return false;
  return !["javascript:", "data:", "vbscript:", "blob:", "file:"].includes(new URL(redirectUri).protocol);
}

export interface AuthorizationRequest {
  readonly app: App;
  readonly state: string;
  readonly redirectUri: string;
  readonly codeChallenge: string;
}

/** An error leads to this address; without one nobody may be redirected, and a page tells the error. */
type CheckedAuthorizationRequest =
  { readonly request: AuthorizationRequest } | { readonly error: OAuthError; readonly location?: string };

/**
 * Checks the query in the order in which it becomes safe to redirect. An error before that is told on a page: a wrong
 * client or redirect address, a repeated parameter, and a missing `state`, since an app must refuse a redirect without
 * it. Unknown parameters, and with them `scope`, are ignored: an app doesn't choose its scopes (section 5.3, rule 1).
 */
export function checkAuthorizationRequest(
  query: URLSearchParams,
  findApp: (clientId: string) => App | undefined,
): CheckedAuthorizationRequest {
  const refused = (error: OAuthError["error"], description: string) => ({
    error: new OAuthError(error, description),
  });
  const repeated = authorizationParameters.find((name) => query.getAll(name).length > 1);
  if (repeated !== undefined) return refused("invalid_request", `${repeated} is given more than once`);

  // A parameter without a value counts as absent (RFC 6749, section 3.1).
  const value = (name: (typeof authorizationParameters)[number]) => query.get(name) ?? "";
  const app = findApp(value("client_id"));
  if (!app) return refused("invalid_client", "client_id names no app of this service");
  if (!app.approved) return refused("invalid_client", "the app is not approved");
  const redirectUri = value("redirect_uri");
  if (redirectUri === "") return refused("invalid_request", "redirect_uri is required");
  if (!app.redirectUris.includes(redirectUri) || !isRedirectTarget(redirectUri))
    return refused("invalid_request", "redirect_uri is not identical to an address registered for the app");
  const state = value("state");
  if (state === "") return refused("invalid_request", "state is required");
  const codeChallenge = value("code_challenge");
  const problem = challengeProblem(codeChallenge, value("code_challenge_method"));
  if (problem === undefined) return { request: { app, state, redirectUri, codeChallenge } };
  // From here on an error goes to the redirect address with `state` (RFC 6749, section 4.1.2.1).
  const answer = { error: "invalid_request", error_description: problem, state };
  return { ...refused("invalid_request", problem), location: redirectLocation(redirectUri, answer) };
}

function challengeProblem(codeChallenge: string, method: string): string | undefined {
  if (codeChallenge === "") return "code_challenge is required";
  if (method !== codeChallengeMethod) return `code_challenge_method must be ${codeChallengeMethod}`;
  return /^[A-Za-z0-9_-]{43}$/.test(codeChallenge)
    ? undefined
    : "code_challenge must be the Base64url of a SHA-256";
}

/** Adds an answer to the redirect address; its own query stays as it is (RFC 6749, 3.1.2). */
function redirectLocation(redirectUri: string, answer: Readonly<Record<string, string>>): string {
  const separator = !redirectUri.includes("?") ? "?" : /[?&]$/.test(redirectUri) ? "" : "&";
  return `${redirectUri}${separator}${new URLSearchParams(answer).toString()}`;
}

/**
 * Gives the app a code for the store.
 *
 * @throws {OAuthError} as {@link AuthorizationServer.issueCode} does
 */
export function approval(
  server: AuthorizationServer,
  { app, redirectUri, codeChallenge, state }: AuthorizationRequest,
  storeId: number,
  personId: string,
): string {
  const consent = { clientId: app.clientId, redirectUri, codeChallenge, storeId, personId };
  return redirectLocation(redirectUri, { code: server.issueCode(consent), state });
}

/** Tells the app that nobody authorised it. */
export function denial({ redirectUri, state }: AuthorizationRequest, description: string): string {
  return redirectLocation(redirectUri, { error: "access_denied", error_description: description, state });
}
