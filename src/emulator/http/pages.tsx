/**
 * The pages for people, one plain page each: to sign in, to consent (section 5.2, steps 2 and 3), and behind the links of a
 * pre-filled order (section 4.9). Nobody has a password, so who signs in is a part of the address, and no session is
 * kept. Hono's JSX escapes every text.
 */
import { html } from "hono/html";
import type { JSX } from "hono/jsx/jsx-runtime";

import { scopes as descriptions } from "../../api/operations.js";
import { forbidden } from "../domain/refused.js";
import type { Service } from "../service.js";
import { bodyOf, type Incoming, isForeign, type Route, searchOf } from "./incoming.js";
import { type AuthorizationRequest, checkAuthorizationRequest, decideAsOwner, OAuthError } from "./oauth.js";

/** Section 5.2 calls this address `auth_url`. */
export const authorizePath = "/portal/authorize";

/** Makes the path of `order_url`, the page that opens a pre-filled order. */
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
 * Sends a whole document: without its doctype a browser falls into quirks mode. No script, no frame around it, nothing cached.
 * There is no `form-action`: Chromium holds it against every redirect that follows a form, and would stop a person who allowed
 * an app on the way back to it.
 */
async function page(title: string, content: JSX.Element, status = 200): Promise<Response> {
  const document = (
    <html lang="en">
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
    // A form of ours has its origin; an app is told nothing.
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
      if (isForeign(incoming)) throw forbidden("Another site may not authorise an app");
      const id = new URLSearchParams(await bodyOf(incoming)).get("store_id");
      const chosen = { store: id === null ? undefined : Number(id), allow: id !== null };
      return redirect(decideAsOwner(service, url, { person: personId ?? "", ...chosen }));
    }
    request = checkAuthorizationRequest(search, server);
  } catch (error) {
    if (!(error instanceof OAuthError)) throw error;
    const content = <p>Nothing was authorised. For the app’s developer: {error.message}</p>;
    return page("This link doesn’t work", content, 400);
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
              <bdi>{name}</bdi>, {profile}
            </a>
          </li>
        ))}
      </ul>
    );
    return page("Who signs in? There is no password.", content);
  }
  const { app } = request;
  const stores =
    person.profile === "owner" ? person.storeIds.flatMap((id) => world.stores.get(id) ?? []) : [];
  const content = (
    <form method="post" action={address(person.id)}>
      <p>
        <bdi>{person.name}</bdi>, {person.profile}: <bdi>{app.name}</bdi> asks for access to a store. It will
        be able to use:
      </p>
      <ul>
        {app.scopes.map((scope) => (
          <li>
            {descriptions[scope]} (<code>{scope}</code>)
          </li>
        ))}
      </ul>
      {stores.map(({ id, name }) => (
        <p>
          <button name="store_id" value={id}>
            Allow at <bdi>{name}</bdi>
          </button>
        </p>
      ))}
      <p>{stores.length === 0 && "Only the owner can authorise an app."}</p>
      <button>Refuse</button>
    </form>
  );
  return page("Authorise an app", content);
}

function redirect(location: string): Response {
  return new Response(null, { status: 303, headers: { location, "cache-control": "no-store" } });
}

/** The one page behind both links of section 4.9 shows what a program sent. */
async function orderPage({ world }: Service, { params }: Incoming): Promise<Response> {
  const order = world.prefilledOrders.find(
    ({ id, storeId }) => id === params["id"] && String(storeId) === params["store"],
  );
  if (!order) return page("The menu has no such order", <p>A reset forgets orders.</p>, 404);
  const content = <pre>{JSON.stringify(order.body, null, 2)}</pre>;
  return page(world.storeOf(order.storeId).name, content);
}
