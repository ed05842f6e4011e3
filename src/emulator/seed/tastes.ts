/** Customers order these things in these quantities, and come from these origins. Each value has its weight. */
import { houseCatalog, type Catalog, type CatalogItem } from "./catalog.js";
import { customerOrigins } from "./texts.js";

type Weighted<Value> = readonly (readonly [Value, number])[];

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
  lines: [1, 2, 3, 4].map((count) => [count, 1]),
  items: catalog.forSale.map((item) => [item, 1]),
  quantities: [
    [1, 70],
    [2, 20],
    [3, 6],
    [12, 4],
  ],
  customerOrigins: customerOrigins.map((origin) => [origin, 1]),
  quartersAhead: [2, 300],
});

const itemWeights: Readonly<Record<number, number>> = {
  3001: 24,
  3002: 26,
  3003: 14,
  3004: 8,
  3005: 6,
  3006: 2,
  3008: 11,
};

/** A restaurant sells burgers and drinks for one or two, some pizzas, in five campaigns. */
export const restaurantTaste = (catalog: Catalog): Tastes => ({
  lines: [
    [1, 18],
    [2, 37],
    [3, 30],
    [4, 15],
  ],
  items: catalog.forSale.map((item) => [item, catalog === houseCatalog ? (itemWeights[item.id] ?? 0) : 1]),
  quantities: [
    [1, 82],
    [2, 15],
    [3, 3],
  ],
  customerOrigins: [
    ["instagram", 40],
    ["google-ads", 25],
    ["whatsapp", 20],
    ["Panfleto, centro", 10],
    ["aniversario", 5],
  ],
  quartersAhead: [3, 16],
});
