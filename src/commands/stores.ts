/** `comanda stores` lists and changes the stores on this machine. */
import { chooseSession } from "../auth/session.js";
import type { Command } from "../cli/command.js";
import type { Context } from "../cli/context.js";
import { hintFor } from "../cli/hints.js";
import { askYesNo } from "../cli/prompts.js";
import type { Column } from "../cli/records.js";
import { storeStates, type ListedStore } from "../core/stores.js";
import { t } from "../languages/language.js";
import { parseCurrency, parseLocale } from "../core/preferences.js";
import { parseStoreAlias, storeKey } from "../state/sessions.js";
import { parseDayStart, withStoreSettings } from "../state/settings.js";
import { removeStore, renameStore } from "../state/store-changes.js";
import { describeState, factLines } from "../views/stores.js";

export default function stores(group: Command): void {
  group
    .command("list")
    .about("list the stores on this machine")
    .takes("format")
    .examples("stores list", "stores list --json")
    .does(list);
  group.command("use <alias>").about("set the default store").examples("stores use centro").does(use);
  group
    .command("set <alias>")
    .about(
      "set a store's time zone, day start, currency and locale",
      "Settings that you omit don't change. In sales commands, --tz overrides the store's time zone. With --day-starts 04:00, sales from midnight to 04:00 count toward the previous day.",
    )
    .option("--tz <zone>", "time zone, such as America/Sao_Paulo")
    .option("--day-starts <time>", "time when a day starts (default: 00:00)")
    .option("--currency <code>", "ISO 4217 code, such as BRL")
    .option("--locale <tag>", "language of reports and format of numbers, such as pt-BR")
    .examples(
      "stores set centro --tz America/Sao_Paulo --currency BRL --locale pt-BR",
      "stores set centro --day-starts 04:00",
    )
    .does(set);
  group
    .command("rename <alias> <new-alias>")
    .about("change a store's alias")
    .examples("stores rename centro downtown")
    .does(async ({ output, workspace }, _, [from = "", to = ""]) => {
      const alias = parseStoreAlias(to);
      const { store } = await chooseSession(workspace, from);
      await renameStore(await workspace.state(), store, alias);
      output.done({ store: alias, renamed_from: store }, t`${store} is now called ${alias}.`);
    });
  group
    .command("remove <alias>")
    .about(
      "remove a store without revoking its tokens",
      "Deletes the store's tokens, keys, settings and sales figures from this machine, even if its sign-in file can't be read. The tokens stay valid at the service until they expire; to revoke them, run comanda logout first.",
    )
    .examples("stores remove centro")
    .does(remove);
}

async function list({ output, workspace }: Context): Promise<void> {
  const { stores: rows, unfinished } = await storeStates(workspace);
  for (const alias of unfinished)
    output.notice(
      t`The removal of ${alias} was interrupted, and its settings remain. To finish the removal: comanda stores remove ${alias}`,
    );
  if (rows.length > 0 || output.format !== "table") return output.records(columns, rows);
  output.notice(t`No store is set up on this machine.`);
  output.notice(hintFor({ about: "no_store" }));
}

/** CSV has the fields and values of JSON. */
const columns: readonly Column<ListedStore>[] = [
  { heading: "Store", name: "store" },
  { heading: "Environment", name: "environment" },
  { heading: "default", name: "default", text: (row) => (row.default ? t`yes` : "") },
  { heading: "time zone", name: "time_zone" },
  { heading: "API key", name: "has_api_key", text: (row) => (row.has_api_key ? t`yes` : "") },
  { heading: "State", name: "state", text: (row) => row.error ?? describeState(row) },
  { name: "scopes", cell: ({ scopes }) => scopes.join(" ") },
  { name: "expires_at" },
  { name: "has_partner_key" },
  { name: "has_refresh_token" },
  { name: "can_change_orders" },
  { name: "error" },
];

async function use({ output, workspace }: Context, _: object, [alias = ""]: readonly string[]) {
  const { settings } = await workspace.state();
  const { store, environment } = await chooseSession(workspace, alias);
  await settings.update((current) => ({ ...current, default_store: store }));
  const document = { store, environment: environment.name, default: true };
  output.done(document, t`${store} is now the default store.`);
}

async function set(
  { output, workspace }: Context,
  { tz, dayStarts, currency, locale }: Partial<Record<"tz" | "dayStarts" | "currency" | "locale", string>>,
  [alias = ""]: readonly string[],
): Promise<void> {
  const change = {
    // `undefined` for 00:00 removes the setting.
    ...(dayStarts !== undefined && { day_starts: parseDayStart(dayStarts) }),
    ...(currency !== undefined && { currency: parseCurrency(currency) }),
    ...(locale !== undefined && { locale: parseLocale(locale) }),
    ...(tz !== undefined && { time_zone: (await import("../sales/period.js")).resolveZone(tz) }),
  };
  const { settings } = await workspace.state();
  const { store } = await chooseSession(workspace, alias);
  const { stores: all = {} } = await settings.update((current) => withStoreSettings(current, store, change));
  const { time_zone = null, day_starts, currency: code = null, locale: tag = null } = all[store] ?? {};
  const unset = t`not set`;
  const lines = factLines([
    ["Store", store],
    ["time zone", time_zone ?? unset],
    ["start of the day", day_starts],
    ["currency", code ?? unset],
    ["locale", tag ?? unset],
  ]);
  if (output.json) output.value({ store, time_zone, day_starts, currency: code, locale: tag });
  else for (const line of lines) output.sentence(line);
}

async function remove(context: Context, _: object, [typed = ""]: readonly string[]): Promise<void> {
  const { output } = context;
  const state = await context.workspace.state();
  const { sessions, settings } = state;
  const key = storeKey(parseStoreAlias(typed));
  const { stores: all = {}, default_store: byDefault } = await settings.read();
  // Settings are left of a store whose removal was interrupted.
  const left = [...Object.keys(all), ...(byDefault === undefined ? [] : [byDefault])];
  const known = [...(await sessions.list()).map((session) => session.store), ...left];
  const store =
    known.find((each) => storeKey(each) === key) ?? (await chooseSession(context.workspace, typed)).store;
  if (context.canAsk() && !(await askYesNo(context, t`Remove the store ${store} from this machine?`))) {
    output.notice(t`Nothing was changed.`);
    return;
  }
  await removeStore(state, store);
  output.done({ store, removed: true }, t`Store ${store} removed.`);
}
