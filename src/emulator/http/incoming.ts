/** Reads requests, and defines the routes and answers of tests. */
import type { Http2Bindings, HttpBindings } from "@hono/node-server";
import * as z from "zod/mini";

import { parseJson } from "../../base/basics.js";
import { checked, invalid, refused } from "../domain/refused.js";
import type { LoggedCall } from "./received.js";

/** Node.js objects of the connection. A request that a test passes to the application has none. */
export type Connection = HttpBindings | Http2Bindings;

export interface Incoming {
  readonly request: Request;
  readonly call: LoggedCall;
  readonly connection?: Connection | undefined;
  /** Values of each `{name}` in the route's path. */
  params: Readonly<Record<string, string>>;
  /** Whether a test's handler answers. Readings don't change such an answer, or a refusal could become a success. */
  isAnsweredByTest?: boolean;
}

export interface Route {
  readonly method: string;
  /** Path in which `{name}` matches one segment. */
  readonly path: string;
  readonly answer: (incoming: Incoming) => Response | Promise<Response>;
}

/**
 * Returns a pattern that matches the paths of a route, with its parameters as named groups.
 *
 * @param start empty to match only the end of a path
 */
export function patternOf(template: string, start: "^" | "" = "^"): RegExp {
  const parts = template.split(/\{(\w+)\}/);
  const source = parts.map((part, index) =>
    index % 2 === 1 ? `(?<${part}>[^/]+)` : part.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`),
  );
  return new RegExp(`${start}${source.join("")}$`);
}

/** Returns a header by its lower-case name, from the connection if possible, which is faster than a Headers object. */
export function headerOf(
  { request, connection }: Pick<Incoming, "request" | "connection">,
  name: string,
): string | undefined {
  const value = connection ? connection.incoming.headers[name] : request.headers.get(name);
  return typeof value === "string" ? value : undefined;
}

export function searchOf({ request }: Incoming): URLSearchParams {
  return new URL(request.url).searchParams;
}

/** Returns whether a browser sent the request for a page of another origin. Programs send neither header. */
export function isForeign(incoming: Incoming): boolean {
  const { url, method } = incoming.request;
  const host = headerOf(incoming, "host") ?? new URL(url).host;
  const origin = headerOf(incoming, "origin");
  if (origin !== undefined && origin.toLowerCase() !== `http://${host.toLowerCase()}`) return true;
  return method !== "GET" && /^(?:cross|same)-site$/.test(headerOf(incoming, "sec-fetch-site") ?? "");
}

const largestBody = 1_048_576;

/**
 * Reads the body and records it in the log.
 *
 * @throws {Refused} if the body is larger than 1 MiB
 */
export async function bodyOf({ request, call }: Incoming): Promise<string> {
  if (call.body !== null) return call.body;
  const chunks: Uint8Array[] = [];
  let size = 0;
  // Reads a body that is too large to its end, because a client that is still sending would miss the answer.
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
 * Parses a JSON body with a schema. An empty body is valid if the schema is optional.
 *
 * @throws {Refused} 4000, with the problems as its details
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

/** Request that passed the checks of credentials and rate limit. */
export interface RouteCall {
  readonly method: string;
  /** Path as sent, without the query. */
  readonly path: string;
  /** Values of each `{name}` in the path. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  /** Body as a string, empty if the request has none. */
  readonly body: string;
  /** Store of the credential. */
  readonly storeId: number;
}

export interface RouteAnswer {
  /** HTTP status. The default is 200. */
  readonly status?: number | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Body as a JSON value; `text` is the alternative. The default is an empty body. */
  readonly json?: unknown;
  readonly text?: string | undefined;
}

export type RouteHandler = (call: RouteCall) => RouteAnswer | Promise<RouteAnswer>;

export const routeMethods = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const;
export type RouteMethod = (typeof routeMethods)[number];

/** Prefix of every operation's path (section 9). */
const versionedPath = "/api/partner/v1/";

/** Stores the handlers with which tests replace answers of the service. */
export class RouteTable {
  /** Routes, newest first. */
  #routes: readonly {
    readonly method: string;
    readonly template: string;
    readonly pattern: RegExp;
    readonly handler: RouteHandler;
  }[] = [];

  /**
   * Adds a route that takes precedence over earlier ones.
   *
   * @param template path below `/api/partner/v1/` in which `{name}` matches one segment
   * @returns a function that removes the route
   * @throws {RangeError} if the path or method isn't supported
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
