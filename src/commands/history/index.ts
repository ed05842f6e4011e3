/** `comanda history` shows this machine's writes from the journal. */
import ms from "ms";

import type { Command } from "../../cli/command.js";
import type { Context } from "../../cli/context.js";
import { oneStore, wholeNumber } from "../../cli/global-options.js";
import { ComandaError } from "../../client/errors.js";
import { t } from "../../languages/language.js";
import { attemptOutcomes, type HistoryRow } from "../../state/journal.js";
import { expectManyCalls } from "../many-calls.js";
import { storedAlias } from "../store.js";

import { showDrivers } from "./drivers.js";
import { knownStores, presentRows, untilAborted, type HistoryPages } from "./rows.js";
import { settle } from "./settle.js";

const defaultLimit = 50;
const mostRows = 1_000_000_000;
/** More rows than this are worth the tuning of the engine. */
const manyRows = 1000;

export function history(command: Command): void {
  command
    .about(
      "what this machine sent: who did what to which order, and what came of it",
      "The last 50, newest first; --limit shows more. Of a write that is unknown nothing tells whether it was done: " +
        "its process was killed, or no answer came. `history settle` says what you have looked up of it; then --outcome " +
        "unknown lists it no more. What was done elsewhere, such as in the portal, is not in it.",
    )
    .takes("store", "format")
    .option("--limit <number>", `so many of them (default: ${defaultLimit})`)
    .option("--since <moment>", "a day, a date-time with offset, or how long ago: 2h, 7d")
    .option("--order <id>", "of this order alone")
    .addOption(command.createOption("--outcome <outcome>", "of this outcome alone").choices(attemptOutcomes))
    .examples(
      "history",
      "history --order 4712",
      "history --since 7d --outcome unknown --json",
      "history --since 2026-11-01 --limit 5000 --format csv",
      "history drivers",
    )
    .does(showHistory);
  command
    .command("settle <order-id> <done|not-done>")
    .about(
      "say what you have looked up of an order whose change is unknown",
      "Look at the order first, such as in the portal. Its newest change that is unknown is settled, however often it was " +
        "sent; to say it again corrects it. Nothing is sent. --outcome unknown lists it no more, `history drivers` counts it as " +
        "you say, and a run that is gone on with sends what is not done, and not what is done.",
    )
    .takes("store", "format")
    .option("--note <text>", "kept with it, such as where you looked")
    .examples(
      "history settle 4712 done",
      'history settle 4712 not-done --note "still open in the portal" --json',
    )
    .does(settle);
  command
    .command("drivers")
    .about(
      "the orders that each driver was given here, and the fees for them",
      "The last assignment of an order counts, at the time when it was made, with the last fee that was given here. No call of the service tells this: " +
        "orders that were assigned elsewhere, such as in the portal are not in it, and where the order kept the fee that it " +
        "had, the fee is not known here. An order that was canceled from here is counted with its fee, and named beside it: whether its driver is " +
        "paid is the store's to say. One that was canceled elsewhere can't be told from the others.",
    )
    .takes("store", "format")
    .option("-p, --period <period>", "as of `comanda summary` (default: yesterday)")
    .examples("history drivers --period yesterday", "history drivers --period this-month --format csv")
    .does(showDrivers);
}

interface HistoryOptions {
  readonly since?: string;
  readonly order?: string;
  readonly outcome?: string;
  readonly limit?: string;
}

async function showHistory(context: Context, options: HistoryOptions): Promise<void> {
  const { order, outcome } = options;
  const named = oneStore(context.options);
  const limit = wholeNumber("--limit", options.limit ?? `${defaultLimit}`, { least: 1, most: mostRows });
  const state = await context.state();
  const store = named === undefined ? undefined : await storedAlias(context, named);
  const since = options.since === undefined ? {} : { since: await momentOf(context, options.since, store) };
  const { readHistory } = await import("../../state/journal.js");
  if (limit > manyRows) await expectManyCalls();
  const more = { exist: false };
  const pages = limitPages(readHistory(state, { order, outcome, store, ...since }, limit + 1), limit, more);
  const stores = await knownStores(state);
  const count = await presentRows(untilAborted(pages, context.signal), context.output, stores);
  if (more.exist)
    context.output.notice(
      t`These are the newest ${count}. To see more: comanda history --limit ${count * 10}`,
    );
}

/** @param pages have one row more than the limit, where there is one */
async function* limitPages(pages: HistoryPages, limit: number, more: { exist: boolean }): HistoryPages {
  let remaining = limit;
  for await (const page of pages) {
    more.exist = page.length > remaining;
    const shownRows: readonly HistoryRow[] = more.exist ? page.slice(0, remaining) : page;
    if (shownRows.length > 0) yield shownRows;
    remaining -= shownRows.length;
  }
}

/**
 * Reads a typed moment: a day or its name, a date-time with offset, or a time span before now. A day begins in the zone of
 * the store, if one is named, else of this machine.
 *
 * @returns milliseconds since the epoch
 * @throws {ComandaError} `usage`, or `invalid_input` for a day or hour that the calendar doesn't have
 */
async function momentOf(context: Context, text: string, store: string | undefined): Promise<number> {
  const now = context.clock.now();
  if (/^\d+(?:s|m|h|d|w)$/.test(text)) return now - ms(text as ms.StringValue);
  const { readPreferences } = await import("../figures/preferences.js");
  const { dayOf, isDate, isDateTime, parseDate, parseDateTime, startOfDay, zonedNow } =
    await import("../../sales/calendar.js");
  const { dayNamed, nearestName } = await import("../../sales/names.js");
  const days = await readPreferences(context, store);
  const day = dayNamed(text, "first", dayOf(zonedNow(now, days.zone), days));
  if (isDate(day)) return startOfDay(parseDate(day), days).epochMilliseconds;
  if (isDateTime(text)) return parseDateTime(text, days.zone).epochMilliseconds;
  throw new ComandaError("usage", t`${"--since"} can't be "${text}".${nearestName(text)}`, {
    hint: t`For example: ${"--since"} 2h, ${"--since"} 7d, ${"--since"} yesterday, ${"--since"} 2026-10-05, ${"--since"} 2026-10-05T18:00:00-03:00`,
  });
}
