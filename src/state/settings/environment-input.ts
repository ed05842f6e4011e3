/** Checks what a person types to describe an environment, before it is kept. */
import { ComandaError } from "../../client/errors.js";
import { t } from "../../languages/language.js";
import { isLoopbackHost } from "../../api/loopback.js";
import type { Environment } from "../sessions/session.js";

/** Section 1 of the specification. Their addresses are not public: each person sets the pair. */
export const serviceEnvironments: readonly string[] = ["sandbox", "production"];

export const defaultRedirectUri = "http://127.0.0.1:8765/callback";

export interface EnvironmentInput {
  readonly name: string;
  readonly base_url: string;
  readonly auth_url: string;
  readonly client_id: string;
  /** Default: {@link defaultRedirectUri}. */
  readonly redirect_uri?: string | undefined;
  /** Default: false. */
  readonly allow_insecure?: boolean | undefined;
}

/**
 * The environment as it is kept: `base_url` without trailing slashes, `redirect_uri` to the letter, since the service
 * compares it so (specification, section 5.2).
 *
 * @throws {ComandaError} `invalid_input`, naming the flag
 */
export function parseEnvironment(input: EnvironmentInput): Environment {
  const { allow_insecure: allowInsecure = false } = input;
  if (allowInsecure && serviceEnvironments.includes(input.name)) throw neverInsecure(input.name);
  return {
    name: parseEnvironmentName(input.name),
    base_url: parseBaseUrl(input.base_url, allowInsecure),
    auth_url: parseAuthUrl(input.auth_url, allowInsecure),
    client_id: parseClientId(input.client_id),
    redirect_uri: parseRedirectUri(input.redirect_uri ?? defaultRedirectUri),
    ...(allowInsecure && { allow_insecure: true }),
  };
}

/** @throws {ComandaError} `invalid_input` */
export function parseEnvironmentName(name: string): string {
  if (/^[a-z0-9][a-z0-9-]{0,31}$/.test(name)) return name;
  throw new ComandaError("invalid_input", t`${JSON.stringify(name)} can't be the name of an environment.`, {
    hint: t`Use lower-case letters, digits and "-", at most 32, for example: sandbox, production, my-test.`,
  });
}

function neverInsecure(name: string): ComandaError {
  return new ComandaError(
    "invalid_input",
    t`The environment ${name} is the service's own, and never insecure.`,
    { hint: t`Give an environment for tests another name, such as emulator.` },
  );
}

function parseBaseUrl(text: string, allowInsecure: boolean): string {
  const url = parseUrl("--base-url", text, allowInsecure);
  if (/[?#]/.test(text)) throw refused("--base-url", t`can't have a query or fragment`);
  return url.origin + url.pathname.replace(/\/+$/, "");
}

function parseAuthUrl(text: string, allowInsecure: boolean): string {
  const url = parseUrl("--auth-url", text, allowInsecure);
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
  throw refused("--client-id", t`holds visible ASCII characters alone, no spaces, and at least one`);
}

/** Checks what all addresses have in common. No message quotes the text: it may hold a password. */
function parseUrl(flag: string, text: string, allowInsecure = false): URL {
  const [, authority = ""] = /^https?:\/\/([^/?#]*)/i.exec(text) ?? [];
  // The URL parser accepts all of these and silently changes the address.
  const isChanged = authority === "" || authority.startsWith(":") || /[\s\\\p{Cc}]/u.test(text);
  if (isChanged || !URL.canParse(text)) {
    throw refused(
      flag,
      t`must be an absolute http or https URL, without spaces, control characters and backslashes`,
    );
  }
  if (authority.includes("@")) throw refused(flag, t`can't have a user name or password in it`);
  const url = new URL(text);
  if (url.protocol === "http:" && !allowInsecure && !isLoopbackHost(url.hostname)) {
    throw refused(
      flag,
      t`must use https: http is for loopback hosts alone, such as 127.0.0.1 and localhost; for a test's emulator elsewhere add --allow-insecure`,
    );
  }
  return url;
}

function refused(flag: string, reason: string): ComandaError {
  return new ComandaError("invalid_input", t`The value of ${flag} ${reason}.`, {
    hint: t`See how an environment is set: comanda env set --help`,
  });
}
