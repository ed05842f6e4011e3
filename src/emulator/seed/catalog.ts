/** Every store sells these items, and takes these payment methods. */
import type { Cents } from "../../api/money.js";

/** A price is in the store's currency, with at most two decimals. */
interface Option {
  readonly option_id: number;
  readonly name: string;
  readonly price: number;
}

interface OptionGroup {
  readonly option_group_id: number;
  readonly name: string;
  readonly options: readonly Option[];
}

export interface CatalogItem {
  readonly item_id: number;
  readonly external_code: string | null;
  readonly name: string;
  readonly price: number;
  /** The item is sold in hundredths: such a price has no decimals, so that the total is whole cents. */
  readonly by_weight?: true;
  readonly option_groups: readonly OptionGroup[];
  /** A combo is put together of these, whose price is in the combo's; any other item has none. */
  readonly parts: readonly CatalogItem[];
}

export function centsOf(amount: number): Cents {
  return Math.round(amount * 100);
}

const plain = { external_code: null, option_groups: [], parts: [] };
/** One option stands in two groups, as section 2.3 says it may. */
const bacon = { option_id: 901, name: "Bacon", price: 4.5 };
const extras: OptionGroup = {
  option_group_id: 81,
  name: "Adicionais",
  options: [
    bacon,
    { option_id: 902, name: "Queijo coalho", price: 3.99 },
    { option_id: 903, name: "Sem sal", price: 0 },
  ],
};
const edge: OptionGroup = {
  option_group_id: 82,
  name: "Borda / “recheio”",
  options: [{ option_id: 911, name: "Catupiry®", price: 7.99 }, bacon],
};

const soda = { ...plain, item_id: 3001, external_code: "REF-350", name: "Guaraná 350 ml", price: 6.5 };
const burger = { ...plain, item_id: 3002, name: 'X-Salada "da casa"', price: 24.9, option_groups: [extras] };
const fries = { ...plain, item_id: 3003, external_code: "BAT;01", name: "Batata média", price: 12.9 };
const pizza = { ...plain, item_id: 3004, external_code: "PZ-GG", name: "Pizza ½ calabresa", price: 69.9 };

export const forSale: readonly CatalogItem[] = [
  soda,
  burger,
  fries,
  { ...pizza, option_groups: [edge] },
  { ...plain, item_id: 3005, name: "Açaí 500 ml 🍇", price: 18.99, option_groups: [extras] },
  { ...plain, item_id: 3006, external_code: "=KG", name: "Buffet (kg)", price: 79, by_weight: true },
  { ...plain, item_id: 3007, name: "Bala de troco", price: 0.05 },
  {
    ...plain,
    item_id: 3008,
    external_code: "CMB1",
    name: "Combo da Vó",
    price: 39.9,
    parts: [burger, fries, soda],
  },
];

export interface PaymentMethod {
  /** The figures can be split by it (section 4.7). */
  readonly id: number;
  readonly name: string;
  /** Orders carry this code in `payment_method`. */
  readonly code: "money" | "pix" | "credit_card" | "debit_card" | "meal_voucher";
  readonly online: boolean;
  /** The fee is charged on top of the order. */
  readonly fee: Cents;
}

export const paymentMethods: readonly PaymentMethod[] = [
  { id: 1, name: "Dinheiro", code: "money", online: false, fee: 0 },
  { id: 2, name: "Pix", code: "pix", online: true, fee: 0 },
  { id: 3, name: "Crédito (online)", code: "credit_card", online: true, fee: 99 },
  { id: 4, name: "Crédito (maquininha)", code: "credit_card", online: false, fee: 0 },
  { id: 5, name: "Débito", code: "debit_card", online: false, fee: 0 },
  { id: 6, name: "Vale-refeição", code: "meal_voucher", online: false, fee: 150 },
];
