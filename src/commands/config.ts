/** `comanda config` shows and changes settings by their names, for all stores or for one. */
import { ComandaError } from "../shared/errors.js";
import { languages, t, translated } from "../shared/language.js";
import { nearest, suggestion } from "../shared/nearest.js";
import type { Settings, SettingsFile } from "../state/settings/settings.js";
import { historyAgeMs, parseDayStart, withStoreSettings } from "../state/settings/store-settings.js";
import { parseCurrency, parseLocale } from "../sales/present/number-format.js";
import type { Column, Output } from "../terminal/index.js";

import { choiceOf } from "../toolkit/asking.js";
import type { Command, CommandGroup } from "../toolkit/command.js";
import { withAnswers, oneStore, type CommandLine } from "../toolkit/command-line.js";
import type { Machine } from "../toolkit/machine.js";
import { resolveTimeZone } from "../sales/ask/store-preferences.js";

interface Setting {
  readonly summary: string;
  /** Describes the values to a person. */
  readonly allowed: string;
  /** May a store have a value of its own? */
  readonly perStore: boolean;
  /**
   * @returns the value in the form that is stored
   * @throws {ComandaError} where the text is no value of this setting
   */
  readonly parse: (machine: Machine, text: string) => string | Promise<string>;
}

const settings = {
  default_store: {
    summary: "the store that commands work at without --store",
    allowed: "the alias of a store that this machine knows",
    perStore: false,
    parse: async (machine, alias) => (await machine.session(alias)).store,
  },
  language: {
    summary: "the language of messages, tables and help",
    allowed: languages.join(", "),
    perStore: false,
    parse(_, text) {
      const match = languages.find((language) => language.toLowerCase() === text.toLowerCase());
      if (match !== undefined) return match;
      throw new ComandaError(
        "invalid_input",
        t`comanda doesn't speak "${text}".${suggestion(text, languages)}`,
        {
          hint: t`There are: ${languages.join(", ")}.`,
        },
      );
    },
  },
  state: {
    summary: "where state lies: files of this machine, or a chain's PostgreSQL",
    allowed: "sqlite:, or postgres://user@host/database",
    perStore: false,
    parse: async (_, text) => (await import("../toolkit/state.js")).statePlace(text),
  },
  history_age: {
    summary: "how long the journal keeps what was sent; for good where none is set",
    allowed: "a number of days: 365d",
    perStore: false,
    parse(_, text) {
      if (historyAgeMs(text) !== undefined) return text;
      throw new ComandaError("invalid_input", t`The journal can't keep what was sent for "${text}".`, {
        hint: t`Give a number of days, for example 365d.`,
      });
    },
  },
  time_zone: {
    summary: "the time zone in which days are counted",
    allowed: "an IANA name: America/Sao_Paulo",
    perStore: true,
    parse: (_, name) => resolveTimeZone(name),
  },
  day_starts: {
    summary: "when a day starts: sales after midnight belong to the night before",
    allowed: "a time from 00:00 to 12:00",
    perStore: true,
    parse: (_, text) => parseDayStart(text) ?? "00:00",
  },
  currency: {
    summary: "the currency that amounts are shown in",
    allowed: "an ISO 4217 code: BRL",
    perStore: true,
    parse: (_, text) => parseCurrency(text),
  },
  locale: {
    summary: "how numbers and dates are written",
    allowed: "a BCP 47 tag: pt-BR",
    perStore: true,
    parse: (_, text) => parseLocale(text),
  },
} as const satisfies Readonly<Record<string, Setting>>;

type Name = keyof typeof settings;
type StoreSettingName = {
  [Key in Name]: (typeof settings)[Key]["perStore"] extends true ? Key : never;
}[Name];
export const settingNames = Object.keys(settings).filter((name): name is Name =>
  Object.hasOwn(settings, name),
);

interface NamedSetting {
  readonly name: Name;
  /** `undefined` for a setting of all stores. */
  readonly store: string | undefined;
}

interface Row {
  readonly name: Name;
  /** `null` where nothing is set. */
  readonly value: string | null;
  /** `null` where the value holds for all stores. */
  readonly store: string | null;
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
  parse: (line) => ({ store: storeOf(line) }),
  async run(machine, { store }) {
    const current = await (await machine.state()).settings.read();
    if (store !== undefined) await machine.session(store);
    return settingNames
      .filter((name) => store === undefined || settings[name].perStore)
      .map((name) => ({
        name,
        ...valueOf(current, { name, store }),
        allowed: settings[name].allowed,
      }));
  },
  present: (rows, output) => output.records(columns, rows),
};

const columns: readonly Column<Row>[] = [
  { heading: "Name", name: "name", cell: ({ name }) => name },
  { heading: "Value", name: "value", cell: ({ value }) => value },
  { heading: "Of store", name: "store", cell: ({ store }) => store },
  { heading: "It takes", name: "allowed", cell: ({ allowed }) => allowed, isWord: true },
];

