/** Lets an owner without a browser walk the portal's real pages, for `comanda demo` and for tests. */
import { isLoopbackHost } from "../../../shared/loopback.js";

export interface ScriptedDecision {
  /** The person of this id signs in; by default the first owner (of `storeId`, where that is set). */
  readonly personId?: string;
  /** The store of this id is authorised; by default the first that is offered. */
  readonly storeId?: number;
  /** `false` refuses. */
  readonly allow?: boolean;
  /** `false` doesn't follow the redirect to the app. */
  readonly arrives?: boolean;
  /** The default is the global one. */
  readonly fetch?: Fetch;
}

interface ScriptedOutcome {
  /** The redirect address has `code` and `state`, or `error`. It holds a secret, so it must not be logged. */
  readonly redirectedTo: string;
  /** The listener at the redirect address answered this; `undefined` where it is not on a loopback address. */
  readonly status: number | undefined;
}

/**
 * Signs in, decides at the consent page, and follows the redirect to the app as a browser would. It never asks
 * anything off this machine.
 *
 * @throws {Error} where the portal shows an error page, or doesn't offer the person or store
 */
export async function authorizeAsOwner(
  authorizationUrl: string,
  decision: ScriptedDecision = {},
): Promise<ScriptedOutcome> {
  const visitor = createLoopbackVisitor(new URL(authorizationUrl), decision.fetch ?? fetch);
  const { arrives = true } = decision;
  const arrive = async (redirectedTo: string): Promise<ScriptedOutcome> =>
    arrives ? visitor.arrive(redirectedTo) : { redirectedTo, status: undefined };
  let page = await visitor.open(authorizationUrl);

  // Login, consent and the way back take fewer pages: more mean that the portal goes in a circle.
  for (let step = 0; step < 4; step += 1) {
    if (page.leadsTo !== undefined) return arrive(page.leadsTo);
    const forms = parseForms(page.html);
    const login = forms.find((form) => form.choices.some(({ name }) => name === "person_id"));
    const consent = forms.find((form) => form.buttons.some(({ name }) => name === "decision"));
    if (login) page = await visitor.submit(page, login, signIn(login, decision));
    else if (consent) page = await visitor.submit(page, consent, decide(consent, decision));
    else break;
  }
  if (page.leadsTo !== undefined) return arrive(page.leadsTo);
  throw new Error(`The portal answered with HTTP ${page.status}: ${problemOf(page)}`);
}

function signIn(form: Form, { personId, storeId }: ScriptedDecision): Record<string, string> {
  const person = form.choices.find(({ value, data }) =>
    personId === undefined
      ? data["profile"] === "owner" &&
        (storeId === undefined || (data["stores"] ?? "").split(" ").includes(String(storeId)))
      : value === personId,
  );
  if (!person) throw new Error("The portal's sign-in page offers no such person.");
  return { person_id: person.value };
}

function decide(form: Form, { storeId, allow = true }: ScriptedDecision): Record<string, string> {
  const stores = form.choices.filter(({ name }) => name === "store_id");
  const canAllow = form.buttons.some(({ name, value }) => name === "decision" && value === "allow");
  // Someone who isn't the owner is offered only the way back.
  if (!allow || !canAllow) return { decision: "refuse" };
  const store = stores.find(({ value }) => storeId === undefined || value === String(storeId));
  if (!store) throw new Error("The portal's consent page offers no such store.");
  return { store_id: store.value, decision: "allow" };
}

function problemOf(page: Page): string {
  return textOf(/<main[^>]*>(.*)<\/main>/s.exec(page.html)?.[1] ?? page.html).slice(0, 400);
}

/** Reads the forms out of a page of the portal. It knows those pages, not HTML as a whole. */

interface Choice {
  readonly name: string;
  readonly value: string;
  /** These are the `data-` attributes, without that prefix. */
  readonly data: Readonly<Record<string, string>>;
}

export interface Form {
  readonly action: string;
  readonly hidden: Readonly<Record<string, string>>;
  /** The choices are radio buttons. */
  readonly choices: readonly Choice[];
  readonly buttons: readonly { readonly name: string; readonly value: string }[];
}

function parseForms(html: string): Form[] {
  return [...html.matchAll(/<form\b([^>]*)>(.*?)<\/form>/gs)].map(([, head = "", inside = ""]) => {
    const inputs = [...inside.matchAll(/<input\b([^>]*)>/g)].map(([, text = ""]) => attributes(text));
    const buttons = [...inside.matchAll(/<button\b([^>]*)>/g)].map(([, text = ""]) => attributes(text));
    return {
      action: attributes(head)["action"] ?? "",
      hidden: Object.fromEntries(
        inputs.filter(({ type }) => type === "hidden").map(({ name = "", value = "" }) => [name, value]),
      ),
      choices: inputs.filter(({ type }) => type === "radio").map(choice),
      buttons: buttons.map(({ name = "", value = "" }) => ({ name, value })),
    };
  });
}

/** Gives the text of a piece of HTML, on one line. */
export function textOf(html: string): string {
  return unescape(html.replaceAll(/<[^>]*>/g, " "))
    .replaceAll(/\s+/g, " ")
    .trim();
}

function choice(input: Record<string, string>): Choice {
  const data = Object.fromEntries(
    Object.entries(input).flatMap(([name, value]) =>
      name.startsWith("data-") ? [[name.slice("data-".length), value] as const] : [],
    ),
  );
  return { name: input["name"] ?? "", value: input["value"] ?? "", data };
}

/** Reads a tag's attributes. In the portal's pages every value is in double quotes, and `>` in it is escaped. */
function attributes(text: string): Record<string, string> {
  return Object.fromEntries(
    [...text.matchAll(/([\w-]+)="([^"]*)"/g)].map(([, name = "", value = ""]) => [name, unescape(value)]),
  );
}

function unescape(text: string): string {
  const characters: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', "#39": "'" };
  return text.replaceAll(/&(amp|lt|gt|quot|#39);/g, (whole, name: string) => characters[name] ?? whole);
}

export type Fetch = typeof fetch;

export interface Page {
  readonly url: URL;
  readonly status: number;
  readonly html: string;
  /** A redirect that leaves the portal has this address. */
  readonly leadsTo?: string;
}

interface LoopbackVisitor {
  open(url: string): Promise<Page>;
  /** Sends a form with its hidden fields, and these. */
  submit(page: Page, form: Form, fields: Readonly<Record<string, string>>): Promise<Page>;
  /** Opens the address that the portal led to, if it is on this machine. */
  arrive(url: string): Promise<{ redirectedTo: string; status: number | undefined }>;
}

const maximumRedirects = 10;

/** @throws {Error} where the portal itself is not on a loopback address */
function createLoopbackVisitor(portal: URL, send: Fetch): LoopbackVisitor {
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

  /**
   * Goes without the portal's cookies: the listener is another program. It may send the browser on, as comanda's
   * does.
   */
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
