/**
 * Stores the settings: those of each store, the default store, and the environments. On one machine they are in a file that
 * `conf` writes; in a chain they are in an encrypted row, except for the default store, which each user has separately.
 */
import { mkdirSync, readFileSync, rmSync } from "node:fs";
import { constants } from "node:os";
import path from "node:path";

import * as z from "zod/mini";

import { parseJson, suggestion } from "../base/basics.js";
import { localDefaults } from "../base/defaults.js";
import { ComandaError } from "../base/errors.js";
import { invalidValue } from "../base/fields.js";
import { t } from "../languages/language.js";
import { isSecure, isSendable, normalizeBaseUrl } from "../client/transport.js";
import type { WithLease } from "./leases.js";
import { fileError, type PrivateFiles } from "./private-file.js";
import {
  environmentSchema,
  optionalText,
  parseStored,
  text,
  type Environment,
  type TextStore,
} from "./sessions.js";

/** The schema is loose, because a change must keep fields that a newer comanda or a person added. */
const settingsSchema = z.looseObject({
  version: z.optional(z.literal(1)),
  default_store: optionalText,
  stores: z.optional(
    z.record(
      text,
      z.looseObject({
        /** BCP 47, for example `pt-BR`. */
        locale: optionalText,
        /** ISO 4217, for example `BRL`. */
        currency: optionalText,
        /** IANA name, for example `America/Sao_Paulo`. */
        time_zone: optionalText,
        /** The time when days start (HH:MM); `undefined` for midnight. */
        day_starts: optionalText,
      }),
    ),
  ),
  environments: z._default(z.record(text, z.omit(environmentSchema, { name: true })), {}),
});
export type Settings = z.infer<typeof settingsSchema>;

/**
 * Opens the settings. They are read as plain JSON, so `conf` is loaded only for a change.
 *
 * @param shared contains the settings that all machines of a chain share
 */
export function openSettings(root: string, files: PrivateFiles, withLease: WithLease, shared?: TextStore) {
  const file = path.join(root, "settings.json");
  const name = "settings";
  const damage = { about: "damaged_settings" } as const;

  async function load() {
    const own = parseStored(settingsSchema, files.read(file, "public") ?? "{}", file, damage);
    if (!shared) return { own, settings: own, text: undefined };
    const text = await shared.read(name);
    const location = shared.locationOf(name);
    const ofAll = parseStored(settingsSchema, text ?? "{}", location, damage);
    return { own, settings: { ...ofAll, default_store: own.default_store }, text };
  }

  return {
    read: async (): Promise<Settings> => (await load()).settings,
    /**
     * Changes the settings under a lease.
     *
     * @throws {ComandaError} `state_unusable`, `lock_timeout`, or the error of `change`; the settings are then unchanged
     */
    update: (change: (current: Settings) => Settings): Promise<Settings> =>
      withLease(name, async () => {
        const { own, settings, text } = await load();
        const next: Settings = { ...change(settings), version: 1 };
        if (JSON.stringify(next) === JSON.stringify({ ...settings, version: 1 })) return next;
        const { default_store: chosen, ...ofAll } = next;
        await shared?.write(name, JSON.stringify(ofAll), text);
        if (!shared) await writeSettings(files, file, next);
        else if (chosen !== own.default_store)
          await writeSettings(files, file, { ...own, default_store: chosen });
        return next;
      }),
  };
}

/**
 * Writes the settings atomically. On a full disk, `conf` can write a truncated file and report success, so it writes into a
 * temporary folder, and the result replaces the settings only after it was read back.
 */
