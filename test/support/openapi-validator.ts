/** A public validator of JSON Schema (ajv) between a client and the emulator, with the schemas of the OpenAPI document. */
import { Ajv2020 } from "ajv/dist/2020.js";
import * as z from "zod/mini";

const parameterSchema = z.looseObject({
  name: z.string(),
  in: z.string(),
  required: z.optional(z.boolean()),
  schema: z.looseObject({ type: z.optional(z.string()) }),
});
const contentSchema = z.optional(z.record(z.string(), z.unknown()));
const operationSchema = z.looseObject({
  parameters: z._default(z.array(parameterSchema), []),
  requestBody: z.optional(z.looseObject({ content: contentSchema })),
  responses: z.record(z.string(), z.looseObject({ content: contentSchema })),
});
const documentSchema = z.looseObject({ paths: z.record(z.string(), z.record(z.string(), operationSchema)) });

export interface Exchange {
  readonly method: string;
  /** The path with its query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly status: number;
  readonly answer: string;
}

/** @returns a function that returns the validator's objections to an exchange */
export function createValidator(openApi: unknown) {
  // ajv divides floating-point numbers, for which 8.29 isn't a multiple of 0.01.
  const document: unknown = JSON.parse(JSON.stringify(openApi).replaceAll(/"multipleOf":0\.01,?/g, ""));
  const { paths } = z.parse(documentSchema, document);
  const ajv = new Ajv2020({ strict: false, validateFormats: false, coerceTypes: false });
  ajv.addSchema(z.parse(z.looseObject({}), document), "document");
  /** @param place the names of members from the document's root */
  const faultsOf = (value: unknown, ...place: readonly string[]) => {
    const pointer = place.map((name) => encodeURIComponent(name.replaceAll("~", "~0").replaceAll("/", "~1")));
    const validate = ajv.getSchema(`document#/${pointer.join("/")}`);
    if (!validate) throw new Error(`the document has no ${place.join("/")}`);
    return validate(value) ? [] : [`${place.at(-2) ?? ""}: ${ajv.errorsText(validate.errors)}`];
  };
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      ...operation,
      path,
      method,
      pattern: new RegExp(`^${path.replaceAll(/\{(\w+)\}/g, "(?<$1>[^/]+)")}$`),
    })),
  );

  return ({ method, path, headers, body, status, answer }: Exchange): readonly string[] => {
    const url = new URL(path, "http://127.0.0.1");
    const found = operations.find(
      (operation) => operation.method === method.toLowerCase() && operation.pattern.test(url.pathname),
    );
    const name = `${method} ${url.pathname} ${status}`;
    // The service must reject a path that the document doesn't contain.
    if (!found) return status === 404 || status === 405 ? [] : [`${name} is not in the document`];
    const place = ["paths", found.path, found.method];
    const code =
      [String(status), `${Math.floor(status / 100)}XX`].find((each) => each in found.responses) ?? "";
    const response = found.responses[code];
    const [type] = Object.keys(response?.content ?? {});
    const answered = !response
      ? [`${name} is not in the document`]
      : type === undefined
        ? [answer].filter((text) => text !== "")
        : faultsOf(parsed(answer), ...place, "responses", code, "content", type, "schema");
    // A rejected request needn't match the document.
    if (status >= 400) return answered;
    const given = { ...found.pattern.exec(url.pathname)?.groups };
    const unknown = [...url.searchParams.keys()].filter(
      (key) => !found.parameters.some((parameter) => parameter.name === key),
    );
    const asked = found.parameters.flatMap((parameter, index) => {
      const texts =
        parameter.in === "path" ? [given[parameter.name] ?? ""] : url.searchParams.getAll(parameter.name);
      if (parameter.in === "header" || (texts.length === 0 && parameter.required !== true)) return [];
      // Converts the query's strings as a server does, to the lists and numbers of the document.
      const isList = parameter.schema.type === "array";
      const isNumber = /"type":"(?:integer|number)"/.test(JSON.stringify(parameter.schema));
      const values = texts.map((text) => (isNumber ? Number(text) : text));
      const value = isList || values.length > 1 ? values : values[0];
      return faultsOf(value, ...place, "parameters", String(index), "schema");
    });
    const [kind] = Object.keys(found.requestBody?.content ?? {});
    const sent =
      kind === undefined || body === ""
        ? []
        : faultsOf(parsed(body, headers["content-type"]), ...place, "requestBody", "content", kind, "schema");
    return [...answered, ...unknown, ...asked, ...sent];
  };
}

/** Parses JSON; other text stays as it is. */
function parsed(text: string, type = "application/json"): unknown {
  if (type.includes("urlencoded")) return Object.fromEntries(new URLSearchParams(text));
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}
