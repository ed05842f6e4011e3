/** Which methods a path has: for the answer to a request that no route took. */
import type { Hono } from "hono";

import { refuse } from "./answers.js";
import { methodNotAllowed, notFound } from "./choices.js";
import type { Environment } from "./service.js";

/** 405 for a path that other methods have, 404 for one that none has. Reads the routes once. */
export function answerUnrouted(app: Hono<Environment>): (path: string) => Response {
  let known: readonly { readonly method: string; readonly pattern: RegExp }[] | undefined;
  return (path) => {
    known ??= app.routes
      .filter((route) => route.method !== "ALL" && !route.path.includes("*"))
      .map(({ method, path: template }) => ({ method, pattern: patternOf(template) }));
    const methods = new Set(known.filter((route) => route.pattern.test(path)).map((route) => route.method));
    if (methods.size === 0) return refuse(notFound);
    return refuse(methodNotAllowed, { allow: [...methods].join(", ") });
  };
}

function patternOf(template: string): RegExp {
  const parts = template.split(/(:\w+)/).map((part) => {
    return part.startsWith(":") ? "[^/]+" : part.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
  });
  return new RegExp(`^${parts.join("")}$`);
}
