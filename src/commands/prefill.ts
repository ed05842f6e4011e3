/** `comanda prefill` makes a pre-filled order of flags or a file (section 4.9), and shows its links. */
import { isObject } from "../base/basics.js";
import { check, newPrefilledOrderSchema } from "../api/input.js";
import type { PrefilledOrder, PrefilledOrderBody } from "../api/models.js";
import { collect, type Command } from "../cli/command.js";
import type { Context } from "../cli/context.js";
import { decodeText, firstProblems, readInput } from "../cli/input.js";
import type { Column } from "../cli/records.js";
import { knowsSeveral, openConnection } from "../cli/connection.js";
import { createStyle, plainStyle } from "../cli/text.js";
import { ComandaError } from "../base/errors.js";
import { t } from "../languages/language.js";
import exampleFile from "./prefill-example.md";

interface PrefillOptions {
  readonly orderType?: string;
  readonly customerName?: string;
  readonly customerPhone?: string;
  readonly item?: readonly string[];
  readonly address?: readonly string[];
  readonly open?: boolean;
  readonly qr?: boolean;
  readonly example?: boolean;
}

export default function prefill(command: Command): void {
  command
    .arguments("[file]")
    .details(
      'Reads the order from a YAML or JSON file, or from stdin if the file is "-". Options override the file: the customer and the address field by field, the items as a whole.',
      "Requires the store's API key: comanda login --api-key --store <alias> --env <name>",
    )
    .takes("store", "dryRun", "format")
    .option("--order-type <type>", "delivery or takeout")
    .option("--customer-name <name>", "customer's name")
    .option("--customer-phone <phone>", "customer's phone with area code, digits only")
    .option(
      "--item <id[xquantity][:observation]>",
      "item with quantity and note to the kitchen (repeatable)",
      collect,
    )
    .option("--address <key=value>", "field of the delivery address (repeatable)", collect)
    .option("--open", "open the order page in the browser")
    .option("--qr", "show the order page's address as a QR code")
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
  flags: PrefillOptions,
  [file]: readonly string[],
): Promise<void> {
  const { output } = context;
  const { open = false, qr = false, example = false } = flags;
  if (example) {
    output.text(exampleFile.replaceAll(/^```.*\n/gm, ""));
    return;
  }
  const order = await readOrder(context, file, flags);
  const { store, dryRun } = context.options;
  const { client, describe, label } = await openConnection(context, store);
  if (dryRun) {
    output.requests([await describe((probe) => probe.createPrefilledOrder(order))]);
    return;
  }
  const { value: made } = await client.createPrefilledOrder(order, { signal: context.signal });
  const { id, order_url, checkout_url } = made;
  // The links are shown before they are used, so that a browser that doesn't start can't hide an order that is made.
  if (output.json) output.value({ id, order_url, checkout_url });
  else if (output.format === "table") {
    const isNamed = await knowsSeveral(context);
    output.sentence(
      isNamed ? t`Pre-filled order ${id} is made at ${label}.` : t`Pre-filled order ${id} is made.`,
    );
    output.line(t`Order page:     ${order_url}`);
    output.line(t`Checkout page:  ${checkout_url}`);
  } else await output.records(columns, [made]);
  if (!open && !qr) return;
  // After a signal the order is shown, but nothing else is begun.
  context.signal.throwIfAborted();
  const link = webLink(order_url);
  if (qr) await drawQr(context, link);
  if (!open) return;
  const warn = () => output.warn(t`No browser could be started; open the order page yourself.`);
  // Without a terminal there is no person, so no browser is started.
  if (context.stderr.isTTY === true) await context.openBrowser(link).catch(warn);
  else warn();
}

const columns: readonly Column<PrefilledOrder>[] = [
  { heading: "Id", name: "id", cell: ({ id }) => id },
  { heading: "Order page", name: "order_url", cell: ({ order_url: url }) => url },
  { heading: "Checkout page", name: "checkout_url", cell: ({ checkout_url: url }) => url },
];

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

/**
 * Draws a QR code (ISO/IEC 18004), two modules in each character, one above the other. It is a result, so it goes to stdout,
 * unless stdout carries data for a program.
 */
async function drawQr({ output, options, env, ...streams }: Context, link: string): Promise<void> {
  const stream = output.format === "table" ? streams.stdout : streams.stderr;
  const isColored = (await createStyle(stream, env, options.color)) !== plainStyle;
  const { default: qrcode } = await import("qrcode");
  const picture = await qrcode
    .toString(link, {
      type: "utf8",
      errorCorrectionLevel: "L",
      margin: 2,
      // With colours the ink is dark; without, it is light, as the text of most terminals.
      ...(!isColored && { color: { dark: "#ffffff", light: "#000000" } }),
    })
    .catch(() => undefined);
  const lines = picture?.trimEnd().split("\n") ?? [];
  const width = lines[0]?.length ?? 0;
  if (lines.length === 0 || width > (stream.columns ?? width)) {
    output.warn(t`The order page's address doesn't fit here as a QR code.`);
    return;
  }
  for (const line of lines)
    stream.write(isColored ? `\u001b[38;5;16;48;5;231m${line}\u001b[0m\n` : `${line}\n`);
}

/**
 * Flags go before the file: customer and address field by field, the items as a whole.
 *
 * @param file `-` stands for stdin; undefined where the flags give the whole order
 * @throws {ComandaError} `invalid_input` with all that is wrong; as {@link readInput}
 */
async function readOrder(
  context: Context,
  file: string | undefined,
  { orderType, customerName, customerPhone, item = [], address = [] }: PrefillOptions,
): Promise<PrefilledOrderBody> {
  const exampleHint = t`A complete file to start from: comanda prefill --example`;
  let label = t`the flags`;
  let read: unknown = {};
  if (file !== undefined) {
    const { parseDocument } = await import("yaml");
    const input = await readInput(context, file);
    ({ label } = input);
    try {
      const text = decodeText(input.bytes, { fatal: true });
      // JSON is YAML, too.
      const document = parseDocument(text, { stringKeys: true, logLevel: "error" });
      const faults = [...document.errors, ...document.warnings];
      if (faults.length > 0) throw new AggregateError(faults);
      // An empty file counts as none.
      read = document.toJS() ?? {};
    } catch (error) {
      // Bytes that aren't text, aliases that stand for millions of values, or brackets too deep to follow, too.
      const faults: readonly unknown[] = error instanceof AggregateError ? error.errors : [error];
      const reasons = faults.map((fault) => (fault instanceof Error ? fault.message : String(fault)));
      const [reason = "", ...others] = firstProblems(reasons.map((text) => text.replace(/:\n.*$/s, "")));
      const hint = [...others, exampleHint].join("\n");
      throw new ComandaError("invalid_input", t`${label} can't be read: ${reason}`, { hint });
    }
  }
  const customer = {
    ...(customerName !== undefined && { name: customerName }),
    ...(customerPhone !== undefined && { phone: customerPhone }),
  };
  const typed = {
    ...(orderType !== undefined && { order_type: orderType }),
    ...(Object.keys(customer).length > 0 && { customer: onTopOf(read, "customer", customer) }),
    ...(item.length > 0 && { cart: item.map(itemOf) }),
    ...(address.length > 0 && {
      delivery_address: onTopOf(read, "delivery_address", Object.fromEntries(address.map(fieldOf))),
    }),
  };
  const order = isObject(read) ? { ...read, ...typed } : read;
  const checked = check(newPrefilledOrderSchema(), order, t`The order`);
  const isRight = (value: unknown): value is PrefilledOrderBody => value === order && checked.ok;
  if (isRight(order)) return order;
  const problems = checked.ok ? [] : checked.problems;
  const lines = problems.map(({ message, hint }) => [message, hint].filter(Boolean).join(" "));
  throw new ComandaError("invalid_input", t`The order in ${label} isn't right; nothing was sent.`, {
    hint: [...firstProblems([...new Set(lines)]), exampleHint].join("\n"),
  });
}

function onTopOf(order: unknown, name: string, fields: Readonly<Record<string, string>>) {
  const before = isObject(order) ? order[name] : undefined;
  return isObject(before) ? { ...before, ...fields } : fields;
}

function fieldOf(text: string): readonly [name: string, value: string] {
  const [, name = "", value = ""] = /^([^=]+)=(.*)$/s.exec(text) ?? [];
  if (name.trim() !== "") return [name.trim(), value];
  throw new ComandaError("invalid_input", t`--address takes key=value, not "${text}".`, {
    hint: t`For example: --address city=Recife`,
  });
}

/** Reads `<item_id>[x<quantity>][:observation]`. */
function itemOf(text: string) {
  const [, id, quantity = "1", note = ""] =
    /^(\d{1,15})(?:[x×](\d{1,15}))?(?::(.*))?$/isu.exec(text.trim()) ?? [];
  if (id === undefined)
    throw new ComandaError(
      "invalid_input",
      t`--item takes <item_id>[x<quantity>][:observation], not "${text}".`,
      { hint: t`For example: --item 3002x2:"no onion"` },
    );
  const observation = note.trim();
  return { item_id: Number(id), quantity: Number(quantity), ...(observation !== "" && { observation }) };
}
