/** A tiny browser: cookies, redirects within the portal, forms. It never leaves this machine. */
import { isLoopbackHost } from "../../../shared/loopback.js";
import type { Form } from "./html-forms.js";

export type Fetch = typeof fetch;

export interface Page {
  readonly url: URL;
  readonly status: number;
  readonly html: string;
  /** Where a redirect out of the portal leads. */
  readonly leadsTo?: string;
}

export interface LoopbackVisitor {
  open(url: string): Promise<Page>;
  /** Sends a form with its hidden fields, and these. */
  submit(page: Page, form: Form, fields: Readonly<Record<string, string>>): Promise<Page>;
  /** Opens the address that the portal led to, if it is on this machine. */
  arrive(url: string): Promise<{ redirectedTo: string; status: number | undefined }>;
}

const maximumRedirects = 10;

/** @throws {Error} where the portal itself is not on a loopback address */
export function createLoopbackVisitor(portal: URL, send: Fetch): LoopbackVisitor {
  if (!isLoopback(portal)) throw new Error("A scripted owner only visits a portal on this machine.");
  const cookies = new Map<string, string>();

  const request = async (url: URL, init: RequestInit): Promise<Response> => {
    const headers = new Headers(init.headers);
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    if (cookie !== "") headers.set("cookie", cookie);
    const response = await send(url, { ...init, headers, redirect: "manual" });
    for (const line of response.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (value === "") cookies.delete(name);
      else cookies.set(name, value);
    }
    return response;
  };

  const visit = async (start: URL, init: RequestInit): Promise<Page> => {
    let url = start;
    let response = await request(url, init);
    for (let count = 0; count < maximumRedirects; count += 1) {
      const location = response.headers.get("location");
      if (response.status < 300 || response.status > 399 || location === null) break;
      await response.body?.cancel();
      const target = new URL(location, url);
      // The app's address may be of the same origin as the portal; its path is never below the portal's.
      if (target.origin !== portal.origin || !isPortalPage(target)) {
        return { url, status: response.status, html: "", leadsTo: location };
      }
      url = target;
      response = await request(url, {});
    }
    return { url, status: response.status, html: await response.text() };
  };

  /** Without the portal's cookies: the listener is another program. It may send the browser on, as comanda's does. */
  const arriveAt = async (url: URL, redirects = maximumRedirects): Promise<number> => {
    const response = await send(url, { redirect: "manual" });
    await response.body?.cancel();
    const location = response.headers.get("location");
    if (response.status !== 303 || location === null || redirects === 0) return response.status;
    const next = new URL(location, url);
    return next.origin === url.origin ? arriveAt(next, redirects - 1) : response.status;
  };

  const isPortalPage = ({ pathname }: URL) =>
    pathname.startsWith(portal.pathname.slice(0, portal.pathname.lastIndexOf("/") + 1));

  return {
    open: (url) => visit(new URL(url), {}),
    submit: (page, form, fields) => {
      const body = new URLSearchParams({ ...form.hidden, ...fields });
      return visit(new URL(form.action, page.url), { method: "POST", body });
    },
    arrive: async (redirectedTo) => {
      const url = new URL(redirectedTo);
      if (!isLoopback(url)) return { redirectedTo, status: undefined };
      return { redirectedTo, status: await arriveAt(url) };
    },
  };
}

function isLoopback({ protocol, hostname }: URL): boolean {
  return protocol === "http:" && isLoopbackHost(hostname);
}
