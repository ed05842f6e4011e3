/** An order's outcome in words, the same for a command, a list and the counter. */
import type { StatusChange } from "../api/operations.js";
import type { ComandaError, Outcome } from "../base/errors.js";
import { localTime, type Tone } from "../cli/text.js";
import { readers, type Column, type Format } from "../cli/records.js";
import type { OrderLine, SettledOrder } from "../core/orders.js";
import { t, translated, type Word } from "../languages/language.js";

const changed = {
  dispatch: "dispatched",
  deliver: "delivered",
  finalize: "finalized",
} as const satisfies Readonly<Record<Exclude<StatusChange, "cancel">, Word>>;

/** Says that a change is done. The service can still undo a cancellation (section 3), so that is only accepted. */
export function doneSentence(action: StatusChange, order: string, label: string): string {
  if (action === "cancel") return t`Cancellation of order ${order} accepted at ${label}.`;
  return t`Order ${order} ${translated(changed[action])} at ${label}.`;
}

export const outcomeTones: Readonly<Record<Outcome["outcome"] | "skipped", Tone>> = {
  done: "green",
  refused: "red",
  failed: "red",
  unknown: "yellow",
  skipped: "dim",
};

/** Returns an error in one line. Only the service's details say what is wrong with a request. */
export function errorReason({ code, message, details }: ComandaError): string {
  return code === "invalid_request" && details !== null ? `${message} ${details}` : message;
}

/** Returns why an order was not changed. */
function reasonOf({ line, error }: Pick<SettledOrder, "line" | "error">, zone: string | undefined): string {
  const { action, at, outcome, http_status: status, resumed } = line;
  if (resumed) {
    const time = localTime(Date.parse(at), zone);
    if (outcome === "unknown") return t`Sent earlier, at ${time}, with an unknown outcome. Not sent again.`;
    return action === "cancel"
      ? t`Cancellation accepted earlier, at ${time}.`
      : t`Changed earlier, at ${time}.`;
  }
  // The next step, which is shown below a list, explains "unknown".
  if (outcome === "unknown") return status === null ? t`no answer` : `HTTP ${status}`;
  if (error) return errorReason(error);
  return action === "cancel"
    ? t`Cancellation accepted. After an online card payment, the service can still undo it.`
    : "";
}

/**
 * Returns the columns of a list of orders.
 *
 * @param format CSV contains the service's own texts
 * @param zone the store's time zone
 */
export function orderColumns(format: Format, zone: string | undefined): readonly Column<SettledOrder>[] {
  const of = <Name extends keyof OrderLine>(name: Name) => {
    return { name, cell: ({ line }: SettledOrder) => line[name] };
  };
  return [
    { heading: "Order", ...of("order_id") },
    { heading: "Operation", ...of("action"), isDetail: true, isWord: "open" },
    { heading: "Outcome", ...of("outcome"), isWord: true, tone: ({ line }) => outcomeTones[line.outcome] },
    { heading: "HTTP", ...of("http_status"), isDetail: true },
    { heading: "code", ...of("code"), isDetail: true },
    { heading: "Service code", ...of("service_code"), isDetail: true },
    {
      heading: "Reason",
      name: "message",
      cell: (settled) => (readers[format] === "program" ? settled.line.message : reasonOf(settled, zone)),
    },
    { heading: "Details", ...of("details"), isDetail: true },
    { heading: "When", ...of("at"), isDetail: true },
    { heading: "Store", ...of("store"), isDetail: true },
  ];
}
