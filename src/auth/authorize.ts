/** The authorization request, and which answer belongs to it: section 5.2, steps 1 to 3; RFC 6749, 4.1; RFC 7636. */
import * as z from "zod/mini";

import { isLoopbackHost } from "../api/basics.js";
import { authorizationParameters, codeChallengeMethod, tokenSchema } from "../api/oauth.js";
import { ComandaError } from "../client/errors.js";
import { t } from "../languages/language.js";
import type { Environment } from "../state/sessions.js";

export type RandomBytes = (count: number) => Uint8Array;

/** The code verifier has 256 bits (RFC 7636, 4.1) and stays in this process; the state 192, so that nobody guesses the answer. */
export async function createOneTimeValues(random: RandomBytes) {
  const codeVerifier = base64url(random(32));
  const codeChallenge = base64url(await sha256(codeVerifier));
  return { codeVerifier, codeChallenge, state: base64url(random(24)) };
}

export async function sha256(text: string): Promise<Uint8Array> {
  return new Uint8Array(await globalThis.crypto.subtle.digest("SHA-256", new TextEncoder().encode(text)));
}

export function base64url(bytes: Uint8Array): string {
  const text = btoa(String.fromCharCode(...bytes));
  return text.replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

/** Adds exactly the five parameters of section 5.2 to the query that the configured `auth_url` has already. */
export function authorizationUrl(
  { name, auth_url, client_id, redirect_uri }: Environment,
  { codeChallenge, state }: { readonly codeChallenge: string; readonly state: string },
): string {
  const url = URL.canParse(auth_url) ? new URL(auth_url) : undefined;
  // RFC 6749, section 3.1: a parameter that is sent twice makes the request invalid.
  const conflict = authorizationParameters.find((parameter) => url?.searchParams.has(parameter));
  if (url === undefined || conflict !== undefined) {
    const problem = conflict === undefined ? t`is not a URL` : t`has a ${conflict} of its own`;
    throw new ComandaError("configuration", t`The auth_url of the environment ${name} ${problem}.`, {
      hint: t`Set it again: comanda env set ${name} --auth-url <url> …`,
    });
  }
  const challenge = { code_challenge: codeChallenge, code_challenge_method: codeChallengeMethod };
  const parameters = new URLSearchParams({ client_id, state, redirect_uri, ...challenge }).toString();
  // Through `searchParams` the existing query would be written anew, in another encoding.
  url.search = url.search ? `${url.search}&${parameters}` : parameters;
  return url.href;
}

/** @throws {ComandaError} `configuration` where the address can't take an answer */
export function redirectAddress({ name, redirect_uri }: Environment): URL {
  const url = URL.canParse(redirect_uri) ? new URL(redirect_uri) : undefined;
  // The service adds these: RFC 6749, 4.1.2, and RFC 9207.
  const responseParameters = ["code", "state", "error", "error_description", "error_uri", "iss"];
  const conflict = responseParameters.find((parameter) => url?.searchParams.has(parameter));
  // RFC 6749, section 3.1.2, forbids a fragment.
  if (url?.hash === "" && conflict === undefined) return url;
  let problem = url ? t`has a fragment, which a redirect address can't have` : t`is not a URL`;
  if (conflict !== undefined) problem = t`has a ${conflict} of its own, which only the service may set`;
  throw new ComandaError("configuration", t`The redirect_uri of the environment ${name} ${problem}.`, {
    hint: t`Set the registered one: comanda env set ${name} --redirect-uri <uri> …`,
  });
}

/** @returns where this machine listens for the browser; nothing where it can't, as for `https:`, without a certificate */
export function loopbackAddresses({ protocol, hostname }: URL): readonly string[] {
  if (protocol !== "http:" || !isLoopbackHost(hostname)) return [];
  // A browser may take `localhost` to either of two addresses.
  return hostname === "localhost" ? ["127.0.0.1", "::1"] : [hostname.replace(/^\[(.*)\]$/, "$1")];
}

export interface PendingCallback {
  readonly address: URL;
  readonly state: string;
}

export type Callback =
  { readonly code: string } | { readonly error: string; readonly description: string | null };

/** Why an address is no answer to the sign-in, so that the wait goes on. */
export const problems = {
  wrong_state: "That address belongs to another sign-in.",
  wrong_address: "That address is not the redirect address.",
  repeated: "That address has a parameter twice.",
  incomplete: "That address has neither a code nor an error.",
} as const;
export type Problem = keyof typeof problems;

/**
 * State is checked before anything else: without it any web page could end a sign-in with an image tag. The address's own
 * query comes back beside the service's parameters. Those that nobody knows are ignored (RFC 6749, 4.1.2), `iss` included.
 */
export function judgeParameters(
  parameters: URLSearchParams,
  { state, address }: PendingCallback,
): Callback | Problem {
  const own = address.searchParams;
  const has = (name: string, expected: readonly string[]) =>
    JSON.stringify(parameters.getAll(name)) === JSON.stringify(expected);
  if (!has("state", [state])) return "wrong_state";
  if (![...own.keys()].every((name) => has(name, own.getAll(name)))) return "wrong_address";
  // RFC 6749, section 3.1: parameters must not be included more than once.
  const names = [...parameters.keys()].filter((name) => !own.has(name));
  if (new Set(names).size < names.length) return "repeated";
  const [code, error] = [parameters.get("code"), parameters.get("error")];
  if (error && code === null) return { error, description: parameters.get("error_description") };
  const isCode = code !== null && error === null && z.safeParse(tokenSchema(), code).success;
  return isCode ? { code } : "incomplete";
}

/** Takes the whole address, or its query alone, by the same rules as a request of the browser's. */
export function judgePasted(line: string, pending: PendingCallback): Callback | Problem {
  const text = line.trim().replace(/^["'`<](.*)["'`>]$/, "$1");
  const query = text.slice(text.indexOf("?") + 1).split("#", 1)[0];
  return query?.includes("=") ? judgeParameters(new URLSearchParams(query), pending) : "wrong_address";
}
