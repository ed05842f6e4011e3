/** Makes many pre-filled orders, and shows each outcome. */
import type { Client } from "../../client/client.js";
import type { ComandaError, Evidence } from "../../shared/errors.js";
import { t } from "../../shared/language.js";
import type { Column, Output } from "../../terminal/index.js";
import type { Machine } from "../../toolkit/machine.js";
import {
  incompleteError,
  outcomeOf,
  sendEach,
  showCounts,
  toneOfOutcome,
  withServiceCode,
  type Outcome,
  type WritesResult,
} from "../../toolkit/writes.js";
import { errorTexts } from "../orders/outcomes.js";
import { reasonText } from "../orders/reasons.js";
import type { OrderLine } from "./gather-orders.js";

/** One line of `--json` output. */
export interface PrefillOutcome {
  /** The line of the file. */
  readonly line: number;
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
  /** The source of the outcome; null where nothing was sent. */
  readonly evidence: Evidence | null;
}

const concurrency = 8;

export interface ManyResult {
  readonly kind: "many";
  /** The outcomes in the order of the file. JSON is written as orders are settled. */
  readonly outcomes: readonly PrefillOutcome[];
  readonly writes: WritesResult;
}

export async function createMany(
  machine: Machine,
  client: Client,
  orders: readonly OrderLine[],
): Promise<ManyResult> {
  const { output } = machine;
  const outcomes: PrefillOutcome[] = [];
  const writes = await sendEach<OrderLine, PrefillOutcome>(machine, {
    items: orders,
    concurrency,
    label: "prefill",
    send: async ({ line, order }, options) => {
      const { prefilledOrder, httpStatus, attempts } = await client.createPrefilledOrder(order, options);
      const { id, order_url, checkout_url } = prefilledOrder;
      const links = { id, order_url, checkout_url, http_status: httpStatus };
      const words = { code: null, message: null, details: null };
      return { line, outcome: "done", ...links, ...words, attempts, evidence: "api" };
    },
    failedRow: ({ line }, error) => failedOutcome(line, error),
    skippedRow: ({ line }, reason) => skippedOutcome(line, reason),
    onSettled: (outcome) => {
      if (output.json) output.jsonLine(withServiceCode(outcome));
      outcomes.push(outcome);
    },
  });
  outcomes.sort((left, other) => left.line - other.line);
  return { kind: "many", outcomes, writes };
}

export async function presentMany({ outcomes, writes }: ManyResult, output: Output): Promise<void> {
  const isForPerson = output.format === "table" && output.view.fields === undefined;
  if (!output.json) await output.records(isForPerson ? tableColumns(outcomes) : columns, outcomes);
  showCounts(output, writes);
}

const noLinks = { id: null, order_url: null, checkout_url: null } as const;

function failedOutcome(line: number, error: ComandaError): PrefillOutcome {
  return {
    line,
    outcome: outcomeOf(error),
    ...noLinks,
    http_status: error.answer?.httpStatus ?? null,
    code: error.answer?.code ?? error.code,
    ...errorTexts(error),
    attempts: error.attempts ?? 0,
    evidence: error.evidence,
  };
}

function skippedOutcome(line: number, reason: ComandaError): PrefillOutcome {
  return {
    line,
    outcome: "skipped",
    ...noLinks,
    http_status: null,
    code: reason.code,
    message: t`Not tried: ${reason.message}`,
    details: null,
    attempts: 0,
    evidence: null,
  };
}

/** A column without a value isn't drawn. */
function tableColumns(rows: readonly PrefillOutcome[]): readonly Column<PrefillOutcome>[] {
  const reasonColumn = { heading: "Why", name: "message", cell: reasonText };
  const hasLinks = rows.some(({ order_url }) => order_url !== null);
  const hasReasons = rows.some((row) => reasonText(row) !== "");
  return [line, outcome, ...(hasLinks ? [orderPage] : []), ...(hasReasons ? [reasonColumn] : [])];
}

const line: Column<PrefillOutcome> = {
  ...{ heading: "Line", name: "line", align: "right" },
  cell: (row) => row.line,
};
const outcome: Column<PrefillOutcome> = {
  ...{ heading: "Outcome", name: "outcome", isWord: true, tone: toneOfOutcome },
  cell: (row) => row.outcome,
};
const orderPage: Column<PrefillOutcome> = {
  ...{ heading: "Order page", name: "order_url" },
  cell: (row) => row.order_url,
};

const columns: readonly Column<PrefillOutcome>[] = [
  line,
  outcome,
  { heading: "Id", name: "id", cell: (row) => row.id },
  orderPage,
  { heading: "Checkout page", name: "checkout_url", cell: (row) => row.checkout_url },
  { heading: "Code", name: "code", cell: (row) => row.code },
  {
    heading: "Message",
    name: "message",
    cell: ({ message, details }) => [message, details].filter(Boolean).join(": "),
  },
];

/** @returns the signal that ended the run, or how many orders were not made */
export function ordersError({ writes }: ManyResult): ComandaError | undefined {
  return incompleteError(writes, {
    notDone: t`pre-filled orders were not made`,
    hints: {
      unknown: t`Unknown means that the request went out and no answer came back. Look whether the order is there before you repeat it.`,
      refused: t`Refused orders were not made; the message of each says why.`,
      failed: t`Failed orders were certainly not made: their lines may be sent again.`,
    },
  });
}
