/** `comanda history` lists the changes sent from this machine, records outcomes that a person looked up, and sums drivers' fees. */
import ms from "ms";

import { centsFromNumber, numberFromCents, type Cents } from "../api/money.js";
import { statusChanges } from "../api/operations.js";
import { chooseSession, fingerprintOf } from "../auth/session.js";
import { wholeNumber, type Command } from "../cli/command.js";
import type { Context } from "../cli/context.js";
import { orderId } from "../cli/input.js";
import { readers, type Column } from "../cli/records.js";
import { localTime } from "../cli/text.js";
import { ComandaError, isComandaError, outcomes } from "../base/errors.js";
import { shownDays, t, translated, type Word } from "../languages/language.js";
import type { Period, PeriodRequest } from "../sales/period.js";
import { numberFormat, preferencesFor, readPreferences } from "../sales/preferences.js";
import {
  withSettledOutcome,
  readHistory,
  settledAs,
  settleOrder,
  type HistoryRow,
} from "../state/journal.js";
import { storeKey } from "../state/sessions.js";
import type { Settings } from "../state/settings.js";
import { cachedDrivers, driverName, type Driver } from "../core/drivers.js";
import { outcomeTones } from "../views/outcome.js";

const defaultLimit = 50;
const mostRows = 100_000;

const onlyFromHere = "Changes made elsewhere, such as in the portal, aren't included.";

export default function history(command: Command): void {
  command
    .details(
      onlyFromHere,
      "An outcome is unknown if the process was killed or no answer arrived. After you have checked the order, record the outcome with `history settle`. --outcome unknown then no longer lists the change.",
    )
    .takes("store", "format")
    .option("--limit <number>", `maximum number of changes, newest first (default: ${defaultLimit})`)
    .option("--since <moment>", "start: a date, a date-time, or an age such as 7d")
    .option("--order <id>", "only changes of this order")
    .addOption(command.createOption("--outcome <outcome>", "only this outcome").choices(outcomes))
    .examples(
      "history",
      "history --order 4712",
      "history --since 7d --outcome unknown --json",
      "history --since 2026-11-01 --limit 5000 --format csv",
      "history drivers",
    )
    .does(showHistory);
  command
    .command("settle <order-id>")
    .addArgument(command.createArgument("<done|not-done>").choices(settledAs))
    .about(
      "record the outcome of a change that you have checked",
      "First look the order up, for example in the store's portal. The outcome is recorded for the order's newest change whose outcome is unknown. If none is left, the command corrects the last recorded outcome. Nothing is sent.",
      "Afterwards, `history drivers` counts the change only if it was done, and --resume sends it only if it was not.",
    )
    .takes("store", "format")
    .option("--note <text>", "note to save with the outcome, such as where you looked")
    .examples(
      "history settle 4712 done",
      'history settle 4712 not-done --note "still open in the portal" --json',
    )
    .does(settle);
  const period = command.createOption("-p, --period <period>", "period; see comanda help periods");
  command
    .command("drivers")
    .about(
      "sum the fees of drivers assigned from this machine",
      "Each order counts once, at its last assignment. Its fee is the one that the service returned, or else the last one sent from this machine. The API doesn't list assignments, so orders assigned elsewhere, such as in the portal, are missing.",
      "A fee of zero means that the driver is paid nothing. If a fee isn't set, the store may still owe one. A fee that isn't shown was neither returned nor sent.",
      "Orders canceled from here are included, and also counted separately, so that you can decide whether to pay for them. comanda doesn't know which cancellations the service undid, or which orders were canceled elsewhere.",
    )
    .takes("store", "format")
    .addOption(period.default("yesterday", "yesterday"))
    .examples("history drivers --period yesterday", "history drivers --period this-month --format csv")
    .does(showDrivers);
}

interface HistoryOptions {
  readonly since?: string;
  readonly order?: string;
  readonly outcome?: string;
  readonly limit?: string;
}

