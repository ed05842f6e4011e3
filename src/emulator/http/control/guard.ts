/**
 * Keeps web pages from driving the emulator: a page can make a browser send requests to this machine. Programs send
 * no origin. A name of the page's own that leads here is refused before: `host-check.ts`.
 */
import { createMiddleware } from "hono/factory";

import { refuse } from "../answers.js";
import { requestHeader, type Environment } from "../../service.js";

export const sameOriginOnly = createMiddleware<Environment>(async (c, next) => {
  const host = requestHeader(c, "host") ?? new URL(c.req.url).host;
  const origin = requestHeader(c, "origin");
  if (origin !== undefined && origin.toLowerCase() !== `http://${host.toLowerCase()}`) {
    return forbidden("Another origin may not use the control surface");
  }
  const site = requestHeader(c, "sec-fetch-site");
  if (c.req.method !== "GET" && (site === "cross-site" || site === "same-site")) {
    return forbidden("Another site may not use the control surface");
  }
  await next();
  return undefined;
});

function forbidden(details: string): Response {
  return refuse({ status: 403, body: { code: 4030, message: "Forbidden", details } });
}
