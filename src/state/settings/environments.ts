/** The environments that can be named: the service's two, the emulator's, and those that the person set. */
import { ComandaError } from "../../client/errors.js";
import { t } from "../../languages/language.js";
import { defaultRedirectUri, parseEnvironment, serviceEnvironments } from "./environment-input.js";
import { nearest } from "../../api/nearest.js";
import type { Environment } from "../sessions/session.js";
import type { Settings } from "./settings.js";

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
