/** Makes many pre-filled orders, and tells what became of each. */
import type { Client } from "../../client/index.js";
import { ComandaError } from "../../errors/index.js";
import { startProgress, type Column } from "../../terminal/index.js";
import type { Invocation } from "../leaf.js";
import { endsTheRun, outcomeOf, outcomes, type Outcome } from "../orders/outcomes.js";
import { eachOf } from "../orders/pool.js";
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

/** @throws {ComandaError} `some_failed` where not all are made; stdout has said by then what became of each */
export async function createMany(
  { context, output, globals }: Invocation,
  client: Client,
  orders: readonly GatheredOrder[],
): Promise<void> {
  const { signal } = context;
  const counts: Record<Outcome, number> = { done: 0, refused: 0, failed: 0, unknown: 0, skipped: 0 };
  const rows: PrefillOutcome[] = [];
  const progress = startProgress(globals.quiet ? { write: () => undefined } : context.stderr, {
    ...{ total: orders.length, label: "prefill", now: () => context.clock.now() },
  });
  let finished = 0;
  let ended: ComandaError | undefined;
  const settle = (outcome: PrefillOutcome) => {
    counts[outcome.outcome] += 1;
    finished += 1;
    if (output.json) output.jsonLine(outcome);
    else rows.push(outcome);
    progress.update(finished, counts.done < finished ? `${finished - counts.done} not done` : "");
  };
  await eachOf(orders, width, async ({ line, order }) => {
    if (signal.aborted) ended ??= reasonOf(signal);
    if (ended) {
      settle(skippedOutcome(line, ended));
      return;
    }
    try {
      const { prefilledOrder, httpStatus, attempts } = await client.createPrefilledOrder(order, { signal });
      const { id, order_url, checkout_url } = prefilledOrder;
      const links = { id, order_url, checkout_url, http_status: httpStatus };
      settle({ line, outcome: "done", ...links, code: null, message: null, details: null, attempts });
    } catch (error) {
      if (!(error instanceof ComandaError)) throw error;
      if (endsTheRun(error)) ended ??= error;
      settle(failedOutcome(line, error));
    }
  });
  progress.end();
  if (!output.json)
    await output.records(
      columns,
      rows.sort((one, other) => one.line - other.line),
    );
  output.notice(outcomes.flatMap((name) => (counts[name] > 0 ? [`${counts[name]} ${name}`] : [])).join(", "));
  signal.throwIfAborted();
  if (counts.done < orders.length) throw someFailed(counts, orders.length, ended);
}

const noLinks = { id: null, order_url: null, checkout_url: null } as const;

function failedOutcome(line: number, error: ComandaError): PrefillOutcome {
  return {
    ...{ line, outcome: outcomeOf(error), ...noLinks },
    http_status: error.answer?.httpStatus ?? null,
    code: error.answer?.code ?? error.code,
    message: error.answer?.message ?? error.message,
    details: error.answer?.details ?? null,
    attempts: error.attempts ?? 0,
  };
}

function skippedOutcome(line: number, because: ComandaError): PrefillOutcome {
  return {
    ...{ line, outcome: "skipped", ...noLinks, http_status: null, code: because.code },
    ...{ message: `Not tried: ${because.message}`, details: null, attempts: 0 },
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

function someFailed(
  counts: Readonly<Record<Outcome, number>>,
  total: number,
  ended: ComandaError | undefined,
): ComandaError {
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

function reasonOf(signal: AbortSignal): ComandaError {
  return signal.reason instanceof ComandaError
    ? signal.reason
    : new ComandaError("interrupted", "Interrupted.");
}
