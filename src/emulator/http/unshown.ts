/**
 * Section 4.12 names some calls and doesn't show them. Credentials and rate limit are as far as it shows them; the answer
 * is one that a test has put there, or 501. No path is shown, so these are chosen here: `POST /orders` takes the API key and the
 * partner key together; GET of `/orders` and of one name below it a Bearer token with `orders`; the resources of section 5.3,
 * below their scope's name, one with that scope; where a test puts an answer elsewhere, a Bearer token or an API key will do.
 */
import { refused } from "../domain/refused.js";
import { admit, type Access, type Gate } from "./access.js";
import { bodyOf, type Incoming, jsonAnswer, patternOf, searchOf } from "./incoming.js";

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

/** A test put this answer in the place of the service's. */
interface TestRoute {
  readonly method: string;
  readonly template: string;
  readonly pattern: RegExp;
  readonly handler: RouteHandler;
}

export class RouteTable {
  #routes: readonly TestRoute[] = [];

  /**
   * @param template is below `/api/partner/v1/`; `{name}` stands for one segment
   * @returns a function that takes the answer away again
   * @throws {RangeError} for another path or method
   */
  put(method: RouteMethod, template: string, handler: RouteHandler): () => void {
    // Programs without types may give anything.
    const given: unknown = handler;
    const isPath = /^(?:\/(?:\{[a-z_]\w*\}|[\w.~%!$&'()*+,;=:@-]+))+$/i.test(template);
    if (!routeMethods.includes(method))
      throw new RangeError(`A route's method is one of ${routeMethods.join(", ")}.`);
    if (!isPath || !template.startsWith(versionedPath))
      throw new RangeError(
        `A route's path is below ${versionedPath}, in segments of text, or {name}, with a slash before each.`,
      );
    if (typeof given !== "function") throw new RangeError("A route's handler is a function.");
    const route = { method, template, pattern: patternOf(template), handler };
    // The newest answer is found first.
    this.#routes = [route, ...this.#routes];
    return () => {
      this.#routes = this.#routes.filter((other) => other !== route);
    };
  }

  find(method: string, path: string): TestRoute | undefined {
    return this.#routes.find((route) => route.method === method && route.pattern.test(path));
  }

  clear(): void {
    this.#routes = [];
  }
}

export async function answerOfTest(
  gate: Gate,
  access: Access,
  handler: RouteHandler,
  incoming: Incoming,
): Promise<Response> {
  const { id: storeId } = admit(gate, access, incoming);
  const { call, params } = incoming;
  const body = await bodyOf(incoming);
  const { method, path } = call;
  const answer = await handler({ method, path, params, body, storeId, query: searchOf(incoming) });
  const { status = 200, headers = {}, json, text } = answer;
  return json === undefined
    ? new Response(text ?? null, { status, headers })
    : jsonAnswer(json, status, headers);
}

interface Unshown extends Access {
  /** The name that section 4.12 gives it. */
  readonly name: string;
}

export const elsewhere: Access = { credentials: ["bearer", "api_key"], scopes: [], bucket: "general" };
const keys: Access = { credentials: ["api_key"], partnerKey: true, scopes: [], bucket: "general" };
const bearer = { credentials: ["bearer"], bucket: "general" } as const;
const ofOrders: Access = { ...bearer, scopes: ["orders"] };

/** Drivers and orders have no resource of their own. */
const resources = ["store", "catalog", "customers", "coupons", "reviews"] as const;

/** @returns `undefined` for a call that section 4.12 doesn't name */
export function unshownOf(method: string, path: string): Unshown | undefined {
  if (!path.startsWith(versionedPath)) return undefined;
  const [first = "", name, ...rest] = path.slice(versionedPath.length).split("/");
  if (first === "orders") {
    if (name === undefined && method === "POST") return { name: "order creation", ...keys };
    if (method !== "GET" || rest.length > 0 || name === "") return undefined;
    return name === "history"
      ? { name: "order history", ...ofOrders, bucket: "history" }
      : { name: "order polling", ...ofOrders };
  }
  const singular = (word: string) => word.replace(/s$/, "");
  const scope = resources.find((candidate) => singular(candidate) === singular(first));
  return scope && { name: `the ${singular(first)} endpoints`, ...bearer, scopes: [scope] };
}

/** @throws {Refused} with 501, after credentials and rate limit */
export function refuseUnshown(gate: Gate, unshown: Unshown, incoming: Incoming): never {
  admit(gate, unshown, incoming);
  const details = `The specification names ${unshown.name} (section 4.12) and doesn't show it; a test can put an answer here`;
  throw refused(501, "Not shown", { details });
}
