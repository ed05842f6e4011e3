/** Shows a cart on a page of the menu. */
import { type Cents, numberFromCents } from "../../../contract/money.js";
import { type CartLine, type CartOption, cartTotal } from "../../domain/prefilled-orders.js";
import { usePageWords } from "../page-words.js";

/** Writes an amount as the pages show it, in the store's currency. */
function useAmountText(currency: string): (cents: Cents) => string {
  const { language, t } = usePageWords();
  const format = new Intl.NumberFormat(language, { style: "currency", currency });
  // Quantities have no upper limit: beyond what is exact no figure is shown.
  return (cents) =>
    Number.isSafeInteger(cents) ? format.format(numberFromCents(cents)) : t`more than can be shown`;
}

interface WithCurrency {
  readonly currency: string;
}

export function Cart({ lines, currency }: WithCurrency & { lines: readonly CartLine[] }) {
  const { t } = usePageWords();
  if (lines.length === 0) {
    return <p class="muted">{t`The cart is empty: the customer fills it in the menu.`}</p>;
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

function Line({ line, currency }: WithCurrency & { line: CartLine }) {
  const { t } = usePageWords();
  const amountText = useAmountText(currency);
  return (
    <>
      <span class="quantity">{line.quantity}×</span>
      <span class="name">
        {line.name === undefined ? <span class="muted">{t`not chosen yet`}</span> : <bdi>{line.name}</bdi>}
      </span>
      <span class="amount">{amountText(line.total)}</span>
      <div class="details">
        {line.quantity > 1 && <p class="small muted">{t`${amountText(line.price)} each`}</p>}
        <Options options={line.options} currency={currency} />
        {line.steps.length > 0 && (
          <ol class="steps">
            {line.steps.map(({ name, item }) => (
              <li>
                <span class="small muted">
                  <bdi>{name}</bdi>
                </span>
                {item ? <bdi>{item.name}</bdi> : <span class="muted">{t`not chosen yet`}</span>}
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

function Options({ options, currency }: WithCurrency & { options: readonly CartOption[] }) {
  const amountText = useAmountText(currency);
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
          {price > 0 && <span class="muted">+{amountText(price * quantity)}</span>}
        </li>
      ))}
    </ul>
  );
}

/** Line ends of the note stay line ends. */
function Observation({ text }: { text: string }) {
  const { t } = usePageWords();
  if (text.trim() === "") return null;
  return (
    <p class="observation small">
      <span class="muted">{t`Note:`} </span>
      <bdi>{text}</bdi>
    </p>
  );
}

export function Totals({
  lines,
  currency,
  delivery,
}: WithCurrency & { lines: readonly CartLine[]; delivery: boolean }) {
  const { t } = usePageWords();
  const amountText = useAmountText(currency);
  return (
    <dl class="totals">
      {delivery && (
        <div>
          <dt class="muted">{t`Delivery fee`}</dt>
          <dd class="muted">{t`set by the store`}</dd>
        </div>
      )}
      <div class="total">
        <dt>{t`Items total`}</dt>
        <dd>{amountText(cartTotal(lines))}</dd>
      </div>
    </dl>
  );
}
