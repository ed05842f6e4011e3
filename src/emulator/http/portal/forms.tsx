/**
 * Every page of the portal and the menu is sent with these headers. Forms are read once, and taken from the portal's own
 * pages alone.
 */
import type { Context, MiddlewareHandler } from "hono";

import type { Store } from "../../domain/model.js";
import { readBody } from "../body.js";
import { documentHeaders, sendPage } from "../page.js";
import { MessagePage, sendToVisitor } from "./layout.js";
import type { Portal } from "./portal.js";

/** A request for a page comes with this; the page's handler may set it. */
export interface PageVariables {
  Variables: {
    /** A POST brought this form. */
    form?: URLSearchParams;
    formsLeadToAnApp?: boolean;
  };
}

/**
 * No script, no frame around it, nothing cached. The pages whose forms lead on to an app leave `form-action`
 * out: Chromium holds it against every redirect that follows a form, those of the app's own site included, and
 * would stop a person who allowed an app on the way back to it.
 */
export const pageHeaders: MiddlewareHandler<PageVariables> = async (c, next) => {
  await next();
  const formAction = c.get("formsLeadToAnApp") ? undefined : "'self'";
  const headers = documentHeaders("style-src 'self'; img-src 'self'", formAction);
  for (const [name, value] of Object.entries(headers)) if (!c.res.headers.has(name)) c.header(name, value);
};

const maximumFormBytes = 64 * 1024;

/** Reads the form of every POST, once. */
export const readForms: MiddlewareHandler<PageVariables> = async (c, next) => {
  if (c.req.method === "POST") {
    const text = await readBody(c.req.raw, maximumFormBytes);
    if (text === undefined) {
      return sendPage(c, <MessagePage title="The form is too long" message="Nothing was changed." />, 413);
    }
    c.set("form", new URLSearchParams(text));
  }
  await next();
  return undefined;
};

/** @returns `undefined` where the form wasn't made by one of our pages in this very session */
export function genuineForm(c: Context<PageVariables>, portal: Portal): URLSearchParams | undefined {
  const form = c.get("form");
  return form && portal.isGenuine(c, form) ? form : undefined;
}

/** Gives the query of a request as it came, with its question mark, or "". */
export function searchOf(c: Context): string {
  return new URL(c.req.url).search;
}

/** Finds the store that the form names among `stores`; `undefined` for anything else. */
export function chosenStore(form: URLSearchParams, stores: readonly Store[]): Store | undefined {
  return stores.find(({ id }) => String(id) === form.get("store_id"));
}

/** Answers a form of another session: one left open for long, or one that another site made up. */
export function staleFormPage(c: Context, portal: Portal, back: string) {
  return sendToVisitor(
    c,
    portal,
    <MessagePage
      title="This page was open for too long"
      message="Nothing was changed. Open the page again and repeat what you wanted to do."
      href={back}
      link="Open the page again"
    />,
    403,
  );
}
