/** Which methods a path has: for the answer to a request that no route took. */
import type { Hono } from "hono";

import type { Environment } from "../service.js";

/** Reads the routes once, when it is first asked. */
export function methodsOf(app: Hono<Environment>): (path: string) => readonly string[] {
  let known: readonly { readonly method: string; readonly pattern: RegExp }[] | undefined;
  return (path) => {
    known ??= app.routes
      .filter((route) => route.method !== "ALL" && !route.path.includes("*"))
      .map(({ method, path: template }) => ({ method, pattern: patternOf(template) }));
    const methods = known.filter((route) => route.pattern.test(path)).map((route) => route.method);
    // What answers GET answers HEAD (RFC 9110, section 9.3.2).
    return [...new Set(methods.flatMap((method) => (method === "GET" ? ["GET", "HEAD"] : [method])))];
  };
}

function patternOf(template: string): RegExp {
  const parts = template.split(/(:\w+)/).map((part) => {
    return part.startsWith(":") ? "[^/]+" : part.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
  });
  return new RegExp(`^${parts.join("")}$`);
}
