/** Sent changes and what drivers are owed, as rows and sentences. */
import { statusChangeNames, statusChanges, type operations, type StatusChange } from "../api/operations.js";
import { readers, type Column, type Format } from "../cli/records.js";
import { localTime } from "../cli/text.js";
import type { anyCallId } from "../client/judge.js";
import { driverName } from "../core/drivers.js";
import type { OwedAtStore } from "../core/drivers-owed.js";
import type { Change } from "../core/history.js";
import { t, translated, type Word } from "../languages/language.js";
import type { Settings } from "../state/settings.js";
import { formatOf, type SettingsView } from "./amounts.js";
import { outcomeTones } from "./outcome.js";

type Operation = (typeof operations)[keyof typeof operations];
/** The operations that change something, except the status changes. */
type OtherWrite = Exclude<Operation, { readonly method: "GET" } | { readonly change: StatusChange }>["id"];

const otherWords = {
  assignDriver: "assign",
  createPrefilledOrder: "prefill",
  // This word is the same in every language.
  request: "api",
} as const satisfies Readonly<Record<OtherWrite | typeof anyCallId, Word | "api">>;

/** What people read for each write of the API: the word of its command. */
const writeWords = new Map<string, string>(Object.entries(otherWords));
for (const name of statusChangeNames) writeWords.set(statusChanges[name].id, name);

/** Returns the word for a change; an unknown operation in a damaged row is returned as it is. */
function writeWord({ operation }: Change): string {
  return translated(writeWords.get(operation) ?? operation);
}

/** Returns a time in the time zone of a change's store, by default that of the change. */
function timeOf({ at, store }: Change, { stores }: Settings, time = at): string {
  return localTime(Date.parse(time), stores?.[store ?? ""]?.time_zone);
}

/** Returns which change was sent, with what, and when. */
export function sentChange(change: Change, view: SettingsView): string {
  const parts = [writeWord(change), detailsOf(change, view), timeOf(change, view.settings)];
  return parts.filter(Boolean).join(", ");
}

/** Says which change has the outcome that a person has recorded. */
export function settledSentence(change: Change, order: string, settings: Settings): string {
  const word = writeWord(change);
  const outcome = change.settled ? translated(change.settled.outcome) : "";
  return t`Order ${order}: the change "${word}" sent at ${timeOf(change, settings)} is now recorded as "${outcome}".`;
}

function argumentText(name: string, value: unknown): string {
  return `${name}=${typeof value === "string" ? value : JSON.stringify(value)}`;
}

/** Returns what was sent with a change for people: the driver with the name, and amounts in the store's currency. */
function detailsOf(change: Change, view: SettingsView): string {
  const { driver_name: driver, store } = change;
  const texts = Object.entries(change.arguments).map(([name, value]) => {
    if (name === "driver_id" && typeof value === "number" && driver !== undefined)
      return driverName({ id: value, name: driver });
    if (name === "driver_fee" && value === null) return t`fee not set`;
    if (name !== "driver_fee" || typeof value !== "number") return argumentText(name, value);
    return formatOf(view, store).amount(value);
  });
  return texts.join(", ");
}

