/** Makes a pre-filled order, whose link is opened or drawn. */
import type { PrefilledOrder, PrefilledOrderBody } from "../../api/models.js";
import { ComandaError } from "../../client/errors.js";
import { t } from "../../languages/language.js";
import type { Output } from "../../cli/output.js";
import type { Column } from "../../cli/column.js";
import type { Context } from "../../cli/context.js";
import { knowsSeveral, type Connection } from "../store.js";
import { stopGracefully } from "../writes.js";

import { drawQr } from "./qr.js";

interface LinkUses {
  readonly open: boolean;
  readonly qr: boolean;
}

/**
 * The links are shown before they are used, so that a browser that doesn't start can't hide an order that is made.
 *
 * @throws {ComandaError} after a failure with a link the order is made, and its links have been shown
 */
export async function createOne(
  context: Context,
  { client, label }: Connection,
  order: PrefilledOrderBody,
  { open, qr }: LinkUses,
): Promise<void> {
  const { output } = context;
  const { value: prefilledOrder } = await stopGracefully(context, (options) =>
    client.createPrefilledOrder(order, options),
  );
  await showLinks(output, prefilledOrder, (await knowsSeveral(context)) ? label : undefined);
  if (!open && !qr) return;
  // After a signal the order is shown, but nothing else is begun.
  context.signal.throwIfAborted();
  const link = webLink(prefilledOrder.order_url);
  if (qr) await drawQr(context, link);
  if (open) await openPage(context, link);
}

/** @param store is named where several are known */
async function showLinks(
  output: Output,
  { id, order_url, checkout_url }: PrefilledOrder,
  store: string | undefined,
): Promise<void> {
  if (output.json) output.value({ id, order_url, checkout_url });
  else if (output.format === "table") {
    output.sentence(
      store === undefined
        ? t`Pre-filled order ${id} is made.`
        : t`Pre-filled order ${id} is made at ${store}.`,
    );
    output.line(t`Order page:     ${order_url}`);
    output.line(t`Checkout page:  ${checkout_url}`);
  } else await output.records(columns, [{ id, order_url, checkout_url }]);
}

/** Without a terminal there is no person, so no browser is started. */
async function openPage(context: Context, link: string): Promise<void> {
  const { output } = context;
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

const columns: readonly Column<PrefilledOrder>[] = [
  { heading: "Id", name: "id", cell: ({ id }) => id },
  { heading: "Order page", name: "order_url", cell: ({ order_url: url }) => url },
  { heading: "Checkout page", name: "checkout_url", cell: ({ checkout_url: url }) => url },
];
