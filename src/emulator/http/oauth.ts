/**
 * The OAuth endpoints (sections 4.10 and 4.11), whose refusals are those of RFC 6749, section 5.2, and the authorization
 * request (section 5.2, step 2) with what a person may answer to it.
 */
import type * as z from "zod/mini";

import { checkWire, detailsOf } from "../../api/input.js";
import { authorizationParameters, codeChallengeMethod, oauthOperations } from "../../api/oauth.js";
import { invalid } from "../domain/refused.js";
import type { App } from "../inputs.js";
import type { Service } from "../service.js";
import { type AuthorizationServer, noStore, OAuthError } from "./authorization-server.js";
import { bodyOf, headerOf, type Incoming, jsonAnswer, type Route } from "./incoming.js";

export function oauthRoutes(server: AuthorizationServer): readonly Route[] {
  const { token, revoke } = oauthOperations;
  return [
    {
      method: token.method,
      path: token.path,
      answer: async (incoming) => {
        const form = await readForm(incoming, token.body.schema());
        const isRefresh = form.grant_type === "refresh_token";
        return jsonAnswer(isRefresh ? server.refresh(form) : server.exchangeCode(form), 200, noStore);
      },
    },
    {
      method: revoke.method,
      path: revoke.path,
      answer: async (incoming) => {
        server.revoke(await readForm(incoming, revoke.body.schema()));
        return new Response(null, { status: 200, headers: noStore });
      },
    },
  ];
}

/** Another content type and repeated parameters are refused (RFC 6749, section 3.2). */
async function readForm<Schema extends z.ZodMiniType>(
  incoming: Incoming,
  schema: Schema,
): Promise<z.output<Schema>> {
  const form = new URLSearchParams(await bodyOf(incoming));
  const [type = ""] = (headerOf(incoming, "content-type") ?? "").split(";");
  if (type.trim().toLowerCase() !== oauthOperations.token.body.type)
    throw new OAuthError("invalid_request", `the content type must be ${oauthOperations.token.body.type}`);
  if (new Set(form.keys()).size < form.size)
    throw new OAuthError("invalid_request", "a parameter is given more than once");
  // A parameter without a value counts as absent (RFC 6749, section 3.2).
  const result = checkWire(schema, Object.fromEntries([...form].filter(([, value]) => value !== "")));
  if (result.ok) return result.value;
  const isGrantType = result.problems[0].field === "grant_type" && form.get("grant_type");
  throw new OAuthError(isGrantType ? "unsupported_grant_type" : "invalid_request", detailsOf(result));
}

export interface AuthorizationRequest {
  readonly app: App;
  readonly state: string;
  readonly redirectUri: string;
  readonly codeChallenge: string;
}

/**
 * Checks the query in the order in which it becomes safe to redirect. Unknown parameters, and with them `scope`, are ignored:
 * an app doesn't choose its scopes (section 5.3, rule 1).
 *
 * @returns the request; or the redirect's address, where the app is told what is wrong
 * @throws {OAuthError} where nobody may be redirected: for a wrong client or redirect address, a repeated parameter, and a
 *   missing `state`, since an app must refuse a redirect without it
 */
export function checkAuthorizationRequest(
  query: URLSearchParams,
  server: AuthorizationServer,
): AuthorizationRequest | string {
  const repeated = authorizationParameters.find((name) => query.getAll(name).length > 1);
  if (repeated !== undefined) throw new OAuthError("invalid_request", `${repeated} is given more than once`);
  // A parameter without a value counts as absent (RFC 6749, section 3.1).
  const value = (name: (typeof authorizationParameters)[number]) => query.get(name) ?? "";
  const app = server.findApp(value("client_id"));
  if (!app?.approved) throw new OAuthError("invalid_client", "client_id names no approved app");
  const redirectUri = value("redirect_uri");
  if (!app.redirectUris.includes(redirectUri))
    throw new OAuthError("invalid_request", "redirect_uri is no address that is registered for the app");
  const state = value("state");
  if (state === "") throw new OAuthError("invalid_request", "state is required");
  const codeChallenge = value("code_challenge");
  const request = { app, state, redirectUri, codeChallenge };
  // From here on an error goes to the redirect address with `state` (RFC 6749, section 4.1.2.1).
  const refused = (problem: string) =>
    redirectLocation(request, { error: "invalid_request", error_description: problem });
  if (value("code_challenge_method") !== codeChallengeMethod)
    return refused(`code_challenge_method must be ${codeChallengeMethod}`);
  if (!/^[A-Za-z0-9_-]{43}$/.test(codeChallenge))
    return refused("code_challenge must be the Base64url of a SHA-256");
  return request;
}

/** Adds an answer to the redirect address; its own query stays as it is (RFC 6749, 3.1.2). */
function redirectLocation(
  { redirectUri, state }: AuthorizationRequest,
  answer: Readonly<Record<string, string>>,
): string {
  const separator = !redirectUri.includes("?") ? "?" : /[?&]$/.test(redirectUri) ? "" : "&";
  return `${redirectUri}${separator}${new URLSearchParams({ ...answer, state }).toString()}`;
}

/** A person at the portal decides this. */
export interface OwnersDecision {
  /** The person of this id signs in. The default is an owner, of `store` where that is named. */
  readonly person?: string | undefined;
  /** The person chooses the store of this id. The default is the first that is offered. */
  readonly store?: number | undefined;
  /** `false` refuses. The default is `true`. */
  readonly allow?: boolean | undefined;
}

/**
 * Answers an authorization request as the portal's pages do.
 *
 * @returns the redirect's address, with `code` and `state` or with `error`. It holds a secret, so it must not be logged.
 * @throws {Refused} where the portal would show an error page, or doesn't offer the person or store
 */
export function decideAsOwner(
  { world, server }: Service,
  url: string,
  { person: id, store, allow = true }: OwnersDecision,
): string {
  const request = checkAuthorizationRequest(new URL(url).searchParams, server);
  if (typeof request === "string") return request;
  const person = world.people.find((each) =>
    id === undefined
      ? each.profile === "owner" && (store === undefined || each.storeIds.includes(store))
      : each.id === id,
  );
  const denied = (description: string) =>
    redirectLocation(request, { error: "access_denied", error_description: description });
  if (person && person.profile !== "owner") return denied("only the owner may authorise an app");
  if (person && !allow) return denied("the owner refused");
  const storeId = store ?? person?.storeIds[0];
  if (storeId === undefined || !person?.storeIds.includes(storeId))
    throw invalid("The portal offers no such person or store");
  const { app, redirectUri, codeChallenge } = request;
  const code = server.issueCode({ clientId: app.clientId, redirectUri, codeChallenge, storeId });
  return redirectLocation(request, { code });
}