/** Returns the columns of a list of changes. */
export function historyColumns(view: SettingsView): readonly Column<Change>[] {
  const { settings } = view;
  return [
    { heading: "When", name: "at", text: (change) => timeOf(change, settings) },
    // Without an alias, credentials from variables signed the change, and the environment is their address.
    { heading: "Store", name: "store", text: ({ store, environment }) => store ?? environment },
    { heading: "Environment", name: "environment", isDetail: true },
    { heading: "Operation", name: "operation", text: writeWord },
    { heading: "Order", name: "order_id" },
    {
      heading: "Details",
      name: "arguments",
      cell: (change) =>
        Object.entries(change.arguments)
          .map(([name, value]) => argumentText(name, value))
          .join(", "),
      text: (change) => detailsOf(change, view),
    },
    {
      heading: "Outcome",
      name: "outcome",
      text: ({ operation, outcome, code }) => {
        // The service can still undo a cancellation (section 3), so that is only accepted.
        const isAccepted = operation === statusChanges.cancel.id && outcome === "done";
        const word = isAccepted ? t`accepted` : translated(outcome);
        // The code shows why nothing was changed. For "unknown", it adds nothing.
        return code === null || outcome === "unknown" ? word : `${word} (${code})`;
      },
      tone: ({ outcome }) => outcomeTones[outcome],
    },
    { heading: "HTTP", name: "http_status", isDetail: true },
    { heading: "code", name: "code", isDetail: true },
    { heading: "Service code", name: "service_code", isDetail: true },
    { heading: "Attempts", name: "attempts", isDetail: true, align: "right" },
    { heading: "User", name: "actor" },
    {
      heading: "Recorded outcome",
      name: "settled",
      cell: ({ settled }) => settled?.outcome,
      text: ({ settled }) =>
        settled
          ? [`${translated(settled.outcome)} (${settled.by})`, settled.note].filter(Boolean).join(": ")
          : "",
    },
    { name: "settled_by", cell: ({ settled }) => settled?.by },
    {
      heading: "Recorded at",
      name: "settled_at",
      isDetail: true,
      cell: ({ settled }) => settled?.at,
      text: (change) => (change.settled ? timeOf(change, settings, change.settled.at) : ""),
    },
    { name: "settled_note", cell: ({ settled }) => settled?.note },
    { heading: "Evidence", name: "evidence", isDetail: true },
    { name: "driver_name" },
  ];
}

/** Returns the rows of what a store's drivers are owed, with the store and the period in each and, for a person, the total. */
export function owedRows({ document }: OwedAtStore, format: Format) {
  const { store, currency, drivers, totals } = document;
  const { from, to, time_zone } = document.period;
  const total = { driver_id: null, name: null, ...totals };
  const hasTotal = drivers.length > 0 && readers[format] === "person";
  const shown = hasTotal ? [...drivers, total] : drivers;
  return shown.map((fees) => ({ store, from, to, time_zone, currency, ...fees }));
}

type OwedRow = ReturnType<typeof owedRows>[number];

/** Returns the columns of what drivers are owed: first the numbers of orders, then the amounts. */
export function owedColumns(view: SettingsView): readonly Column<OwedRow>[] {
  // A table omits a column without texts, so that it fits on a terminal.
  const count = (heading: string, name: keyof OwedAtStore["document"]["totals"]): Column<OwedRow> => ({
    heading,
    name,
    align: "right",
    text: (row) => (row[name] === 0 ? "" : String(row[name])),
  });
  const amount = (heading: string, name: "total_fee" | "canceled_fee"): Column<OwedRow> => ({
    heading,
    name,
    align: "right",
    type: "money",
    text: (row) =>
      name === "canceled_fee" && row.canceled_orders === 0 ? "" : formatOf(view, row.store).amount(row[name]),
  });
  return [
    { heading: "Store", name: "store", isDetail: true },
    { heading: "From", name: "from", isDetail: true },
    { heading: "To", name: "to", isDetail: true },
    { heading: "time zone", name: "time_zone", isDetail: true },
    { heading: "currency", name: "currency", isDetail: true },
    {
      heading: "driver",
      name: "driver_id",
      text: ({ driver_id: id, name }) => (id === null ? t`Total` : driverName({ id, name })),
    },
    { heading: "Name", name: "name", isDetail: true },
    { heading: "orders", name: "orders", align: "right" },
    count("With fee", "with_fee"),
    count("Zero fee", "zero_fee"),
    count("Not set", "fee_not_set"),
    count("Not shown", "fee_not_shown"),
    count("Canceled", "canceled_orders"),
    amount("Total fees", "total_fee"),
    amount("Canceled fees", "canceled_fee"),
  ];
}
