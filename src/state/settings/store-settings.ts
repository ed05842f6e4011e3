/** Reads what the settings hold of a store, and keeps it in step with the stores themselves. */
import { ComandaError } from "../../client/errors.js";
import { t } from "../../languages/language.js";
import type { Settings } from "./settings.js";

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
