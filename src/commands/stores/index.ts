/** `comanda stores` shows and changes the stores that this machine knows. */
import { ComandaError } from "../../client/errors.js";
import { t } from "../../languages/language.js";
import { parseCurrency, parseLocale } from "../../sales/preferences.js";
import { parseStoreAlias, storeKey } from "../../state/sessions.js";
import { defaultStore, parseDayStart, withStoreSettings } from "../../state/settings.js";
import type { Column } from "../../cli/column.js";
import type { Tone } from "../../cli/style.js";

import { askForStore } from "../../toolkit/asking.js";
import type { Command, CommandGroup } from "../../toolkit/command.js";
import type { CommandLine } from "../../toolkit/command-line.js";
import { describeState, reportOf, signedOutReport, type StatusReport } from "../../toolkit/session-state.js";
import { resolveTimeZone } from "../../sales/preferences.js";

interface StoreRow extends StatusReport {
  readonly default: boolean;
  /** IANA name; null where none is set, and the machine's holds. */
  readonly time_zone: string | null;
  /** Why the file of the session can't be used. */
  readonly error: string | null;
}

export const list: Command<Record<string, never>, readonly StoreRow[]> = {
  description: {
    usage: "list",
    summary: "list the stores that this machine knows",
    takes: ["format"],
    examples: ["stores list", "stores list --json"],
  },
  parse: () => ({}),
  async run(machine) {
    const { sessions, settings } = await machine.state();
    const currentSettings = await settings.read();
    const { stores: perStore } = currentSettings;
    const storedSessions = await sessions.list();
    const defaultAlias = defaultStore(
      currentSettings,
      storedSessions.map(({ store }) => store),
    );
    return storedSessions.map((session) => {
      const isDefault = storedSessions.length === 1 || session.store === defaultAlias;
      const storeSettings = perStore?.[session.store];
      const settingsColumns = {
        default: isDefault,
        time_zone: storeSettings?.time_zone ?? null,
      };
      if ("error" in session) {
        return { ...signedOutReport, store: session.store, ...settingsColumns, error: session.error.message };
      }
      const report = reportOf(session, machine.context.clock.now());
      return { ...report, ...settingsColumns, error: null };
    });
  },
  async present(rows, output) {
    if (rows.length === 0 && output.format === "table") {
      output.notice(t`No store yet. Sign in at one: comanda login --store <alias> --env <name>`);
    } else {
      await output.records(columns, rows);
    }
  },
};

const columns: readonly Column<StoreRow>[] = [
  { heading: "Store", name: "store", cell: ({ store }) => store },
  { heading: "Environment", name: "environment", cell: ({ environment }) => environment },
  { heading: "Default", name: "default", cell: (row) => yesOrBlank(row.default), isWord: true },
  { heading: "Time zone", name: "time_zone", cell: ({ time_zone }) => time_zone },
  { heading: "API key", name: "has_api_key", cell: (row) => yesOrBlank(row.has_api_key), isWord: true },
  { heading: "State", name: "state", cell: (row) => row.error ?? describeState(row), tone: toneOfState },
];

function yesOrBlank(value: boolean): string {
  return value ? "yes" : "";
}

function toneOfState({ error, state, expires_at: end }: StoreRow): Tone | undefined {
  if (error !== null) return "bad";
  return state === "valid" && end !== null ? "good" : undefined;
}

export const use: Command<
  { readonly store: string },
  { readonly store: string; readonly environment: string }
> = {
  description: {
    usage: "use <alias>",
    summary: "choose the store that commands work at without --store",
    examples: ["stores use centro"],
  },
  ask: askForStore,
  parse: (line) => ({ store: storeArgument(line) }),
  async run(machine, options) {
    const { store, environment } = await machine.session(options.store);
    const { settings } = await machine.state();
    await settings.update((current) => ({ ...current, default_store: store }));
    return { store, environment: environment.name };
  },
  present({ store, environment }, output) {
    if (output.json) output.value({ store, environment, default: true });
    else output.sentence(t`Commands work at ${store} (${environment}) from now on.`);
  },
};

interface SetOptions {
  readonly store: string;
  readonly timeZone: string | undefined;
  /** 00:00 removes the setting. */
  readonly dayStarts?: string | undefined;
  readonly currency: string | undefined;
  readonly locale: string | undefined;
}

interface SetResult {
  readonly store: string;
  readonly time_zone: string | null;
  /** Present only where it is set. */
  readonly day_starts?: string;
  readonly currency: string | null;
  readonly locale: string | null;
}

