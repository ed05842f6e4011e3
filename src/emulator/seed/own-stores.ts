/** Reads your own stores, which replace the emulator's, and makes their cast. */
import * as z from "zod/mini";

import { centsFromNumber, hasAtMostTwoDecimals } from "../../api/money.js";
import type { CatalogItemInput, StoreInput } from "../inputs.js";
import { people, storeOf, type Cast } from "./cast.js";
import { createCatalog, houseCatalog, type CatalogItem } from "./catalog.js";

const id = z.int().check(z.minimum(1));
const name = z.string().check(z.minLength(1), z.maxLength(200));
const price = z
  .number()
  .check(
    z.minimum(0),
    z.maximum(1e9),
    z.refine(hasAtMostTwoDecimals, { error: "must have at most two decimals" }),
  );
const optionGroupSchema = z.strictObject({
  option_group_id: id,
  name,
  options: z.array(z.strictObject({ option_id: id, name, price: z.optional(price) })).check(z.minLength(1)),
});
const itemSchema = z.strictObject({
  item_id: id,
  name,
  price,
  external_code: z.optional(z.nullable(z.string())),
  option_groups: z.optional(z.array(optionGroupSchema)),
});
const driverSchema = z.strictObject({ id, name, active: z.optional(z.boolean()) });
const storeSchema = z.strictObject({
  id,
  name: z.optional(name),
  time_zone: z.optional(z.string().check(z.refine(isTimeZone, { error: "must be the IANA name of a zone" }))),
  currency: z.optional(z.string().check(z.regex(/^[A-Z]{3}$/, "must be three capital letters, as BRL"))),
  drivers: z.optional(z.array(driverSchema)),
  catalog: z.optional(
    z.array(itemSchema).check(
      z.minLength(1),
      z.refine((items) => isUnique(items.map(({ item_id }) => item_id)), {
        error: "must have another item_id for each item",
      }),
    ),
  ),
});

export const ownStoresSchema = z.array(storeSchema, "must be a list of stores").check(
  z.minLength(1, "must have a store"),
  z.maxLength(1_000, "must have at most 1,000 stores"),
  z.refine((stores) => isUnique(stores.map((store) => store.id)), {
    error: "must have another id for each store",
  }),
  z.refine((stores) => isUnique(stores.flatMap(({ drivers = [] }) => drivers.map((driver) => driver.id))), {
    error: "must have another id for each driver, also of different stores",
  }),
);

function isUnique(ids: readonly number[]): boolean {
  return new Set(ids).size === ids.length;
}

function isTimeZone(text: string): boolean {
  try {
    new Intl.DateTimeFormat("en-US", { timeZone: text });
    return true;
  } catch {
    return false;
  }
}

/** @param inputs are checked by {@link ownStoresSchema} */
export function castOf(inputs: readonly StoreInput[], seed: number): Cast {
  const storeIds = inputs.map(({ id: storeId }) => storeId);
  return {
    stores: inputs.map((input) =>
      storeOf(seed, {
        id: input.id,
        name: input.name ?? `Loja ${input.id}`,
        timeZone: input.time_zone ?? "America/Sao_Paulo",
        currency: input.currency ?? "BRL",
      }),
    ),
    // One person of each profile, at all of the stores: an owner first.
    people: ["ana", "marta", "caua"].flatMap((id) =>
      people.filter((person) => person.id === id).map((person) => ({ ...person, storeIds })),
    ),
    drivers: inputs.flatMap(({ id: storeId, drivers = [] }) =>
      drivers.map((driver) => ({ id: driver.id, name: driver.name, storeId, active: driver.active ?? true })),
    ),
    catalogs: new Map(
      inputs.map(({ id, catalog }) => [id, catalog ? createCatalog(catalog.map(itemOf)) : houseCatalog]),
    ),
  };
}

function itemOf(input: CatalogItemInput): CatalogItem {
  return {
    id: input.item_id,
    externalCode: input.external_code ?? null,
    name: input.name,
    price: centsOf(input.price),
    groups: (input.option_groups ?? []).map((group) => ({
      id: group.option_group_id,
      name: group.name,
      options: group.options.map((option) => ({
        id: option.option_id,
        name: option.name,
        price: centsOf(option.price ?? 0),
      })),
    })),
  };
}

function centsOf(amount: number): number {
  const cents = centsFromNumber(amount);
  if (cents === undefined) throw new RangeError(`${amount} is no amount`);
  return cents;
}
