/**
 * Keeps web pages from driving the emulator: a page can make a browser send requests to this machine, from its
 * own origin or under a name of its own that leads here (DNS rebinding). Programs send neither.
 */
import { createMiddleware } from "hono/factory";

import { refuse } from "../answers.js";
import { requestHeader, type Environment } from "../service.js";

const loopbackHost = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d{1,5})?$/i;

export const loopbackOnly = createMiddleware<Environment>(async (c, next) => {
  const host = requestHeader(c, "host") ?? new URL(c.req.url).host;
  if (!loopbackHost.test(host)) return forbidden("The Host must be this machine");
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
