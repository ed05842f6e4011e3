/** Makes one pre-filled order, and opens or draws its link. */
import { isLoopbackHost } from "../../shared/loopback.js";
import { t } from "../../shared/language.js";
import type { Client } from "../../client/client.js";
import type { PrefilledOrder, PrefilledOrderBody } from "../../contract/models.js";
import { ComandaError } from "../../shared/errors.js";
import type { Output } from "../../terminal/index.js";
import type { Machine } from "../../toolkit/machine.js";
import { stopGracefully } from "../../toolkit/writes.js";

import { drawQr, writeQr, type QrTarget } from "./qr-output.js";

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
  uses: LinkUses,
): Promise<PrefilledOrder> {
  const { prefilledOrder } = await stopGracefully(machine, (options) =>
    client.createPrefilledOrder(order, options),
  );
  await showLinks(machine.output, prefilledOrder);
  if (uses.open || uses.qr || uses.qrFiles.length > 0) await useLink(machine, prefilledOrder, uses);
  return prefilledOrder;
}

async function useLink(
  machine: Machine,
  order: PrefilledOrder,
  { open, qr, qrFiles }: LinkUses,
): Promise<void> {
  const { context, output } = machine;
  // After a signal the order is shown, but nothing else is begun.
  context.signal.throwIfAborted();
  const link = webLink(order.order_url);
  if (qr || qrFiles.length > 0) {
    if (qr) await drawQr(machine, link);
    for (const target of qrFiles) {
      await writeQr(machine, target, link);
      output.notice(t`The QR code is in ${target.file}.`);
    }
    const { host, hostname } = new URL(link);
    if (isLoopbackHost(hostname))
      output.notice(t`The QR code leads to ${host}, which is this machine alone: a phone can't open it.`);
  }
  if (open) await openPage(machine, link);
}

async function showLinks(output: Output, { id, order_url, checkout_url }: PrefilledOrder): Promise<void> {
  if (output.json) output.value({ id, order_url, checkout_url });
  else if (output.format === "table") {
    output.sentence(t`Pre-filled order ${id} is made.`);
    output.line(t`Order page:     ${order_url}`);
    output.line(t`Checkout page:  ${checkout_url}`);
  } else await output.records(columns, [{ id, order_url, checkout_url }]);
}

const columns = [
  { heading: "Id", name: "id", cell: ({ id }: PrefilledOrder) => id },
  { heading: "Order page", name: "order_url", cell: ({ order_url: url }: PrefilledOrder) => url },
  { heading: "Checkout page", name: "checkout_url", cell: ({ checkout_url: url }: PrefilledOrder) => url },
] as const;

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
