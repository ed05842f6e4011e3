/**
 * The settings that are no secret: what holds for stores; which store is meant where none is named; the environments. On one
 * machine they lie in a file, which `conf` writes; in a chain in a sealed row, but for what is a person's own.
 */
import { mkdirSync, readFileSync, rmSync } from "node:fs";
import { constants } from "node:os";
import path from "node:path";

import * as z from "zod/mini";

import { isLoopbackHost, once, parseJson } from "../base/basics.js";
import { ComandaError } from "../base/errors.js";
import { t } from "../languages/language.js";
import { normalizeBaseUrl } from "../client/transport.js";
import type { WithLease } from "./leases.js";
import { fileError, type PrivateFiles } from "./private-file.js";
import {
  environmentSchema,
  optionalText,
  parseKept,
  text,
  type Environment,
  type TextStore,
} from "./sessions.js";

/** Loose: a change keeps fields that a later version of comanda or a person added. */
const settingsSchema = once(() =>
  z.looseObject({
    version: z.optional(z.literal(1)),
    /** The alias that commands use where `--store` is absent. */
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
          /** The days start at this time (HH:MM), and at midnight where it is absent. */
          day_starts: optionalText,
        }),
      ),
    ),
    environments: z._default(z.record(text, z.omit(environmentSchema, { name: true })), {}),
  }),
);
export type Settings = z.infer<ReturnType<typeof settingsSchema>>;

export type SettingsFile = ReturnType<typeof openSettings>;

/**
 * Read as plain JSON, so that `conf` is loaded only for a change.
 *
 * @param shared has what holds on all machines of a chain; the store that a person has chosen stays in the file
 */
