/** Reads what the settings hold of a store and of all, and keeps it in step with the stores themselves. */
import { ComandaError } from "../../shared/errors.js";
import { t } from "../../shared/language.js";
import type { Settings } from "./settings.js";

/** A store's days are counted and its figures shown by this; what is absent follows what is set for all. */
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

/**
 * For a store that has another alias from now on.
 *
 * @param at ISO 8601, UTC
 */
export function withStoreRenamed(
  settings: Settings,
  { from, to, at }: { readonly from: string; readonly to: string; readonly at: string },
): Settings {
  const { default_store: chosen, stores = {}, ...rest } = settings;
  const { [from]: moved, ...others } = stores;
  const earlier = [...(moved?.earlier_aliases ?? []), { alias: from, until: at }];
  return {
    ...rest,
    ...(chosen !== undefined && { default_store: chosen === from ? to : chosen }),
    stores: { ...others, [to]: { ...moved, earlier_aliases: earlier } },
  };
}

/** Has the store's alias to be confirmed before an order is canceled there? */
export function isProtected({ stores }: Pick<Settings, "stores">, store: string): boolean {
  return stores?.[store]?.protected === true;
}

/** The place of a write, as the journal has it. */
export interface DoneThen {
  /** The alias of the time. */
  readonly store: string | null;
  /** ISO 8601, UTC. */
  readonly at: string;
}

/** Gives the present alias of the store at which something was done. */
export type StoreNow = (then: DoneThen) => string | null;

export function storeNow(settings: Pick<Settings, "stores">): StoreNow {
  const renames = renamesIn(settings);
  return ({ store, at }) => renames.find(({ alias, until }) => alias === store && at <= until)?.now ?? store;
}

/** All renames of stores that are still known, the oldest first. */
function renamesIn({ stores = {} }: Pick<Settings, "stores">) {
  return Object.entries(stores)
    .flatMap(([now, { earlier_aliases: earlier = [] }]) => earlier.map((each) => ({ ...each, now })))
    .sort((a, b) => (a.until < b.until ? -1 : 1));
}

/**
 * The store that commands work at by default, as it is called now: another machine of a chain may have renamed it.
 *
 * @param aliases of all stores
 */
export function defaultStore(
  settings: Pick<Settings, "default_store" | "stores">,
  aliases: readonly string[],
): string | undefined {
  const { default_store: chosen } = settings;
  if (chosen === undefined || aliases.includes(chosen)) return chosen;
  return renamesIn(settings).findLast(({ alias }) => alias === chosen)?.now ?? chosen;
}

/** The time during which an alias was a store's (milliseconds since the epoch). */
export interface AliasSpan {
  readonly alias: string;
  readonly after?: number;
  readonly until?: number;
}

/** Finds the aliases under which the journal has a store, as {@link storeNow} says it. */
export function aliasSpans(settings: Pick<Settings, "stores">, store: string): readonly AliasSpan[] {
  const renames = renamesIn(settings);
  const after = (earlier: typeof renames, of: string) => {
    const last = earlier.findLast(({ alias }) => alias === of);
    return last && { after: Date.parse(last.until) };
  };
  const earlier = renames.flatMap(({ alias, until, now }, index) =>
    now === store ? [{ alias, until: Date.parse(until), ...after(renames.slice(0, index), alias) }] : [],
  );
  return [...earlier, { alias: store, ...after(renames, store) }];
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

/**
 * Reads how long the journal keeps its rows.
 *
 * @returns milliseconds; `undefined` where the text is no number of days such as `365d`
 */
export function historyAgeMs(text: string): number | undefined {
  return /^[1-9]\d{0,5}d$/.test(text) ? Number(text.slice(0, -1)) * 86_400_000 : undefined;
}
