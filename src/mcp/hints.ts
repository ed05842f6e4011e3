/** Hints for an assistant. They name tools and fields; a command or an option is only for the user. */
import type { ComandaError, ErrorCode } from "../base/errors.js";
import type { HintFacts, HintKinds, HintWords } from "../base/hint-facts.js";
import { hintFor } from "../cli/hints.js";
import { continued } from "../languages/language.js";

/** What the assistant can do. All other hints, in the words of the command line, are for the user. */
const hints: HintWords = {
  credential: (facts) =>
    facts.signedStore
      ? forUser(hintFor(facts))
      : "Tell the user: the variables of comanda mcp contain no valid credential for this call.",
  timeout: () => "Try again later.",
  max_wait: () => "Call again after that time. Figures that arrived are cached for up to ten minutes.",
  token_service: () => "Try again later.",
  unknown_store: ({ known }) => (known === "" ? "No store is set up." : `Stores: ${known}.`),
  several_stores: ({ known }) => `Set the field store to one of: ${known}.`,
  stores: () => "To list the stores, call list_stores.",
  wrong_figures: () => "Try again. If it happens again, tell the user to report it to the service.",
  new_sign_in: () =>
    "Nothing more was sent, because the new sign-in may be for another store. Ask the user before you continue.",
  settle: ({ order }) =>
    `Don't repeat the change. Ask the user to look up order ${order} in the store's portal. Then record what the user found with settle_order.`,
  unrecorded: ({ order, store, isDone }) =>
    `Ask the user whether to record the outcome with settle_order: order ${order}${store === undefined ? "" : ` at ${store}`}, ${isDone ? "done" : "not-done"}.`,
  period_forms: () => "For valid periods, read the resource comanda://help/periods.",
  driver_ids: () => "Set driver to the driver's id. To list the ids, call list_drivers.",
  joined_ids: ({ ids }) => `Pass each order id as a separate text: ${JSON.stringify(ids)}.`,
  resume: () => "To send what wasn't sent, call the tool again with the same orders and resume: true.",
  list_in_flight: () => "Wait, then check order_history.",
  no_unknown: () => "To list the order's changes, call order_history with order.",
  which_store: () => "Set the field store.",
  offline: () => "Call again without offline.",
  missing_stores: ({ reasons }) =>
    reasons
      .flatMap(({ store, error: { hint, hintFacts } }) => {
        const words = [hint, hintFacts && assistantHint(hintFacts)].filter(Boolean).join(" ");
        return words === "" ? [] : `${store}: ${words}`;
      })
      .join("\n"),
  late_days: () =>
    "Request each week or month separately with sales_summary, or the days with sales_by and by: day.",
};

/** Returns the words of a hint. */
export function assistantHint<Kind extends keyof HintKinds>(facts: HintFacts<Kind>): string {
  return hints[facts.about]?.(facts) ?? forUser(hintFor(facts));
}

/** Only the user can repair this machine or end another process. */
const atMachine: readonly ErrorCode[] = ["state_unusable", "configuration", "lock_timeout"];

/** Returns the hint of an error; null if it has none. */
export function hintOf({ code, hint, hintFacts }: ComandaError): string | null {
  const own = hint && atMachine.includes(code) ? forUser(hint) : hint;
  const lines = [own, hintFacts && assistantHint(hintFacts)];
  return inOneLine(lines.filter(Boolean).join("\n")) || null;
}

function forUser(hint: string): string {
  return `Tell the user: ${inOneLine(hint)}`.replace(
    /: ((?:Sign in|Save)[\w ]*)(?=: )/,
    (_, action: string) => ` to ${continued(action)}`,
  );
}

/** Replaces line breaks, because one may be part of a name. */
function inOneLine(text: string): string {
  return text.replaceAll(/\.?\s*\n\s*/g, ". ");
}

/** Names of fields in the code and in the API, and those of the tools. */
const fields: Readonly<Record<string, string>> = {
  filter: "filters",
  tz: "time_zone",
  group_by: "by",
  cart: "items",
  delivery_address: "address",
  "customer.name": "customer_name",
  "customer.phone": "customer_phone",
};

export function assistantField(field: string): string {
  return fields[field] ?? field;
}
