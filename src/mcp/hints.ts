/** Hints for an assistant. They name tools and fields; a command or an option is only for the user. */
import { completeHint, type ComandaError } from "../base/errors.js";
import type { HintFacts, HintKinds } from "../base/hint-facts.js";
import { hintFor } from "../cli/hints.js";

/** What only the user can do, in the words of the command line. */
type ForUser =
  | ("base_url" | "credential" | "sign_in" | "sign_in_expired" | "sign_in_unfinished" | "access_denied")
  | ("redirect" | "redirect_port" | "app" | "no_store" | "alias_taken" | "address" | "environments")
  | ("damaged_settings" | "damaged_sign_in" | "old_database" | "damaged_database" | "foreign_row")
  | ("proxy" | "certificate" | "settings_folder" | "state_address" | "state_key" | "insecure_address")
  | ("sealed_row" | "missing_tables" | "missing_right" | "missing_driver" | "missing_variable" | "time_zone");

/** The compiler requires each kind in one of the two lists. */
const hints: { readonly [Kind in Exclude<keyof HintKinds, ForUser>]: (facts: HintFacts<Kind>) => string } = {
  timeout: () => "Try again later.",
  max_wait: () => "Call again after that time. Answers that have arrived are cached for ten minutes.",
  token_service: () => "Try again later.",
  unknown_store: ({ known }) => (known === "" ? "No store is set up." : `Stores: ${known}.`),
  several_stores: ({ known }) => `Name one in the field store: ${known}.`,
  stores: () => "list_stores returns the stores.",
  wrong_figures: () =>
    "Try again with fresh. If it happens again, tell the user to report it to the service.",
  new_sign_in: () =>
    "Nothing more was sent, because the new sign-in may be to another store. Ask the user before you continue.",
  settle: ({ order }) =>
    `Don't repeat the change. Ask the user to look order ${order} up in the store's portal, then record what the user found with settle_order.`,
  unrecorded: ({ order, isDone }) =>
    `Ask the user whether to record it with settle_order: order ${order}, ${isDone ? "done" : "not-done"}.`,
  period_forms: () => "The resource comanda://help/periods lists the forms of a period.",
  future_period: () => "For orders that are scheduled for a later day, set date_field to scheduled_date.",
  driver_ids: () => "Name the driver by id. list_drivers returns the ids.",
  resume: () => "To send what wasn't sent, call the tool again with the same orders and with resume.",
  no_unknown: () => "order_history with order returns the order's changes.",
  which_store: () => "Name the store in the field store.",
  offline: ({ cached = [] }) =>
    [
      "Call again without offline.",
      ...cached
        .slice(0, 10)
        .map(({ days, by = "summary", asOf }) => `Cached: ${days}, ${by}, as of ${asOf}.`),
    ].join("\n"),
  missing_stores: ({ reasons }) =>
    reasons
      .map(({ store, hint = "", hintFacts }) =>
        `${store}: ${forAssistant(hint)} ${hintFacts ? assistantHint(hintFacts) : ""}`.trim(),
      )
      .join("\n"),
  late_days: () => "Request each week or month by itself with sales_summary.",
};

function assistantHint<Kind extends keyof HintKinds>(facts: HintFacts<Kind>): string {
  const all: Partial<{ readonly [Each in keyof HintKinds]: (facts: HintFacts<Each>) => string }> = hints;
  return all[facts.about]?.(facts) ?? `Tell the user: ${hintFor(facts).replaceAll("\n", " ")}`;
}

/** Options whose field has another name. */
const fieldOf: Readonly<Record<string, string>> = { "--filter": "filters", "--tz": "time_zone" };

/** Words a text of the command line for an assistant: an option is the field of that name, and a topic is a resource. */
export function forAssistant(text: string): string {
  const worded = (line: string) => {
    if (line.startsWith("Tell the user")) return line;
    const named = line
      .replaceAll(/comanda help ([a-z-]+)/g, "the resource comanda://help/$1")
      .replaceAll(/--[a-z]+(?:-[a-z]+)*/g, (flag) => fieldOf[flag] ?? flag.slice(2).replaceAll("-", "_"));
    return /`|\bcomanda [a-z]/.test(named) ? `Tell the user: ${line}` : named;
  };
  return text.split("\n").map(worded).join("\n");
}

/** Returns an error with its message and hint in the words of an assistant. */
export function assistantError(error: ComandaError): ComandaError {
  const { message, hint, hintFacts } = error;
  const worded = error.reworded(forAssistant(message), { hint: hint && forAssistant(hint) });
  return completeHint(Object.assign(worded, { hintFacts }), assistantHint);
}