async function showHistory(
  context: Context,
  { order, outcome, since: ago, limit: most = `${defaultLimit}` }: HistoryOptions,
): Promise<void> {
  const { output } = context;
  const limit = wholeNumber("--limit", most, { least: 1, most: mostRows });
  const store = await namedStore(context);
  let since: number | undefined;
  if (ago !== undefined && /^\d+[smhdw]$/.test(ago)) since = context.clock.now() - ms(ago as ms.StringValue);
  // A day begins in the time zone of the store that --store names, or else of this machine.
  else if (ago !== undefined) {
    // Without `to`, a day in the future would be reported as a period that ends before it starts.
    const period = await readPeriod(context, { from: ago, to: ago }, store).catch((error: unknown) => {
      if (!isComandaError(error, "invalid_input")) throw error;
      const invalid = t`Invalid value "${ago}" for ${"--since"}.`;
      const reason = error.message.replace("--from", "--since");
      throw new ComandaError("usage", reason.startsWith(invalid) ? reason : `${invalid} ${reason}`, {
        hint: t`For example: ${"2h, 7d, yesterday, 2026-10-05, 2026-10-05T18:00:00-03:00"}`,
      });
    });
    since = Date.parse(period.start);
  }
  const state = await context.state();
  const orders = order === undefined ? undefined : [orderId(order, "--order", false)];
  const rows = await readHistory(state, { orders, outcome, store, since }, limit + 1);
  const shown = rows.slice(0, limit);
  if (output.json) {
    for (const row of shown) output.value(historyJson(row));
    output.alsoDraw?.(async (people) => people.records(await columnsFor(context, shown), shown));
  } else if (shown.length === 0 && output.format === "table")
    output.notice(t`No matching changes in the journal.`);
  else await output.records(await columnsFor(context, shown), shown);
  if (rows.length > limit) {
    const more = Math.min(limit * 10, mostRows);
    output.notice(t`Newest changes shown: ${limit}. To see more, add: --limit ${more}`);
  }
}

/** Returns the alias that `--store` names, as it is stored. A store that was removed is still in the journal, as it was typed. */
async function namedStore(context: Context): Promise<string | undefined> {
  const named = context.options.store;
  const { sessions } = await context.state();
  const stored = named === undefined ? [] : await sessions.list();
  return stored.find(({ store }) => storeKey(store) === storeKey(named ?? ""))?.store ?? named;
}

/** Reads a period in the days of a store, or of this machine. */
async function readPeriod(
  context: Context,
  typed: PeriodRequest,
  store: string | undefined,
): Promise<Period> {
  const { resolvePeriod } = await import("../sales/period.js");
  const { zone, dayStarts } = await readPreferences(context, store);
  return resolvePeriod(typed, { now: context.clock.now(), zone, dayStarts });
}

/** Returns the time of a change, in the time zone of its store. */
function timeOf({ at, store }: HistoryRow, stores: Settings["stores"]): string {
  return localTime(Date.parse(at), stores?.[store ?? ""]?.time_zone);
}

/** Scripts rely on these fields. JSON omits undefined ones. */
function historyJson(row: HistoryRow) {
  return {
    ...row,
    actor: row.user,
    user: undefined,
    id: undefined,
    address: undefined,
    sign_in: undefined,
    fee: undefined,
  };
}

/** What people read for each write of the API. */
const operationWords: Readonly<Record<string, string>> = {
  dispatchOrder: "dispatch",
  deliverOrder: "deliver",
  finalizeOrder: "finalize",
  cancelOrder: "cancel",
  assignDriver: "assign",
  createPrefilledOrder: "prefill",
  request: "api",
};

function operationWord(operation: string): string {
  return operationWords[operation] ?? operation;
}

/** The service can still undo a cancellation (section 3), so that is only accepted. */
function outcomeWord({ operation, outcome }: HistoryRow): Word {
  return operation === statusChanges.cancel.id && outcome === "done" ? "accepted" : outcome;
}

function argumentText([name, value]: readonly [string, unknown]): string {
  return `${name}=${typeof value === "string" ? value : JSON.stringify(value)}`;
}

/** Returns none for a store that was removed: it has orders in the journal, but no sign-in. */
async function driversOf(context: Context, store: string): Promise<readonly Driver[]> {
  const state = await context.state();
  const session = (await state.sessions.list()).find((listed) => listed.store === store);
  return session && !("error" in session) ? cachedDrivers(state, { store, ...fingerprintOf(session) }) : [];
}

