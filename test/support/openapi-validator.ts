/** A public validator (openapi-request-validator, openapi-response-validator) between a client and the emulator. */
import OpenAPIRequestValidator, { type OpenAPIRequestValidatorArgs } from "openapi-request-validator";
import OpenAPIResponseValidator from "openapi-response-validator";
import * as z from "zod/mini";

const operationSchema = z.looseObject({
  parameters: z._default(z.array(z.custom<object>()), []),
  requestBody: z.optional(z.custom<object>()),
  responses: z.custom<never>(),
});
const parameterSchema = z.looseObject({
  name: z.string(),
  schema: z.looseObject({
    type: z.optional(z.string()),
    items: z.optional(z.looseObject({ type: z.string() })),
  }),
});
const documentSchema = z.looseObject({
  paths: z.record(z.string(), z.record(z.string(), operationSchema)),
  components: z.looseObject({ schemas: z.record(z.string(), z.custom<never>()) }),
});

/** Its types are for OpenAPI 3.0, and take the component schemas for a list. */
const argumentsSchema = z.custom<OpenAPIRequestValidatorArgs>();

export interface Exchange {
  readonly method: string;
  /** With its query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly status: number;
  readonly answer: string;
}

/** What the validator has against an exchange; nothing where it fits. */
export type Validate = (exchange: Exchange) => readonly string[];

// Both are CommonJS whose default is a member.
const Requests =
  "default" in OpenAPIRequestValidator ? OpenAPIRequestValidator.default : OpenAPIRequestValidator;
const Responses =
  "default" in OpenAPIResponseValidator ? OpenAPIResponseValidator.default : OpenAPIResponseValidator;

export function createValidator(openApi: unknown): Validate {
  // It divides in binary, where 8.29 is no multiple of 0.01.
  const text = JSON.stringify(openApi).replaceAll(/"multipleOf":0\.01,?/g, "");
  const { paths, components } = z.parse(documentSchema, JSON.parse(text));
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => {
      const { parameters, requestBody, responses } = operation;
      const pattern = new RegExp(`^${path.replaceAll(/\{(\w+)\}/g, "(?<$1>[^/]+)")}$`);
      const given = { parameters, componentSchemas: components.schemas, ...(requestBody && { requestBody }) };
      return {
        method: method.toUpperCase(),
        pattern,
        parameters,
        // Each takes a while to make, and few tests call every operation.
        requests: once(() => new Requests(z.parse(argumentsSchema, given))),
        responses: once(() => new Responses({ responses, components })),
      };
    }),
  );

  return ({ method, path, headers, body, status, answer }) => {
    const url = new URL(path, "http://127.0.0.1");
    const found = operations.find(
      (operation) => operation.method === method && operation.pattern.test(url.pathname),
    );
    // What the document doesn't have, the service has to refuse as unknown.
    if (!found)
      return status === 404 || status === 405 ? [] : [`${method} ${url.pathname} is not in the document`];
    const request = {
      headers: { "content-type": "application/json", ...headers },
      params: { ...found.pattern.exec(url.pathname)?.groups },
      query: queryOf(url.searchParams, found.parameters),
      body: parsed(body, headers["content-type"]),
    };
    const refused = status >= 400;
    const wrong: unknown = refused ? undefined : found.requests().validateRequest(request);
    const bad: unknown = found
      .responses()
      .validateResponse(String(status), answer === "" ? undefined : parsed(answer));
    return [wrong, bad].flatMap((problem) => (problem === undefined ? [] : [JSON.stringify(problem)]));
  };
}

function once<Made>(make: () => Made): () => Made {
  let made: Made | undefined;
  return () => (made ??= make());
}

/** As a server reads it: a parameter that is a list in the document is one, its numbers are numbers. */
function queryOf(search: URLSearchParams, parameters: readonly object[]): Record<string, unknown> {
  const described = parameters.flatMap((parameter) => z.safeParse(parameterSchema, parameter).data ?? []);
  return Object.fromEntries(
    [...new Set(search.keys())].map((name) => {
      const values = search.getAll(name);
      const schema = described.find((parameter) => parameter.name === name)?.schema;
      const isNumber = ["integer", "number"].includes((schema?.items ?? schema)?.type ?? "");
      const read = values.map((value) => (isNumber ? Number(value) : value));
      // One value for a scalar: a second one is no more what the document has.
      return [name, schema?.items || read.length > 1 ? read : read[0]];
    }),
  );
}

/** What is no JSON stays a text. */
function parsed(text: string, type = "application/json"): unknown {
  if (text === "") return undefined;
  if (type.includes("urlencoded")) return Object.fromEntries(new URLSearchParams(text));
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}
