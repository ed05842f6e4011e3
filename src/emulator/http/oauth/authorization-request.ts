/** Checks an authorization request (section 5.2, step 2), and the addresses that may be registered for its answer. */
import { authorizationParameters, codeChallengeMethod } from "../../../contract/oauth.js";
import type { App } from "../../domain/model.js";
import { OAuthError } from "./choices.js";
import { isCodeChallenge } from "./secrets.js";

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

type CheckedAuthorizationRequest =
  | { readonly outcome: "valid"; readonly request: AuthorizationRequest }
  /** Nobody may be redirected: the address can't be trusted, or the app couldn't accept the answer. */
  | { readonly outcome: "page"; readonly error: OAuthError }
  | { readonly outcome: "redirect"; readonly error: OAuthError; readonly location: string };

type Parameter = (typeof authorizationParameters)[number];

/**
 * Checks the query in the order in which it becomes safe to redirect. Unknown parameters, and with them
 * `scope`, are ignored: an app doesn't choose its scopes (section 5.3, rule 1).
 */
export function checkAuthorizationRequest(
  query: URLSearchParams,
  findApp: (clientId: string) => App | undefined,
): CheckedAuthorizationRequest {
  const page = (error: OAuthError["error"], description: string): CheckedAuthorizationRequest => ({
    outcome: "page",
    error: new OAuthError(error, description),
  });

  const repeated = authorizationParameters.find((name) => query.getAll(name).length > 1);
  if (repeated !== undefined) return page("invalid_request", `${repeated} is given more than once`);

  // A parameter without a value counts as absent (RFC 6749, section 3.1).
  const value = (name: Parameter) => query.get(name) ?? "";

  const app = findApp(value("client_id"));
  if (!app) return page("invalid_client", "client_id names no app of this service");
  if (!app.approved) return page("invalid_client", "the app is not approved");

  const redirectUri = value("redirect_uri");
  if (redirectUri === "") return page("invalid_request", "redirect_uri is required");
  if (!app.redirectUris.includes(redirectUri) || !isRedirectTarget(redirectUri)) {
    return page("invalid_request", "redirect_uri is not identical to an address registered for the app");
  }

  const state = value("state");
  if (state === "") return page("invalid_request", "state is required");

  const codeChallenge = value("code_challenge");
  const problem = challengeProblem(codeChallenge, value("code_challenge_method"));
  if (problem !== undefined) {
    const error = new OAuthError("invalid_request", problem);
    const answer = { error: error.error, error_description: error.description, state };
    return { outcome: "redirect", error, location: redirectLocation(redirectUri, answer) };
  }
  return { outcome: "valid", request: { app, state, redirectUri, codeChallenge } };
}

/** Adds an answer to the redirect address; its own query stays as it is (RFC 6749, 3.1.2). */
export function redirectLocation(redirectUri: string, answer: Readonly<Record<string, string>>): string {
  const separator = !redirectUri.includes("?") ? "?" : /[?&]$/.test(redirectUri) ? "" : "&";
  return `${redirectUri}${separator}${new URLSearchParams(answer).toString()}`;
}

function challengeProblem(codeChallenge: string, method: string): string | undefined {
  if (codeChallenge === "") return "code_challenge is required";
  if (method !== codeChallengeMethod) return `code_challenge_method must be ${codeChallengeMethod}`;
  if (!isCodeChallenge(codeChallenge)) return "code_challenge must be the Base64url of a SHA-256";
  return undefined;
}
