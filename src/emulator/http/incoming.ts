/** A request on its way through the emulator: what a handler may ask of it, and the answers that it may get. */
import type { IncomingMessage, ServerResponse } from "node:http";

import * as z from "zod/mini";

import { checkWire, detailsOf } from "../../api/input.js";
import { parseJson } from "../../base/basics.js";
import { invalid, refused } from "../domain/refused.js";
import type { LoggedCall } from "./received.js";

/** The connection that a request came over; a test's request has none. */
export interface Connection {
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
}

export interface Incoming {
  readonly request: Request;
  readonly call: LoggedCall;
  readonly connection?: Connection | undefined;
  /** These stand in the place of `{name}` in the route's path. */
  params: Readonly<Record<string, string>>;
  /** A test's own answer is sent as it is: a reading would make a denied change a success. */
  isAnsweredByTest?: boolean;
}

export interface Route {
  readonly method: string;
  /** `{name}` stands for one segment. */
  readonly path: string;
  readonly answer: (incoming: Incoming) => Response | Promise<Response>;
}

/** Matches the paths of a route; the parameters are the named groups of the match. */
export function patternOf(template: string): RegExp {
  const parts = template.split(/\{(\w+)\}/);
  const source = parts.map((part, index) =>
    index % 2 === 1 ? `(?<${part}>[^/]+)` : part.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`),
  );
  return new RegExp(`^${source.join("")}$`);
}

/** Gives a header by its lower-case name, without making a Headers object where the socket's own record is there. */
export function headerOf({ request, connection }: Incoming, name: string): string | undefined {
  const value = connection ? connection.incoming.headers[name] : request.headers.get(name);
  return typeof value === "string" ? value : undefined;
}

export function searchOf({ request }: Incoming): URLSearchParams {
  return new URL(request.url).searchParams;
}

/** Did a page of another origin make a browser send this? Programs send neither header. */
export function isForeign(incoming: Incoming): boolean {
  const { url, method } = incoming.request;
  const host = headerOf(incoming, "host") ?? new URL(url).host;
  const origin = headerOf(incoming, "origin");
  if (origin !== undefined && origin.toLowerCase() !== `http://${host.toLowerCase()}`) return true;
  return method !== "GET" && /^(?:cross|same)-site$/.test(headerOf(incoming, "sec-fetch-site") ?? "");
}

const largestBody = 1_048_576;

/**
 * Reads the body once, and notes it for the list of received requests.
 *
 * @throws {Refused} where it is larger than 1 MiB
 */
export async function bodyOf({ request, call }: Incoming): Promise<string> {
  if (call.body !== null) return call.body;
  const chunks: Uint8Array[] = [];
  let size = 0;
  // The body is read to its end all the same: a client that is still sending would see a broken connection, not the
  // answer.
  const body: ReadableStream<Uint8Array> | null = request.body;
  for await (const chunk of body ?? []) {
    size += chunk.byteLength;
    if (size <= largestBody) chunks.push(chunk);
  }
  if (size > largestBody) throw refused(413, "Body too large");
  call.body = new TextDecoder().decode(Buffer.concat(chunks));
  return call.body;
}

/**
 * Reads a body of JSON as the schema has it. An empty one will do where the schema is optional.
 *
 * @throws {Refused} 4000, with what is wrong with it as the details
 */
export function parseBody<Schema extends z.core.$ZodType>(
  incoming: Incoming,
  text: string,
  schema: Schema,
): z.output<Schema> {
  const absent = text === "" ? z.safeParse(schema, undefined) : undefined;
  if (absent?.success) return absent.data;
  const type = headerOf(incoming, "content-type") ?? "";
  if (!/^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i.test(type))
    throw invalid("The body must be of content type application/json");
  const json = parseJson(text);
  if (json === undefined) throw invalid("The body is not valid JSON");
  return checked(schema, json, "The body");
}

/** @param owner is the word for the whole in messages */
export function checked<Schema extends z.core.$ZodType>(
  schema: Schema,
  value: unknown,
  owner: string,
): z.output<Schema> {
  const result = checkWire(schema, value, owner);
  if (result.ok) return result.value;
  throw invalid(detailsOf(result));
}

export function jsonAnswer(
  body: unknown,
  status = 200,
  headers: Readonly<Record<string, string>> = {},
): Response {
  return new Response(JSON.stringify(body), {
    status,
    headers: { "content-type": "application/json", ...headers },
  });
}

/** A request brought this, once it has passed credentials and rate limit. */
export interface RouteCall {
  readonly method: string;
  /** The path stays as it came, without the query. */
  readonly path: string;
  /** These stand in the place of `{name}` in the path. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  /** The body is a text. It is empty where there is none. */
  readonly body: string;
  /** The credential stands for this store. */
  readonly storeId: number;
}

export interface RouteAnswer {
  /** The default is 200. */
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** The body is a JSON value, or a text of its own; without either it is empty. */
  readonly json?: unknown;
  readonly text?: string;
}

export type RouteHandler = (call: RouteCall) => RouteAnswer | Promise<RouteAnswer>;

const routeMethods = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const;
export type RouteMethod = (typeof routeMethods)[number];

/** Every operation's path has this prefix (section 9). */
const versionedPath = "/api/partner/v1/";

/** Tests put these answers in the place of the service's. */
export class RouteTable {
  /** The newest answer is found first. */
  #routes: readonly {
    readonly method: string;
    readonly template: string;
    readonly pattern: RegExp;
    readonly handler: RouteHandler;
  }[] = [];

  /**
   * @param template is below `/api/partner/v1/`; `{name}` stands for one segment
   * @returns a function that takes the answer away again
   * @throws {RangeError} for another path or method
   */
  put(method: RouteMethod, template: string, handler: RouteHandler): () => void {
    if (!routeMethods.includes(method) || !template.startsWith(versionedPath))
      throw new RangeError(`A route is ${routeMethods.join(", ")} with a path below ${versionedPath}.`);
    const route = { method, template, pattern: patternOf(template), handler };
    this.#routes = [route, ...this.#routes];
    return () => {
      this.#routes = this.#routes.filter((other) => other !== route);
    };
  }

  find(method: string, path: string) {
    return this.#routes.find((route) => route.method === method && route.pattern.test(path));
  }

  clear(): void {
    this.#routes = [];
  }
}
