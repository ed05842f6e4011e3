/** Builds the authorization request and validates its callback: section 5.2, steps 1 to 3; RFC 6749, 4.1; RFC 7636. */
import * as z from "zod/mini";

import { isLoopbackHost } from "../base/basics.js";
import { codeChallengeMethod, tokenSchema } from "../api/oauth.js";
import { ComandaError } from "../base/errors.js";
import { t } from "../languages/language.js";
import { isSecure } from "../client/transport.js";
import type { Environment } from "../state/sessions.js";

/**
 * Returns the app's registration, which a sign-in requires.
 *
 * @throws {ComandaError} `configuration` if the environment is set up only for keys
 */
export function registrationOf({ name, base_url, auth_url, client_id }: Environment) {
  if (auth_url !== undefined && client_id !== undefined) return { auth_url, client_id };
  const message = t`The environment "${name}" has no auth_url and no client_id, which a sign-in requires.`;
  const hintFacts = { about: "address", environment: name, baseUrl: base_url } as const;
  throw new ComandaError("configuration", message, { hintFacts });
}

/** Generates a state and a code verifier (RFC 7636, 4.1) of 256 bits each. Only the token request may contain the verifier. */
export async function createOneTimeValues() {
  // It can't be loaded in runtimes without TextEncoder.
  const oauth = await import("oauth4webapi");
  const codeVerifier = oauth.generateRandomCodeVerifier();
  const codeChallenge = await oauth.calculatePKCECodeChallenge(codeVerifier);
  return { codeVerifier, codeChallenge, state: oauth.generateRandomState() };
}

/**
 * Returns the configured `auth_url` with exactly the five parameters of section 5.2 appended to its query.
 *
 * @throws {ComandaError} as {@link registrationOf}
 */
export function authorizationUrl(
  environment: Environment,
  { codeChallenge, state }: { readonly codeChallenge: string; readonly state: string },
): string {
  const { redirect_uri } = environment;
  const { auth_url, client_id } = registrationOf(environment);
  const url = new URL(auth_url);
  const challenge = { code_challenge: codeChallenge, code_challenge_method: codeChallengeMethod };
  const parameters = new URLSearchParams({ client_id, state, redirect_uri, ...challenge }).toString();
  // `searchParams` would re-encode the existing query.
  url.search = url.search ? `${url.search}&${parameters}` : parameters;
  return url.href;
}

/** @returns the addresses on which this machine can receive the redirect; none for `https:`, which requires a certificate */
export function loopbackAddresses({ protocol, hostname }: URL): readonly string[] {
  if (protocol !== "http:" || !isLoopbackHost(hostname)) return [];
  // A browser may resolve `localhost` to either address.
  return hostname === "localhost" ? ["127.0.0.1", "::1"] : [hostname.replace(/^\[(.*)\]$/, "$1")];
}

export interface PendingCallback {
  readonly address: URL;
  readonly state: string;
}

export type Callback =
  { readonly code: string } | { readonly error: string; readonly description: string | null };

/**
 * Returns the callback that the parameters contain, or `undefined` if they don't belong to this sign-in. The state is checked
 * first, because otherwise any web page could end a sign-in with an image tag. The redirect URI's own query must be unchanged.
 * Unknown parameters, such as `iss`, are ignored (RFC 6749, 4.1.2).
 */
export function judgeParameters(
  parameters: URLSearchParams,
  { state, address }: PendingCallback,
): Callback | undefined {
  const registered = address.searchParams;
  const has = (name: string, expected: readonly string[]) =>
    JSON.stringify(parameters.getAll(name)) === JSON.stringify(expected);
  if (!has("state", [state])) return undefined;
  if (![...registered.keys()].every((name) => has(name, registered.getAll(name)))) return undefined;
  // RFC 6749, section 3.1: parameters must not be included more than once.
  const names = [...parameters.keys()].filter((name) => !registered.has(name));
  if (new Set(names).size < names.length) return undefined;
  const [code, error] = [parameters.get("code"), parameters.get("error")];
  if (error && code === null) return { error, description: parameters.get("error_description") };
  const isCode = code !== null && error === null && z.safeParse(tokenSchema(), code).success;
  return isCode ? { code } : undefined;
}

/** Accepts the pasted redirect URL, with or without its scheme, or only its query, under the rules of {@link judgeParameters}. */
export function judgePasted(line: string, pending: PendingCallback): Callback | undefined {
  const text = line.trim().replace(/^["'`<](.*)["'`>]$/, "$1");
  const { protocol, host, pathname } = pending.address;
  const isRegistered = (url: string) => {
    const typed = URL.canParse(url) ? new URL(url) : undefined;
    return typed?.protocol === protocol && typed.host === host && typed.pathname === pathname;
  };
  const start = text.indexOf("?") + 1;
  const written = text.slice(0, start);
  if (written.length > 1 && ![written, `${protocol}//${written}`].some(isRegistered)) return undefined;
  const query = text.slice(start).split("#", 1)[0];
  return judgeParameters(new URLSearchParams(query), pending);
}

/** @throws {ComandaError} `configuration` for a fragment, which RFC 6749, section 3.1.2, forbids */
export function parseAddress(field: "authUrl" | "redirectUri", text: string): URL {
  if (URL.canParse(text) && !text.includes("#")) return new URL(text);
  const hint = "Use the registered address.";
  throw new ComandaError("configuration", `${field} must be a URL without a fragment.`, { field, hint });
}

/** @throws {ComandaError} `configuration` for a portal's address that isn't valid, or would send a code unencrypted */
export function parsePortalUrl(text: string, allowInsecure: boolean): void {
  if (isSecure(parseAddress("authUrl", text), allowInsecure)) return;
  throw new ComandaError("configuration", "authUrl must start with https://, and contain no user name.", {
    field: "authUrl",
    hint: "http:// is allowed for loopback addresses, and in tests with allowInsecure.",
  });
}
