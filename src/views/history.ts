/** Sent changes and what drivers are owed, as rows and sentences. */
import { statusChanges, type operations } from "../api/operations.js";
import { readers, type Column, type Format } from "../cli/records.js";
import { localTime } from "../cli/text.js";
import type { anyCallId } from "../client/judge.js";
import { driverName } from "../core/drivers.js";
import type { OwedAtStore } from "../core/drivers-owed.js";
import type { Change, HistoryEntry } from "../core/history.js";
import { t, translated, type Word } from "../languages/language.js";
import { preferencesFor } from "../core/preferences.js";
import type { Settings } from "../state/settings.js";
import { numberFormat } from "./amounts.js";
import { outcomeTones } from "./outcome.js";

type Write = Exclude<keyof typeof operations, "summary" | "groupedSummary"> | typeof anyCallId;

/** What people read for each change of the API: the word of its command. `api` is the same in every language. */
const words: Readonly<Record<Write, Word | "api">> = {
  cancelOrder: "cancel",
  dispatchOrder: "dispatch",
  deliverOrder: "deliver",
  finalizeOrder: "finalize",
  assignDriver: "assign",
  createPrefilledOrder: "prefill",
  request: "api",
};
const writeWords = new Map<string, string>(Object.entries(words));

/** Returns the word for an operation, in English; an unknown operation in a damaged row is returned as it is. */
function writeWord(operation: string): string {
  return writeWords.get(operation) ?? operation;
}

/** The context for showing a change to a person: the stores' settings, and this machine's variables. */
export interface HistoryView {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly settings: Settings;
}

/** Returns the time of a change, in the time zone of its store. */
function timeOf({ at, store }: Change, { stores }: Settings): string {
  return localTime(Date.parse(at), stores?.[store ?? ""]?.time_zone);
}

/** Returns which change was sent, and when. */
export function sentChange(change: Change, settings: Settings): string {
  return `${translated(writeWord(change.operation))}, ${timeOf(change, settings)}`;
}

/** Says which change has the outcome that a person has recorded. */
export function settledSentence(change: Change, order: string, { settings }: HistoryView): string {
  const word = translated(writeWord(change.operation));
  const outcome = change.settled ? translated(change.settled.outcome) : "";
  return t`Order ${order}: the change "${word}" sent at ${timeOf(change, settings)} is now recorded as "${outcome}".`;
}

/** The service can still undo a cancellation (section 3), so that is only accepted. */
function outcomeWord({ operation, outcome }: Change): Word {
  return operation === statusChanges.cancel.id && outcome === "done" ? "accepted" : outcome;
}

function argumentText(name: string, value: unknown): string {
  return `${name}=${typeof value === "string" ? value : JSON.stringify(value)}`;
}

/** Returns the columns of a list of changes. */
export function historyColumns(view: HistoryView): readonly Column<HistoryEntry>[] {
  const { settings } = view;
  const of = <Name extends Exclude<keyof Change, "arguments" | "settled">>(name: Name) => {
    return { name, cell: ({ change }: HistoryEntry) => change[name] };
  };
  return [
    { heading: "When", ...of("at"), text: ({ change }) => timeOf(change, settings) },
    { heading: "Store", ...of("store") },
    { heading: "Environment", ...of("environment"), isDetail: true },
    {
      heading: "Operation",
      ...of("operation"),
      text: ({ change }) => translated(writeWord(change.operation)),
    },
    { heading: "Order", ...of("order_id") },
    {
      heading: "Details",
      name: "arguments",
      cell: ({ change }) =>
        Object.entries(change.arguments)
          .map(([name, value]) => argumentText(name, value))
          .join(", "),
      text: ({ change, driver }) => {
        const texts = Object.entries(change.arguments).map(([name, value]) => {
          if (name === "driver_id" && typeof driver?.name === "string") return driverName(driver);
          if (name === "driver_fee" && value === null) return t`fee not set`;
          if (name !== "driver_fee" || typeof value !== "number") return argumentText(name, value);
          return numberFormat(preferencesFor(view, settings, change.store ?? undefined)).amount(value);
        });
        return texts.join(", ");
      },
    },
    {
      heading: "Outcome",
      ...of("outcome"),
      // The code shows why nothing was changed. For "unknown", it adds nothing.
      text: ({ change }) => {
        const word = translated(outcomeWord(change));
        return change.code === null || change.outcome === "unknown" ? word : `${word} (${change.code})`;
      },
      tone: ({ change }) => outcomeTones[change.outcome],
    },
    { heading: "HTTP", ...of("http_status"), isDetail: true },
    { heading: "code", ...of("code"), isDetail: true },
    { heading: "Service code", ...of("service_code"), isDetail: true },
    { heading: "Attempts", ...of("attempts"), isDetail: true, align: "right" },
    { heading: "User", ...of("actor") },
    {
      heading: "Settled",
      name: "settled",
      cell: ({ change }) => change.settled?.outcome,
      text: ({ change: { settled } }) =>
        settled
          ? [`${translated(settled.outcome)} (${settled.by})`, settled.note].filter(Boolean).join(": ")
          : "",
    },
  ];
}

