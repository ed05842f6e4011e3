/**
 * The address that asks the store's Owner to authorise the app, and the one-time values in it: section 5.2, steps 1 and
 * 2, and RFC 7636.
 */
import { authorizationParameters, codeChallengeMethod } from "../api/oauth.js";
import { ComandaError } from "../client/errors.js";
import { t } from "../languages/language.js";
import { sha256 } from "../client/runtime.js";
import type { Environment } from "../state/sessions/session.js";

/** Gives `count` random bytes that are fit for secrets. */
export type RandomBytes = (count: number) => Uint8Array;

export interface OneTimeValues {
  /** It has 43 characters, 256 bits (RFC 7636, section 4.1), and stays in this process. */
  readonly codeVerifier: string;
  readonly codeChallenge: string;
  /** It has 192 bits: nobody guesses the answer that the listener waits for. */
  readonly state: string;
}

export async function createOneTimeValues(random: RandomBytes): Promise<OneTimeValues> {
  const codeVerifier = base64url(random(32));
  return { codeVerifier, codeChallenge: await codeChallengeOf(codeVerifier), state: base64url(random(24)) };
}

/** RFC 7636, section 4.2, method S256. */
export async function codeChallengeOf(codeVerifier: string): Promise<string> {
  return base64url(await sha256(codeVerifier));
}

/** RFC 4648, section 5, without padding. */
export function base64url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replace(/=+$/, "");
}

/**
 * Adds exactly the five parameters of section 5.2 to the query that the configured `auth_url` has already, which stays
 * as it is written. Scopes are never sent (section 5.3, rule 1).
 *
 * @throws {ComandaError} `configuration` where `auth_url` can't be used or has one of the five itself
 */
export function authorizationUrl(
  environment: Environment,
  { codeChallenge, state }: Pick<OneTimeValues, "codeChallenge" | "state">,
): string {
  if (!URL.canParse(environment.auth_url)) throw unusable(environment, t`is not a URL`);
  const url = new URL(environment.auth_url);
  const values: Record<(typeof authorizationParameters)[number], string> = {
    client_id: environment.client_id,
    state,
    redirect_uri: environment.redirect_uri,
    code_challenge: codeChallenge,
    code_challenge_method: codeChallengeMethod,
  };
  const parameters = new URLSearchParams();
  for (const name of authorizationParameters) {
    // RFC 6749, section 3.1: a parameter that is sent twice makes the request invalid.
    if (url.searchParams.has(name)) throw unusable(environment, t`has a ${name} of its own`);
    parameters.append(name, values[name]);
  }
  // Through `searchParams` the existing query would be written anew, in another encoding.
  url.search = url.search ? `${url.search}&${parameters.toString()}` : parameters.toString();
  return url.href;
}

function unusable(environment: Environment, problem: string): ComandaError {
  return new ComandaError(
    "configuration",
    t`The auth_url of the environment ${environment.name} ${problem}.`,
    {
      hint: t`Set it again: comanda env set ${environment.name} --auth-url <url> …`,
    },
  );
}
