/** A test can put answers where the specification shows none (section 4.12). */
import { allOperations } from "../contract/oauth-operations.js";
import { patternOf } from "./http/request-checks.js";

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
export const versionedPath = "/api/partner/v1/";

interface Route {
  readonly method: string;
  readonly template: string;
  readonly pattern: RegExp;
  readonly handler: RouteHandler;
}

export class RouteTable {
  #routes: readonly Route[] = [];

  /**
   * @param template is below `/api/partner/v1/`; `{name}` stands for one segment
   * @returns a function that takes the answer away again
   * @throws {RangeError} for another path or method, or an operation that the specification shows
   */
  put(method: RouteMethod, template: string, handler: RouteHandler): () => void {
    check(method, template, handler);
    const route = { method, template, pattern: patternOf(template), handler };
    // The newest answer is found first.
    this.#routes = [route, ...this.#routes];
    return () => {
      this.#routes = this.#routes.filter((other) => other !== route);
    };
  }

  find(
    method: string,
    path: string,
  ): (Pick<Route, "template" | "handler"> & Pick<RouteCall, "params">) | undefined {
    const plainMethod = method === "HEAD" ? "GET" : method;
    const route = this.#routes.find(
      (candidate) => candidate.method === plainMethod && candidate.pattern.test(path),
    );
    if (!route) return undefined;
    const groups = Object.entries(route.pattern.exec(path)?.groups ?? {});
    return { ...route, params: Object.fromEntries(groups.map(([name, text]) => [name, decoded(text)])) };
  }

  clear(): void {
    this.#routes = [];
  }
}

function check(method: unknown, template: unknown, handler: unknown): void {
  if (!routeMethods.some((allowed) => allowed === method))
    throw new RangeError(`A route's method is one of ${routeMethods.join(", ")}.`);
  if (typeof template !== "string" || !/^(?:\/(?:\{[a-z_]\w*\}|[\w.~%!$&'()*+,;=:@-]+))+$/i.test(template))
    throw new RangeError("A route's path has segments of text, or {name}, with a slash before each.");
  if (!template.startsWith(versionedPath)) throw new RangeError(`A route's path is below ${versionedPath}.`);
  if (typeof handler !== "function") throw new RangeError("A route's handler is a function.");
  const shown = Object.values(allOperations).find(
    (operation) => operation.method === method && plain(operation.path) === plain(template),
  );
  if (shown)
    throw new RangeError(
      `Section ${shown.section} shows ${shown.path}: setFaults makes it answer otherwise.`,
    );
}

/** Drops the names of a template's parameters. */
function plain(template: string): string {
  return template.replaceAll(/\{\w+\}/g, "{}");
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
