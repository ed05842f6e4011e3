/** `comanda history` lists the changes sent from this machine, records outcomes that a person looked up, and sums drivers' fees. */
import ms from "ms";

import { ComandaError, isComandaError, outcomes, type Outcome } from "../base/errors.js";
import { wholeNumber, type Command } from "../cli/command.js";
import type { Context } from "../cli/context.js";
import { orderId } from "../cli/input.js";
import { hasSeveralStores } from "../core/connection.js";
import { driversOwed } from "../core/drivers-owed.js";
import { history as listChanges, settle, storePeriod } from "../core/history.js";
import { plural, t } from "../languages/language.js";
import { settleHint } from "../core/orders.js";
import type { PeriodRequest } from "../sales/period.js";
import { settledAs } from "../state/journal.js";
import { owedSentence } from "../views/driver-lists.js";
import { settingsView } from "../views/amounts.js";
import { historyColumns, owedColumns, owedRows, settledSentence } from "../views/history.js";
import { takePeriod } from "./figures/options.js";

const defaultLimit = 50;
const mostRows = 100_000;

export default function history(command: Command): void {
  command
    .details(
      "Changes made elsewhere, such as in the portal, aren't included.",
      "An outcome is unknown if no answer says whether the order was changed, or if the process was killed. Once you have checked the order, record the outcome with `history settle`. --outcome unknown then no longer lists the change.",
    )
    .takes("store", "format")
    .option("--limit <number>", `maximum number of changes, newest first (default: ${defaultLimit})`)
    .option("--since <moment>", "only changes since a date, a date-time or an age (7d)")
    .option("--order <id>", "only changes to this order")
    .addOption(command.createOption("--outcome <outcome>", "only this outcome").choices(outcomes))
    .option("--alert", "exit with code 11 if any change is listed")
    .examples(
      "history --limit 10",
      "history --order 4712",
      "history --since 7d --outcome unknown --json",
      "history --outcome unknown --alert",
      "history --since 2026-11-01 --limit 5000 --format csv",
      "history drivers",
    )
    .does(showHistory);
  command
    .command("settle <order-id>")
    .addArgument(command.createArgument("<done|not-done>").choices(settledAs))
    .about(
      "record the outcome of a change that you have checked",
      "First, look the order up, for example in the store's portal. comanda records the outcome of the order's newest change whose outcome is unknown. If there is none, comanda corrects the last recorded outcome. Nothing is sent.",
      "After that, `history drivers` counts the change only if it was done, and --resume sends it only if it wasn't.",
    )
    .takes("store", "format")
    .option("--note <text>", "note to save with the outcome, such as where you looked")
    .examples(
      "history settle 4712 done",
      'history settle 4712 not-done --note "still open in the portal" --json',
    )
    .does(async (context, { note = null }: { readonly note?: string | null }, [typed = "", word = ""]) => {
      const { options, output, workspace } = context;
      const order = orderId(typed, t`argument ${1}`, false);
      const as = word === "done" ? "done" : "not-done";
      const { change, remaining } = await settle(workspace, { store: options.store, order, as, note });
      if (output.json) output.value(change);
      else if (output.format !== "table")
        await output.records(historyColumns(await settingsView(context)), [change]);
      else {
        const label = change.store ?? change.environment;
        const at = (await hasSeveralStores(workspace)) ? t` at ${label}` : "";
        output.sentence(settledSentence(change, order + at, (await settingsView(context)).settings));
      }
      if (remaining > 0)
        output.notice(
          t`Changes to this order whose outcome is still unknown: ${remaining}. To list them: comanda history --order ${order} --outcome unknown`,
        );
    });
  takePeriod(command.command("drivers"), "yesterday")
    .about(
      "sum the fees of drivers assigned from this machine",
      "Each order counts once, for the last driver assigned. Its fee is the one that the service returned, or else the last one sent from this machine. The API doesn't list assignments, so orders assigned elsewhere, such as in the portal, are missing.",
      "With a fee of zero, the driver is paid nothing. If no fee is set, the store may still owe one. A fee is not shown if the service didn't return it and this machine didn't send it.",
      "Orders canceled from this machine are included, and also counted separately, so that you can decide whether to pay for them. comanda doesn't know which cancellations the service undid, or which orders were canceled elsewhere.",
    )
    .takes("store", "allStores", "format")
    .examples(
      "history drivers --period yesterday",
      "history drivers --from 2026-11-01 --to 2026-11-15 --all-stores",
      "history drivers --period this-month --format csv",
    )
    .does(showDrivers);
}

