/** `comanda config` shows and changes settings by their names, for all stores or for one. */
import { ComandaError } from "../shared/errors.js";
import { languages, t } from "../shared/language.js";
import { nearest, suggestion } from "../shared/nearest.js";
import type { Settings, SettingsFile } from "../state/settings/settings.js";
import { historyAgeMs, parseDayStart, withStoreSettings } from "../state/settings/store-settings.js";
import { parseCurrency, parseLocale } from "../sales/preferences.js";
import { resolveTimeZone } from "../sales/preferences.js";
import type { Column, Output } from "../terminal/index.js";
import type { Command, CommandGroup } from "../toolkit/command.js";
import { oneStore, type CommandLine } from "../toolkit/command-line.js";
import type { Machine } from "../toolkit/machine.js";

interface Setting {
  /** Describes the values to a person. */
  readonly allowed: string;
  /**
   * @returns the value in the form that is stored
   * @throws {ComandaError} where the text is no value of this setting
   */
  readonly parse: (text: string, machine: Machine) => string | Promise<string>;
}

type Table = Readonly<Record<string, Setting>>;

const settingsOfAll = {
  default_store: {
    allowed: "the alias of a store that this machine knows",
    parse: async (alias, machine) => (await machine.session(alias)).store,
  },
  language: { allowed: languages.join(", "), parse: parseLanguage },
  state: {
    allowed: "sqlite:, or postgres://user@host/database",
    parse: async (text) => (await import("../toolkit/state.js")).statePlace(text),
  },
  history_age: { allowed: "a number of days: 365d", parse: parseHistoryAge },
} as const satisfies Table;

/** A store may have a value of its own. */
const settingsOfStores = {
  time_zone: { allowed: "an IANA name: America/Sao_Paulo", parse: (name) => resolveTimeZone(name) },
  day_starts: { allowed: "a time from 00:00 to 12:00", parse: (text) => parseDayStart(text) ?? "00:00" },
  currency: { allowed: "an ISO 4217 code: BRL", parse: parseCurrency },
  locale: { allowed: "a BCP 47 tag: pt-BR", parse: parseLocale },
} as const satisfies Table;

const settings = { ...settingsOfAll, ...settingsOfStores };

type Name = keyof typeof settings;
export const settingNames = Object.keys(settings).filter((name): name is Name =>
  Object.hasOwn(settings, name),
);

function isOfStores(name: Name): name is keyof typeof settingsOfStores {
  return Object.hasOwn(settingsOfStores, name);
}

function parseLanguage(text: string): string {
  const match = languages.find((language) => language.toLowerCase() === text.toLowerCase());
  if (match !== undefined) return match;
  throw new ComandaError("invalid_input", t`comanda doesn't speak "${text}".${suggestion(text, languages)}`, {
    hint: t`There are: ${languages.join(", ")}.`,
  });
}

function parseHistoryAge(text: string): string {
  if (historyAgeMs(text) !== undefined) return text;
  throw new ComandaError("invalid_input", t`The journal can't keep what was sent for "${text}".`, {
    hint: t`Give a number of days, for example 365d.`,
  });
}

interface NamedSetting {
  readonly name: Name;
  /** `undefined` for a setting of all stores. */
  readonly store: string | undefined;
}

interface SettingValue {
  readonly name: Name;
  /** `null` where nothing is set. */
  readonly value: string | null;
  /** `null` where the value holds for all stores. */
  readonly store: string | null;
}

interface Row extends SettingValue {
  readonly allowed: string;
}

export const list: Command<{ readonly store: string | undefined }, readonly Row[]> = {
  description: {
    usage: "list",
    summary: "the settings, their values, and what each takes",
    description: "With --store, what holds for that store.",
    takes: ["format", "store"],
    examples: ["config list", "config list --store demo --json"],
  },
  parse: ({ globals }) => ({ store: oneStore(globals) }),
  async run(machine, { store }) {
    const current = await (await machine.state()).settings.read();
    if (store !== undefined) await machine.session(store);
    return settingNames
      .filter((name) => store === undefined || isOfStores(name))
      .map((name) => ({ ...valueOf(current, { name, store }), allowed: settings[name].allowed }));
  },
  present: (rows, output) => output.records(columns, rows),
};

const columns: readonly Column<Row>[] = [
  { heading: "Name", name: "name", cell: ({ name }) => name },
  { heading: "Value", name: "value", cell: ({ value }) => value },
  { heading: "Of store", name: "store", cell: ({ store }) => store },
  { heading: "It takes", name: "allowed", cell: ({ allowed }) => allowed, isWord: true },
];