async function columnsFor(
  context: Context,
  rows: readonly HistoryRow[],
): Promise<readonly Column<HistoryRow>[]> {
  const settings = await (await context.state()).settings.read();
  const { stores } = settings;
  const { format, json } = context.output;
  // With JSON, an assistant also reads these rows as a table.
  const isForProgram = !json && readers[format] === "program";
  const drivers = new Map<string | null, readonly Driver[]>();
  for (const { store } of rows)
    if (store !== null && !drivers.has(store)) drivers.set(store, await driversOf(context, store));
  return [
    { heading: "When", name: "at", cell: ({ at }) => at, tableText: (row) => timeOf(row, stores) },
    { heading: "Store", name: "store", cell: ({ store }) => store },
    { heading: "Environment", name: "environment", isDetail: true, cell: ({ environment }) => environment },
    {
      heading: "Operation",
      name: "operation",
      cell: ({ operation }) => (isForProgram ? operation : operationWord(operation)),
      isWord: "open",
    },
    { heading: "Order", name: "order_id", cell: (row) => row.order_id },
    {
      heading: "With",
      name: "arguments",
      cell: (row) => Object.entries(row.arguments).map(argumentText).join(", "),
      tableText: ({ store, arguments: given }) => {
        const texts = Object.entries(given).map(([name, value]) => {
          const driver = drivers.get(store)?.find(({ id }) => name === "driver_id" && id === value);
          if (driver) return driverName(driver);
          if (name === "driver_fee" && value === null) return t`fee not set`;
          if (name !== "driver_fee" || typeof value !== "number") return argumentText([name, value]);
          return numberFormat(preferencesFor(context, settings, store ?? undefined)).amount(value);
        });
        return texts.join(", ");
      },
    },
    {
      heading: "Outcome",
      name: "outcome",
      cell: (row) => (isForProgram ? row.outcome : outcomeWord(row)),
      isWord: true,
      // The code says why nothing was changed. It adds nothing to "unknown".
      tableText: (row) => {
        const word = translated(outcomeWord(row));
        return row.code === null || row.outcome === "unknown" ? word : `${word} (${row.code})`;
      },
      tone: ({ outcome }) => outcomeTones[outcome],
    },
    { heading: "HTTP", name: "http_status", isDetail: true, cell: (row) => row.http_status },
    { heading: "code", name: "code", isDetail: true, cell: ({ code }) => code },
    { heading: "Service code", name: "service_code", isDetail: true, cell: (row) => row.service_code },
    { heading: "Attempts", name: "attempts", isDetail: true, align: "right", cell: (row) => row.attempts },
    { heading: "By", name: "actor", cell: ({ user }) => user },
    {
      heading: "Settled",
      name: "settled",
      cell: ({ settled }) => settled?.outcome,
      isWord: true,
      tableText: ({ settled }) =>
        settled
          ? [`${translated(settled.outcome)} (${settled.by})`, settled.note].filter(Boolean).join(": ")
          : "",
    },
  ];
}

/** Records the outcome that a person looked up for a change whose outcome was unknown. */
async function settle(
  context: Context,
  { note }: { readonly note?: string },
  [order = "", word = ""]: readonly string[],
): Promise<void> {
  const { output } = context;
  const as = word === "done" ? "done" : "not-done";
  const store = await namedStore(context);
  const state = await context.state();
  const id = orderId(order, t`argument ${1}`, false);
  const { row, remaining } = await settleOrder(state, { order: id, as, note: note ?? null, store });
  if (output.json) output.value(historyJson(row));
  else {
    const { stores } = await state.settings.read();
    const change = translated(operationWord(row.operation));
    const time = timeOf(row, stores);
    output.sentence(
      t`Order ${id}: the change "${change}" sent at ${time} is now recorded as "${translated(as)}".`,
    );
  }
  if (remaining > 0)
    output.notice(
      t`Changes of this order whose outcome is still unknown: ${remaining}. To list them: comanda history --order ${id} --outcome unknown`,
    );
}

interface Assignment {
  at: number;
  driver?: number;
  /** `null` if the order has no fee (section 2.1), so the store may still owe one; `undefined` if no answer showed a fee. */
  fee?: Cents | null | undefined;
  /** Time of an assignment whose outcome is unknown, if no later one is done. */
  unknownAt?: number | undefined;
  canceled?: "done" | "unknown";
}

