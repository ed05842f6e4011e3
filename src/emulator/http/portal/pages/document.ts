import { html } from "hono/html";
import type { JSX } from "hono/jsx/jsx-runtime";

/** A page as a whole document: without its doctype a browser falls into quirks mode. */
export function document(page: JSX.Element) {
  return html`<!doctype html>${page}`;
}
