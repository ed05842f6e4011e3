/** Each request is checked for these. */
import { isLoopbackHost } from "../../shared/loopback.js";

/**
 * Is a request for this machine? A web page can give a name of its own the address of this machine (DNS rebinding); its
 * requests then come here from within the page's own origin, which no check of origins would see.
 *
 * @param url as the server made it: of the request's target and its `Host`
 */
export function isForThisMachine(url: string): boolean {
  const authority = /:\/\/([^/]*)/.exec(url)?.[1] ?? "";
  return isLoopbackHost(authority.replace(/:\d*$/, ""));
}

/** Reads the methods of a path out of the routes: those of Hono (`:name`) and of the contract (`{name}`). */
export function methodsOf(
  all: readonly { readonly method: string; readonly path: string }[],
): (path: string) => readonly string[] {
  const routes = all
    .filter((route) => route.method !== "ALL" && !route.path.includes("*"))
    .map(({ method, path }) => ({ method, pattern: patternOf(path) }));
  return (path) => {
    const methods = routes.filter((route) => route.pattern.test(path)).map((route) => route.method);
    // A path that answers GET answers HEAD (RFC 9110, section 9.3.2).
    return [...new Set(methods.flatMap((method) => (method === "GET" ? ["GET", "HEAD"] : [method])))];
  };
}

/** Matches the paths of a route; the parameters are the named groups of the match. */
export function patternOf(template: string): RegExp {
  const parts = template.split(/[:{](\w+)\}?/);
  const source = parts.map((part, index) => (index % 2 === 1 ? `(?<${part}>[^/]+)` : escapeRegExp(part)));
  return new RegExp(`^${source.join("")}$`);
}

export function escapeRegExp(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
}

/** No word of an error's message needs to be longer than this; every token, code, verifier and key is longer. */
const secretLength = 24;
const secretLike = new RegExp(String.raw`[\w.~+/=-]{${secretLength},}`, "g");
const longestMessage = 300;
const framesKept = 5;

/**
 * Gives the cause of an answer 500, for the person who runs the emulator: kind and message of the error, and where it came
 * from, on one line. What was sent must not be in it.
 */
export function causeOf(error: unknown): string {
  if (!(error instanceof Error)) return `A value that is no error was thrown: ${typeof error}`;
  const message = error.message.replaceAll(secretLike, "…").replaceAll(/\s+/g, " ").slice(0, longestMessage);
  const lines = (error.stack ?? "").split("\n").map((line) => line.trim());
  const frames = lines.filter((line) => line.startsWith("at ")).slice(0, framesKept);
  return [`${error.name}: ${message}`, ...frames].join("; ");
}
