/** The stores sell these items, and take these payment methods. Amounts are in cents. */
import type { Cents } from "../../api/money.js";

export interface CatalogOption {
  readonly id: number;
  readonly name: string;
  readonly price: Cents;
}

export interface OptionGroup {
  readonly id: number;
  readonly name: string;
  readonly options: readonly CatalogOption[];
}

export interface CatalogItem {
  readonly id: number;
  readonly externalCode: string | null;
  readonly name: string;
  readonly price: Cents;
  /** The item is sold by weight, in hundredths: such a price is whole, so that the total is whole cents. */
  readonly byWeight?: true;
  readonly groups: readonly OptionGroup[];
  /** A combo is put together in these steps; other items have none. */
  readonly steps?: readonly ComboStep[];
}

/** A customer chooses one of some items. Their price is in the combo's; that of their options is not. */
interface ComboStep {
  readonly id: number;
  readonly name: string;
  /** The combo usually comes with the first item. */
  readonly items: readonly [CatalogItem, ...CatalogItem[]];
}

/** One option stands in two groups, as section 2.3 says it may. */
const bacon: CatalogOption = { id: 901, name: "Bacon", price: 450 };
const extras: OptionGroup = {
  id: 81,
  name: "Adicionais",
  options: [bacon, { id: 902, name: "Queijo coalho", price: 399 }, { id: 903, name: "Sem sal", price: 0 }],
};
const edge: OptionGroup = {
  id: 82,
  name: "Borda / “recheio”",
  options: [{ id: 911, name: "Catupiry®", price: 799 }, bacon],
};

const soda = { id: 3001, externalCode: "REF-350", name: "Guaraná 350 ml", price: 650, groups: [] };
const burger = { id: 3002, externalCode: null, name: 'X-Salada "da casa"', price: 2490, groups: [extras] };
const fries = { id: 3003, externalCode: "BAT;01", name: "Batata média", price: 1290, groups: [] };
const juice = { id: 3009, externalCode: null, name: "Suco de caju 300 ml", price: 890, groups: [] };

const forSale: readonly CatalogItem[] = [
  soda,
  burger,
  fries,
  { id: 3004, externalCode: "PZ-GG", name: "Pizza ½ calabresa, ½ 4 queijos", price: 6990, groups: [edge] },
  { id: 3005, externalCode: null, name: "Açaí 500 ml 🍇", price: 1899, groups: [extras] },
  { id: 3006, externalCode: "=KG", name: "Buffet (kg)", price: 7900, byWeight: true, groups: [] },
  { id: 3007, externalCode: null, name: "Bala de troco", price: 5, groups: [] },
  {
    id: 3008,
    externalCode: "CMB1",
    name: "Combo da Vó",
    price: 3990,
    groups: [],
    steps: [
      { id: 71, name: "O lanche", items: [burger] },
      { id: 72, name: "O acompanhamento", items: [fries] },
      { id: 73, name: "A bebida", items: [soda, juice] },
    ],
  },
];

/** One store sells this. */
export interface Catalog {
  readonly forSale: readonly CatalogItem[];
  /** These can be ordered by themselves or as a part of a combo, in the order of ids. */
  readonly items: readonly CatalogItem[];
  find(id: number): CatalogItem | undefined;
}

export function createCatalog(forSale: Catalog["forSale"]): Catalog {
  const parts = forSale.flatMap(({ steps = [] }) => steps.flatMap(({ items }) => items));
  const byId = new Map([...forSale, ...parts].map((item) => [item.id, item]));
  return {
    forSale,
    items: [...byId.values()].sort((a, b) => a.id - b.id),
    find: (id) => byId.get(id),
  };
}

/** The emulator's own stores sell this. */
export const houseCatalog = createCatalog(forSale);

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
