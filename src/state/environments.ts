/** The environments that can be named: the service's two, the emulator's, and those that the person set; and what may be set. */
import { isLoopbackHost } from "../api/loopback.js";
import { nearest } from "../api/nearest.js";
import { ComandaError } from "../client/errors.js";
import { t } from "../languages/language.js";
import type { Environment } from "./sessions.js";
import type { Settings } from "./settings.js";

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
  // The service's own environments are never insecure.
  const allowInsecure = input.allow_insecure === true && !serviceEnvironments.includes(input.name);
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
      t`must use https: http is for loopback hosts alone, such as 127.0.0.1 and localhost; for a test's emulator elsewhere set COMANDA_ALLOW_INSECURE=1`,
    );
  }
  return url;
}

function refused(flag: string, reason: string): ComandaError {
  return new ComandaError("invalid_input", t`The value of ${flag} ${reason}.`, {
    hint: t`See how an environment is set: comanda env set --help`,
  });
}

/** The emulator's, on its default port. */
export const localEnvironment: Environment = {
  name: "local",
  base_url: "http://127.0.0.1:4100",
  auth_url: "http://127.0.0.1:4100/portal/authorize",
  client_id: "comanda-local",
  redirect_uri: defaultRedirectUri,
};

/** One line of the list; the addresses are `null` for the service's own environments as long as they aren't set. */
export interface EnvironmentListing {
  readonly name: string;
  readonly base_url: string | null;
  readonly auth_url: string | null;
  readonly client_id: string | null;
  readonly redirect_uri: string | null;
  /** Its addresses may be another machine's by http. */
  readonly allow_insecure?: boolean | undefined;
  readonly source: "setting" | "built-in" | "unset";
}

/** Every environment that can be named: `local`, the service's own, then those that were set, by name. */
export function listEnvironments(settings: Settings): readonly EnvironmentListing[] {
  const names = Object.keys(settings.environments).sort();
  return [...new Set([localEnvironment.name, ...serviceEnvironments, ...names])].map((name) => {
    const set = environmentSetting(settings, name);
    if (set) return { ...set, source: "setting" };
    if (name === localEnvironment.name) return { ...localEnvironment, source: "built-in" };
    return { name, base_url: null, auth_url: null, client_id: null, redirect_uri: null, source: "unset" };
  });
}

/**
 * @throws {ComandaError} `configuration` for one of the service's own that isn't set yet; `invalid_input` for an unknown
 *   name, and for a setting that someone edited into something unusable
 */
export function resolveEnvironment(settings: Settings, name: string): Environment {
  const set = environmentSetting(settings, name);
  if (set) return parseEnvironment(set);
  if (name === localEnvironment.name) return localEnvironment;
  if (serviceEnvironments.includes(name)) throw unset(name);
  throw unknown(settings, name);
}

/** The settings with the environment added or replaced. */
export function withEnvironment(settings: Settings, environment: Environment): Settings {
  const { name, ...rest } = environment;
  return { ...settings, environments: { ...settings.environments, [name]: rest } };
}

/**
 * The settings without the environment.
 *
 * @throws {ComandaError} `invalid_input` where it isn't set
 */
export function withoutEnvironment(settings: Settings, name: string): Settings {
  if (!environmentSetting(settings, name)) {
    if (name !== localEnvironment.name && !serviceEnvironments.includes(name)) throw unknown(settings, name);
    throw new ComandaError(
      "invalid_input",
      t`The environment "${name}" is not set, so nothing was removed.`,
      { hint: t`See what is set: comanda env list` },
    );
  }
  const rest = Object.entries(settings.environments).filter(([other]) => other !== name);
  return { ...settings, environments: Object.fromEntries(rest) };
}

function environmentSetting({ environments }: Settings, name: string): Environment | undefined {
  // An environment may be called "constructor".
  const set = Object.hasOwn(environments, name) ? environments[name] : undefined;
  return set && { name, ...set };
}

function unset(name: string): ComandaError {
  return new ComandaError("configuration", t`The environment "${name}" is not set on this machine yet.`, {
    hint: t`Set it: comanda env set ${name} --base-url <url> --auth-url <url> --client-id <id>`,
  });
}

function unknown(settings: Settings, name: string): ComandaError {
  const names = listEnvironments(settings).map((listing) => listing.name);
  const meant = nearest(name, names);
  return new ComandaError("invalid_input", t`There is no environment ${JSON.stringify(name)}.`, {
    hint: `${meant === undefined ? "" : t`Did you mean "${meant}"? `}${t`There are: ${names.join(", ")}.`}`,
  });
}