export const set: Command<SetOptions, SetResult> = {
  description: {
    usage: "set <alias>",
    summary: "say in which time zone a store's days are counted, and how its figures are shown",
    description: "What isn't given stays as it is. A flag of the single command goes before it.",
    options: [
      { flags: "--tz <zone>", description: "IANA name of the time zone, for example America/Sao_Paulo" },
      {
        flags: "--day-starts <time>",
        description:
          "when a day starts: sales after midnight belong to the night before; 00:00 takes it back",
      },
      { flags: "--currency <code>", description: "ISO 4217 code, for example BRL" },
      { flags: "--locale <tag>", description: "how numbers are written, for example pt-BR" },
    ],
    examples: [
      "stores set centro --tz America/Sao_Paulo --currency BRL --locale pt-BR",
      "stores set centro --day-starts 04:00",
    ],
  },
  ask: askForStore,
  parse(line) {
    const [timeZone, currency, locale] = [line.text("--tz"), line.text("--currency"), line.text("--locale")];
    const dayStarts = line.text("--day-starts");
    if ([timeZone, dayStarts, currency, locale].every((value) => value === undefined)) {
      throw new ComandaError("usage", t`Nothing to set was given.`, {
        hint: t`Give --tz, --day-starts, --currency or --locale.`,
      });
    }
    return {
      store: storeArgument(line),
      timeZone,
      dayStarts: dayStarts === undefined ? undefined : (parseDayStart(dayStarts) ?? "00:00"),
      currency: currency === undefined ? undefined : parseCurrency(currency),
      locale: locale === undefined ? undefined : parseLocale(locale),
    };
  },
  async run(machine, { store: alias, timeZone, dayStarts, currency, locale }) {
    const change = {
      ...(timeZone !== undefined && { time_zone: await resolveTimeZone(timeZone) }),
      ...(dayStarts !== undefined && { day_starts: dayStarts === "00:00" ? undefined : dayStarts }),
      ...(currency !== undefined && { currency }),
      ...(locale !== undefined && { locale }),
    };
    const { store } = await machine.session(alias);
    const { settings } = await machine.state();
    const written = await settings.update((current) => withStoreSettings(current, store, change));
    const storeSettings = written.stores?.[store];
    return {
      store,
      time_zone: storeSettings?.time_zone ?? null,
      ...(storeSettings?.day_starts !== undefined && { day_starts: storeSettings.day_starts }),
      currency: storeSettings?.currency ?? null,
      locale: storeSettings?.locale ?? null,
    };
  },
  present({ store, ...values }, output) {
    if (output.json) {
      output.value({ store, ...values });
      return;
    }
    const words = Object.entries(values).map(
      ([name, value]) => `${name.replace("_", " ")} ${value ?? t`not set`}`,
    );
    output.sentence(`${store}: ${words.join(", ")}.`);
  },
};

interface RenameOptions {
  readonly from: string;
  readonly to: string;
}

export const rename: Command<RenameOptions, RenameOptions> = {
  description: {
    usage: "rename <alias> <new-alias>",
    summary: "give a store another alias",
    examples: ["stores rename centro downtown"],
  },
  ask: askForStore,
  parse: (line) => ({ from: storeArgument(line), to: parseStoreAlias(line.words[1] ?? "") }),
  async run(machine, { from, to }) {
    const { store } = await machine.session(from);
    await (await machine.state()).renameStore(store, to);
    return { from: store, to };
  },
  present({ from, to }, output) {
    if (output.json) output.value({ store: to, renamed_from: from });
    else output.sentence(t`${from} is called ${to} from now on.`);
  },
};

export const remove: Command<
  { readonly store: string },
  { readonly store: string; readonly removed: boolean }
> = {
  description: {
    usage: "remove <alias>",
    summary: "forget a store without telling the service",
    description:
      "Its tokens and keys, its settings and its sales figures that are kept here go with it. " +
      "Its tokens stay valid at the service until they expire; `comanda logout` revokes them first. " +
      "It also takes away a session file that can't be read any more.",
    examples: ["stores remove centro"],
  },
  ask: askForStore,
  parse: (line) => ({ store: storeArgument(line) }),
  async run(machine, { store: alias }) {
    const { sessions, settings, removeStore } = await machine.state();
    const [store = alias] = await machine.storeAliases({ stores: [alias], allStores: false });
    const known = await sessions.list();
    if (machine.canAsk()) {
      const session = known.find((session) => session.store === store);
      const place = session && !("error" in session) ? `${store} (${session.environment.name})` : store;
      if (!(await machine.askYesNo(t`Forget the store ${place} on this machine?`)))
        return { store, removed: false };
    }
    const hasSession = known.some((session) => storeKey(session.store) === storeKey(store));
    const hasSettings = (await settings.read()).stores?.[store] !== undefined;
    // It throws, since nothing here knows the store.
    if (!hasSession && !hasSettings) await machine.session(store);
    await removeStore(store);
    return { store, removed: true };
  },
  present({ store, removed }, output) {
    if (!removed) output.notice(t`Nothing was removed.`);
    else if (output.json) output.value({ store, removed });
    else output.sentence(t`${store} is forgotten on this machine.`);
  },
};

function storeArgument({ words: [alias = ""] }: CommandLine): string {
  return parseStoreAlias(alias);
}

export const stores: CommandGroup = {
  name: "stores",
  summary: "the stores that this machine knows",
  members: [list, use, set, rename, remove],
};
