/** A cart on a page of the menu. */
import { type Cents, numberFromCents } from "../../../contract/money.js";
import { type CartLine, type CartOption, cartTotal } from "../../domain/prefilled-orders.js";

/** An amount as the pages show it, in the store's currency. */
function amountText(cents: Cents, currency: string): string {
  // Quantities have no upper limit: beyond what is exact no figure is shown.
  if (!Number.isSafeInteger(cents)) return "more than can be shown";
  return new Intl.NumberFormat("en", { style: "currency", currency }).format(numberFromCents(cents));
}

interface Priced {
  readonly currency: string;
}

export function Cart({ lines, currency }: Priced & { lines: readonly CartLine[] }) {
  if (lines.length === 0) {
    return <p class="muted">The cart is empty: the customer fills it in the menu.</p>;
  }
  return (
    <ul class="lines">
      {lines.map((line) => (
        <li>
          <Line line={line} currency={currency} />
        </li>
      ))}
    </ul>
  );
}

function Line({ line, currency }: Priced & { line: CartLine }) {
  return (
    <>
      <span class="quantity">{line.quantity}×</span>
      <span class="name">
        {line.name === undefined ? <span class="muted">not chosen yet</span> : <bdi>{line.name}</bdi>}
      </span>
      <span class="amount">{amountText(line.total, currency)}</span>
      <div class="details">
        {line.quantity > 1 && <p class="small muted">{amountText(line.price, currency)} each</p>}
        <Options options={line.options} currency={currency} />
        {line.steps.length > 0 && (
          <ol class="steps">
            {line.steps.map(({ name, item }) => (
              <li>
                <span class="small muted">
                  <bdi>{name}</bdi>
                </span>
                {item ? <bdi>{item.name}</bdi> : <span class="muted">not chosen yet</span>}
                {item && <Options options={item.options} currency={currency} />}
                {item && <Observation text={item.observation} />}
              </li>
            ))}
          </ol>
        )}
        <Observation text={line.observation} />
      </div>
    </>
  );
}

function Options({ options, currency }: Priced & { options: readonly CartOption[] }) {
  if (options.length === 0) return null;
  return (
    <ul class="options small">
      {options.map(({ group, name, quantity, price }) => (
        <li>
          <span>
            {quantity > 1 && `${quantity}× `}
            <bdi>{name}</bdi>{" "}
            <span class="muted">
              (<bdi>{group}</bdi>)
            </span>
          </span>
          {price > 0 && <span class="muted">+{amountText(price * quantity, currency)}</span>}
        </li>
      ))}
    </ul>
  );
}

/** Line ends in it stay line ends. */
function Observation({ text }: { text: string }) {
  if (text.trim() === "") return null;
  return (
    <p class="observation small">
      <span class="muted">Note: </span>
      <bdi>{text}</bdi>
    </p>
  );
}

export function Totals({
  lines,
  currency,
  delivery,
}: Priced & { lines: readonly CartLine[]; delivery: boolean }) {
  return (
    <dl class="totals">
      {delivery && (
        <div>
          <dt class="muted">Delivery fee</dt>
          <dd class="muted">set by the store</dd>
        </div>
      )}
      <div class="total">
        <dt>Items total</dt>
        <dd>{amountText(cartTotal(lines), currency)}</dd>
      </div>
    </dl>
  );
}