/** A line of what drivers are owed: a driver's, or the store's total without one. */
interface OwedRow {
  readonly document: OwedAtStore["document"];
  readonly driver: OwedAtStore["document"]["drivers"][number] | undefined;
  readonly fees: OwedAtStore["document"]["totals"];
}

/** Returns the rows of a store: its drivers and, for a person, its total. */
export function owedRows({ document }: OwedAtStore, format: Format): readonly OwedRow[] {
  const rows: OwedRow[] = document.drivers.map((driver) => ({ document, driver, fees: driver }));
  if (rows.length > 0 && readers[format] === "person")
    rows.push({ document, driver: undefined, fees: document.totals });
  return rows;
}

/** Returns the columns of what drivers are owed: first the numbers of orders, then the amounts. */
export function owedColumns(view: HistoryView): readonly Column<OwedRow>[] {
  const of = (heading: string, name: keyof OwedRow["fees"]): Column<OwedRow> => ({
    heading,
    name,
    align: "right",
    cell: ({ fees }) => fees[name],
  });
  // A table omits a column without texts, so that it fits on a terminal.
  const count = (heading: string, name: keyof OwedRow["fees"]): Column<OwedRow> => ({
    ...of(heading, name),
    text: ({ fees }) => (fees[name] === 0 ? "" : String(fees[name])),
  });
  const amount = (heading: string, name: "total_fee" | "canceled_fee"): Column<OwedRow> => ({
    ...of(heading, name),
    type: "money",
    text: ({ document, fees }) =>
      name === "canceled_fee" && fees.canceled_orders === 0
        ? ""
        : numberFormat(preferencesFor(view, view.settings, document.store)).amount(fees[name]),
  });
  const detail = (heading: string, name: string, cell: Column<OwedRow>["cell"]): Column<OwedRow> => ({
    ...{ heading, name, cell },
    isDetail: true,
  });
  return [
    detail("Store", "store", ({ document }) => document.store),
    detail("From", "from", ({ document }) => document.period.from),
    detail("To", "to", ({ document }) => document.period.to),
    detail("time zone", "time_zone", ({ document }) => document.period.time_zone),
    detail("currency", "currency", ({ document }) => document.currency),
    {
      heading: "driver",
      name: "driver_id",
      cell: ({ driver }) => driver?.driver_id ?? t`Total`,
      text: ({ driver }) => (driver ? driverName({ id: driver.driver_id, name: driver.name }) : t`Total`),
    },
    detail("Name", "name", ({ driver }) => driver?.name),
    of("orders", "orders"),
    count("With fee", "with_fee"),
    count("Zero fee", "zero_fee"),
    count("Not set", "fee_not_set"),
    count("Not shown", "fee_not_shown"),
    count("Canceled", "canceled_orders"),
    amount("Total amount", "total_fee"),
    amount("Canceled amount", "canceled_fee"),
  ];
}
