/** Signs in without a browser: the owner allows the app, and the app exchanges the code. */
import { createHash, randomBytes } from "node:crypto";

import { isObject, isLoopbackHost } from "../api/basics.js";
import type { TokenResponse } from "../api/oauth.js";
import type { Store } from "./domain/model.js";
import { invalid } from "./domain/refused.js";
import { checkAuthorizationRequest, redirectOf } from "./http/oauth.js";
import { localClientId, localRedirectUri } from "./seed/cast.js";
import type { Service } from "./service.js";

/**
 * Signs the app `comanda-local` in at a store, with every scope. Without a store, it is the first.
 *
 * @returns the store, and what the token endpoint answers (section 5.2, step 5)
 * @throws {RangeError} where there is no such store
 */
export function signInStore(
  { world, server }: Service,
  storeId?: number,
): { readonly store: Store; readonly tokens: TokenResponse } {
  const store = world.storeOf(storeId);
  const owner = world.people.find(
    ({ profile, storeIds }) => profile === "owner" && storeIds.includes(store.id),
  );
  const codeVerifier = randomBytes(32).toString("base64url");
  const codeChallenge = createHash("sha256").update(codeVerifier, "ascii").digest("base64url");
  const app = { clientId: localClientId, redirectUri: localRedirectUri };
  const code = server.issueCode({ ...app, codeChallenge, storeId: store.id, personId: owner?.id ?? "" });
  return { store, tokens: server.exchangeCode({ ...app, code, codeVerifier }) };
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
  const chosen = { store: store ?? person?.storeIds[0], allow };
  const location = person && redirectOf(server, request, person, chosen);
  if (location === undefined) throw invalid("The portal offers no such person or store");
  return location;
}

/**
 * Lets an emulator of another process decide, and follows the redirect to the app as a browser would. It asks nothing off
 * this machine.
 *
 * @returns the redirect's address, and the status of the app's answer: `undefined` where the app is on another machine
 * @throws {Error} as {@link decideAsOwner} does
 */
export async function authorizeAsOwner(
  authorizationUrl: string,
  { arrives = true, ...decision }: OwnersDecision & { readonly arrives?: boolean } = {},
): Promise<{ readonly redirectedTo: string; readonly status: number | undefined }> {
  if (!isOnThisMachine(authorizationUrl)) throw new Error("The portal must be on this machine.");
  const answer = await fetch(new URL("/_emulator/authorize", authorizationUrl), {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ url: authorizationUrl, ...decision }),
  });
  const body: unknown = await answer.json();
  const redirectedTo = isObject(body) ? body["redirected_to"] : undefined;
  if (typeof redirectedTo !== "string")
    throw new Error(`The portal answered with HTTP ${answer.status}: ${JSON.stringify(body)}`);
  const isFollowed = arrives && isOnThisMachine(redirectedTo);
  return { redirectedTo, status: isFollowed ? await arrive(redirectedTo) : undefined };
}

/** The app may send the browser on, as comanda does to the page that says what has become of the sign-in. */
async function arrive(url: string): Promise<number> {
  const answer = await fetch(url, { redirect: "manual" });
  await answer.body?.cancel();
  const location = answer.headers.get("location");
  const next = location === null ? undefined : new URL(location, url);
  return next?.origin === new URL(url).origin ? arrive(next.href) : answer.status;
}

function isOnThisMachine(url: string): boolean {
  const { protocol, hostname } = new URL(url);
  return protocol === "http:" && isLoopbackHost(hostname);
}
