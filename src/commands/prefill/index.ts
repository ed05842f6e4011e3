/** `comanda prefill` makes pre-filled orders of flags and files, and shows their links. */
import type { Command } from "../../cli/command.js";
import type { Context } from "../../cli/context.js";
import { collect, oneStore } from "../../cli/global-options.js";
import { ComandaError } from "../../client/errors.js";
import { t } from "../../languages/language.js";
import { withConnection } from "../store.js";
import { showRequests } from "../writes.js";

import { createOne } from "./create.js";
import { readFlags, type FlagOptions } from "./flags.js";

interface PrefillOptions extends FlagOptions {
  readonly open?: boolean;
  readonly qr?: boolean;
  readonly example?: boolean;
}

export function prefill(command: Command): void {
  command
    .arguments("[file]")
    .about(
      "make a pre-filled order, which opens in the store's digital menu",
      'The file is YAML or JSON; "-" is stdin. Flags go before what it says: customer and address field by field, ' +
        "the items as a whole.",
      "It needs the store's API key: comanda login --api-key --store <alias> --env <name>",
    )
    .takes("store", "dryRun", "format")
    .option("--order-type <type>", "delivery or takeout")
    .option("--customer-name <name>", "the customer's name")
    .option("--customer-phone <phone>", "the customer's phone; with its area code, digits only")
    .option(
      "--item <id[xquantity][:observation]>",
      "an item of the cart; its id in the store's catalog, a whole quantity and a note to the kitchen (repeatable)",
      collect,
    )
    .option(
      "--address <key=value>",
      "a field of the delivery address; only for delivery, street= leaves street out (repeatable)",
      collect,
    )
    .option("--open", "open the order page in the browser")
    .option("--qr", "draw the order page's address as a QR code")
    .option("--example", "print a complete file to start from")
    .examples(
      'prefill --order-type takeout --customer-name Ana --item 3002x2:"no onion" --item 3001 --qr',
      "prefill --order-type delivery --item 3008 --address street='Rua das Acácias' --address number=120",
      "prefill --example > order.yaml",
      "prefill order.yaml --open",
      "prefill order.yaml --json",
    )
    .does(prefillOrder);
}

async function prefillOrder(
  context: Context,
  { open = false, qr = false, example = false, ...options }: PrefillOptions,
  [file]: readonly string[],
): Promise<void> {
  if (example) {
    context.output.text((await import("./example.js")).exampleFile);
    return;
  }
  const flags = readFlags(options);
  if (file === undefined && flags.fields.length + flags.faults.length === 0) {
    throw new ComandaError("usage", t`Which order? Give a file, or say with flags what is in it.`, {
      hint: t`A complete file to start from: comanda prefill --example\nOr with flags: comanda prefill --order-type takeout --item 3002x2`,
    });
  }
  const store = oneStore(context.options);
  const { gatherOrder, readOrderFile } = await import("./read-order.js");
  const order = gatherOrder(file === undefined ? undefined : await readOrderFile(file, context), flags);
  await withConnection(context, { store }, async (connection) => {
    if (context.options.dryRun)
      showRequests(context.output, [connection.describer().operation("createPrefilledOrder", order)]);
    else await createOne(context, connection, order, { open, qr });
  });
}
