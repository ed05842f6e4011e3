import type { Command } from "commander";

import { ComandaError } from "../../errors/index.js";
import type { Context } from "../context.js";
import { collect } from "../globals.js";
import { leaf, perform, type Invocation } from "../leaf.js";
import type { PrefillOptions } from "./run-prefill.js";

interface Options extends PrefillOptions {
  readonly example?: boolean;
  readonly schema?: boolean;
}

export function prefillCommand(context: Context): Command {
  const command = leaf({
    usage: "prefill [file]",
    summary: "make a pre-filled order, which opens in the store's digital menu",
    description:
      'The file is YAML or JSON; "-" is stdin. Flags go before what it says: customer and address field by field, ' +
      "the items as a whole. A file of JSON Lines (.jsonl, .ndjson, or --lines) makes many, one a line.\n\n" +
      "It needs the store's API key: comanda login --api-key --store <alias> --env <name>",
    takes: ["store", "dryRun", "format"],
    examples: [
      'prefill --order-type takeout --customer-name Ana --item 3002x2:"no onion" --item 3001 --qr',
      "prefill --order-type delivery --item 3008 --address street='Rua das Acácias' --address number=120",
      "prefill --example > order.yaml",
      "prefill order.yaml --open",
      "prefill orders.jsonl --json",
    ],
  })
    .option("--order-type <type>", "delivery or takeout")
    .option("--customer-name <name>", "the customer's name")
    .option("--customer-phone <phone>", "the customer's phone")
    .option("--item <id[xquantity][:observation]>", "an item of the cart (repeatable)", collect)
    .option(
      "--address <key=value>",
      "a field of the delivery address; street= leaves street out (repeatable)",
      collect,
    )
    .option("--lines", "the file holds one order a line")
    .option("--open", "open the order page in the browser")
    .option("--qr", "draw the order page's address as a QR code")
    .option("--qr-file <path>", "write it as a QR code to a .svg or .png file (repeatable)", collect)
    .option("--example", "print a complete file to start from")
    .option("--schema", "print the JSON Schema of such a file");
  return perform(command, context, (invocation, [file]) =>
    prefill(invocation, command.opts<Options>(), file),
  );
}

async function prefill(invocation: Invocation, options: Options, file: string | undefined): Promise<void> {
  const { example = false, schema = false, ...rest } = options;
  if (!example && !schema) {
    const { runPrefill } = await import("./run-prefill.js");
    await runPrefill(invocation, rest, file);
    return;
  }
  if (file !== undefined || Object.keys(rest).length > 0 || (example && schema)) {
    throw new ComandaError("usage", `${example ? "--example" : "--schema"} stands alone.`, {
      hint: "For example: comanda prefill --example > order.yaml",
    });
  }
  if (example) {
    const { exampleFile } = await import("./example.js");
    invocation.output.text(exampleFile);
    return;
  }
  const { orderJsonSchema } = await import("./json-schema.js");
  invocation.output.text(`${JSON.stringify(orderJsonSchema(), undefined, 2)}\n`);
}
