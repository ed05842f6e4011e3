/** What every page of the portal is sent with. */
import type { MiddlewareHandler } from "hono";

/** What comes with a request for a page, and what the page's handler may say about its page. */
export interface PageVariables {
  Variables: {
    /** What a POST brought. */
    form?: URLSearchParams;
    formsLeadToAnApp?: boolean;
  };
}

const policy = [
  "default-src 'none'",
  "style-src 'self'",
  "img-src 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
];

/**
 * No script, no frame around it, nothing cached. The pages whose forms lead on to an app leave `form-action`
 * out: Chromium holds it against every redirect that follows a form, those of the app's own site included, and
 * would stop a person who allowed an app on the way back to it.
 */
export const pageHeaders: MiddlewareHandler<PageVariables> = async (c, next) => {
  await next();
  const formAction = c.get("formsLeadToAnApp") ? [] : ["form-action 'self'"];
  c.header("content-security-policy", [...policy, ...formAction].join("; "));
  c.header("x-frame-options", "DENY");
  c.header("x-content-type-options", "nosniff");
  c.header("referrer-policy", "no-referrer");
  if (!c.res.headers.has("cache-control")) c.header("cache-control", "no-store");
};
