/** `comanda prefill` makes pre-filled orders of flags and files, and shows their links. */
import type { DescribedRequest } from "../../client/describe-request.js";
import type { PrefilledOrder } from "../../contract/models.js";
import { ComandaError } from "../../shared/errors.js";
import { t } from "../../shared/language.js";
import type { Command } from "../../toolkit/command.js";
import { showRequests } from "../../toolkit/dry-run.js";
import type { Machine } from "../../toolkit/machine.js";

import { checkCount, expectOption, parseExpectedCount, warnIfCut } from "../../toolkit/whole-list.js";
import { noJournalOption, writeOptionsOf, type WriteOptions } from "../../toolkit/writes.js";
import { createMany, createOne, ordersError, presentMany, type LinkUses, type ManyResult } from "./create.js";
import { readFlags, type FlagFields } from "./flags.js";
import { checkQrTarget, qrTarget } from "./qr.js";
import { withConnection } from "../../toolkit/with-connection.js";

export interface MakeOptions extends LinkUses, WriteOptions {
  readonly kind: "make";
  /** `-` stands for stdin; absent where the flags give the whole order. */
  readonly file: string | undefined;
  /** The file holds an order a line. */
  readonly lines: boolean;
  /** The file must have so many orders. */
  readonly expected: number | undefined;
  readonly flags: FlagFields;
}

export type PrefillOptions = { readonly kind: "example" } | { readonly kind: "schema" } | MakeOptions;

export type PrefillResult =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "requests"; readonly requests: readonly DescribedRequest[] }
  /** The links have been shown already. */
  | { readonly kind: "one"; readonly order: PrefilledOrder }
  | ManyResult;

export const prefill: Command<PrefillOptions, PrefillResult> = {
  description: {
    usage: "prefill [file]",
    summary: "make a pre-filled order, which opens in the store's digital menu",
    description:
      'The file is YAML or JSON; "-" is stdin. Flags go before what it says: customer and address field by field, ' +
      "the items as a whole. A file of JSON Lines (.jsonl, .ndjson, or --lines) makes many, one a line.\n\n" +
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
      { flags: "--lines", description: "the file holds one order a line" },
      expectOption,
      { flags: "--open", description: "open the order page in the browser" },
      { flags: "--qr", description: "draw the order page's address as a QR code" },
      {
        flags: "--qr-file <path>",
        description: "write it as a QR code to a .svg or .png file (repeatable)",
        repeatable: true,
      },
      { flags: "--example", description: "print a complete file to start from" },
      { flags: "--schema", description: "print the JSON Schema of such a file" },
      noJournalOption,
    ],
    examples: [
      'prefill --order-type takeout --customer-name Ana --item 3002x2:"no onion" --item 3001 --qr',
      "prefill --order-type delivery --item 3008 --address street='Rua das Acácias' --address number=120",
      "prefill --example > order.yaml",
      "prefill order.yaml --open",
      "prefill orders.jsonl --json",
    ],
  },

  parse(line) {
    if (line.flag("--example")) return { kind: "example" };
    if (line.flag("--schema")) return { kind: "schema" };
    const [file] = line.words;
    const flags = readFlags(line);
    if (file === undefined && flags.fields.length + flags.faults.length === 0) {
      throw new ComandaError("usage", t`Which order? Give a file, or say with flags what is in it.`, {
        hint: t`A complete file to start from: comanda prefill --example\nOr with flags: comanda prefill --order-type takeout --item 3002x2`,
      });
    }
    const lines = line.flag("--lines") || /\.(?:jsonl|ndjson)$/i.test(file ?? "");
    const [open, qr, qrFiles] = [line.flag("--open"), line.flag("--qr"), line.list("--qr-file")];
    if (lines && (open || qr || qrFiles.length > 0)) {
      throw new ComandaError("usage", t`--open, --qr and --qr-file are for one order, not for many.`, {
        hint: t`The links of each order are in the output.`,
      });
    }
    const writeOptions = writeOptionsOf(line);
    if (lines && writeOptions.noJournal)
      throw new ComandaError("usage", t`--no-journal is for one order, not for many.`);
    return {
      ...{ kind: "make", file, lines, flags, open, qr, ...writeOptions },
      expected: parseExpectedCount(line),
      qrFiles: qrFiles.map(qrTarget),
    };
  },

  async run(machine, options) {
    if (options.kind === "make") return make(machine, options);
    const { exampleFile, orderJsonSchema } = await import("./template.js");
    const text =
      options.kind === "example" ? exampleFile : `${JSON.stringify(orderJsonSchema(), undefined, 2)}\n`;
    return { kind: "text", text };
  },

  async present(result, output) {
    if (result.kind === "text") output.text(result.text);
    else if (result.kind === "requests") showRequests(output, result.requests);
    else if (result.kind === "many") await presentMany(result, output);
  },

  failure: (result) => (result.kind === "many" ? ordersError(result) : undefined),
};

/** All inputs are checked before anything is sent. */
async function make(machine: Machine, options: MakeOptions): Promise<PrefillResult> {
  const { file, lines, expected, flags, qrFiles, store, noJournal } = options;
  for (const target of qrFiles) checkQrTarget(machine.context.system, target);
  const { gatherLines, gatherOrder, readOrderFile } = await import("./read-orders.js");
  const source = file === undefined ? undefined : await readOrderFile(file, machine, lines);
  const orders = source && lines ? gatherLines(source, flags) : gatherOrder(source, flags);
  if (source && lines) warnIfCut(source.text, orders.length, (text) => machine.output.warn(text));
  checkCount(orders.length, expected);
  return withConnection(
    machine,
    { store, login: "login --api-key", noJournal },
    async ({ client, describer }): Promise<PrefillResult> => {
      // Without the key this fails once, before the first of many.
      const requests = (options.dryRun ? orders : orders.slice(0, 1)).map(({ order }) =>
        describer.operation("createPrefilledOrder", order),
      );
      if (options.dryRun) return { kind: "requests", requests };
      const [first] = orders;
      if (lines || !first) return await createMany(machine, client, orders);
      return { kind: "one", order: await createOne(machine, client, first.order, options) };
    },
  );
}
