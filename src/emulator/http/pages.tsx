/**
 * The pages for people, one plain page each: to sign in, to consent (section 5.2, steps 2 and 3), and behind the links of a
 * pre-filled order (section 4.9). Nobody has a password, so who signs in is a part of the address, and no session is
 * kept. Hono's JSX escapes every text.
 */
import { html } from "hono/html";
import type { Child } from "hono/jsx";
import type { JSX } from "hono/jsx/jsx-runtime";

import { type Cents, numberFromCents } from "../../api/money.js";
import { scopes as descriptions } from "../../api/operations.js";
import { forbidden } from "../domain/refused.js";
import type { Person, Store } from "../domain/model.js";
import type { CartOption, PrefilledOrderRecord } from "../domain/prefilled-orders.js";
import type { World } from "../domain/world.js";
import type { Service } from "../service.js";
import { OAuthError } from "./authorization-server.js";
import { bodyOf, type Incoming, isForeign, type Route, searchOf } from "./incoming.js";
import { type AuthorizationRequest, checkAuthorizationRequest, largestForm, redirectOf } from "./oauth.js";

/** Section 5.2 calls this address `auth_url`. */
export const authorizePath = "/portal/authorize";

/** Makes the path of `order_url`, the page that opens a pre-filled order. */
export function orderPath(storeId: number, id: string): string {
  return `/menu/${storeId}/prefilled/${id}`;
}

export function pageRoutes(service: Service): readonly Route[] {
  const order = "/menu/{store}/prefilled/{id}";
  return [
    route("GET", authorizePath, (incoming) => authorize(service, incoming)),
    route("POST", authorizePath, (incoming) => authorize(service, incoming)),
    route("GET", order, (incoming) => orderPage(service.world, incoming)),
    route("GET", `${order}/checkout`, (incoming) => orderPage(service.world, incoming)),
  ];
}

function route(method: string, path: string, answer: Route["answer"]): Route {
  return { method, path, operation: null, answer };
}

/**
 * Sends a whole document: without its doctype a browser falls into quirks mode. No script, no frame around it, nothing cached.
 *
 * @param formsLeadToAnApp leaves `form-action` out: Chromium holds it against every redirect that follows a form, and would
 *   stop a person who allowed an app on the way back to it
 */
async function page(
  title: string,
  content: JSX.Element,
  { status = 200, formsLeadToAnApp = false } = {},
): Promise<Response> {
  const document = (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>{title}</title>
      </head>
      <body>
        <main>
          <h1>{title}</h1>
          {content}
          <p>
            <small>The comanda emulator. Stores, people and orders are made up.</small>
          </p>
        </main>
      </body>
    </html>
  );
  const policy = `default-src 'none'; base-uri 'none'; frame-ancestors 'none'`;
  const headers = {
    "content-type": "text/html; charset=utf-8",
    "content-security-policy": formsLeadToAnApp ? policy : `${policy}; form-action 'self'`,
    "cache-control": "no-store",
    // A form of ours has its origin; an app is told nothing.
    "referrer-policy": "same-origin",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
  };
  return new Response(String(await html`<!doctype html>${document}`), { status, headers });
}

async function authorize({ world, server }: Service, incoming: Incoming): Promise<Response> {
  const search = searchOf(incoming);
  const isForm = incoming.request.method === "POST";
  if (isForm && isForeign(incoming)) throw forbidden("Another site may not authorise an app");
  const form = new URLSearchParams(isForm ? await bodyOf(incoming, largestForm) : "");
  let request: AuthorizationRequest | string;
  try {
    request = checkAuthorizationRequest(search, server);
  } catch (error) {
    if (!(error instanceof OAuthError)) throw error;
    const content = (
      <p>
        The app that sent you here asked in a way that the portal can’t answer. Nothing was authorised. For
        its developer: <code>{error.error}</code>: {error.description}
      </p>
    );
    return page("This link doesn’t work", content, { status: 400 });
  }
  if (typeof request === "string") return redirect(request);
  const personId = search.get("person_id");
  const person = world.people.find(({ id }) => id === personId);
  search.delete("person_id");
  if (!person) {
    const status = isForm || personId !== null ? 400 : 200;
    return page("Sign in", <Login people={world.people} search={search} />, { status });
  }
  const decision = form.get("decision");
  if (decision === "allow" || decision === "refuse") {
    const chosen = { store: Number(form.get("store_id")), allow: decision === "allow" };
    const location = redirectOf(server, request, person, chosen);
    if (location !== undefined) return redirect(location);
  }
  const isOwner = person.profile === "owner" && person.storeIds.length > 0;
  const stores = person.storeIds.flatMap((id) => world.stores.get(id) ?? []);
  const content = (
    <>
      {isForm && <p role="alert">Choose one of your stores, and Allow or Refuse.</p>}
      <p>
        Signed in as <bdi>{person.name}</bdi> (<bdi>{person.email}</bdi>).{" "}
        <a href={`${authorizePath}?${search.toString()}`}>Sign in as someone else</a>
      </p>
      <form method="post" action={authorizePath + new URL(incoming.request.url).search}>
        <p>
          <bdi>{request.app.name}</bdi> asks for access to a store.
        </p>
        {isOwner ? (
          <Consent request={request} stores={stores} />
        ) : (
          <p>
            Ask its owner to do this, or sign in as the owner.{" "}
            <button type="submit" name="decision" value="refuse">
              Back to the app
            </button>
          </p>
        )}
      </form>
    </>
  );
  const title = isOwner ? "Authorise an app" : "Only the owner can authorise an app";
  return page(title, content, { status: isForm ? 400 : 200, formsLeadToAnApp: true });
}

