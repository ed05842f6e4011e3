/** Makes many pre-filled orders, and tells what became of each. */
import type { Client } from "../../client/index.js";
import { ComandaError } from "../../shared/errors.js";
import type { Column, Output } from "../../terminal/index.js";
import type { Machine } from "../machine.js";
import { outcomeOf, type Outcome } from "../orders/outcomes.js";
import { interruptionOf, sendEach, tellCounts, type Ran } from "../orders/send-each.js";
import type { GatheredOrder } from "./gather-orders.js";

/** One line of `--json` output. */
export interface PrefillOutcome {
  /** Of the file. */
  readonly line: number;
  /** As with orders: `done`, `refused`, `failed`, `unknown`, `skipped`. */
  readonly outcome: Outcome;
  readonly id: string | null;
  readonly order_url: string | null;
  readonly checkout_url: string | null;
  readonly http_status: number | null;
  /** The API's code where the service gave one, comanda's own otherwise; null where all went well. */
  readonly code: number | string | null;
  readonly message: string | null;
  readonly details: string | null;
  /** Requests that were sent. */
  readonly attempts: number;
}

/** Requests under way at once. */
const width = 8;

export interface ManyResult {
  readonly kind: "many";
  /** In the order of the file; as JSON they have been told by then, each as it was settled. */
  readonly outcomes: readonly PrefillOutcome[];
  readonly ran: Ran;
  /** The signal that ended the run. */
  readonly interruption: ComandaError | undefined;
}

export async function createMany(
  machine: Machine,
  client: Client,
  orders: readonly GatheredOrder[],
): Promise<ManyResult> {
  const { context, output } = machine;
  const outcomes: PrefillOutcome[] = [];
  const ran = await sendEach<GatheredOrder, PrefillOutcome>(machine, {
    items: orders,
    width,
    label: "prefill",
    send: async ({ line, order }, options) => {
      const { prefilledOrder, httpStatus, attempts } = await client.createPrefilledOrder(order, options);
      const { id, order_url, checkout_url } = prefilledOrder;
      const links = { id, order_url, checkout_url, http_status: httpStatus };
      return { line, outcome: "done", ...links, code: null, message: null, details: null, attempts };
    },
    failed: ({ line }, error) => failedOutcome(line, error),
    skipped: ({ line }, because) => skippedOutcome(line, because),
    settled: (outcome) => {
      if (output.json) output.jsonLine(outcome);
      outcomes.push(outcome);
    },
  });
  outcomes.sort((one, other) => one.line - other.line);
  return { kind: "many", outcomes, ran, interruption: interruptionOf(context, ran) };
}

export async function presentMany({ outcomes, ran }: ManyResult, output: Output): Promise<void> {
  if (!output.json) await output.records(columns, outcomes);
  tellCounts(output, ran);
}

const noLinks = { id: null, order_url: null, checkout_url: null } as const;

function failedOutcome(line: number, error: ComandaError): PrefillOutcome {
  return {
    line,
    outcome: outcomeOf(error),
    ...noLinks,
    http_status: error.answer?.httpStatus ?? null,
    code: error.answer?.code ?? error.code,
    message: error.answer?.message ?? error.message,
    details: error.answer?.details ?? null,
    attempts: error.attempts ?? 0,
  };
}

function skippedOutcome(line: number, because: ComandaError): PrefillOutcome {
  return {
    line,
    outcome: "skipped",
    ...noLinks,
    http_status: null,
    code: because.code,
    message: `Not tried: ${because.message}`,
    details: null,
    attempts: 0,
  };
}

const columns: readonly Column<PrefillOutcome>[] = [
  { heading: "Line", name: "line", align: "right", cell: (row) => row.line },
  { heading: "Outcome", name: "outcome", cell: (row) => row.outcome },
  { heading: "Id", name: "id", cell: (row) => row.id },
  { heading: "Order page", name: "order_url", cell: (row) => row.order_url },
  { heading: "Checkout page", name: "checkout_url", cell: (row) => row.checkout_url },
  { heading: "Code", name: "code", cell: (row) => row.code },
  {
    heading: "Message",
    name: "message",
    cell: ({ message, details }) => [message, details].filter(Boolean).join(": "),
  },
];

/** The signal that ended the run, or that not all are made. */
export function someFailed({ outcomes, ran, interruption }: ManyResult): ComandaError | undefined {
  const { counts, ended } = ran;
  const total = outcomes.length;
  if (interruption) return interruption;
  if (counts.done === total) return undefined;
  const hints = [
    ended && `The run was ended early: ${ended.message}`,
    ended?.hint,
    counts.unknown > 0 &&
      "Unknown means that the request went out and no answer came back. Look whether the order is there before you repeat it.",
    counts.refused > 0 && "Refused orders were not made; the message of each says why.",
    counts.failed > 0 && "Failed orders were certainly not made: their lines may be sent again.",
  ].filter((hint) => typeof hint === "string");
  return new ComandaError(
    "some_failed",
    `${total - counts.done} of ${total} pre-filled orders were not made.`,
    {
      ...(hints.length > 0 && { hint: hints.join("\n") }),
    },
  );
}
