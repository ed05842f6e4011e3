/** `comanda prefill` makes pre-filled orders of flags and files, and shows their links. */
import type { DescribedRequest } from "../../client/client.js";
import type { PrefilledOrder } from "../../api/models.js";
import { ComandaError } from "../../client/errors.js";
import { t } from "../../languages/language.js";
import type { Command } from "../../toolkit/command.js";
import { showRequests } from "../../toolkit/dry-run.js";
import { writeOptionsOf, type WriteOptions } from "../../toolkit/writes.js";
import { createOne, type LinkUses } from "./create.js";
import { readFlags, type FlagFields } from "./flags.js";
import { withConnection } from "../../toolkit/with-connection.js";

export interface MakeOptions extends LinkUses, WriteOptions {
  readonly kind: "make";
  /** `-` stands for stdin; absent where the flags give the whole order. */
  readonly file: string | undefined;
  readonly flags: FlagFields;
}

export type PrefillOptions = { readonly kind: "example" } | MakeOptions;

export type PrefillResult =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "requests"; readonly requests: readonly DescribedRequest[] }
  /** The links have been shown already. */
  | { readonly kind: "one"; readonly order: PrefilledOrder };

export const prefill: Command<PrefillOptions, PrefillResult> = {
  description: {
    usage: "prefill [file]",
    summary: "make a pre-filled order, which opens in the store's digital menu",
    description:
      'The file is YAML or JSON; "-" is stdin. Flags go before what it says: customer and address field by field, ' +
      "the items as a whole.\n\n" +
      "It needs the store's API key: comanda login --api-key --store <alias> --env <name>",
    takes: ["store", "dryRun", "format"],
    options: [
      { flags: "--order-type <type>", description: "delivery or takeout (section 4.9)" },
      { flags: "--customer-name <name>", description: "the customer's name (section 4.9)" },
      {
        flags: "--customer-phone <phone>",
        description: "the customer's phone; with its area code, digits only (section 4.9)",
      },
      {
        flags: "--item <id[xquantity][:observation]>",
        description:
          "an item of the cart; its id in the store's catalog, a whole quantity and a note to the kitchen (section 4.9; repeatable)",
        repeatable: true,
      },
      {
        flags: "--address <key=value>",
        description:
          "a field of the delivery address; only for delivery, street= leaves street out (sections 2.2 and 4.9; repeatable)",
        repeatable: true,
      },
      { flags: "--open", description: "open the order page in the browser" },
      { flags: "--qr", description: "draw the order page's address as a QR code" },
      { flags: "--example", description: "print a complete file to start from" },
    ],
    examples: [
      'prefill --order-type takeout --customer-name Ana --item 3002x2:"no onion" --item 3001 --qr',
      "prefill --order-type delivery --item 3008 --address street='Rua das Acácias' --address number=120",
      "prefill --example > order.yaml",
      "prefill order.yaml --open",
      "prefill order.yaml --json",
    ],
  },

  parse(line) {
    if (line.flag("--example")) return { kind: "example" };
    const [file] = line.words;
    const flags = readFlags(line);
    if (file === undefined && flags.fields.length + flags.faults.length === 0) {
      throw new ComandaError("usage", t`Which order? Give a file, or say with flags what is in it.`, {
        hint: t`A complete file to start from: comanda prefill --example\nOr with flags: comanda prefill --order-type takeout --item 3002x2`,
      });
    }
    const [open, qr] = [line.flag("--open"), line.flag("--qr")];
    return { kind: "make", file, flags, open, qr, ...writeOptionsOf(line) };
  },

  async run(machine, options) {
    if (options.kind === "example") return { kind: "text", text: (await import("./example.js")).exampleFile };
    const { file, flags, store, dryRun } = options;
    const { gatherOrder, readOrderFile } = await import("./read-order.js");
    const order = gatherOrder(file === undefined ? undefined : await readOrderFile(file, machine), flags);
    return withConnection(
      machine.context,
      { store, login: "login --api-key" },
      async ({ client, describer }) => {
        if (dryRun)
          return { kind: "requests", requests: [describer.operation("createPrefilledOrder", order)] };
        return { kind: "one", order: await createOne(machine, client, order, options) };
      },
    );
  },

  present(result, output) {
    if (result.kind === "text") output.text(result.text);
    else if (result.kind === "requests") showRequests(output, result.requests);
  },
};