function redirect(location: string): Response {
  return new Response(null, { status: 303, headers: { location, "cache-control": "no-store" } });
}

/** The query of the authorization request travels along. */
function Login({ people, search }: { people: readonly Person[]; search: URLSearchParams }) {
  return (
    <form action={authorizePath}>
      {[...search].map(([name, value]) => (
        <input type="hidden" name={name} value={value} />
      ))}
      <fieldset>
        <legend>Who do you want to be? There is no password.</legend>
        {people.map(({ id, name, email, profile }) => (
          <p>
            <label>
              <input type="radio" name="person_id" value={id} required /> <bdi>{name}</bdi>, {profile} (
              <bdi>{email}</bdi>)
            </label>
          </p>
        ))}
      </fieldset>
      <p>
        <button type="submit">Sign in</button>
      </p>
    </form>
  );
}

/** Of several stores none is chosen beforehand. */
function Consent({ request, stores }: { request: AuthorizationRequest; stores: readonly Store[] }) {
  return (
    <>
      <p>It will be able to use:</p>
      <ul>
        {request.app.scopes.map((scope) => (
          <li>
            {descriptions[scope]} (<code>{scope}</code>)
          </li>
        ))}
      </ul>
      <fieldset>
        <legend>At which store?</legend>
        {stores.map(({ id, name }) => (
          <p>
            <label>
              <input type="radio" name="store_id" value={id} required checked={stores.length === 1} />{" "}
              <bdi>{name}</bdi> ({id})
            </label>
          </p>
        ))}
      </fieldset>
      <p>
        <button type="submit" name="decision" value="allow">
          Allow
        </button>{" "}
        <button type="submit" name="decision" value="refuse" formnovalidate>
          Refuse
        </button>
      </p>
    </>
  );
}

/** The one page behind both links of section 4.9: what a program sent, under the API's own names, and the cart. */
async function orderPage(world: World, { params }: Incoming): Promise<Response> {
  const store = world.stores.get(Number(params["store"]));
  const order = store && world.prefilledOrders.find(store.id, params["id"] ?? "");
  if (!order) {
    const content = <p>The menu has no such order. It is forgotten when the emulator ends or is reset.</p>;
    return page("Page not found", content, { status: 404 });
  }
  const { order_type: type, customer, delivery_address: address } = order.body;
  const content = (
    <>
      <h2>Your order ({type})</h2>
      <Cart order={order} currency={store.currency} />
      <h2>Customer</h2>
      <Facts fields={customer} />
      <h2>{type === "delivery" ? "Delivery to" : "Pickup at"}</h2>
      {type === "delivery" ? <Facts fields={address} /> : <bdi>{store.name}</bdi>}
      <p>In the real menu the customer chooses how to pay and sends the order from here.</p>
    </>
  );
  return page(store.name, content);
}

function Facts({ fields = {} }: { fields: object | undefined }) {
  const facts = Object.entries(fields).flatMap(([name, value]: [string, unknown]) =>
    typeof value === "string" && value.trim() !== "" ? [{ name, value }] : [],
  );
  if (facts.length === 0) return <p>Not given: the customer fills it in.</p>;
  return (
    <dl>
      {facts.map(({ name, value }) => (
        <>
          <dt>{name}</dt>
          <dd>
            <bdi>{value}</bdi>
          </dd>
        </>
      ))}
    </dl>
  );
}

function Cart({ order: { lines }, currency }: { order: PrefilledOrderRecord; currency: string }) {
  const format = new Intl.NumberFormat("en", { style: "currency", currency });
  // Quantities have no upper limit: beyond what is exact no figure is shown.
  const amount = (cents: Cents) =>
    Number.isSafeInteger(cents) ? format.format(numberFromCents(cents)) : "more than can be shown";
  const optionsOf = (options: readonly CartOption[]): Child =>
    options.map(({ group, name, quantity, price }) => (
      <div>
        + {quantity}× <bdi>{name}</bdi> (<bdi>{group}</bdi>) {price > 0 && amount(price * quantity)}
      </div>
    ));
  const note = (text = ""): Child =>
    text.trim() !== "" && (
      <div>
        Note: <bdi>{text}</bdi>
      </div>
    );
  if (lines.length === 0) return <p>The cart is empty: the customer fills it in the menu.</p>;
  return (
    <>
      <ul>
        {lines.map(({ name, quantity, total, options, steps, observation }) => (
          <li>
            {quantity}× <bdi>{name}</bdi> {amount(total)}
            {optionsOf(options)}
            {steps.map((step) => (
              <div>
                <bdi>{step.name}</bdi>: {step.item ? <bdi>{step.item.name}</bdi> : "not chosen yet"}
                {step.item && optionsOf(step.item.options)}
                {note(step.item?.observation)}
              </div>
            ))}
            {note(observation)}
          </li>
        ))}
      </ul>
      <p>Items total: {amount(lines.reduce((sum, { total }) => sum + total, 0))}</p>
    </>
  );
}
