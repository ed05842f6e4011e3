/** The stores sell these items, and take these payment methods. Prices are amounts with at most two decimals. */
import type { Cents } from "../../api/money.js";
import type { CatalogItemInput, OptionGroupInput } from "../inputs.js";

export type OptionGroup = OptionGroupInput;

export interface CatalogItem {
  readonly item_id: number;
  readonly external_code: string | null;
  readonly name: string;
  readonly kind: "regular_item" | "combo";
  readonly price: number;
  /** The item is sold in hundredths: such a price has no decimals, so that the total is whole cents. */
  readonly by_weight: boolean;
  readonly option_groups: readonly OptionGroup[];
  /** A combo is put together in these steps. */
  readonly combo_steps: readonly ComboStep[];
}

/** A customer chooses one of some items. Their price is in the combo's; that of their options is not. */
interface ComboStep {
  readonly combo_step_id: number;
  readonly name: string;
  /** The combo usually comes with the first item. */
  readonly items: readonly [CatalogItem, ...CatalogItem[]];
}

export function centsOf(amount: number): Cents {
  return Math.round(amount * 100);
}

function itemOf(
  input: CatalogItemInput & { readonly by_weight?: true; readonly combo_steps?: readonly ComboStep[] },
): CatalogItem {
  const { item_id, name, price, external_code = null, option_groups = [], combo_steps = [] } = input;
  const kind = combo_steps.length > 0 ? "combo" : "regular_item";
  const by_weight = input.by_weight ?? false;
  return { item_id, external_code, name, kind, price, by_weight, option_groups, combo_steps };
}

/** One option stands in two groups, as section 2.3 says it may. */
const bacon = { option_id: 901, name: "Bacon", price: 4.5 };
const extras: OptionGroup = {
  option_group_id: 81,
  name: "Adicionais",
  options: [
    bacon,
    { option_id: 902, name: "Queijo coalho", price: 3.99 },
    { option_id: 903, name: "Sem sal" },
  ],
};
const edge: OptionGroup = {
  option_group_id: 82,
  name: "Borda / “recheio”",
  options: [{ option_id: 911, name: "Catupiry®", price: 7.99 }, bacon],
};

const soda = itemOf({ item_id: 3001, external_code: "REF-350", name: "Guaraná 350 ml", price: 6.5 });
const burger = itemOf({ item_id: 3002, name: 'X-Salada "da casa"', price: 24.9, option_groups: [extras] });
const fries = itemOf({ item_id: 3003, external_code: "BAT;01", name: "Batata média", price: 12.9 });
const juice = itemOf({ item_id: 3009, name: "Suco de caju 300 ml", price: 8.9 });
const pizza = { item_id: 3004, external_code: "PZ-GG", name: "Pizza ½ calabresa, ½ 4 queijos", price: 69.9 };

const forSale: readonly CatalogItem[] = [
  soda,
  burger,
  fries,
  itemOf({ ...pizza, option_groups: [edge] }),
  itemOf({ item_id: 3005, name: "Açaí 500 ml 🍇", price: 18.99, option_groups: [extras] }),
  itemOf({ item_id: 3006, external_code: "=KG", name: "Buffet (kg)", price: 79, by_weight: true }),
  itemOf({ item_id: 3007, name: "Bala de troco", price: 0.05 }),
  itemOf({
    item_id: 3008,
    external_code: "CMB1",
    name: "Combo da Vó",
    price: 39.9,
    combo_steps: [
      { combo_step_id: 71, name: "O lanche", items: [burger] },
      { combo_step_id: 72, name: "O acompanhamento", items: [fries] },
      { combo_step_id: 73, name: "A bebida", items: [soda, juice] },
    ],
  }),
];

/** One store sells this. */
export interface Catalog {
  readonly forSale: readonly CatalogItem[];
  /** These can be ordered by themselves or as a part of a combo, by their ids, which ascend. */
  readonly items: ReadonlyMap<number, CatalogItem>;
}

function catalogOf(items: Catalog["forSale"]): Catalog {
  const parts = items.flatMap(({ combo_steps }) => combo_steps.flatMap((step) => step.items));
  const all = [...items, ...parts].toSorted((a, b) => a.item_id - b.item_id);
  return { forSale: items, items: new Map(all.map((item) => [item.item_id, item])) };
}

/** The emulator's own stores sell this. */
export const houseCatalog = catalogOf(forSale);

export function createCatalog(inputs: readonly CatalogItemInput[]): Catalog {
  return catalogOf(inputs.map(itemOf));
}

export interface PaymentMethod {
  readonly id: number;
  readonly name: string;
  /** Orders carry this code in `payment_method`. */
  readonly code: "money" | "pix" | "credit_card" | "debit_card" | "meal_voucher";
  readonly online: boolean;
  /** The fee is charged on top of the order. */
  readonly fee: Cents;
}

/** The store has these payment methods, by whose ids the figures can be split (section 4.7). */
export const paymentMethods: readonly PaymentMethod[] = [
  { id: 1, name: "Dinheiro", code: "money", online: false, fee: 0 },
  { id: 2, name: "Pix", code: "pix", online: true, fee: 0 },
  { id: 3, name: "Crédito (online)", code: "credit_card", online: true, fee: 99 },
  { id: 4, name: "Crédito (maquininha)", code: "credit_card", online: false, fee: 0 },
  { id: 5, name: "Débito", code: "debit_card", online: false, fee: 0 },
  { id: 6, name: "Vale-refeição", code: "meal_voucher", online: false, fee: 150 },
];

export function paymentMethod(id: number): PaymentMethod {
  const method = paymentMethods.find((method) => method.id === id);
  if (!method) throw new RangeError(`no payment method ${id}`);
  return method;
}
