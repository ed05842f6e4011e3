/** An owner without a browser: walks the portal's real pages, for `comanda demo` and for tests. */
import { type Form, parseForms, textOf } from "./html-forms.js";
import { createLoopbackVisitor, type Fetch, type Page } from "./loopback-visitor.js";

export interface ScriptedDecision {
  /** Who signs in; the first owner (of `storeId`, where that is given) by default. */
  readonly personId?: string;
  /** The store to authorise; the first that is offered by default. */
  readonly storeId?: number;
  /** `false` refuses. */
  readonly allow?: boolean;
  /** The global one by default. */
  readonly fetch?: Fetch;
}

export interface ScriptedOutcome {
  /** The redirect address with `code` and `state`, or with `error`. Holds a secret: not to be logged. */
  readonly redirectedTo: string;
  /** What the listener at the redirect address answered; `undefined` where it is not on a loopback address. */
  readonly status: number | undefined;
}

/**
 * Signs in, decides at the consent page, and follows the redirect to the app as a browser would. Nothing off
 * this machine is ever asked.
 *
 * @throws {Error} where the portal shows an error page, or doesn't offer the person or store
 */
export async function authorizeAsOwner(
  authorizationUrl: string,
  decision: ScriptedDecision = {},
): Promise<ScriptedOutcome> {
  const visitor = createLoopbackVisitor(new URL(authorizationUrl), decision.fetch ?? fetch);
  let page = await visitor.open(authorizationUrl);

  // Login, consent, and the way back: more pages than these mean that the portal goes in a circle.
  for (let step = 0; step < 4; step += 1) {
    if (page.leadsTo !== undefined) return visitor.arrive(page.leadsTo);
    const forms = parseForms(page.html);
    const login = forms.find((form) => form.choices.some(({ name }) => name === "person_id"));
    const consent = forms.find((form) => form.buttons.some(({ name }) => name === "decision"));
    if (login) page = await visitor.submit(page, login, signIn(login, decision));
    else if (consent) page = await visitor.submit(page, consent, decide(consent, decision));
    else break;
  }
  if (page.leadsTo !== undefined) return visitor.arrive(page.leadsTo);
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
  // Someone who isn't the owner is offered the way back alone.
  if (!allow || !canAllow) return { decision: "refuse" };
  const store = stores.find(({ value }) => storeId === undefined || value === String(storeId));
  if (!store) throw new Error("The portal's consent page offers no such store.");
  return { store_id: store.value, decision: "allow" };
}

function problemOf(page: Page): string {
  return textOf(/<main[^>]*>(.*)<\/main>/s.exec(page.html)?.[1] ?? page.html).slice(0, 400);
}
