/** Makes pre-filled orders: one, whose link is opened or drawn, or many with an outcome each. */
import type { Client } from "../../client/client.js";
import type { PrefilledOrder, PrefilledOrderBody } from "../../contract/models.js";
import { ComandaError } from "../../shared/errors.js";
import { t } from "../../shared/language.js";
import type { Column, Output } from "../../terminal/index.js";
import type { Machine } from "../../toolkit/machine.js";
import {
  doneWrite,
  outcomeColumn,
  reasonColumns,
  withServiceCode,
  type WriteOutcome,
} from "../../toolkit/outcomes.js";
import {
  incompleteError,
  sendEach,
  showCounts,
  stopGracefully,
  type WritesResult,
} from "../../toolkit/writes.js";

import { drawQr, writeQr, type QrTarget } from "./qr.js";
import type { OrderLine } from "./read-orders.js";

export interface LinkUses {
  readonly open: boolean;
  readonly qr: boolean;
  readonly qrFiles: readonly QrTarget[];
}

/**
 * The links are shown before they are used, so that a browser that doesn't start, or a full disk, can't hide an order
 * that is made.
 *
 * @throws {ComandaError} after a failure with a link the order is made, and its links have been shown
 */
export async function createOne(
  machine: Machine,
  client: Client,
  order: PrefilledOrderBody,
  { open, qr, qrFiles }: LinkUses,
): Promise<PrefilledOrder> {
  const { context, output } = machine;
  const { prefilledOrder } = await stopGracefully(machine, (options) =>
    client.createPrefilledOrder(order, options),
  );
  await showLinks(output, prefilledOrder);
  if (!open && !qr && qrFiles.length === 0) return prefilledOrder;
  // After a signal the order is shown, but nothing else is begun.
  context.signal.throwIfAborted();
  const link = webLink(prefilledOrder.order_url);
  if (qr) await drawQr(machine, link);
  for (const target of qrFiles) {
    await writeQr(machine, target, link);
    output.notice(t`The QR code is in ${target.file}.`);
  }
  if (open) await openPage(machine, link);
  return prefilledOrder;
}

async function showLinks(output: Output, { id, order_url, checkout_url }: PrefilledOrder): Promise<void> {
  if (output.json) output.value({ id, order_url, checkout_url });
  else if (output.format === "table") {
    output.sentence(t`Pre-filled order ${id} is made.`);
    output.line(t`Order page:     ${order_url}`);
    output.line(t`Checkout page:  ${checkout_url}`);
  } else await output.records([idColumn, orderPage, checkoutPage], [{ id, order_url, checkout_url }]);
}

/** Without a terminal there is no person, so no browser is started. */
async function openPage({ context, output }: Machine, link: string): Promise<void> {
  if (context.stderr.isTTY !== true) {
    output.warn(t`There is no terminal here, so the order page isn't opened.`);
    return;
  }
  try {
    await context.openBrowser(link);
  } catch {
    output.warn(t`No browser could be started; open the order page yourself.`);
  }
}

/**
 * Refuses links of the service that are no web pages: a browser or a desktop would hand other addresses to any program.
 *
 * @throws {ComandaError} `unexpected_answer`
 */
export function webLink(url: string): string {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (parsed?.protocol === "https:" || parsed?.protocol === "http:") return parsed.href;
  throw new ComandaError("unexpected_answer", t`The service's link is no web address, so it is not used.`, {
    hint: t`The pre-filled order itself is made.`,
  });
}

interface Links {
  readonly id: string | null;
  readonly order_url: string | null;
  readonly checkout_url: string | null;
}

/** One line of `--json` output. */
export interface PrefillOutcome extends WriteOutcome, Links {
  /** The line of the file. */
  readonly line: number;
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
    async send({ line, order }, options) {
      const { prefilledOrder, httpStatus, attempts } = await client.createPrefilledOrder(order, options);
      const { id, order_url, checkout_url } = prefilledOrder;
      return outcomeOf(line, { id, order_url, checkout_url }, doneWrite(httpStatus, attempts));
    },
    row: ({ line }, write) => outcomeOf(line, { id: null, order_url: null, checkout_url: null }, write),
    onSettled(outcome) {
      if (output.json) output.jsonLine(withServiceCode(outcome));
      outcomes.push(outcome);
    },
  });
  outcomes.sort((left, other) => left.line - other.line);
  return { kind: "many", outcomes, writes };
}

/** Lines of JSON have their members in this order. */
function outcomeOf(line: number, links: Links, { outcome, ...write }: WriteOutcome): PrefillOutcome {
  return { line, outcome, ...links, ...write };
}

export async function presentMany({ outcomes, writes }: ManyResult, output: Output): Promise<void> {
  const isForPerson = output.format === "table";
  if (!output.json) await output.records(isForPerson ? tableColumns(outcomes) : columns, outcomes);
  showCounts(output, writes);
}

/** A column without a value isn't drawn. */
function tableColumns(rows: readonly PrefillOutcome[]): readonly Column<PrefillOutcome>[] {
  const hasLinks = rows.some(({ order_url }) => order_url !== null);
  return [lineColumn, outcomeColumn, ...(hasLinks ? [orderPage] : []), ...reasonColumns(rows)];
}

const lineColumn: Column<PrefillOutcome> = {
  ...{ heading: "Line", name: "line", align: "right" },
  cell: ({ line }) => line,
};
const idColumn: Column<Links> = { heading: "Id", name: "id", cell: ({ id }) => id };
const orderPage: Column<Links> = {
  ...{ heading: "Order page", name: "order_url" },
  cell: ({ order_url: url }) => url,
};
const checkoutPage: Column<Links> = {
  ...{ heading: "Checkout page", name: "checkout_url" },
  cell: ({ checkout_url: url }) => url,
};

const columns: readonly Column<PrefillOutcome>[] = [
  ...[lineColumn, outcomeColumn, idColumn, orderPage, checkoutPage],
  { heading: "Code", name: "code", cell: ({ code }) => code },
  {
    heading: "Message",
    name: "message",
    cell: ({ message, details }) => [message, details].filter(Boolean).join(": "),
  },
];

/** @returns the signal that ended the run, or how many orders were not made */
export function ordersError({ writes }: ManyResult): ComandaError | undefined {
  return incompleteError(writes, {
    notDone: "pre-filled orders were not made",
    hints: {
      unknown:
        "Unknown means that the request went out and no answer came back. Look whether the order is there before you repeat it.",
      refused: "Refused orders were not made; the message of each says why.",
      failed: "Failed orders were certainly not made: their lines may be sent again.",
    },
  });
}
