/** The environments that can be named: the service's two, the emulator's, and those that the person set; and what may be set. */
import { isLoopbackHost } from "../api/basics.js";
import { ComandaError } from "../client/errors.js";
import { t } from "../languages/language.js";
import type { Environment } from "./sessions.js";
import type { Settings } from "./settings.js";

/** Section 1 of the specification. Their addresses are not public: each person sets the pair. */
const serviceEnvironments: readonly string[] = ["sandbox", "production"];

const defaultRedirectUri = "http://127.0.0.1:8765/callback";

/** The emulator's, on its default port. */
export const localEnvironment: Environment = {
  name: "local",
  base_url: "http://127.0.0.1:4100",
  auth_url: "http://127.0.0.1:4100/portal/authorize",
  client_id: "comanda-local",
  redirect_uri: defaultRedirectUri,
};

export type EnvironmentInput = Omit<Environment, "redirect_uri" | "allow_insecure"> & {
  /** Default: on loopback. */
  readonly redirect_uri?: string | undefined;
  /** Default: false. */
  readonly allow_insecure?: boolean | undefined;
};

/**
 * The environment as it is kept: `base_url` without trailing slashes, `redirect_uri` to the letter, since the service
 * compares it so (specification, section 5.2).
 *
 * @throws {ComandaError} `invalid_input`, naming the flag
 */
export function parseEnvironment(input: EnvironmentInput): Environment {
  const { name, client_id, redirect_uri = defaultRedirectUri } = input;
  if (!/^[a-z0-9][a-z0-9-]{0,31}$/.test(name)) {
    throw new ComandaError("invalid_input", t`${JSON.stringify(name)} can't be the name of an environment.`, {
      hint: t`Use lower-case letters, digits and "-", at most 32, for example: sandbox, production, my-test.`,
    });
  }
  // The service's own environments are never insecure.
  const allowInsecure = input.allow_insecure === true && !serviceEnvironments.includes(name);
  const base = parseUrl("--base-url", input.base_url, /[?#]/, allowInsecure);
  const auth = parseUrl("--auth-url", input.auth_url, /#/, allowInsecure);
  if (!/^[\x21-\x7e]+$/.test(client_id))
    throw refused("--client-id", t`holds visible ASCII characters alone, no spaces, and at least one`);
  const { protocol } = parseUrl("--redirect-uri", redirect_uri, /#|[^\x21-\x7e]/, false);
  // From the text: the parser drops a port that is the scheme's own.
  const port = Number(/^[^:]+:\/\/[^/?]*:(\d+)(?:[/?]|$)/.exec(redirect_uri)?.[1]);
  if (protocol === "http:" && !(port >= 1 && port <= 65_535))
    throw refused("--redirect-uri", t`needs a port from 1 to 65535, for example ${defaultRedirectUri}`);
  return {
    name,
    base_url: base.origin + base.pathname.replace(/\/+$/, ""),
    auth_url: auth.href,
    client_id,
    redirect_uri,
    ...(allowInsecure && { allow_insecure: true }),
  };
}

/** Checks what all addresses have in common. No message quotes the text: it may hold a password. */
function parseUrl(flag: string, text: string, forbidden: RegExp, allowInsecure: boolean): URL {
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
  const [character] = forbidden.exec(text) ?? [];
  if (character !== undefined) throw refused(flag, t`can't have a ${character} in it`);
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

/** One line of the list; the addresses are `null` for the service's own environments as long as they aren't set. */
export type EnvironmentListing = {
  readonly name: string;
  readonly source: "setting" | "built-in" | "unset";
} & (Environment | Readonly<Record<"base_url" | "auth_url" | "client_id" | "redirect_uri", null>>);

/** Every environment that can be named: `local`, the service's own, then those that were set, by name. */
export function listEnvironments({ environments }: Settings): readonly EnvironmentListing[] {
  const names = [localEnvironment.name, ...serviceEnvironments, ...Object.keys(environments).sort()];
  return [...new Set(names)].map((name) => {
    // An environment may be called "constructor".
    const set = Object.hasOwn(environments, name) ? environments[name] : undefined;
    if (set) return { name, ...set, source: "setting" };
    if (name === localEnvironment.name) return { ...localEnvironment, source: "built-in" };
    return { name, base_url: null, auth_url: null, client_id: null, redirect_uri: null, source: "unset" };
  });
}

/**
 * @throws {ComandaError} `configuration` for one of the service's own that isn't set yet; `invalid_input` for an unknown
 *   name, and for a setting that someone edited into something unusable
 */
export function resolveEnvironment(settings: Settings, name: string): Environment {
  const listed = listEnvironments(settings);
  const found = listed.find((each) => each.name === name);
  if (found && found.base_url !== null) return parseEnvironment(found);
  if (found) {
    throw new ComandaError("configuration", t`The environment "${name}" is not set on this machine yet.`, {
      hint: t`Set it: comanda env set ${name} --base-url <url> --auth-url <url> --client-id <id>`,
    });
  }
  throw new ComandaError("invalid_input", t`There is no environment ${JSON.stringify(name)}.`, {
    hint: t`There are: ${listed.map((each) => each.name).join(", ")}.`,
  });
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
  const rest = Object.entries(settings.environments).filter(([other]) => other !== name);
  if (rest.length < Object.keys(settings.environments).length)
    return { ...settings, environments: Object.fromEntries(rest) };
  throw new ComandaError("invalid_input", t`The environment "${name}" is not set, so nothing was removed.`, {
    hint: t`See what is set: comanda env list`,
  });
}
