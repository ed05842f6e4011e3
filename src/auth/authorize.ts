/** The authorization request, and which answer belongs to it: section 5.2, steps 1 to 3; RFC 6749, 4.1; RFC 7636. */
import { calculatePKCECodeChallenge, generateRandomCodeVerifier, generateRandomState } from "oauth4webapi";
import * as z from "zod/mini";

import { isLoopbackHost } from "../base/basics.js";
import { codeChallengeMethod, tokenSchema } from "../api/oauth.js";
import { ComandaError } from "../base/errors.js";
import { t } from "../languages/language.js";
import type { Environment } from "../state/sessions.js";

/** Code verifier (RFC 7636, 4.1) and state have 256 bits each. The verifier stays in this process until the code is exchanged. */
export async function createOneTimeValues() {
  const codeVerifier = generateRandomCodeVerifier();
  const codeChallenge = await calculatePKCECodeChallenge(codeVerifier);
  return { codeVerifier, codeChallenge, state: generateRandomState() };
}

/** Adds exactly the five parameters of section 5.2 to the query that the configured `auth_url` has already. */
export function authorizationUrl(
  environment: Environment,
  { codeChallenge, state }: { readonly codeChallenge: string; readonly state: string },
): string {
  const url = addressOf(environment, "auth_url");
  const { client_id, redirect_uri } = environment;
  const challenge = { code_challenge: codeChallenge, code_challenge_method: codeChallengeMethod };
  const parameters = new URLSearchParams({ client_id, state, redirect_uri, ...challenge }).toString();
  // Through `searchParams` the existing query would be written anew, in another encoding.
  url.search = url.search ? `${url.search}&${parameters}` : parameters;
  return url.href;
}

/** @throws {ComandaError} `configuration` where the address can't be used: RFC 6749, 3.1.2, forbids a fragment */
export function addressOf(environment: Environment, member: "auth_url" | "redirect_uri"): URL {
  const { name, [member]: text } = environment;
  if (URL.canParse(text) && !text.includes("#")) return new URL(text);
  const message = t`The ${member} of the environment ${name} must be a URL without a fragment.`;
  throw new ComandaError("configuration", message, { hintFacts: { about: "address", environment: name } });
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

/**
 * State is checked before anything else: without it any web page could end a sign-in with an image tag. The address's own
 * query comes back beside the service's parameters. Those that nobody knows are ignored (RFC 6749, 4.1.2), `iss` included.
 *
 * @returns `undefined` where it is no answer to this sign-in, so that the wait goes on
 */
export function judgeParameters(
  parameters: URLSearchParams,
  { state, address }: PendingCallback,
): Callback | undefined {
  const own = address.searchParams;
  const has = (name: string, expected: readonly string[]) =>
    JSON.stringify(parameters.getAll(name)) === JSON.stringify(expected);
  if (!has("state", [state])) return undefined;
  if (![...own.keys()].every((name) => has(name, own.getAll(name)))) return undefined;
  // RFC 6749, section 3.1: parameters must not be included more than once.
  const names = [...parameters.keys()].filter((name) => !own.has(name));
  if (new Set(names).size < names.length) return undefined;
  const [code, error] = [parameters.get("code"), parameters.get("error")];
  if (error && code === null) return { error, description: parameters.get("error_description") };
  const isCode = code !== null && error === null && z.safeParse(tokenSchema(), code).success;
  return isCode ? { code } : undefined;
}

/** Takes the whole address, or its query alone, by the same rules as a request of the browser's. */
export function judgePasted(line: string, pending: PendingCallback): Callback | undefined {
  const text = line.trim().replace(/^["'`<](.*)["'`>]$/, "$1");
  const query = text.slice(text.indexOf("?") + 1).split("#", 1)[0];
  return judgeParameters(new URLSearchParams(query), pending);
}
