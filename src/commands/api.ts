/** `comanda api` sends a request to any path, and prints the response. */
import { STATUS_CODES } from "node:http";

import { alternatives, parseJson } from "../base/basics.js";
import { contradiction, repeated } from "../base/fields.js";
import { collect, invalidValue, type Command } from "../cli/command.js";
import type { Context } from "../cli/context.js";
import { readInput } from "../cli/input.js";
import { hasSeveralStores, openConnection } from "../core/connection.js";
import { printable, safeJsonText } from "../cli/text.js";
import { httpMethods, request, type AnyRequest } from "../client/any-call.js";
import { anyCallId } from "../client/judge.js";
import { orderError } from "../core/orders.js";
import { isComandaError } from "../base/errors.js";
import { isSafe, type HttpResponse } from "../client/transport.js";
import { t } from "../languages/language.js";

interface ApiOptions {
  readonly field?: readonly string[];
  readonly jsonField?: readonly string[];
  readonly query?: readonly string[];
  readonly input?: string;
  readonly header?: readonly string[];
  readonly auth?: keyof typeof signatures;
  readonly include?: boolean;
}

const signatures = { bearer: "bearer", key: "api_key", partner: "partner" } as const;

export default function api(command: Command): void {
  command
    .arguments("<method> <path>")
    .details(
      "The path is appended to the store's base URL; requests never go to another host. The response body is printed unchanged to stdout, even if it is an error. Exit codes are the same as in other commands. comanda retries GET, HEAD, PUT and DELETE. It retries POST and PATCH only if the service can't have processed the request.",
      '-f and -F build one JSON object: -f adds a text field, and -F a field with any JSON value, such as -F \'customer={"name":"Ana"}\'. For any other body, use --input. A body can be up to 64 MiB, and a response up to 10 MiB. With --auth partner, the request contains the API key and the partner key.',
    )
    .takes("store", "dryRun")
    .option("-f, --field <key=value>", "text field of the body (repeatable)", collect)
    .option("-F, --json-field <key=json>", "JSON field of the body, such as a=7.5 (repeatable)", collect)
    .option("--query <key=value>", "query parameter (repeatable)", collect)
    .option("--input <file>", "file to send as the body; - is stdin")
    .option("-H, --header <name:value>", "request header (repeatable)", collect)
    .addOption(command.createOption("--auth <kind>", "credential").choices(Object.keys(signatures)))
    .option("-i, --include", "print the status line and the headers first")
    .examples(
      "api GET /api/partner/v1/orders/summary --query start_date=2026-10-05T00:00:00Z --query end_date=2026-10-05T23:59:59Z",
      'api POST /api/partner/v1/orders/4712/cancel -f cancellation_reason="Out of flour"',
      "api PUT /api/partner/v1/orders/4716/driver -F driver_id=11 -F driver_fee=7.50",
      "api POST /api/partner/v1/orders --auth partner --input order.json --dry-run",
    )
    .does(call);
}

async function call(context: Context, options: ApiOptions, words: readonly string[]): Promise<void> {
  const { signal, output } = context;
  const { input: file, include = false } = options;
  const typed = requestOf(words, options);
  const { store, dryRun } = context.options;
  let last: HttpResponse | undefined;
  const connection = await openConnection(context.workspace, store, {
    onResponse: (response) => (last = response),
  });
  const { client, describe } = connection;
  const nameStore = async () => {
    if (!isSafe(typed) && (await hasSeveralStores(context.workspace)))
      output.notice(t`Sent to the store ${connection.label}.`);
  };
  try {
    const input = file === undefined ? undefined : await readInput(context, file);
    const whole = input ? { ...typed, body: input.bytes } : typed;
    if (dryRun) {
      const body = input && t`(${input.bytes.length} bytes of ${input.label})`;
      output.requests([
        { ...(await describe((probe) => request(probe, whole))), ...(body !== undefined && { body }) },
      ]);
      return;
    }
    await request(client, whole, { signal });
    await nameStore();
  } catch (error) {
    if (!isComandaError(error)) throw error;
    if (error.operation !== anyCallId && error.orderId !== null)
      throw await orderError(connection, error, error.orderId);
    if (error.evidence !== null) await nameStore();
    throw error;
  } finally {
    if (last) printResponse(context, last, include);
    if (last?.truncated) output.warn(t`The response is too long or compressed, so its end is missing.`);
  }
}

/** Reads the request from the arguments and options, without the body from a file. The client checks it before sending. */
function requestOf([method = "", path = ""]: readonly string[], options: ApiOptions): AnyRequest {
  const { auth, input, query = [], header = [], field = [], jsonField = [] } = options;
  const verb = httpMethods.find((candidate) => candidate === method.toUpperCase());
  if (!verb) throw invalidValue("'method'", method, t`Use ${alternatives(httpMethods)}.`);
  const hasFields = field.length + jsonField.length > 0;
  if (input !== undefined && hasFields)
    throw contradiction("--input", field.length > 0 ? "--field" : "--json-field");
  // A number is sent as it was typed: 7.50 stays 7.50.
  const texts = field.map((text) => pair("-f", text, "="));
  const values = jsonField.map((text) => pair("-F", text, "="));
  const members = new Map(texts.map(([name, value]) => [name, JSON.stringify(value)]));
  for (const [name, value] of values) {
    if (parseJson(value) === undefined)
      throw invalidValue(`-F ${name}`, value, t`For text, use -f ${name}=…`);
    members.set(name, value.trim());
  }
  const typed = header.map((text) => pair("-H", text, ":"));
  const headers = new Map(typed.map(([name, value]) => [name.trim().toLowerCase(), value.trim()]));
  const repeatedIn = (names: readonly string[]) => names.find((name, index) => names.indexOf(name) !== index);
  const twice =
    repeatedIn([...texts, ...values].map(([name]) => name)) ??
    repeatedIn(typed.map(([name]) => name.trim().toLowerCase()));
  if (twice !== undefined) throw repeated("usage", twice);
  const body = [...members].map(([name, json]) => `${JSON.stringify(name)}:${json}`).join(",");
  return {
    method: verb,
    path,
    query: query.map((text) => pair("--query", text, "=")),
    headers: Object.fromEntries(headers),
    ...(auth !== undefined && { auth: signatures[auth] }),
    ...(hasFields && { body: `{${body}}` }),
  };
}

function pair(flag: string, text: string, separator: "=" | ":"): readonly [name: string, value: string] {
  const at = text.indexOf(separator);
  if (at > 0) return [text.slice(0, at), text.slice(at + 1)];
  throw invalidValue(flag, text, t`For example: ${`${flag} name${separator}value`}`);
}

/** Prints the response unchanged, but escapes control characters on a terminal. */
function printResponse(
  { stdout }: Pick<Context, "stdout">,
  { status, headers, setCookies = [], body }: HttpResponse,
  include: boolean,
): void {
  if (include) {
    const lines = [
      // The client uses no other version.
      `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ""}`.trimEnd(),
      ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
      ...setCookies.map((value) => `set-cookie: ${value}`),
    ];
    stdout.write(`${lines.map((line) => printable(line)).join("\n")}\n\n`);
  }
  if (body === "" || stdout.isTTY !== true) {
    stdout.write(body);
    return;
  }
  // On a terminal, text after a lone CR would overwrite the line.
  const isJson = parseJson(body) !== undefined;
  const text = isJson ? safeJsonText(body) : printable(body, true).replaceAll(/\r(?!\n)/g, "\\r");
  stdout.write(text.endsWith("\n") ? text : `${text}\n`);
}