async function writeSettings(files: PrivateFiles, file: string, settings: Settings): Promise<void> {
  const folder = files.temporary(file);
  try {
    mkdirSync(folder, { mode: 0o700 });
    const Conf = await loadConf(folder);
    const conf = new Conf({ cwd: folder, accessPropertiesByDotNotation: false });
    conf.store = { ...settings };
    const written = readFileSync(conf.path, "utf8");
    if (JSON.stringify(parseJson(written)) !== JSON.stringify(settings))
      throw Object.assign(new Error("cut short"), { code: "ENOSPC" });
    files.write(file, written);
  } catch (error) {
    throw fileError(error, "write", file);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * Loads `conf` without two side effects. It fails without a home folder, which users in containers may not have, and it adds
 * signal listeners that send each signal to this process again, so one Ctrl-C would count twice.
 */
async function loadConf(folder: string) {
  const signals = Object.keys(constants.signals);
  const before = new Set(signals.flatMap((signal) => process.rawListeners(signal)));
  const { HOME } = process.env;
  process.env["HOME"] ??= folder;
  const { default: Conf } = await import("conf");
  if (HOME === undefined) delete process.env["HOME"];
  for (const signal of signals)
    for (const listener of process.rawListeners(signal))
      if (!before.has(listener)) process.removeListener(signal, listener as () => void);
  return Conf;
}

type StorePresentation = NonNullable<Settings["stores"]>[string];

/** Returns the settings with a store's settings changed; `undefined` removes a value. */
export function withStoreSettings(settings: Settings, store: string, change: StorePresentation): Settings {
  const { stores = {} } = settings;
  return { ...settings, stores: { ...stores, [store]: { ...stores[store], ...change } } };
}

export function withoutStore(settings: Settings, store: string): Settings {
  const { default_store: chosen, stores } = settings;
  const others = stores && Object.entries(stores).filter(([alias]) => alias !== store);
  return {
    ...settings,
    default_store: chosen === store ? undefined : chosen,
    stores: others && Object.fromEntries(others),
  };
}

/**
 * @returns `undefined` for midnight, the default
 * @throws {ComandaError} `invalid_input` unless the text is a time up to noon
 */
export function parseDayStart(text: string): string | undefined {
  if (/^(?:0\d|1[01]):[0-5]\d$|^12:00$/.test(text)) return text === "00:00" ? undefined : text;
  const hint = t`Use a time from 00:00 (midnight) to 12:00, for example 04:00.`;
  throw invalidValue("day_starts", text, { hint });
}

/** The environments of section 1. Their addresses are not public, so users set them. */
const serviceEnvironments: readonly string[] = ["sandbox", "production"];

/** The emulator on its default port. */
export const localEnvironment = {
  name: "local",
  base_url: `http://127.0.0.1:${localDefaults.emulatorPort}`,
  auth_url: `http://127.0.0.1:${localDefaults.emulatorPort}/portal/authorize`,
  client_id: "comanda-local",
  redirect_uri: localDefaults.redirectUri,
} as const satisfies Environment;

/**
 * Validates an environment, and removes trailing slashes from `base_url`. `redirect_uri` stays unchanged, because the service
 * compares it literally (specification, section 5.2).
 *
 * @throws {ComandaError} `invalid_input`, with the field
 */
export function parseEnvironment(input: Environment): Environment {
  const { name, base_url, auth_url, client_id, redirect_uri } = input;
  if (!/^[a-z0-9][a-z0-9-]{0,31}$/.test(name))
    throw new ComandaError("invalid_input", t`Invalid environment name: ${JSON.stringify(name)}.`, {
      hint: t`Use up to 32 lower-case letters, digits and "-", starting with a letter or digit, for example my-test.`,
    });
  // The real service must never be called over plain http.
  const canBeInsecure = !serviceEnvironments.includes(name);
  const isInsecure = input.allow_insecure === true && canBeInsecure;
  const base = parseUrl("base_url", base_url, isInsecure, canBeInsecure);
  const auth = auth_url === undefined ? undefined : parseUrl("auth_url", auth_url, isInsecure, canBeInsecure);
  if (client_id !== undefined && !isSendable(client_id))
    throw invalidValue("client_id", client_id, { hint: t`For example: ${"my-app"}` });
  parseUrl("redirect_uri", redirect_uri);
  return {
    name,
    base_url: normalizeBaseUrl(base.href, isInsecure, "option"),
    auth_url: auth?.href,
    client_id,
    redirect_uri,
    ...(isInsecure && { allow_insecure: true }),
  };
}

/**
 * Parses the address in a field. A redirect address by http must include its port.
 *
 * @param canBeInsecure whether `allowInsecure` could be set, which the hint then says
 */
function parseUrl(
  field: keyof typeof localEnvironment,
  text: string,
  allowInsecure = false,
  canBeInsecure = false,
): URL {
  // The URL parser silently changes invalid addresses, so the text is checked first.
  const isPlain = /^[!-~]+$/.test(text) && /^https?:\/\/(?!:)[^/?#@\\]+(?:[/?][^#\\]*)?$/i.test(text);
  const url = isPlain && URL.canParse(text) ? new URL(text) : undefined;
  // The URL parser drops the default port, so it is read from the text.
  const port = Number(/^[^:]+:\/\/[^/?]*:(\d+)(?:[/?]|$)/.exec(text)?.[1]);
  const hasPort = field !== "redirect_uri" || url?.protocol === "https:" || port >= 1;
  if (url && isSecure(url, allowInsecure) && hasPort) return url;
  const hint = t`Use https, or http on this machine with a port, such as ${localEnvironment[field]}. Use only visible ASCII, and omit user name, password, backslash and fragment (#).`;
  // The error quotes the address without a user name and password.
  const shown = text.replace(/^(.*\/\/)?.*@/s, "$1****@");
  const isHelped = canBeInsecure && url !== undefined && isSecure(url, true);
  throw invalidValue(field, shown, { hint, ...(isHelped && { hintFacts: { about: "insecure_address" } }) });
}

export type EnvironmentListing = ReturnType<typeof listEnvironments>[number];

/**
 * Returns `local`, the service's environments, and then those that a user has set, sorted by name. The addresses of one that isn't
 * set up are `null`.
 */
export function listEnvironments(settings: Settings) {
  const own = Object.keys(settings.environments).sort();
  const names = new Set([localEnvironment.name, ...serviceEnvironments, ...own]);
  return [...names].map((name) => {
    const found = environmentIn(settings, name);
    const source = found === localEnvironment ? "built-in" : found ? "setting" : "unset";
    return {
      name,
      base_url: found?.base_url ?? null,
      auth_url: found?.auth_url ?? null,
      client_id: found?.client_id ?? null,
      redirect_uri: found?.redirect_uri ?? null,
      ...(found?.allow_insecure === true && { allow_insecure: true }),
      source,
    } as const;
  });
}

function environmentIn({ environments }: Settings, name: string): Environment | undefined {
  // An environment may have the name "constructor".
  const set = Object.hasOwn(environments, name) ? environments[name] : undefined;
  if (set) return { name, ...set };
  return name === localEnvironment.name ? localEnvironment : undefined;
}

/**
 * @throws {ComandaError} `configuration` if the environment isn't set up; `invalid_input` for invalid values in an edited file
 */
export function resolveEnvironment(settings: Settings, name: string): Environment {
  const found = environmentIn(settings, name);
  if (found) return parseEnvironment(found);
  // An environment of the specification is listed even if it isn't set up.
  const names = listEnvironments(settings).map((each) => each.name);
  const others = names.filter((other) => other !== name);
  const message = t`The environment "${name}" is not set up on this machine.${suggestion(name, others)}`;
  throw new ComandaError("configuration", message, { hintFacts: { about: "address", environment: name } });
}

export function withEnvironment(settings: Settings, environment: Environment): Settings {
  const { name, ...rest } = environment;
  return { ...settings, environments: { ...settings.environments, [name]: rest } };
}

/** @throws {ComandaError} `invalid_input` if it isn't set up */
export function withoutEnvironment(settings: Settings, name: string): Settings {
  const rest = Object.entries(settings.environments).filter(([other]) => other !== name);
  if (rest.length < Object.keys(settings.environments).length)
    return { ...settings, environments: Object.fromEntries(rest) };
  const message = t`No addresses are set for the environment "${name}".`;
  throw new ComandaError("invalid_input", message, { hintFacts: { about: "environments" } });
}
