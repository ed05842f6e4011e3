/** `comanda stores` shows and changes the stores that this machine knows. */
import type { Column } from "../cli/column.js";
import { missingArgument, type Command } from "../cli/command.js";
import type { Context } from "../cli/context.js";
import type { Tone } from "../cli/style.js";
import { ComandaError } from "../client/errors.js";
import { t } from "../languages/language.js";
import { parseStoreAlias, storeKey } from "../state/sessions.js";
import { removeStore, renameStore } from "../state/store-changes.js";
import { parseDayStart, withStoreSettings } from "../state/settings.js";

import { parseCurrency, parseLocale, resolveTimeZone } from "./figures/preferences.js";
import { describeState, reportOf, signedOutReport, type StatusReport } from "./sign-in.js";
import { chooseSession, storedAlias } from "./store.js";

export function stores(group: Command): void {
  group
    .command("list")
    .about("list the stores that this machine knows")
    .takes("format")
    .examples("stores list", "stores list --json")
    .does(list);
  group
    .command("use [alias]")
    .about("choose the store that commands work at without --store")
    .examples("stores use centro")
    .does(use);
  group
    .command("set [alias]")
    .about(
      "say in which time zone a store's days are counted, and how its figures are shown",
      "What isn't given stays as it is. A flag of the single command goes before it.",
    )
    .option("--tz <zone>", "IANA name of the time zone, for example America/Sao_Paulo")
    .option(
      "--day-starts <time>",
      "when a day starts: sales after midnight belong to the night before; 00:00 takes it back",
    )
    .option("--currency <code>", "ISO 4217 code, for example BRL")
    .option("--locale <tag>", "how numbers are written, for example pt-BR")
    .examples(
      "stores set centro --tz America/Sao_Paulo --currency BRL --locale pt-BR",
      "stores set centro --day-starts 04:00",
    )
    .does(set);
  group
    .command("rename [alias] [new-alias]")
    .about("give a store another alias")
    .examples("stores rename centro downtown")
    .does(rename);
  group
    .command("remove [alias]")
    .about(
      "forget a store without telling the service",
      "Its tokens and keys, its settings and its sales figures that are kept here go with it. " +
        "Its tokens stay valid at the service until they expire; `comanda logout` revokes them first. " +
        "It also takes away a session file that can't be read any more.",
    )
    .examples("stores remove centro")
    .does(remove);
}

interface StoreRow extends StatusReport {
  readonly default: boolean;
  /** IANA name; null where none is set, and the machine's holds. */
  readonly time_zone: string | null;
  /** Why the file of the session can't be used. */
  readonly error: string | null;
}

async function list(context: Context): Promise<void> {
  const { output, clock } = context;
  const { sessions, settings } = await context.state();
  const current = await settings.read();
  const stored = await sessions.list();
  const rows = stored.map((session): StoreRow => {
    const { store } = session;
    const ofSettings = {
      default: stored.length === 1 || store === current.default_store,
      time_zone: current.stores?.[store]?.time_zone ?? null,
    };
    return "error" in session
      ? { ...signedOutReport, store, ...ofSettings, error: session.error.message }
      : { ...reportOf(session, clock.now()), ...ofSettings, error: null };
  });
  if (rows.length === 0 && output.format === "table")
    output.notice(t`No store yet. Sign in at one: comanda login --store <alias> --env <name>`);
  else await output.records(columns, rows);
}

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

async function use(context: Context, _: object, [typed]: readonly string[]): Promise<void> {
  const { output } = context;
  const alias = await storeArgument(context, typed);
  const { settings } = await context.state();
  const { store, environment } = await chooseSession(context, alias);
  await settings.update((current) => ({ ...current, default_store: store }));
  if (output.json) output.value({ store, environment: environment.name, default: true });
  else output.sentence(t`Commands work at ${store} (${environment.name}) from now on.`);
}

interface SetOptions {
  readonly tz?: string;
  readonly dayStarts?: string;
  readonly currency?: string;
  readonly locale?: string;
}

async function set(context: Context, options: SetOptions, [typed]: readonly string[]): Promise<void> {
  const { tz, dayStarts, currency, locale } = options;
  const alias = await storeArgument(context, typed);
  if ([tz, dayStarts, currency, locale].every((value) => value === undefined)) {
    throw new ComandaError("usage", t`Nothing to set was given.`, {
      hint: t`Give --tz, --day-starts, --currency or --locale.`,
    });
  }
  const change = {
    // 00:00 removes the setting.
    ...(dayStarts !== undefined && { day_starts: parseDayStart(dayStarts) }),
    ...(currency !== undefined && { currency: parseCurrency(currency) }),
    ...(locale !== undefined && { locale: parseLocale(locale) }),
    ...(tz !== undefined && { time_zone: await resolveTimeZone(tz) }),
  };
  const { settings } = await context.state();
  const { store } = await chooseSession(context, alias);
  const written = (await settings.update((current) => withStoreSettings(current, store, change))).stores?.[
    store
  ];
  const values = {
    time_zone: written?.time_zone ?? null,
    ...(written?.day_starts !== undefined && { day_starts: written.day_starts }),
    currency: written?.currency ?? null,
    locale: written?.locale ?? null,
  };
  if (context.output.json) context.output.value({ store, ...values });
  else {
    const words = Object.entries(values).map(
      ([name, value]) => `${name.replace("_", " ")} ${value ?? t`not set`}`,
    );
    context.output.sentence(`${store}: ${words.join(", ")}.`);
  }
}

async function rename(context: Context, _: object, [typed, to]: readonly string[]): Promise<void> {
  const { output } = context;
  const from = await storeArgument(context, typed);
  if (to === undefined) throw missingArgument("new-alias");
  const alias = parseStoreAlias(to);
  const { store } = await chooseSession(context, from);
  await renameStore(await context.state(), store, alias);
  if (output.json) output.value({ store: alias, renamed_from: store });
  else output.sentence(t`${store} is called ${alias} from now on.`);
}

async function remove(context: Context, _: object, [typed]: readonly string[]): Promise<void> {
  const { output } = context;
  const alias = await storeArgument(context, typed);
  const state = await context.state();
  const { sessions, settings } = state;
  const store = await storedAlias(context, alias);
  const known = (await sessions.list()).find((session) => storeKey(session.store) === storeKey(store));
  if (context.canAsk()) {
    const place = known && !("error" in known) ? `${store} (${known.environment.name})` : store;
    if (!(await context.askYesNo(t`Forget the store ${place} on this machine?`))) {
      output.notice(t`Nothing was removed.`);
      return;
    }
  }
  // It throws where nothing here knows the store.
  if (!known && (await settings.read()).stores?.[store] === undefined) await chooseSession(context, store);
  await removeStore(state, store);
  if (output.json) output.value({ store, removed: true });
  else output.sentence(t`${store} is forgotten on this machine.`);
}

/** Asks a person for the store that the line lacks. */
async function storeArgument(context: Context, typed: string | undefined): Promise<string> {
  if (typed !== undefined) return parseStoreAlias(typed);
  const aliases = context.canAsk()
    ? (await (await context.state()).sessions.list()).map(({ store }) => store)
    : [];
  if (aliases.length === 0) throw missingArgument("alias");
  return context.choose(
    t`Which store?`,
    aliases.map((value) => ({ value, name: value })),
  );
}
