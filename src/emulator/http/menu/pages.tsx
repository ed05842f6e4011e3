/** The digital menu has pages for a pre-filled order, its checkout, and a link that leads nowhere. */
import type { Child } from "hono/jsx";

import type { SentPrefilledOrder } from "../../../contract/prefilled-order.js";
import type { Store } from "../../domain/model.js";
import type { PrefilledOrderRecord } from "../../domain/prefilled-orders.js";
import { Cart, Totals } from "./cart.js";
import { Page } from "../page.js";
import { usePageWords } from "../page-words.js";
import { checkoutPath, orderPath } from "../paths.js";

function Layout({ title, store, children }: { title: string; store?: string | undefined; children?: Child }) {
  const { t } = usePageWords();
  return (
    <Page
      title={store === undefined ? title : `${title} · ${store}`}
      brand={<bdi>{store ?? t`Digital menu`}</bdi>}
      mainClass="menu"
      foot={t`The comanda emulator, on this machine only. Nothing that is shown here can be bought.`}
    >
      {children}
    </Page>
  );
}

export function OrderPage({ store, order }: { store: Store; order: PrefilledOrderRecord }) {
  const { t } = usePageWords();
  const { currency } = store;
  const delivery = order.body.order_type === "delivery";
  const name = order.body.customer?.name;
  return (
    <Layout title={t`Your order`} store={store.name}>
      <section class="card">
        <div class="heading">
          <div class="stack">
            <h1>{t`Your order`}</h1>
            {name !== undefined && name.trim() !== "" && (
              <p class="muted">
                {t`Prepared for`} <bdi>{name}</bdi>
              </p>
            )}
          </div>
          <span class="kind">{delivery ? t`Delivery` : t`Takeout`}</span>
        </div>
        <Cart lines={order.lines} currency={currency} />
        <Totals lines={order.lines} currency={currency} delivery={delivery} />
        <a class="button primary" href={checkoutPath(store.id, order.id)}>
          {t`Go to checkout`}
        </a>
      </section>
    </Layout>
  );
}

export function CheckoutPage({ store, order }: { store: Store; order: PrefilledOrderRecord }) {
  const { t } = usePageWords();
  const { body, lines } = order;
  const delivery = body.order_type === "delivery";
  return (
    <Layout title={t`Checkout`} store={store.name}>
      <section class="card">
        <h1>{t`Checkout`}</h1>
        <div class="stack">
          <h2>{t`Customer`}</h2>
          <Customer customer={body.customer} />
        </div>
        <div class="stack">
          <h2>{delivery ? t`Delivery to` : t`Pickup at`}</h2>
          {delivery ? (
            <Address address={body.delivery_address} />
          ) : (
            <p>
              <bdi>{store.name}</bdi>
            </p>
          )}
        </div>
        <div class="stack">
          <h2>{t`Your order`}</h2>
          <Cart lines={lines} currency={store.currency} />
        </div>
        <Totals lines={lines} currency={store.currency} delivery={delivery} />
        <p class="note">{t`In the real menu the customer chooses how to pay and sends the order from here.`}</p>
        <a class="button" href={orderPath(store.id, order.id)}>
          {t`Back to the order`}
        </a>
      </section>
    </Layout>
  );
}

function Customer({ customer }: { customer: SentPrefilledOrder["customer"] }) {
  const { t } = usePageWords();
  const facts = [
    [t`Name`, customer?.name],
    [t`Phone`, customer?.phone],
  ] as const;
  return <Facts facts={facts} none={t`Not given: the customer fills it in.`} />;
}

function Address({ address }: { address: SentPrefilledOrder["delivery_address"] }) {
  const { t } = usePageWords();
  const facts = [
    [t`Street`, [address?.street, address?.number].filter(isFilled).join(", ")],
    [t`Block`, address?.address_block],
    [t`Lot`, address?.address_lot],
    [t`Complement`, address?.complement],
    [t`Neighborhood`, address?.neighborhood],
    [t`City`, [address?.city, address?.state].filter(isFilled).join(", ")],
    [t`Postal code`, address?.postal_code],
    [t`Landmark`, address?.reference],
    [t`Position`, [address?.latitude, address?.longitude].filter(isFilled).join(", ")],
  ] as const;
  return <Facts facts={facts} none={t`Not given: the customer fills it in.`} />;
}

function Facts({
  facts,
  none,
}: {
  facts: readonly (readonly [label: string, value: string | null | undefined])[];
  none: string;
}) {
  const filledFacts = facts.filter(([, value]) => isFilled(value));
  if (filledFacts.length === 0) return <p class="muted">{none}</p>;
  return (
    <dl class="facts">
      {filledFacts.map(([label, value]) => (
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

function isFilled(value: string | null | undefined): value is string {
  return value !== undefined && value !== null && value.trim() !== "";
}

export function NotFoundPage() {
  const { t } = usePageWords();
  return (
    <Layout title={t`Page not found`}>
      <section class="card">
        <div class="stack">
          <h1>{t`Page not found`}</h1>
          <p>{t`The menu has no such order. The emulator forgets pre-filled orders when it ends or is reset.`}</p>
        </div>
      </section>
    </Layout>
  );
}
