/**
 * The settings that are no secret: what holds for stores, environments, and which store is meant where none is named. On one
 * machine they lie in a file, which `conf` writes; in a chain in a sealed row, but for what is a person's own.
 */
import { readdirSync, rmSync } from "node:fs";
import { hostname } from "node:os";
import path from "node:path";

import * as z from "zod/mini";

import { parseJson } from "../api/json.js";
import { suggestion } from "../api/nearest.js";
import { once } from "../api/once.js";
import { ComandaError } from "../client/errors.js";
import { t } from "../languages/language.js";
import type { WithLease } from "./leases.js";
import { fileError, parseJsonFile, type PrivateFiles } from "./private-file.js";
import type { SealedRows } from "./sealed-rows.js";
import { environmentSchema, optionalText, text, type Session, type SessionStore } from "./sessions.js";

const ofStore = once(() => ({
  /** BCP 47, for example `pt-BR`. */
  locale: optionalText,
  /** ISO 4217, for example `BRL`. */
  currency: optionalText,
  /** IANA name, for example `America/Sao_Paulo`. */
  time_zone: optionalText,
  /** The days start at this time (HH:MM), and at midnight where it is absent. */
  day_starts: optionalText,
  /** The names that it had: another machine of a chain may still have one of them as its default store. */
  former_aliases: z.optional(z.array(text)),
}));

/** Loose: a change keeps fields that a later version of comanda or a person added. */
export const settingsSchema = once(() =>
  z.looseObject({
    version: z.optional(z.literal(1)),
    /** The alias that commands use where `--store` is absent. */
    default_store: optionalText,
    /** Settings by alias. */
    stores: z.optional(z.record(text, z.looseObject(ofStore()))),
    environments: z._default(z.record(text, z.omit(environmentSchema, { name: true })), {}),
  }),
);
export type Settings = z.infer<ReturnType<typeof settingsSchema>>;

export interface SettingsFile {
  /** The path of the file, for error messages. */
  readonly path: string;
  /**
   * Empty settings if there is no file yet.
   *
   * @throws {ComandaError} `state_unusable`
   */
  read(): Promise<Settings>;
  /**
   * Reads, changes and writes under a lock.
   *
   * @throws {ComandaError} `state_unusable`, `lock_timeout`, and what `change` throws; the file is then as it was
   */
  update(change: (current: Settings) => Settings): Promise<Settings>;
}

/** Written with `conf`, read as plain JSON, so that `conf` is loaded only for a change. */
export function openSettings(root: string, files: PrivateFiles, withLease: WithLease): SettingsFile {
  const file = path.join(root, "settings.json");

  // eslint-disable-next-line @typescript-eslint/require-await -- a rejection, never an exception
  async function read(): Promise<Settings> {
    const text = files.read(file, "read");
    if (text === undefined) return { environments: {} };
    return parseJsonFile(file, text, {
      schema: settingsSchema(),
      hint: t`Repair it in an editor, or delete it and set anew what \`comanda env list\` then lacks.`,
    });
  }

  return {
    path: file,
    read,
    update: (change) =>
      withLease(`settings of ${hostname()}`, async () => {
        const before = await read();
        const next = { ...change(before), version: 1 as const };
        if (JSON.stringify(next) !== JSON.stringify({ ...before, version: 1 }))
          await writeSettings(files, file, next);
        return next;
      }),
  };
}

/**
 * On a full disk `conf` can leave a file that is cut short, and report success. So it writes a file beside the settings, and what
 * that holds takes their place once it has been read back: whoever reads finds the old settings or the new ones, all of them.
 */
