/**
 * The pages for people, one plain page each: to sign in, to consent (section 5.2, steps 2 and 3), and behind the links of a
 * pre-filled order (section 4.9). Nobody has a password, so who signs in is a part of the address, and no session is
 * kept. Hono's JSX escapes every text.
 */
import { html } from "hono/html";
import type { Child } from "hono/jsx";
import type { JSX } from "hono/jsx/jsx-runtime";

import { type Cents, numberFromCents } from "../../api/money.js";
import type { SentPrefilledOrder } from "../../api/prefilled-order.js";
import { scopes as descriptions } from "../../api/scopes.js";
import { forbidden, Refused } from "../domain/choices.js";
import type { Person, Store } from "../domain/model.js";
import type { CartLine, CartOption, PrefilledOrderRecord } from "../domain/prefilled-orders.js";
import type { World } from "../domain/world.js";
import type { Service } from "../service.js";
import {
  approval,
  type AuthorizationRequest,
  checkAuthorizationRequest,
  denial,
} from "./authorization-request.js";
import { type Incoming, isForeign, readBody, type Route, searchOf } from "./incoming.js";

/** Section 5.2 calls this address `auth_url`. */
export const authorizePath = "/portal/authorize";

/** Makes the path of `order_url`, the page that opens a pre-filled order. */
export function orderPath(storeId: number, id: string): string {
  return `/menu/${storeId}/prefilled/${id}`;
}

export function pageRoutes(service: Service): readonly Route[] {
  const { world } = service;
  return [
    route("GET", authorizePath, (incoming) => authorize(service, incoming)),
    route("POST", authorizePath, (incoming) => authorize(service, incoming)),
    route("GET", "/menu/{store}/prefilled/{id}", (incoming) => menuPage(world, incoming, OrderPage)),
    route("GET", "/menu/{store}/prefilled/{id}/checkout", (incoming) =>
      menuPage(world, incoming, CheckoutPage),
    ),
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

const maximumFormBytes = 64 * 1024;

async function authorize({ world, server }: Service, incoming: Incoming): Promise<Response> {
  const search = searchOf(incoming);
  const isForm = incoming.request.method === "POST";
  if (isForm && isForeign(incoming)) throw new Refused(forbidden("Another site may not authorise an app"));
  const text = isForm ? await readBody(incoming, maximumFormBytes) : "";
  if (text === undefined) return page("The form is too long", <p>Nothing was changed.</p>, { status: 413 });
  const checked = checkAuthorizationRequest(search, (id) => server.findApp(id));
  if ("error" in checked) {
    const { error, location } = checked;
    if (location !== undefined) return redirect(location);
    const title = "This link doesn’t work";
    const content = (
      <p>
        The app that sent you here asked in a way that the portal can’t answer. Nothing was authorised. For
        its developer: <code>{error.error}</code>: {error.description}
      </p>
    );
    return page(title, content, { status: 400 });
  }
  const { request } = checked;
  const personId = search.get("person_id");
  const person = world.people.find(({ id }) => id === personId);
  search.delete("person_id");
  if (!person)
    return page("Sign in", <Login people={world.people} search={search} />, {
      status: isForm || personId !== null ? 400 : 200,
    });
  const stores = [...world.stores.values()].filter(
    ({ id }) => person.profile === "owner" && person.storeIds.includes(id),
  );
  const form = new URLSearchParams(text);
  const decision = form.get("decision");
  if (isForm && stores.length === 0) return redirect(denial(request, "only the owner may authorise an app"));
  if (isForm && decision === "refuse") return redirect(denial(request, "the owner refused"));
  const store = stores.find(({ id }) => String(id) === form.get("store_id"));
  if (isForm && decision === "allow" && store)
    return redirect(approval(server, request, store.id, person.id));
  const title = stores.length === 0 ? "Only the owner can authorise an app" : "Authorise an app";
  const content = (
    <>
      {isForm && <p role="alert">Choose one of your stores, and Allow or Refuse.</p>}
      <p>
        Signed in as <bdi>{person.name}</bdi> (<bdi>{person.email}</bdi>).{" "}
        <a href={`${authorizePath}?${search.toString()}`}>Sign in as someone else</a>
      </p>
      <Consent
        request={request}
        stores={stores}
        action={authorizePath + new URL(incoming.request.url).search}
      />
    </>
  );
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

/** Only the owner may authorise (section 5.2, step 2). Of several stores none is chosen beforehand. */
function Consent(props: { request: AuthorizationRequest; stores: readonly Store[]; action: string }) {
  const { stores, action } = props;
  const { app } = props.request;
  if (stores.length === 0)
    return (
      <form method="post" action={action}>
        <p>
          <bdi>{app.name}</bdi> asks for access to a store. Ask its owner to do this, or sign in as the owner.
        </p>
        <button type="submit" name="decision" value="refuse">
          Back to the app
        </button>
      </form>
    );
  return (
    <form method="post" action={action}>
      <p>
        <bdi>{app.name}</bdi> asks for access to your store. It will be able to use:
      </p>
      <ul>
        {app.scopes.map((scope) => (
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
    </form>
  );
}

interface Prefilled {
  store: Store;
  order: PrefilledOrderRecord;
}

async function menuPage(
  world: World,
  { params }: Incoming,
  Content: (prefilled: Prefilled) => JSX.Element,
): Promise<Response> {
  const store = world.stores.get(Number(params["store"]));
  const order = store && world.prefilledOrders.find(store.id, params["id"] ?? "");
  if (order) return page(store.name, <Content store={store} order={order} />);
  const content = <p>The menu has no such order. It is forgotten when the emulator ends or is reset.</p>;
  return page("Page not found", content, { status: 404 });
}

function OrderPage({ store, order }: Prefilled) {
  const name = order.body.customer?.name?.trim() ?? "";
  return (
    <>
      <h2>Your order ({order.body.order_type})</h2>
      {name !== "" && (
        <p>
          Prepared for <bdi>{name}</bdi>
        </p>
      )}
      <Cart lines={order.lines} currency={store.currency} />
      <p>
        <a href={`${orderPath(store.id, order.id)}/checkout`}>Go to checkout</a>
      </p>
    </>
  );
}

function CheckoutPage({ store, order }: Prefilled) {
  const { customer, delivery_address: address, order_type } = order.body;
  return (
    <>
      <h2>Checkout</h2>
      <h3>Customer</h3>
      <Facts fields={customer} />
      <h3>{order_type === "delivery" ? "Delivery to" : "Pickup at"}</h3>
      {order_type === "delivery" ? <Facts fields={address} /> : <bdi>{store.name}</bdi>}
      <h3>Your order</h3>
      <Cart lines={order.lines} currency={store.currency} />
      <p>In the real menu the customer chooses how to pay and sends the order from here.</p>
      <p>
        <a href={orderPath(store.id, order.id)}>Back to the order</a>
      </p>
    </>
  );
}

/** Shows what the program sent, under the API's own names. */
function Facts({
  fields,
}: {
  fields: SentPrefilledOrder["customer"] | SentPrefilledOrder["delivery_address"];
}) {
  const facts = Object.entries(fields ?? {}).flatMap(([name, value]) =>
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

function Cart({ lines, currency }: { lines: readonly CartLine[]; currency: string }) {
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
  const note = (text: string): Child =>
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
                {step.item && note(step.item.observation)}
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
