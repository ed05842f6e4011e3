/** The page that `order_url` opens: section 2.7. */
import type { Store } from "../../../domain/model.js";
import { checkoutPath } from "../paths.js";
import type { PrefilledOrderRecord } from "../prefilled-orders.js";
import { Cart, Totals } from "./cart.js";
import { Layout } from "./layout.js";

export function OrderPage({ store, order }: { store: Store; order: PrefilledOrderRecord }) {
  const { currency } = store;
  const delivery = order.body.order_type === "delivery";
  const name = order.body.customer?.name;
  return (
    <Layout title="Your order" store={store.name}>
      <section class="card">
        <div class="heading">
          <div class="stack">
            <h1>Your order</h1>
            {name !== undefined && name.trim() !== "" && (
              <p class="muted">
                Prepared for <bdi>{name}</bdi>
              </p>
            )}
          </div>
          <span class="kind">{delivery ? "Delivery" : "Takeout"}</span>
        </div>
        <Cart lines={order.lines} currency={currency} />
        <Totals lines={order.lines} currency={currency} delivery={delivery} />
        <a class="button primary" href={checkoutPath(store.id, order.id)}>
          Go to checkout
        </a>
      </section>
    </Layout>
  );
}