async function writeSettings(files: PrivateFiles, file: string, settings: Settings): Promise<void> {
  const folder = path.dirname(file);
  const Conf = await loadConf(folder);
  const temporary = files.temporary(file);
  try {
    try {
      const conf = new Conf({
        cwd: folder,
        configName: path.basename(temporary, ".tmp"),
        fileExtension: "tmp",
        configFileMode: 0o600,
        accessPropertiesByDotNotation: false,
        clearInvalidConfig: false,
      });
      conf.store = { ...settings };
    } catch (error) {
      throw fileError(error, "write", file);
    }
    const written = files.read(temporary) ?? "";
    if (JSON.stringify(parseJson(written)) !== JSON.stringify(settings)) {
      throw new ComandaError("state_unusable", t`${file} could not be written whole; it is as it was.`, {
        hint: t`Check whether the disk is full, then run the command again.`,
      });
    }
    files.write(file, written);
  } finally {
    // conf removes a file of its own a moment later, and not at all where the process ends first.
    for (const name of readdirSync(folder))
      if (name.startsWith(path.basename(temporary))) rmSync(path.join(folder, name), { force: true });
  }
}

/**
 * Loaded only to write. It asks for a home folder, which many a container's user hasn't got, and brings a listener of each
 * signal, which sends the signal to this process a second time: one Ctrl-C would count for two.
 */
async function loadConf(folder: string) {
  const listeners = () =>
    process
      .eventNames()
      .filter((name) => String(name).startsWith("SIG"))
      .flatMap((name) => process.rawListeners(name).map((listener) => [name, listener] as const));
  const before = new Set(listeners().map(([, listener]) => listener));
  const { HOME } = process.env;
  process.env["HOME"] ??= folder;
  const { default: Conf } = await import("conf");
  if (HOME === undefined) delete process.env["HOME"];
  for (const [name, listener] of listeners())
    if (!before.has(listener)) process.removeListener(name, listener as () => void);
  return Conf;
}

/** The settings that belong to this machine and the person at it. */
const ownNames = ["version", "default_store"];

/** What holds on all machines lies in a sealed row; what is a person's own stays in the file of the machine. */
export function openSharedSettings(
  local: SettingsFile,
  rows: SealedRows,
  withLease: WithLease,
): SettingsFile {
  const name = "settings";
  const part = (settings: Settings, isOwn: boolean) =>
    Object.fromEntries(Object.entries(settings).filter(([key]) => ownNames.includes(key) === isOwn));
  const sharedPart = ({ environments, ...rest }: Settings): Settings => ({
    ...part({ ...rest, environments: {} }, false),
    environments,
  });

  async function readShared() {
    const row = await rows.read(name, t`What the settings say`);
    const shared: Settings = row ? z.parse(settingsSchema(), parseJson(row.text)) : { environments: {} };
    return { shared, version: row?.version };
  }

  return {
    path: local.path,
    async read() {
      return { ...(await readShared()).shared, ...part(await local.read(), true) };
    },
    async update(change) {
      const before = await local.read();
      const next = await withLease(name, async () => {
        const { shared, version } = await readShared();
        const changed = change({ ...shared, ...part(before, true) });
        const content = JSON.stringify(sharedPart(changed));
        if (content !== JSON.stringify(sharedPart(shared)))
          await rows.write(name, content, { isSecret: false, before: version });
        return changed;
      });
      if (JSON.stringify(part(next, true)) !== JSON.stringify(part(before, true)))
        await local.update((current) => ({ ...sharedPart(current), ...part(next, true) }));
      return next;
    },
  };
}

/** A store's days are counted and its figures shown by this. */
export type StorePresentation = NonNullable<Settings["stores"]>[string];

/** The settings with the store's presentation changed; `undefined` takes a value away. */
export function withStoreSettings(
  settings: Settings,
  store: string,
  change: { readonly [Name in keyof StorePresentation]?: StorePresentation[Name] | undefined },
): Settings {
  const entries = Object.entries({ ...settings.stores?.[store], ...change });
  const kept = Object.fromEntries(entries.filter(([, value]) => value !== undefined));
  return { ...settings, stores: { ...settings.stores, [store]: kept } };
}