export function openSettings(root: string, files: PrivateFiles, withLease: WithLease, shared?: TextStore) {
  const file = path.join(root, "settings.json");
  const name = "settings";

  function parsed(text: string | undefined, place: string): Settings {
    if (text === undefined) return { environments: {} };
    return parseKept(settingsSchema(), text, place, "damaged_settings");
  }

  async function load() {
    const own = parsed(files.read(file, "shown"), file);
    if (!shared) return { own, settings: own, text: undefined };
    const text = await shared.read(name);
    const ofAll = parsed(text, shared.placeOf(name));
    return { own, settings: { ...ofAll, default_store: own.default_store }, text };
  }

  return {
    /**
     * Empty settings if there are none yet.
     *
     * @throws {ComandaError} `state_unusable`
     */
    read: async (): Promise<Settings> => (await load()).settings,
    /**
     * Reads, changes and writes under a lease.
     *
     * @throws {ComandaError} `state_unusable`, `lock_timeout`, and what `change` throws; all is then as it was
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
 * On a full disk `conf` can leave a file that is cut short, and report success. So it writes into a folder of its own, and what
 * it has written takes the settings' place once it has been read back: whoever reads finds the old settings or the new ones.
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
 * Loaded only to write. It asks for a home folder, which many a container's user hasn't got, and brings a listener of each
 * signal, which sends the signal to this process a second time: one Ctrl-C would count for two.
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

/** A store's days are counted and its figures shown by this. */
type StorePresentation = NonNullable<Settings["stores"]>[string];

/** The settings with the store's presentation changed; `undefined` takes a value away. */
export function withStoreSettings(settings: Settings, store: string, change: StorePresentation): Settings {
  const { stores = {} } = settings;
  return { ...settings, stores: { ...stores, [store]: { ...stores[store], ...change } } };
}

/** The settings without a store that is forgotten. */
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
 * @returns `undefined` for midnight, as all days start
 * @throws {ComandaError} `invalid_input` for anything but a time until noon
 */
export function parseDayStart(text: string): string | undefined {
  if (/^(?:0\d|1[01]):[0-5]\d$|^12:00$/.test(text)) return text === "00:00" ? undefined : text;
  throw new ComandaError("invalid_input", t`Invalid start of the day: "${text}".`, {
    hint: t`Use a time from 00:00 (midnight) to 12:00, for example 04:00.`,
  });
}

/** Section 1 of the specification. Their addresses are not public: each person sets the pair. */
const serviceEnvironments: readonly string[] = ["sandbox", "production"];

export const defaultRedirectUri = "http://127.0.0.1:8765/callback";

/** The emulator's, on its default port. */
export const localEnvironment: Environment = {
  name: "local",
  base_url: "http://127.0.0.1:4100",
  auth_url: "http://127.0.0.1:4100/portal/authorize",
  client_id: "comanda-local",
  redirect_uri: defaultRedirectUri,
};

/**
 * The environment as it is kept: `base_url` without trailing slashes, `redirect_uri` to the letter, since the service
 * compares it so (specification, section 5.2).
 *
 * @throws {ComandaError} `invalid_input`, naming the flag
 */
export function parseEnvironment(input: Environment): Environment {
  const { name, client_id, redirect_uri } = input;
  if (!/^[a-z0-9][a-z0-9-]{0,31}$/.test(name)) {
    throw new ComandaError("invalid_input", t`Invalid environment name: ${JSON.stringify(name)}.`, {
      hint: t`Use up to 32 lower-case letters, digits and "-", starting with a letter or digit, for example my-test.`,
    });
  }
  // The service's own environments are never insecure.
  const isInsecure = input.allow_insecure === true && !serviceEnvironments.includes(name);
  const base = parseUrl("--base-url", input.base_url, /[?#]/, isInsecure);
  const auth = parseUrl("--auth-url", input.auth_url, /#/, isInsecure);
  if (!/^[\x21-\x7e]+$/.test(client_id))
    throw refused("--client-id", t`must contain only visible ASCII characters`);
  const { protocol } = parseUrl("--redirect-uri", redirect_uri, /#|[^\x21-\x7e]/, false);
  // From the text: the parser drops a port that is the scheme's own.
  const port = Number(/^[^:]+:\/\/[^/?]*:(\d+)(?:[/?]|$)/.exec(redirect_uri)?.[1]);
  if (protocol === "http:" && !(port >= 1 && port <= 65_535))
    throw refused("--redirect-uri", t`must include a port from 1 to 65535, for example ${defaultRedirectUri}`);
  return {
    name,
    base_url: normalizeBaseUrl(base.href, isInsecure, "--base-url"),
    auth_url: auth.href,
    client_id,
    redirect_uri,
    ...(isInsecure && { allow_insecure: true }),
  };
}

/** Checks what all addresses have in common. No message quotes the text: it may hold a password. */
function parseUrl(flag: string, text: string, forbidden: RegExp, allowInsecure: boolean): URL {
  // By the text: the URL parser silently changes an address that has anything else in it.
  const isPlain = /^https?:\/\/(?!:)[^/?#@\s\\\p{Cc}]+(?:[/?#][^\s\\\p{Cc}]*)?$/iu.test(text);
  const url = isPlain && URL.canParse(text) ? new URL(text) : undefined;
  if (!url || (url.protocol === "http:" && !allowInsecure && !isLoopbackHost(url.hostname)))
    throw refused(
      flag,
      t`must be an https URL without user name, password, spaces, control characters or backslashes (http only for loopback hosts, or for test environments with COMANDA_ALLOW_INSECURE=1)`,
    );
  const [character] = forbidden.exec(text) ?? [];
  if (character !== undefined) throw refused(flag, t`must not contain "${character}"`);
  return url;
}

function refused(flag: string, reason: string): ComandaError {
  return new ComandaError("invalid_input", t`The value of ${flag} ${reason}.`, {
    hintFacts: { about: "environment_value" },
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
    throw new ComandaError("configuration", t`The environment "${name}" is not set up on this machine.`, {
      hintFacts: { about: "environment_unset", environment: name },
    });
  }
  throw new ComandaError("invalid_input", t`Unknown environment ${JSON.stringify(name)}.`, {
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
  throw new ComandaError("invalid_input", t`The environment "${name}" is not set up on this machine.`, {
    hintFacts: { about: "environments" },
  });
}
