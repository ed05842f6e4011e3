/** Makes one pre-filled order and hands out its links. */
import { isLoopbackHost } from "../../basics/loopback.js";
import type { Client } from "../../client/index.js";
import type { PrefilledOrder, PrefilledOrderBody } from "../../contract/prefilled-order.js";
import type { Output } from "../../terminal/index.js";
import { hearAnswers } from "../hear-answers.js";
import type { Invocation } from "../leaf.js";
import type { QrTarget } from "./qr-output.js";
import { webLink } from "./web-link.js";

export interface LinkUses {
  readonly open: boolean;
  readonly qr: boolean;
  readonly qrTargets: readonly QrTarget[];
}

/** @throws {ComandaError} what went wrong; where that is with a link, the order is made and has been told */
export async function createOne(
  invocation: Invocation,
  client: Client,
  order: PrefilledOrderBody,
  uses: LinkUses,
): Promise<void> {
  const { context, output } = invocation;
  const { prefilledOrder } = await hearAnswers(invocation, (options) =>
    client.createPrefilledOrder(order, options),
  );
  await tell(output, prefilledOrder);
  const { open, qr, qrTargets } = uses;
  if (!open && !qr && qrTargets.length === 0) return;
  // The order is told even so, but nothing more is begun.
  context.signal.throwIfAborted();
  const link = webLink(prefilledOrder.order_url);
  if (qr || qrTargets.length > 0) {
    const { drawQr, writeQr } = await import("./qr-output.js");
    if (qr) await drawQr(invocation, link);
    for (const target of qrTargets) {
      await writeQr(target, link);
      output.notice(`The QR code is in ${target.file}.`);
    }
    const { host, hostname } = new URL(link);
    if (isLoopbackHost(hostname))
      output.notice(`The QR code leads to ${host}, which is this machine alone: a phone can't open it.`);
  }
  if (open) await openPage(invocation, link);
}

async function tell(output: Output, { id, order_url, checkout_url }: PrefilledOrder): Promise<void> {
  if (output.json) output.value({ id, order_url, checkout_url });
  else if (output.format === "table") {
    output.sentence(`Pre-filled order ${id} is made.`);
    output.line(`Order page:     ${order_url}`);
    output.line(`Checkout page:  ${checkout_url}`);
  } else await output.records(columns, [{ id, order_url, checkout_url }]);
}

const columns = [
  { heading: "Id", name: "id", cell: ({ id }: PrefilledOrder) => id },
  { heading: "Order page", name: "order_url", cell: ({ order_url: url }: PrefilledOrder) => url },
  { heading: "Checkout page", name: "checkout_url", cell: ({ checkout_url: url }: PrefilledOrder) => url },
] as const;

/** A browser belongs to a person: without a terminal none is started. */
async function openPage({ context, output }: Invocation, link: string): Promise<void> {
  if (context.stderr.isTTY !== true) {
    output.warn("There is no terminal here, so the order page isn't opened.");
    return;
  }
  try {
    await context.openBrowser(link);
  } catch {
    output.warn("No browser could be started; open the order page yourself.");
  }
}