/** The settings without a store that is forgotten. */
export function withoutStore(settings: Settings, store: string): Settings {
  const { default_store: chosen, stores = {}, ...rest } = settings;
  const others = Object.fromEntries(Object.entries(stores).filter(([alias]) => alias !== store));
  return {
    ...rest,
    ...(chosen !== undefined && chosen !== store && { default_store: chosen }),
    ...(Object.keys(others).length > 0 && { stores: others }),
  };
}

/** The settings of a store that has another alias from now on. */
export function withStoreRenamed(settings: Settings, from: string, to: string): Settings {
  const { default_store: chosen, stores = {}, ...rest } = settings;
  const { [from]: moved, ...others } = stores;
  const former = [...(moved?.former_aliases ?? []), from];
  return {
    ...rest,
    ...(chosen !== undefined && { default_store: chosen === from ? to : chosen }),
    stores: { ...others, [to]: { ...moved, former_aliases: former } },
  };
}

/**
 * The store that commands work at by default, as it is called now: another machine of a chain may have renamed it.
 *
 * @param aliases of all stores
 */
export function defaultStore(
  { default_store: chosen, stores = {} }: Pick<Settings, "default_store" | "stores">,
  aliases: readonly string[],
): string | undefined {
  if (chosen === undefined || aliases.includes(chosen)) return chosen;
  const renamed = Object.entries(stores).find(([, { former_aliases: former }]) => former?.includes(chosen));
  return renamed?.[0] ?? chosen;
}

/**
 * When a store's days start.
 *
 * @returns `undefined` for midnight, as all days start
 * @throws {ComandaError} `invalid_input` for anything but a time until noon
 */
export function parseDayStart(text: string): string | undefined {
  if (/^(?:0\d|1[01]):[0-5]\d$|^12:00$/.test(text)) return text === "00:00" ? undefined : text;
  throw new ComandaError("invalid_input", t`A day can't start at "${text}".`, {
    hint: t`Give a time from 00:00 to 12:00, for example 04:00; 00:00 is midnight.`,
  });
}

export type SessionChoice =
  | { readonly kind: "session"; readonly session: Session }
  /** The store that is named isn't known. */
  | { readonly kind: "unknown"; readonly alias: string; readonly aliases: readonly string[] }
  /** No store is known. */
  | { readonly kind: "none" }
  /** Several are known, and nothing says which one. */
  | { readonly kind: "several"; readonly aliases: readonly [string, ...string[]] };

export interface NamedStore {
  /** A flag, an option or a variable names it. */
  readonly named: string | undefined;
  /** They name the default, and are absent where only the store that is named will do. */
  readonly settings?: Pick<Settings, "default_store" | "stores"> | undefined;
}

/**
 * The caller has the words for what is not a session: they name its own flags or options.
 *
 * @throws {ComandaError} `state_unusable` where the session can't be used
 */
export async function chooseSession(
  sessions: Pick<SessionStore, "read" | "list">,
  { named, settings = {} }: NamedStore,
): Promise<SessionChoice> {
  const alias = named ?? settings.default_store;
  const session = alias === undefined ? undefined : await sessions.read(alias);
  if (session) return { kind: "session", session };
  const listed = await sessions.list();
  const aliases = listed.map(({ store }) => store);
  if (named !== undefined) return { kind: "unknown", alias: named, aliases };
  const renamed = defaultStore(settings, aliases);
  const followed = renamed === alias || renamed === undefined ? undefined : await sessions.read(renamed);
  if (followed) return { kind: "session", session: followed };
  const [only, ...others] = listed;
  if (only === undefined) return { kind: "none" };
  if (others.length > 0)
    return { kind: "several", aliases: [only.store, ...others.map(({ store }) => store)] };
  if ("error" in only) throw only.error;
  return { kind: "session", session: only };
}

/** @param hint what to do */
export function unknownStore(alias: string, aliases: readonly string[], hint: string): ComandaError {
  const message = t`This machine knows no store "${alias}".${suggestion(alias, aliases)}`;
  return new ComandaError("invalid_input", message, { hint });
}
