/**
 * The settings that are no secret: what holds for stores, environments, and which store is meant where none is named. On one
 * machine they lie in a file, which `conf` writes; in a chain in a sealed row, but for what is a person's own.
 */
import { mkdirSync, readFileSync, rmSync } from "node:fs";
import { constants } from "node:os";
import path from "node:path";

import * as z from "zod/mini";

import { parseJson, once } from "../api/basics.js";
import { ComandaError } from "../client/errors.js";
import { t } from "../languages/language.js";
import type { WithLease } from "./leases.js";
import { fileError, type PrivateFiles } from "./private-file.js";
import { environmentSchema, optionalText, parseKept, text, type Shelf } from "./sessions.js";

/** Loose: a change keeps fields that a later version of comanda or a person added. */
const settingsSchema = once(() =>
  z.looseObject({
    version: z.optional(z.literal(1)),
    /** The alias that commands use where `--store` is absent. */
    default_store: optionalText,
    /** Settings by alias. */
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
export function openSettings(root: string, files: PrivateFiles, withLease: WithLease, shared?: Shelf) {
  const file = path.join(root, "settings.json");
  const name = "settings";

  function parsed(text: string | undefined, place: string): Settings {
    const hint = t`Repair it in an editor, or delete it and set anew what \`comanda env list\` then lacks.`;
    return text === undefined ? { environments: {} } : parseKept(settingsSchema(), text, place, hint);
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