export const get: Command<NamedSetting, SettingValue> = {
  description: {
    usage: "get <name>",
    summary: "print the value of a setting",
    description:
      "With --store, that of the store, where it has one of its own. It prints nothing where none is set.",
    takes: ["store"],
    examples: ["config get language", "config get time_zone --store demo"],
  },
  parse: placeOf,
  run: async (machine, place) => valueOf(await (await fileOf(machine, place.name)).read(), place),
  present({ name, value }, output) {
    if (output.json) output.value({ name, value });
    else if (value !== null) output.line(value);
  },
};

export const set: Command<NamedSetting & { readonly text: string }, SettingValue> = {
  description: {
    usage: "set <name> <value>",
    summary: "change a setting",
    description: "With --store, for this store alone; without it, for all that have none of their own.",
    takes: ["store"],
    examples: ["config set language pt-BR", "config set day_starts 04:00 --store demo"],
  },
  parse: (line) => ({ ...placeOf(line), text: line.words[1] ?? "" }),
  async run(machine, { name, store, text }) {
    return change(machine, { name, store }, await settings[name].parse(text, machine));
  },
  present: presentChange,
};

export const unset: Command<NamedSetting, SettingValue> = {
  description: {
    usage: "unset <name>",
    summary: "take a setting away, so that the usual holds",
    takes: ["store"],
    examples: ["config unset language", "config unset day_starts --store demo"],
  },
  parse: placeOf,
  run: (machine, place) => change(machine, place, undefined),
  present: presentChange,
};

export const config: CommandGroup = {
  name: "config",
  summary: "the settings: language, time zone, day, currency, for all stores or one",
  members: [list, get, set, unset],
};

/** @throws {ComandaError} `usage` for an unknown name, or a store with a setting that holds for all stores */
function placeOf({ words: [word = ""], globals }: CommandLine): NamedSetting {
  const store = oneStore(globals);
  const normalized = word.replaceAll("-", "_");
  const name = settingNames.find((setting) => setting === normalized);
  if (name === undefined) {
    const similar = nearest(normalized, settingNames);
    throw new ComandaError("usage", t`There is no setting "${word}".`, {
      hint: similar === undefined ? t`There are: ${settingNames.join(", ")}.` : t`Did you mean ${similar}?`,
    });
  }
  if (store !== undefined && !isOfStores(name)) {
    throw new ComandaError("usage", t`${name} holds for all stores: no store has one of its own.`, {
      hint: t`Leave out --store.`,
    });
  }
  return { name, store };
}

function valueOf(current: Settings, { name, store }: NamedSetting): SettingValue {
  if (store !== undefined && isOfStores(name)) {
    const storeValue = current.stores?.[store]?.[name];
    if (storeValue !== undefined) return { name, value: storeValue, store };
  }
  const value = current[name] ?? null;
  return { name, value: name === "state" && value !== null ? withoutPassword(value) : value, store: null };
}

/** comanda stores no password in the address, but a person may have put one there. */
function withoutPassword(address: string): string {
  const [place = "", options] = address.split("?");
  const publicPlace = place.replace(/(\/\/[^:@/]*):.*@/s, "$1@");
  return options === undefined || /password/i.test(options) ? publicPlace : `${publicPlace}?${options}`;
}

/** The settings of this machine alone can be read and changed even while the server can't be reached. */
async function fileOf(machine: Machine, name: Name): Promise<SettingsFile> {
  return name === "state" || name === "language"
    ? (await import("../toolkit/state.js")).openOwnSettings(machine)
    : (await machine.state()).settings;
}

async function change(
  machine: Machine,
  { name, store }: NamedSetting,
  value: string | undefined,
): Promise<SettingValue> {
  if (store !== undefined) await machine.session(store);
  const file = await fileOf(machine, name);
  await file.update((current) => {
    if (store !== undefined) return withStoreSettings(current, store, { [name]: value });
    const entries = Object.entries({ ...current, [name]: value }).filter(
      ([, setting]) => setting !== undefined,
    );
    return { ...Object.fromEntries(entries), environments: current.environments };
  });
  return { name, value: value ?? null, store: store ?? null };
}

function presentChange({ name, value, store }: SettingValue, output: Output): void {
  if (output.json) output.value({ name, value, store });
  else if (value === null)
    output.sentence(store === null ? t`${name} is no longer set.` : t`${name} is no longer set at ${store}.`);
  else
    output.sentence(
      store === null ? t`${name} is ${value} from now on.` : t`${name} is ${value} at ${store} from now on.`,
    );
}
