/** A test can put answers in the place of the service's, above all where the specification shows none (section 4.12). */
import { patternOf } from "./incoming.js";

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

/** A test put this answer in the place of the service's. */
export interface TestRoute {
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
    const given: { readonly method: unknown; readonly template: unknown; readonly handler: unknown } = {
      method,
      template,
      handler,
    };
    if (!routeMethods.some((allowed) => allowed === given.method))
      throw new RangeError(`A route's method is one of ${routeMethods.join(", ")}.`);
    const segments = /^(?:\/(?:\{[a-z_]\w*\}|[\w.~%!$&'()*+,;=:@-]+))+$/i;
    if (typeof given.template !== "string" || !segments.test(template))
      throw new RangeError("A route's path has segments of text, or {name}, with a slash before each.");
    if (!template.startsWith(versionedPath))
      throw new RangeError(`A route's path is below ${versionedPath}.`);
    if (typeof given.handler !== "function") throw new RangeError("A route's handler is a function.");
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
