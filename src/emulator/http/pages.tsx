/**
 * Serves the pages for sign-in, consent (section 5.2, steps 2 and 3) and pre-filled orders (section 4.9). People have no passwords:
 * the person's id is in the address, without a session. Hono's JSX escapes every text.
 */
import { html } from "hono/html";
import type { JSX } from "hono/jsx/jsx-runtime";

import { scopes as descriptions } from "../../api/operations.js";
import { forbidden } from "../domain/refused.js";
import { currentLanguage, t, translated } from "../../languages/language.js";
import type { Service } from "../service.js";
import { bodyOf, type Incoming, isForeign, type Route, searchOf } from "./incoming.js";
import { type AuthorizationRequest, checkAuthorizationRequest, decideAsOwner, OAuthError } from "./oauth.js";

/** Path of the `auth_url` in section 5.2. */
export const authorizePath = "/portal/authorize";

/** Returns the path of `order_url`, the page of a pre-filled order. */
export function orderPath(storeId: number | string, id: string): string {
  return `/menu/${storeId}/prefilled/${id}`;
}

export function pageRoutes(service: Service): readonly Route[] {
  const order = orderPath("{store}", "{id}");
  const signIn: Route["answer"] = (incoming) => authorize(service, incoming);
  const show: Route["answer"] = (incoming) => orderPage(service, incoming);
  return [
    ...["GET", "POST"].map((method) => ({ method, path: authorizePath, answer: signIn })),
    ...[order, `${order}/checkout`].map((path) => ({ method: "GET", path, answer: show })),
  ];
}

/**
 * Returns an HTML document with headers that forbid scripts, frames and caching. The policy has no `form-action`, because Chromium
 * also applies it to redirects after a form, and would block the redirect to the app.
 */
async function page(title: string, content: JSX.Element, status = 200): Promise<Response> {
  const document = (
    <html lang={currentLanguage()}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>{title}</title>
      </head>
      <body>
        <main>
          <h1>{title}</h1>
          {content}
        </main>
      </body>
    </html>
  );
  const headers = {
    "content-type": "text/html; charset=utf-8",
    "content-security-policy": "default-src 'none'; base-uri 'none'; frame-ancestors 'none'",
    "cache-control": "no-store",
    // The portal's own forms send their origin, and apps receive no referrer.
    "referrer-policy": "same-origin",
    "x-content-type-options": "nosniff",
  };
  return new Response(String(await html`<!doctype html>${document}`), { status, headers });
}

async function authorize(service: Service, incoming: Incoming): Promise<Response> {
  const { world, server } = service;
  const { method, url } = incoming.request;
  const search = searchOf(incoming);
  const personId = search.get("person_id");
  let request: AuthorizationRequest | string;
  try {
    if (method === "POST") {
      if (isForeign(incoming)) throw forbidden("Another site may not authorize an app");
      const id = new URLSearchParams(await bodyOf(incoming)).get("store_id");
      const chosen = { store: id === null ? undefined : Number(id), allow: id !== null };
      return redirect(decideAsOwner(service, url, { person: personId ?? "", ...chosen }));
    }
    request = checkAuthorizationRequest(search, server);
  } catch (error) {
    if (!(error instanceof OAuthError)) throw error;
    const content = <p>{t`No app was allowed. Message for the app's developer: ${error.message}`}</p>;
    return page(t`This link doesn't work`, content, 400);
  }
  if (typeof request === "string") return redirect(request);
  const person = world.people.find(({ id }) => id === personId);
  const address = (id: string) => {
    search.set("person_id", id);
    return `${authorizePath}?${search.toString()}`;
  };
  if (!person) {
    const content = (
      <ul>
        {world.people.map(({ id, name, profile }) => (
          <li>
            <a href={address(id)}>
              <bdi>{name}</bdi>, {translated(profile)}
            </a>
          </li>
        ))}
      </ul>
    );
    return page(t`Choose who signs in (no password).`, content);
  }
  const { app } = request;
  const stores =
    person.profile === "owner" ? person.storeIds.flatMap((id) => world.stores.get(id) ?? []) : [];
  const content = (
    <form method="post" action={address(person.id)}>
      <p>
        <bdi>{person.name}</bdi>, {translated(person.profile)}
      </p>
      <p>{t`The app ${isolated(app.name)} requests access to a store, with these permissions:`}</p>
      <ul>
        {app.scopes.map((scope) => (
          <li>
            {translated(descriptions[scope])} (<code>{scope}</code>)
          </li>
        ))}
      </ul>
      {stores.map(({ id, name }) => (
        <p>
          <button name="store_id" value={id}>
            {t`Allow at ${isolated(name)}`}
          </button>
        </p>
      ))}
      <p>{stores.length === 0 && t`Only the owner can allow an app.`}</p>
      <button>{t`Refuse`}</button>
    </form>
  );
  return page(t`Allow an app`, content);
}

/** Keeps the direction of a name's letters from reordering its sentence, like `<bdi>`. */
function isolated(name: string): string {
  return `\u2068${name}\u2069`;
}

function redirect(location: string): Response {
  return new Response(null, { status: 303, headers: { location, "cache-control": "no-store" } });
}

/** Shows the body of a pre-filled order, for both links of section 4.9. */
async function orderPage({ world }: Service, { params }: Incoming): Promise<Response> {
  const order = world.prefilledOrders.find(
    ({ id, storeId }) => id === params["id"] && String(storeId) === params["store"],
  );
  if (!order) return page(t`Order not found`, <p>{t`Resetting the emulator deletes its orders.`}</p>, 404);
  const content = <pre>{JSON.stringify(order.body, null, 2)}</pre>;
  return page(world.storeOf(order.storeId).name, content);
}
