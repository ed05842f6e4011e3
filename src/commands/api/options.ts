/** From the words of the command line to a call; every fault in them is found before anything is opened. */
import { httpMethods, type AnyRequest, type HttpMethod, type Signature } from "../../client/index.js";
import { ComandaError } from "../../shared/errors.js";
import { parseJson } from "../../shared/json.js";

export interface ApiOptions {
  readonly field?: readonly string[];
  readonly jsonField?: readonly string[];
  readonly query?: readonly string[];
  readonly input?: string;
  readonly header?: readonly string[];
  readonly auth?: string;
  readonly maxTime?: string;
  readonly include?: boolean;
}

/** All of a call but a body that comes from a file. @throws {ComandaError} `usage` */
export function parseCall(method: string, path: string, options: ApiOptions): AnyRequest {
  const { query = [], header = [], auth, input } = options;
  const body = bodyOfFields(options);
  if (body !== undefined && input !== undefined)
    throw usage("--input contradicts --field and --json-field.", "The body comes from one of them.");
  const verb = parseMethod(method);
  if ((body ?? input) !== undefined && (verb === "GET" || verb === "HEAD"))
    throw usage(`A ${verb} has no body.`, "What it asks for goes into --query key=value.");
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
  throw usage(`"${text}" is no method of the service.`, `There are: ${httpMethods.join(", ")}.`);
}

const signatures: ReadonlyMap<string, Signature> = new Map([
  ["bearer", "bearer"],
  ["key", "api_key"],
  ["partner", "partner"],
]);

function parseAuth(text: string): Signature {
  const signature = signatures.get(text);
  if (signature) return signature;
  throw usage(`--auth can't be "${text}".`, `There are: ${[...signatures.keys()].join(", ")}.`);
}

function headersOf(texts: readonly string[]): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const text of texts) {
    const [name, value] = pair("--header", text, ":");
    const key = name.trim().toLowerCase();
    if (Object.hasOwn(headers, key)) throw usage(`The header ${key} is given twice.`, "Give it once.");
    headers[key] = value.trim();
  }
  return headers;
}

/** `undefined` where there are no fields. */
function bodyOfFields({ field = [], jsonField = [] }: ApiOptions): string | undefined {
  if (field.length + jsonField.length === 0) return undefined;
  const members = [
    ...field.map((text) => {
      const [name, value] = pair("--field", text, "=");
      return [name, JSON.stringify(value)] as const;
    }),
    ...jsonField.map((text) => {
      const [name, value] = pair("--json-field", text, "=");
      return [name, checkedJson(name, value)] as const;
    }),
  ];
  const names = members.map(([name]) => name);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw usage(`The field ${twice} is given twice.`, "Give it once.");
  // The texts go out as they were typed: 7.50 stays 7.50.
  return `{${members.map(([name, json]) => `${JSON.stringify(name)}:${json}`).join(",")}}`;
}

function checkedJson(name: string, text: string): string {
  if (parseJson(text) !== undefined) return text.trim();
  throw usage(
    `--json-field ${name} is not valid JSON.`,
    text.startsWith("@")
      ? "A file holds the whole body: --input <file>"
      : `A text needs no JSON: --field ${name}=…`,
  );
}

function pair(flag: string, text: string, separator: "=" | ":"): readonly [name: string, value: string] {
  const at = text.indexOf(separator);
  if (at > 0) return [text.slice(0, at), text.slice(at + 1)];
  throw usage(
    `${flag} takes name${separator}value, not "${text}".`,
    `For example: ${flag} name${separator}value`,
  );
}

function usage(message: string, hint: string): ComandaError {
  return new ComandaError("usage", message, { hint });
}
