/**
 * Every request is checked for these: whether it is for this machine, which methods its path has, and the cause of an
 * answer 500.
 *
 * A web page can give a name of its own the address of this machine (DNS rebinding); its requests then come here from
 * within the page's own origin, which no check of origins would see.
 */
import { isLoopbackHost } from "../../shared/loopback.js";

/** Makes a check of URLs as the server made them: of the request's target and its `Host`. */
export function machineCheck(): (url: string) => boolean {
  // Nearly all requests come to one address.
  let latestOrigin: string | undefined;
  return (url) => {
    if (latestOrigin !== undefined && url.startsWith(latestOrigin)) return true;
    const start = url.indexOf("://") + 3;
    const end = url.indexOf("/", start);
    const authority = end < 0 ? url.slice(start) : url.slice(start, end);
    if (!isLoopbackHost(authority.replace(/:\d*$/, ""))) return false;
    if (end >= 0) latestOrigin = url.slice(0, end + 1);
    return true;
  };
}

/** Reads the routes when they are first needed: those of Hono (`:name`) and of the contract (`{name}`). */
export function methodsOf(
  all: readonly { readonly method: string; readonly path: string }[],
): (path: string) => readonly string[] {
  let routes: readonly { readonly method: string; readonly pattern: RegExp }[] | undefined;
  return (path) => {
    routes ??= all
      .filter((route) => route.method !== "ALL" && !route.path.includes("*"))
      .map(({ method, path: template }) => ({ method, pattern: patternOf(template) }));
    const methods = routes.filter((route) => route.pattern.test(path)).map((route) => route.method);
    // A path that answers GET answers HEAD (RFC 9110, section 9.3.2).
    return [...new Set(methods.flatMap((method) => (method === "GET" ? ["GET", "HEAD"] : [method])))];
  };
}

/** Matches the paths of a route; the parameters are groups of the match. */
export function patternOf(template: string): RegExp {
  const parts = template.split(/(:\w+|\{\w+\})/).map((part) => {
    return /^[:{]/.test(part) ? "([^/]+)" : part.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
  });
  return new RegExp(`^${parts.join("")}$`);
}

/** Gives the cause of an answer 500, for the person who runs the emulator. What was sent must not be in it. */

/** No word of an error's message needs to be longer than this; every token, code, verifier and key is longer. */
const secretLength = 24;
const secretLike = new RegExp(String.raw`[\w.~+/=-]{${secretLength},}`, "g");
const longestMessage = 300;
const framesKept = 5;

/** Writes kind and message of the error, and where it came from, on one line. */
export function causeOf(error: unknown): string {
  if (!(error instanceof Error)) return `A value that is no error was thrown: ${typeof error}`;
  const message = error.message.replaceAll(secretLike, "…").replaceAll(/\s+/g, " ").slice(0, longestMessage);
  const lines = (error.stack ?? "").split("\n").map((line) => line.trim());
  const frames = lines.filter((line) => line.startsWith("at ")).slice(0, framesKept);
  return [`${error.name}: ${message}`, ...frames].join("; ");
}
