/** `comanda prefill` creates a pre-filled order from options or a file (section 4.9), and prints its links. */
import { isObject } from "../base/basics.js";
import { invalidValue, repeated } from "../base/fields.js";
import { check, newPrefilledOrderSchema } from "../api/input.js";
import type { PrefilledOrderBody } from "../api/models.js";
import { collect, type Command } from "../cli/command.js";
import type { Context } from "../cli/context.js";
import { decodeText, readInput } from "../cli/input.js";
import type { Column } from "../cli/records.js";
import { hasSeveralStores, openConnection } from "../core/connection.js";
import { prefill, type Prefilled } from "../core/prefill.js";
import { createStyle, firstProblems, plainStyle } from "../cli/text.js";
import { ComandaError } from "../base/errors.js";
import { t, translated } from "../languages/language.js";
import { factLines } from "../views/stores.js";
import exampleOrder from "./prefill-example.txt";

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

export default function prefillCommand(command: Command): void {
  command
    .arguments("[file]")
    .details(
      'Creates an order for the customer to complete, and prints two links. The first link opens the menu with a full cart, and the second opens the checkout. comanda reads the order from a YAML or JSON file, or from stdin if the file is "-". A customer or address option replaces only its own field; --item replaces all items of the file.',
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
    .option("--open", "open the page in the browser")
    .option("--qr", "show the link to the order page as a QR code")
    .option("--example", "print an example file with every field")
    .examples(
      'prefill --order-type takeout --customer-name Ana --item 3002x2:"no onion" --item 3001 --qr',
      "prefill --order-type delivery --address number=120 --address street='Rua das Acácias' --item 3008",
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
    // Comments and notes are in the user's language.
    output.text(
      exampleOrder.replaceAll(/(?<=# |observation: |reference: ).*$/gm, (words) => translated(words)),
    );
    return;
  }
  const order = await readOrder(context, file, flags);
  const { store, dryRun } = context.options;
  const connection = await openConnection(context.workspace, store);
  const { describe, label } = connection;
  if (dryRun) {
    output.requests([await describe((probe) => probe.createPrefilledOrder(order))]);
    return;
  }
  const created = await prefill(connection, order);
  const { id, order_url, checkout_url } = created;
  // The links are printed first, so that they aren't lost if the browser doesn't start.
  if (output.json) output.value(created);
  else if (output.format === "table") {
    if (await hasSeveralStores(context.workspace)) output.sentence(t`At ${label}:`);
    output.sentence(t`Created the pre-filled order ${id}.`);
    const links = [["Order page", order_url] as const, ["Checkout page", checkout_url] as const];
    for (const line of factLines(links)) output.line(line);
  } else await output.records(columns, [created]);
  if (!open && !qr) return;
  // After a signal, the links are printed, but no browser is started.
  if (context.signal.aborted) return;
  const link = webLink(order_url);
  if (qr) await drawQr(context, link);
  if (!open) return;
  const warn = () => output.warn(t`The browser didn't open. Open this page yourself: ${link}`);
  // Without a terminal, no browser is started.
  if (context.stderr.isTTY === true) await context.openBrowser(link).catch(warn);
  else warn();
}

const columns: readonly Column<Prefilled>[] = [
  { heading: "Id", name: "id" },
  { heading: "Order page", name: "order_url" },
  { heading: "Checkout page", name: "checkout_url" },
  { heading: "Store", name: "store" },
];

/** Rejects links that aren't web addresses: a browser or a desktop could pass them to any program. */
export function webLink(url: string): string {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (parsed?.protocol === "https:" || parsed?.protocol === "http:") return parsed.href;
  throw new ComandaError(
    "unexpected_answer",
    t`The service's link isn't a web address, so comanda doesn't open it.`,
  );
}

/** Draws a QR code (ISO/IEC 18004), two modules in each character. It goes to stdout, unless that is data for a program. */
async function drawQr({ output, options, env, ...streams }: Context, link: string): Promise<void> {
  const stream = output.format === "table" ? streams.stdout : streams.stderr;
  const isColored = (await createStyle(stream, env, options.color)) !== plainStyle;
  const { default: qrcode } = await import("qrcode");
  const picture = await qrcode
    .toString(link, {
      type: "utf8",
      errorCorrectionLevel: "L",
      margin: 2,
      // Without color, the modules are in the text's color, which is light on most terminals.
      ...(!isColored && { color: { dark: "#ffffff", light: "#000000" } }),
    })
    .catch(() => undefined);
  const lines = picture?.trimEnd().split("\n") ?? [];
  const width = lines[0]?.length ?? 0;
  if (lines.length === 0 || width > (stream.columns ?? width)) {
    output.warn(t`The QR code doesn't fit in the terminal.`);
    return;
  }
  for (const line of lines)
    stream.write(isColored ? `\u001b[38;5;16;48;5;231m${line}\u001b[0m\n` : `${line}\n`);
}

/** Options override the file: customer and address by field, items as a whole. */
async function readOrder(
  context: Context,
  file: string | undefined,
  { orderType, customerName, customerPhone, item = [], address = [] }: PrefillOptions,
): Promise<PrefilledOrderBody> {
  const read = file === undefined ? {} : await readFile(context, file);
  const typed = {
    ...(orderType !== undefined && { order_type: orderType }),
    ...onTopOf(read, "customer", { name: customerName, phone: customerPhone }),
    ...(item.length > 0 && { cart: item.map(itemOf) }),
    ...onTopOf(read, "delivery_address", addressOf(address)),
  };
  const order = isObject(read) ? { ...read, ...typed } : read;
  const checked = check(newPrefilledOrderSchema(), order, t`The order`);
  const isRight = (value: unknown): value is PrefilledOrderBody => value === order && checked.ok;
  if (isRight(order)) return order;
  const problems = checked.ok ? [] : checked.problems;
  const lines = problems.map(({ message, hint }) => [message, hint].filter(Boolean).join(" "));
  throw new ComandaError("invalid_input", t`The order isn't valid. Nothing was sent.`, {
    hint: [...firstProblems([...new Set(lines)]), exampleHint()].join("\n"),
  });
}

const exampleHint = () => t`For a complete file, run: comanda prefill --example`;

/** @throws {ComandaError} `invalid_input` with the place of the first mistake; as {@link readInput} */
async function readFile(context: Context, file: string): Promise<unknown> {
  const { parseDocument } = await import("yaml");
  const { bytes, label } = await readInput(context, file);
  const text = textOf(bytes, label);
  let where: string;
  try {
    // JSON is YAML, too.
    const document = parseDocument(text, { stringKeys: true, logLevel: "error" });
    const [problem] = [...document.errors, ...document.warnings];
    // An empty file is an empty order.
    if (!problem) return document.toJS() ?? {};
    const { line, col } = problem.linePos?.[0] ?? { line: 1, col: 1 };
    where = t`The first mistake is in line ${line}, column ${col}.`;
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    const isAlias = error instanceof ReferenceError;
    where = isAlias ? t`An alias has no value, or is repeated too often.` : error.message;
  }
  throw new ComandaError("invalid_input", t`${label} isn't valid YAML or JSON.`, {
    hint: [where, exampleHint()].join("\n"),
  });
}

function textOf(bytes: Uint8Array, label: string): string {
  try {
    return decodeText(bytes, { fatal: true });
  } catch {
    throw new ComandaError("invalid_input", t`${label} isn't UTF-8 text.`);
  }
}

/** Returns an object of the order with the fields that were typed; nothing if none was. */
function onTopOf(order: unknown, name: string, typed: Readonly<Record<string, string | undefined>>) {
  const fields = Object.entries(typed).filter(([, value]) => value !== undefined);
  if (fields.length === 0) return {};
  const before = isObject(order) ? order[name] : undefined;
  return { [name]: { ...(isObject(before) && before), ...Object.fromEntries(fields) } };
}

function addressOf(texts: readonly string[]): Readonly<Record<string, string>> {
  const fields = new Map<string, string>();
  for (const text of texts) {
    const [, typed = "", value = ""] = /^([^=]+)=(.*)$/s.exec(text) ?? [];
    const name = typed.trim();
    if (name === "")
      throw invalidValue("address", text, { hint: t`For example: ${"--address city=Recife"}` });
    if (fields.has(name)) throw repeated("usage", name);
    fields.set(name, value);
  }
  return Object.fromEntries(fields);
}

/** Reads `<item_id>[x<quantity>][:observation]`. */
function itemOf(text: string) {
  const [, id, quantity = "1", note = ""] =
    /^(\d{1,15})(?:[x×](\d{1,15}))?(?::(.*))?$/isu.exec(text.trim()) ?? [];
  if (id === undefined)
    throw invalidValue("item", text, { hint: t`For example: ${'--item 3002x2:"no onion"'}` });
  const observation = note.trim();
  return { item_id: Number(id), quantity: Number(quantity), ...(observation !== "" && { observation }) };
}
