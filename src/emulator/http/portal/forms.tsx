/** The forms of the portal as they come back. */
import type { Context, MiddlewareHandler } from "hono";

import { readBody } from "../body.js";
import type { PageVariables } from "./headers.js";
import { document } from "./pages/document.js";
import { MessagePage } from "./pages/error-page.js";
import { portalPaths } from "./paths.js";
import type { PortalSessions } from "./sessions.js";

const maximumFormBytes = 64 * 1024;

/** Reads the form of every POST, once. */
export const readForms: MiddlewareHandler<PageVariables> = async (c, next) => {
  if (c.req.method === "POST") {
    const text = await readBody(c.req.raw, maximumFormBytes);
    if (text === undefined) return c.html(document(<TooLongPage />), 413);
    c.set("form", new URLSearchParams(text));
  }
  await next();
  return undefined;
};

function TooLongPage() {
  const link = { href: portalPaths.home, text: "To the portal’s front page" };
  return <MessagePage title="The form is too long" message="Nothing was changed." link={link} />;
}

/** @returns `undefined` where the form wasn't made by one of our pages in this very session */
export function genuineForm(
  c: Context<PageVariables>,
  sessions: PortalSessions,
): URLSearchParams | undefined {
  const form = c.get("form");
  return form && sessions.isGenuine(c, form.get("form_token") ?? "") ? form : undefined;
}

/** The query of a request as it came, with its question mark, or "". */
export function searchOf(c: Context): string {
  return new URL(c.req.url).search;
}

/** A store of `stores` that the form names; none for anything else. */
export function chosenStore<Store extends { readonly id: number }>(
  form: URLSearchParams,
  stores: readonly Store[],
): Store | undefined {
  return stores.find(({ id }) => String(id) === form.get("store_id"));
}