interface HistoryOptions {
  readonly since?: string;
  readonly order?: string;
  readonly outcome?: Outcome["outcome"];
  readonly limit?: string;
  readonly alert?: boolean;
}

async function showHistory(
  context: Context,
  { order: typed, outcome, since: moment, limit: most = `${defaultLimit}`, alert = false }: HistoryOptions,
): Promise<void> {
  const { options, output, workspace } = context;
  const { store } = options;
  const limit = wholeNumber("--limit", most, 1, mostRows);
  const since = moment === undefined ? undefined : await readSince(context, moment);
  const order = typed === undefined ? undefined : orderId(typed, "--order", false);
  const { changes, omitted } = await listChanges(workspace, { store, outcome, limit, since, order });
  if (output.json) {
    for (const change of changes) output.value(change);
  } else if (changes.length > 0 || output.format !== "table")
    await output.records(historyColumns(await settingsView(context)), changes);
  else if (!alert) output.notice(t`No matching changes in the history.`);
  if (omitted > 0) {
    const more = Math.min(limit + omitted, mostRows);
    output.notice(t`Older changes not shown: ${omitted}. To see them, add: --limit ${more}`);
  }
  const [newest] = changes;
  if (!alert || !newest) return;
  const matching = changes.length + omitted;
  const message = plural(matching, {
    one: t`Alert: 1 change matches.`,
    other: t`Alert: ${matching} changes match.`,
  });
  const { order_id: unsettled, store: of } = newest;
  const facts = { order: unsettled ?? "", store: of ?? undefined, isOnly: matching === 1 };
  const hintFacts =
    outcome === "unknown" && unsettled !== null ? await settleHint(workspace, facts) : undefined;
  throw new ComandaError("alert_holds", message, { hintFacts });
}

/** Reads an age, or a moment whose day begins in the time zone of the store. */
async function readSince({ options, workspace }: Context, typed: string): Promise<number> {
  if (/^\d+[smhdw]$/.test(typed)) return workspace.clock.now() - ms(typed as ms.StringValue);
  try {
    // Without `to`, a day in the future would be reported as a period that ends before it starts.
    return Date.parse(
      (await storePeriod(workspace, options.store, { from: typed, to: typed, fromField: "since" })).start,
    );
  } catch (error) {
    const isAboutStore = error instanceof ComandaError && error.hintFacts?.about === "unknown_store";
    if (isAboutStore || !isComandaError(error, "invalid_input")) throw error;
    const { field, message } = error;
    const invalid = t`Invalid value "${typed}" for ${"--since"}.`;
    throw new ComandaError("usage", field === "since" ? message : `${invalid} ${message}`, {
      hint: t`For example: ${"2h, 7d, yesterday, 2026-10-05, 2026-10-05T18:00:00-03:00"}`,
    });
  }
}

async function showDrivers(context: Context, period: PeriodRequest): Promise<void> {
  const { options, output, workspace } = context;
  const owed = await driversOwed(workspace, options, period);
  const columns = owedColumns(await settingsView(context));
  const none = t`No matching changes in the history.`;
  if (output.json) output.value({ stores: owed.map(({ document }) => document) });
  else if (output.format === "table")
    for (const each of owed) {
      output.words(owedSentence(each));
      const rows = owedRows(each, output.format);
      if (rows.length === 0) output.notice(none);
      else await output.records(columns, rows);
    }
  else {
    await output.records(
      columns,
      owed.flatMap((each) => owedRows(each, output.format)),
    );
    // No row shows the store and the days.
    for (const each of owed)
      if (each.document.drivers.length === 0) output.notice(`${owedSentence(each)} ${none}`);
  }
  const unknown = owed.reduce((sum, { document }) => sum + document.unknown, 0);
  const [first, ...others] = owed
    .filter(({ document }) => document.unknown > 0)
    .toSorted((one, other) => Date.parse(one.period.start) - Date.parse(other.period.start));
  if (!first) return;
  const { store, period: earliest } = first;
  // The days of several stores may begin at different times.
  const since = others.length > 0 ? earliest.start : earliest.first;
  const ofStore = others.length > 0 || store === undefined ? "" : ` --store ${store}`;
  const command = `comanda history --outcome unknown --since ${since}${ofStore}`;
  output.warn(t`Assignments or cancellations with an unknown outcome: ${unknown}. To list them: ${command}`);
}
