/** The forms of the portal as they come back. */
import type { Context } from "hono";

import type { PortalSessions } from "./sessions.js";

/** @returns `undefined` where the form wasn't made by one of our pages in this very session */
export async function readGenuineForm(
  c: Context,
  sessions: PortalSessions,
): Promise<URLSearchParams | undefined> {
  const form = new URLSearchParams(await c.req.text());
  return sessions.isGenuine(c, form.get("form_token") ?? "") ? form : undefined;
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
