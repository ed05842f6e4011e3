/** Makes a call of the command line. Every fault is found before anything is opened. */
import type { AnyRequest } from "../../client/any-call.js";
import type { Signature } from "../../client/credentials.js";
import { httpMethods, type HttpMethod } from "../../client/any-call.js";
import { ComandaError } from "../../client/errors.js";
import { t } from "../../languages/language.js";
import { parseJson } from "../../api/json.js";

export interface CallOptions {
  readonly field?: readonly string[];
  readonly jsonField?: readonly string[];
  readonly query?: readonly string[];
  /** The file that the body comes from, or `-` for stdin. */
  readonly input?: string;
  readonly header?: readonly string[];
  readonly auth?: string;
}

/**
 * @returns the call, without a body that comes from a file
 * @throws {ComandaError} `usage`
 */
export function parseCall([method = "", path = ""]: readonly string[], options: CallOptions): AnyRequest {
  const { auth, input, query = [], header = [] } = options;
  const body = bodyOfFields(options);
  if (body !== undefined && input !== undefined)
    throw usage(t`--input contradicts --field and --json-field.`, t`The body comes from one of them.`);
  const verb = parseMethod(method);
  if ((body ?? input) !== undefined && (verb === "GET" || verb === "HEAD"))
    throw usage(t`A ${verb} has no body.`, t`What it asks for goes into --query key=value.`);
  return {
    method: verb,
    path,
    query: query.map((text) => pair("--query", text, "=")),
    headers: headersOf(header),
    ...(auth === undefined ? {} : { auth: parseAuth(auth) }),
    ...(body === undefined ? {} : { body }),
  };
}

function parseMethod(text: string): HttpMethod {
  const method = httpMethods.find((candidate) => candidate === text.toUpperCase());
  if (method) return method;
  throw usage(t`"${text}" is no method of the service.`, t`There are: ${httpMethods.join(", ")}.`);
}

const signatures: ReadonlyMap<string, Signature> = new Map([
  ["bearer", "bearer"],
  ["key", "api_key"],
  ["partner", "partner"],
]);

function parseAuth(text: string): Signature {
  const signature = signatures.get(text);
  if (signature) return signature;
  throw usage(t`--auth can't be "${text}".`, t`There are: ${[...signatures.keys()].join(", ")}.`);
}

function headersOf(texts: readonly string[]): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const text of texts) {
    const [name, value] = pair("-H (--header)", text, ":");
    const key = name.trim().toLowerCase();
    if (Object.hasOwn(headers, key)) throw usage(t`The header ${key} is given twice.`, t`Give it once.`);
    headers[key] = value.trim();
  }
  return headers;
}

/** `undefined` where there are no fields. */
function bodyOfFields({ field: fields = [], jsonField: jsonFields = [] }: CallOptions): string | undefined {
  if (fields.length + jsonFields.length === 0) return undefined;
  const members = [
    ...fields.map((text) => {
      const [name, value] = pair("-f (--field)", text, "=");
      return [name, JSON.stringify(value)] as const;
    }),
    ...jsonFields.map((text) => {
      const [name, value] = pair("-F (--json-field)", text, "=");
      return [name, parseJsonField(name, value)] as const;
    }),
  ];
  const names = members.map(([name]) => name);
  const duplicate = names.find((name, index) => names.indexOf(name) !== index);
  if (duplicate !== undefined) throw usage(t`The field ${duplicate} is given twice.`, t`Give it once.`);
  // A number goes out as it was typed: 7.50 stays 7.50.
  return `{${members.map(([name, json]) => `${JSON.stringify(name)}:${json}`).join(",")}}`;
}

function parseJsonField(name: string, text: string): string {
  if (parseJson(text) !== undefined) return text.trim();
  throw usage(
    t`-F (--json-field) ${name} is not valid JSON.`,
    text.startsWith("@")
      ? t`A file holds the whole body: --input <file>`
      : t`A text needs no JSON: -f ${name}=…`,
  );
}

/** @param flags all forms of the option, since the typed one isn't known here */
function pair(flags: string, text: string, separator: "=" | ":"): readonly [name: string, value: string] {
  const at = text.indexOf(separator);
  if (at > 0) return [text.slice(0, at), text.slice(at + 1)];
  throw usage(
    t`${flags} takes name${separator}value, not "${text}".`,
    t`For example: ${flags.split(" ")[0] ?? ""} name${separator}value`,
  );
}

function usage(message: string, hint: string): ComandaError {
  return new ComandaError("usage", message, { hint });
}