/** Sums the fees of drivers that were assigned on this machine. */
async function showDrivers(context: Context, { period: typed }: { readonly period: string }): Promise<void> {
  const { output } = context;
  const store = (await namedStore(context)) ?? (await chooseSession(context, undefined)).store;
  const period = await readPeriod(context, { period: typed }, store);
  // A period that ends now ends with the last whole second, but includes assignments since then.
  const until = Date.parse(period.end) + (period.endsNow ? 999 : 0);
  const orders = new Map<string, Assignment>();
  const writes = await readHistory(await context.state(), { store, since: Date.parse(period.start) });
  // An order that was assigned again after the period, such as to correct its fee, counts only there.
  for (const { order_id: id, operation, outcome, ...write } of writes.map(withSettledOutcome).reverse()) {
    if (id === null || (outcome !== "done" && outcome !== "unknown")) continue;
    const { fee } = write;
    const { driver_id: driver } = write.arguments;
    const at = Date.parse(write.at);
    const order = orders.get(id) ?? { at };
    orders.set(id, order);
    if (operation === "cancelOrder" && order.canceled !== "done") order.canceled = outcome;
    if (operation !== "assignDriver" || typeof driver !== "number") continue;
    order.unknownAt = outcome === "unknown" ? at : undefined;
    if (outcome === "unknown") continue;
    Object.assign(order, { at, driver });
    // Section 4.1: an assignment without a fee doesn't change the fee; null removes it.
    if (fee !== undefined) order.fee = fee === null ? null : centsFromNumber(fee);
  }
  const assignments = [...orders.values()];
  const owed = assignments.filter(({ at, driver }) => driver !== undefined && at <= until);
  const drivers = await driversOf(context, store);
  const rows = [...new Set(owed.map(({ driver = 0 }) => driver))]
    .sort((one, other) => one - other)
    .map((id) => {
      const name = drivers.find((known) => known.id === id)?.name ?? null;
      return driverLine(
        { driver_id: id, name },
        owed.filter(({ driver }) => driver === id),
      );
    });
  if (!output.json) {
    output.notice(t`Drivers of ${store}, ${shownDays(period)}: orders assigned on this machine.`);
  }
  if (rows.length === 0 && output.format === "table") output.notice(t`No matching changes in the journal.`);
  else await output.records(driverColumns(numberFormat(await readPreferences(context, store)).amount), rows);
  const unknown =
    assignments.filter(({ unknownAt = Number.POSITIVE_INFINITY }) => unknownAt <= until).length +
    owed.filter(({ canceled }) => canceled === "unknown").length;
  if (unknown > 0)
    output.notice(
      t`Assignments or cancellations with an unknown outcome: ${unknown}. To list them: comanda history --outcome unknown`,
    );
}

/** Scripts rely on these fields. The store decides whether the driver of a canceled order is paid. */
function driverLine(
  driver: { readonly driver_id: number; readonly name: string | null },
  orders: readonly Assignment[],
) {
  const feesOf = (some: readonly Assignment[]) =>
    numberFromCents(some.reduce((sum, { fee }) => sum + (fee ?? 0), 0));
  const zero = orders.filter(({ fee }) => fee === 0).length;
  const notSet = orders.filter(({ fee }) => fee === null).length;
  const notShown = orders.filter(({ fee }) => fee === undefined).length;
  const canceled = orders.filter((order) => order.canceled === "done");
  return {
    ...driver,
    orders: orders.length,
    with_fee: orders.length - zero - notSet - notShown,
    zero_fee: zero,
    fee_not_set: notSet,
    fee_not_shown: notShown,
    total_fee: feesOf(orders),
    canceled_orders: canceled.length,
    canceled_fee: feesOf(canceled),
  };
}

type DriverLine = ReturnType<typeof driverLine>;

function driverColumns(amount: (value: number) => string): readonly Column<DriverLine>[] {
  const figure = (heading: string, name: Exclude<keyof DriverLine, "name">): Column<DriverLine> => ({
    heading,
    name,
    align: "right",
    cell: (row) => row[name],
  });
  const money = (heading: string, name: "total_fee" | "canceled_fee"): Column<DriverLine> => ({
    ...figure(heading, name),
    type: "money",
    tableText: (row) => amount(row[name]),
  });
  return [
    {
      heading: "driver",
      name: "driver_id",
      cell: (row) => row.driver_id,
      tableText: ({ driver_id: id, name }) => driverName({ id, name }),
    },
    { heading: "Name", name: "name", isDetail: true, cell: ({ name }) => name },
    figure("orders", "orders"),
    figure("With fee", "with_fee"),
    figure("Zero fee", "zero_fee"),
    figure("Not set", "fee_not_set"),
    figure("Not shown", "fee_not_shown"),
    money("Total", "total_fee"),
    figure("canceled", "canceled_orders"),
    money("Canceled fees", "canceled_fee"),
  ];
}