export const get: Command<NamedSetting, { readonly name: Name; readonly value: string | null }> = {
  description: {
    usage: "get <name>",
    summary: "print the value of a setting",
    description:
      "With --store, that of the store, where it has one of its own. It prints nothing where none is set.",
    takes: ["store"],
    examples: ["config get language", "config get time_zone --store demo"],
  },
  ask: askForName,
  parse: placeOf,
  async run(machine, place) {
    const { value } = valueOf(await (await fileOf(machine, place.name)).read(), place);
    return { name: place.name, value };
  },
  present(setting, output) {
    if (output.json) output.value(setting);
    else if (setting.value !== null) output.line(setting.value);
  },
};

interface SettingChange {
  readonly name: Name;
  readonly value: string | null;
  readonly store: string | null;
}

export const set: Command<NamedSetting & { readonly text: string }, SettingChange> = {
  description: {
    usage: "set <name> <value>",
    summary: "change a setting",
    description: "With --store, for this store alone; without it, for all that have none of their own.",
    takes: ["store"],
    examples: ["config set language pt-BR", "config set day_starts 04:00 --store demo"],
  },
  ask: askForValue,
  parse: (line) => ({ ...placeOf(line), text: line.words[1] ?? "" }),
  async run(machine, { name, store, text }) {
    const value = await settings[name].parse(machine, text);
    return change(machine, { name, store }, value);
  },
  present: presentChange,
};

export const unset: Command<NamedSetting, SettingChange> = {
  description: {
    usage: "unset <name>",
    summary: "take a setting away, so that the usual holds",
    takes: ["store"],
    examples: ["config unset language", "config unset day_starts --store demo"],
  },
  ask: askForName,
  parse: placeOf,
  run: (machine, place) => change(machine, place, undefined),
  present: presentChange,
};

export const config: CommandGroup = {
  name: "config",
  summary: "the settings: language, time zone, day, currency, for all stores or one",
  members: [list, get, set, unset],
};

function storeOf({ globals }: CommandLine): string | undefined {
  return oneStore(globals);
}

/** @throws {ComandaError} `usage` for an unknown name, or a store with a setting that holds for all stores */
function placeOf(line: CommandLine): NamedSetting {
  const [word = ""] = line.words;
  const store = storeOf(line);
  const normalized = word.replaceAll(/[-.]/g, "_");
  const name = settingNames.find((setting) => setting === normalized);
  if (name === undefined) {
    const similar = nearest(normalized, settingNames);
    throw new ComandaError("usage", t`There is no setting "${word}".`, {
      hint: similar === undefined ? t`There are: ${settingNames.join(", ")}.` : t`Did you mean ${similar}?`,
    });
  }
  if (store !== undefined && !settings[name].perStore) {
    throw new ComandaError("usage", t`${name} holds for all stores: no store has one of its own.`, {
      hint: t`Leave out --store.`,
    });
  }
  return { name, store };
}

async function askForName(machine: Machine, line: CommandLine): Promise<CommandLine> {
  if (line.words.length > 0) return line;
  const candidates = settingNames.filter((name) => storeOf(line) === undefined || settings[name].perStore);
  const choices = candidates.map((name) => ({
    value: name,
    name: `${name}: ${translated(settings[name].summary)}`,
  }));
  return withAnswers(line, { words: [await machine.choose(t`Which setting?`, choices)] });
}

/** A person chooses where a setting has few values. For any other, the question describes the values. */
async function askForValue(machine: Machine, commandLine: CommandLine): Promise<CommandLine> {
  const line = await askForName(machine, commandLine);
  const { name } = placeOf(line);
  if (line.words.length > 1) return line;
  const values = await valuesOf(machine, name);
  const value =
    values.length > 0
      ? await machine.choose(t`Which value?`, values.map(choiceOf))
      : await machine.askText(t`Which value for ${name}? It takes ${translated(settings[name].allowed)}:`);
  return withAnswers(line, { words: [value] });
}

async function valuesOf(machine: Machine, name: Name): Promise<readonly string[]> {
  if (name === "language") return languages;
  if (name !== "default_store") return [];
  return (await (await machine.state()).sessions.list()).map(({ store }) => store);
}

function isStoreSetting(name: Name): name is StoreSettingName {
  return settings[name].perStore;
}

function valueOf(current: Settings, { name, store }: NamedSetting): Pick<Row, "value" | "store"> {
  if (store !== undefined && isStoreSetting(name)) {
    const storeValue = current.stores?.[store]?.[name];
    if (storeValue !== undefined) return { value: storeValue, store };
  }
  const value = current[name] ?? null;
  return { value: name === "state" && value !== null ? withoutPassword(value) : value, store: null };
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
): Promise<SettingChange> {
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

function presentChange({ name, value, store }: SettingChange, output: Output): void {
  if (output.json) output.value({ name, value, store });
  else if (value === null)
    output.sentence(store === null ? t`${name} is no longer set.` : t`${name} is no longer set at ${store}.`);
  else
    output.sentence(
      store === null ? t`${name} is ${value} from now on.` : t`${name} is ${value} at ${store} from now on.`,
    );
}
