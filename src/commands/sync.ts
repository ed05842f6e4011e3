/** `comanda sync` fetches recent days, stores them as rows for SQL, and reports what has changed. */
import { alternatives } from "../base/basics.js";
import { invalidValue, wholeNumber, type Command } from "../cli/command.js";
import { withoutProgress, type Context } from "../cli/context.js";
import { planSync, sync, syncDocument, type SyncedStore } from "../core/sync.js";
import { shownDate, t } from "../languages/language.js";
import type { StoredDay } from "../state/answer-cache.js";
import { numberFormat } from "../views/amounts.js";
import { showRequests } from "./figures/dry-run.js";

const usualDays = 40;
const mostDays = 3 * 365;

export default function syncCommand(command: Command): void {
  command
    .details(
      "Requests recent days from midnight to midnight, and stores each day as a row of sales.db with its request time. If a day's figures have changed, sync adds a row and reports the change. Otherwise, sync prints nothing, except with --json or on a terminal, so cron sends mail only about changes.",
      "After a new sign-in to the same store, stored days still count. sync recognizes the store by at least five equal days with orders. Other days stored under the alias may belong to another store, so sync hides them and reports it.",
      "Any program that reads SQLite can query the views sales_by_day and restatements. With COMANDA_STATE, the views are in PostgreSQL instead. For details: comanda help sales-db",
    )
    .option("--days <number>", `number of days (default: ${usualDays}; at most ${mostDays})`)
    .takes("store", "allStores", "format", "dryRun")
    .examples("sync --all-stores --quiet", "sync --days 400 --dry-run", "sync --json")
    .does(syncStores);
}

async function syncStores(context: Context, options: { readonly days?: string }) {
  const { output } = context;
  if (output.format !== "json" && output.format !== "table" && !context.options.dryRun)
    throw invalidValue("--format", output.format, t`Use ${alternatives(["table", "json"])}.`);
  const days = wholeNumber("--days", options.days ?? `${usualDays}`, 1, mostDays);
  const plan = await planSync(withoutProgress(context), context.options, days);
  if (context.options.dryRun) return showRequests(output, plan);
  const result = await sync(plan);
  const { stores, failure } = result;
  const stored = stores.filter((store): store is SyncedStore => !("error" in store));
  for (const { store, hidden } of stored) {
    if (!hidden) continue;
    const { days, from, to } = hidden;
    const names = hidden.sign_ins.map((signIn) => `'${signIn}'`).join(", ");
    const query = `select * from days where store = '${store}' and sign_in in (${names})`;
    output.warn(
      t`${store}: days stored before this sign-in are hidden: ${days} (${shownDate(from)} to ${shownDate(to)}). They may belong to another store, because too few of them match the days just requested. If it is the same store, request more days with --days. To read them: ${query}`,
    );
  }
  if (output.json) output.value(syncDocument(result));
  else {
    for (const { store, joined } of stored)
      if (joined)
        output.words(
          t`${store}: the figures show the same store as before the last sign-in, so the days stored earlier still count: ${joined.days} (${shownDate(joined.from)} to ${shownDate(joined.to)}).`,
        );
    for (const line of changedLines(stored, stores.length > 1)) output.words(line);
    // Without a terminal, such as in a cron job, only changes are worth a message.
    for (const { store, dates, changed } of output.columns === undefined ? [] : stored) {
      const [first, last] = [shownDate(dates[0] ?? ""), shownDate(dates.at(-1) ?? "")];
      output.sentence(
        t`${store}: days stored: ${dates.length} (${first} to ${last}); changed since the last sync: ${changed.length}.`,
      );
    }
  }
  return failure;
}

const mostLines = 10;

/** Describes what has changed, the newest day first. */
function changedLines(stores: readonly SyncedStore[], several: boolean): readonly string[] {
  const lines = stores
    .flatMap((store) => store.changed.map((day) => ({ ...store, ...day })))
    .toSorted((left, other) => other.now.date.localeCompare(left.now.date))
    .map(({ store, preferences, before, now }) => {
      const sold = ({ orders, revenueCents }: StoredDay) =>
        numberFormat(preferences).sold(orders, revenueCents);
      const line = t`${shownDate(now.date)} changed from ${sold(before)} to ${sold(now)}.`;
      return several ? `${store}: ${line}` : line;
    });
  if (lines.length <= mostLines) return lines;
  const others = lines.length - mostLines + 1;
  return [...lines.slice(0, mostLines - 1), t`… and ${others} more: --json lists all.`];
}
