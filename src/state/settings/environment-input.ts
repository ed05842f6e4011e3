/** What a person types to describe an environment, checked before it is kept. */
import { ComandaError } from "../../shared/errors.js";
import { t } from "../../shared/language.js";
import { isLoopbackHost } from "../../shared/loopback.js";
import type { Environment } from "../sessions/session.js";

export const defaultRedirectUri = "http://127.0.0.1:8765/callback";

export interface EnvironmentInput {
  readonly name: string;
  readonly base_url: string;
  readonly auth_url: string;
  readonly client_id: string;
  /** Default: {@link defaultRedirectUri}. */
  readonly redirect_uri?: string | undefined;
}

/**
 * The environment as it is kept: `base_url` without trailing slashes, `redirect_uri` to the letter, since the service
 * compares it so (specification, section 5.2).
 *
 * @throws {ComandaError} `invalid_input`, naming the flag
 */
export function parseEnvironment(input: EnvironmentInput): Environment {
  return {
    name: parseEnvironmentName(input.name),
    base_url: parseBaseUrl(input.base_url),
    auth_url: parseAuthUrl(input.auth_url),
    client_id: parseClientId(input.client_id),
    redirect_uri: parseRedirectUri(input.redirect_uri ?? defaultRedirectUri),
  };
}

/** @throws {ComandaError} `invalid_input` */
export function parseEnvironmentName(name: string): string {
  if (/^[a-z0-9][a-z0-9-]{0,31}$/.test(name)) return name;
  throw new ComandaError("invalid_input", t`${JSON.stringify(name)} can't be the name of an environment.`, {
    hint: t`Use lower-case letters, digits and "-", at most 32, for example: sandbox, production, my-test.`,
  });
}

function parseBaseUrl(text: string): string {
  const url = parseUrl("--base-url", text);
  if (/[?#]/.test(text)) throw refused("--base-url", t`can't have a query or fragment`);
  return url.origin + url.pathname.replace(/\/+$/, "");
}

function parseAuthUrl(text: string): string {
  const url = parseUrl("--auth-url", text);
  if (text.includes("#")) throw refused("--auth-url", t`can't have a fragment`);
  return url.href;
}

function parseRedirectUri(text: string): string {
  const flag = "--redirect-uri";
  if (!/^[\x21-\x7e]*$/.test(text)) throw refused(flag, t`can hold visible ASCII characters alone`);
  const url = parseUrl(flag, text);
  if (text.includes("#")) throw refused(flag, t`can't have a fragment`);
  if (url.protocol === "http:") {
    // From the text: the parser drops a port that is the scheme's own.
    const port = Number(/^[^:]+:\/\/[^/?]*:(\d+)(?:[/?]|$)/.exec(text)?.[1] ?? Number.NaN);
    if (!(port >= 1 && port <= 65_535)) {
      throw refused(flag, t`needs a port from 1 to 65535, for example ${defaultRedirectUri}`);
    }
  }
  return text;
}

function parseClientId(text: string): string {
  if (/^[\x21-\x7e]+$/.test(text)) return text;
  throw refused(
    "--client-id",
    text === "" ? t`is empty` : t`can hold visible ASCII characters alone, no spaces`,
  );
}

/** What all addresses have in common. No message quotes the text: it may hold a password. */
function parseUrl(flag: string, text: string): URL {
  // The URL parser accepts all of these and silently changes the address.
  if (/[\s\\]/.test(text) || hasControls(text)) {
    throw refused(flag, t`can't have spaces, control characters or backslashes`);
  }
  const authority = /^https?:\/\/([^/?#]*)/i.exec(text)?.[1];
  if (authority === undefined) throw refused(flag, t`must be an absolute http or https URL`);
  if (authority.includes("@")) throw refused(flag, t`can't have a user name or password in it`);
  if (authority === "" || authority.startsWith(":")) throw refused(flag, t`has no host`);
  const url = tryUrl(text);
  if (!url) throw refused(flag, t`is not a valid URL`);
  if (url.protocol === "http:" && !isLoopbackHost(url.hostname)) {
    throw refused(flag, t`must use https: http is for loopback hosts alone, such as 127.0.0.1 and localhost`);
  }
  return url;
}

function hasControls(text: string): boolean {
  return /\p{Cc}/u.test(text);
}

function tryUrl(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}

function refused(flag: string, reason: string): ComandaError {
  return new ComandaError("invalid_input", t`The value of ${flag} ${reason}.`, {
    hint: t`See how an environment is set: comanda env set --help`,
  });
}
