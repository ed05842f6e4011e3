/** Customers order these things in these quantities, and come from these origins. Each value has its weight. */
import { houseCatalog, type Catalog, type CatalogItem } from "./catalog.js";
import { type Weighted, weightsFrom } from "../domain/random.js";
import { customerOrigins } from "./texts.js";

export interface Tastes {
  /** An order has so many lines. */
  readonly lines: Weighted<number>;
  readonly items: Weighted<CatalogItem>;
  /** Items that aren't sold by weight have these quantities. */
  readonly quantities: Weighted<number>;
  readonly customerOrigins: Weighted<string>;
  /** An order is scheduled at least and at most so many quarters of an hour ahead. */
  readonly quartersAhead: readonly [number, number];
}

/** Everything is equally likely, large quantities and awkward texts too. */
export const anyTaste = (catalog: Catalog): Tastes => ({
  lines: weightsFrom(1, [1, 1, 1, 1]),
  items: catalog.forSale.map((item) => [item, 1]),
  quantities: [...weightsFrom(1, [70, 20, 6]), [12, 4]],
  customerOrigins: customerOrigins.map((origin) => [origin, 1]),
  quartersAhead: [2, 300],
});

/** Items of the house, from 3001 on. */
const itemWeights = new Map(weightsFrom(3001, [24, 26, 14, 8, 6, 2, 0, 11]));

/** A restaurant sells burgers and drinks for one or two, some pizzas, in five campaigns. */
export const restaurantTaste = (catalog: Catalog): Tastes => ({
  lines: weightsFrom(1, [18, 37, 30, 15]),
  items: catalog.forSale.map((item) => [
    item,
    catalog === houseCatalog ? (itemWeights.get(item.id) ?? 0) : 1,
  ]),
  quantities: weightsFrom(1, [82, 15, 3]),
  customerOrigins: Object.entries({
    instagram: 40,
    "google-ads": 25,
    whatsapp: 20,
    "Panfleto, centro": 10,
    aniversario: 5,
  }),
  quartersAhead: [3, 16],
});
