/** The page that `checkout_url` opens: section 2.7. */
import type { PrefilledOrderBody } from "../../../../contract/prefilled-order.js";
import type { Store } from "../../../domain/model.js";
import { orderPath } from "../paths.js";
import type { PrefilledOrderRecord } from "../prefilled-orders.js";
import { Cart, Totals } from "./cart.js";
import { Layout } from "./layout.js";

export function CheckoutPage({ store, order }: { store: Store; order: PrefilledOrderRecord }) {
  const { body, lines } = order;
  const delivery = body.order_type === "delivery";
  return (
    <Layout title="Checkout" store={store.name}>
      <section class="card">
        <h1>Checkout</h1>
        <div class="stack">
          <h2>Customer</h2>
          <Customer customer={body.customer} />
        </div>
        <div class="stack">
          <h2>{delivery ? "Delivery to" : "Pickup at"}</h2>
          {delivery ? (
            <Address address={body.delivery_address} />
          ) : (
            <p>
              <bdi>{store.name}</bdi>
            </p>
          )}
        </div>
        <div class="stack">
          <h2>Your order</h2>
          <Cart lines={lines} currency={store.currency} />
        </div>
        <Totals lines={lines} currency={store.currency} delivery={delivery} />
        <p class="note">In the real menu the customer chooses how to pay and sends the order from here.</p>
        <a class="button" href={orderPath(store.id, order.id)}>
          Back to the order
        </a>
      </section>
    </Layout>
  );
}

function Customer({ customer }: { customer: PrefilledOrderBody["customer"] }) {
  const facts = [
    ["Name", customer?.name],
    ["Phone", customer?.phone],
  ] as const;
  return <Facts facts={facts} none="Not given: the customer fills it in." />;
}

function Address({ address }: { address: PrefilledOrderBody["delivery_address"] }) {
  const facts = [
    ["Street", [address?.street, address?.number].filter(isGiven).join(", ")],
    ["Block", address?.address_block],
    ["Lot", address?.address_lot],
    ["Complement", address?.complement],
    ["Neighborhood", address?.neighborhood],
    ["City", [address?.city, address?.state].filter(isGiven).join(", ")],
    ["Postal code", address?.postal_code],
    ["Landmark", address?.reference],
    ["Position", [address?.latitude, address?.longitude].filter(isGiven).join(", ")],
  ] as const;
  return <Facts facts={facts} none="Not given: the customer fills it in." />;
}

function Facts({
  facts,
  none,
}: {
  facts: readonly (readonly [label: string, value: string | null | undefined])[];
  none: string;
}) {
  const given = facts.filter(([, value]) => isGiven(value));
  if (given.length === 0) return <p class="muted">{none}</p>;
  return (
    <dl class="facts">
      {given.map(([label, value]) => (
        <div>
          <dt class="muted">{label}</dt>
          <dd>
            <bdi>{value}</bdi>
          </dd>
        </div>
      ))}
    </dl>
  );
}

function isGiven(value: string | null | undefined): value is string {
  return value !== undefined && value !== null && value.trim() !== "";
}
