/**
 * Every seed has these stores, people, drivers and apps, where a person doesn't bring stores of their own. Only the API keys
 * depend on the seed.
 */
import { createHash } from "node:crypto";

import * as z from "zod/mini";

import { hasAtMostTwoDecimals } from "../../api/money.js";
import { type Scope, scopes } from "../../api/operations.js";
import type { App, Driver, Person, Store } from "../domain/model.js";
import type { StoreInput } from "../inputs.js";
import { createCatalog, houseCatalog, type Catalog } from "./catalog.js";

export const localClientId = "comanda-local";
export const localRedirectUri = "http://127.0.0.1:8765/callback";
/** The partner behind the apps has this key. It is the same for every store and seed (section 5.1). */
export const partnerKey = "partner_of_the_emulator";

/** The cast has the people and stores, and what can be bought. */
export interface Cast {
  readonly stores: readonly Store[];
  readonly people: readonly Person[];
  readonly drivers: readonly Driver[];
  /** Catalogs are listed by store. */
  readonly catalogs: ReadonlyMap<number, Catalog>;
}

/** The key is the same for the same seed: it protects nothing but the emulator's own data. */
function storeOf(seed: number, store: Omit<Store, "apiKey">): Store {
  const digits = createHash("sha256").update(`${seed}/${store.id}`).digest("hex").slice(0, 32);
  return { ...store, apiKey: `key_${store.id}_${digits}` };
}

/** The stores have three zones: one without and one with daylight saving time, and one an hour from the first. */
export function seedCast(seed: number): Cast {
  const stores = [
    storeOf(seed, { id: 501, name: "Cantina São João", timeZone: "America/Sao_Paulo", currency: "BRL" }),
    storeOf(seed, { id: 502, name: "Açaí do Ribeirão", timeZone: "America/Manaus", currency: "BRL" }),
    storeOf(seed, { id: 503, name: "Tasca d’Avó Conceição", timeZone: "Europe/Lisbon", currency: "EUR" }),
  ];
  return { stores, people, drivers, catalogs: new Map(stores.map(({ id }) => [id, houseCatalog])) };
}

const people: readonly Person[] = [
  { id: "ana", name: "Ana Lúcia Ferrão", email: "ana@example.com", profile: "owner", storeIds: [501, 502] },
  { id: "joao", name: "João Simões", email: "joao@example.com", profile: "owner", storeIds: [501] },
  { id: "ines", name: "Inês d’Ávila", email: "ines@example.com", profile: "owner", storeIds: [503] },
  {
    id: "marta",
    name: "Marta Brandão",
    email: "marta@example.com",
    profile: "manager",
    storeIds: [501, 502],
  },
  { id: "caua", name: "Cauã Peçanha", email: "caua@example.com", profile: "attendant", storeIds: [502] },
];

const drivers: readonly Driver[] = [
  { id: 11, name: "José Antônio da Conceição", storeId: 501, active: true },
  { id: 12, name: "Bia 🛵 Nogueira", storeId: 501, active: true },
  { id: 13, name: "Carlos Silva", storeId: 501, active: true },
  { id: 14, name: "Carlos Silva", storeId: 501, active: true },
  { id: 15, name: "Otávio Guimarães", storeId: 501, active: false },
  { id: 21, name: "=Zé da Moto", storeId: 502, active: true },
  { id: 22, name: "ياسمين حداد", storeId: 502, active: true },
  { id: 23, name: 'Raimunda "Rai" Nonato', storeId: 502, active: true },
  { id: 24, name: "Élcio Müller", storeId: 502, active: false },
  { id: 25, name: "Tainá Iracema", storeId: 502, active: false },
  { id: 31, name: "Gonçalo Antão", storeId: 503, active: true },
  { id: 32, name: "Núria, a Veloz", storeId: 503, active: true },
  { id: 33, name: "Xosé Ærø", storeId: 503, active: false },
];

export const everyScope: readonly Scope[] = Object.keys(scopes).filter(
  (name): name is Scope => name in scopes,
);

/** @param redirectUris are registered for each app beside the usual address */
export function seedApps(redirectUris: readonly string[]): App[] {
  const registration = {
    redirectUris: [...new Set([localRedirectUri, ...redirectUris])],
    scopes: everyScope,
    approved: true,
  };
  return [
    { ...registration, clientId: localClientId, name: "comanda" },
    { ...registration, clientId: "painel-de-vendas", name: "Painel de Vendas", scopes: ["store", "orders"] },
    { ...registration, clientId: "app-em-analise", name: "App em análise", approved: false },
  ];
}

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
    stores: inputs.map(({ id: storeId, name: called, time_zone, currency }) =>
      storeOf(seed, {
        id: storeId,
        name: called ?? `Loja ${storeId}`,
        timeZone: time_zone ?? "America/Sao_Paulo",
        currency: currency ?? "BRL",
      }),
    ),
    // One person of each profile, at all of the stores: an owner first.
    people: people
      .filter((person) => ["ana", "marta", "caua"].includes(person.id))
      .map((person) => ({ ...person, storeIds })),
    drivers: inputs.flatMap(({ id: storeId, drivers: own = [] }) =>
      own.map((driver) => ({ id: driver.id, name: driver.name, storeId, active: driver.active ?? true })),
    ),
    catalogs: new Map(
      inputs.map(({ id: storeId, catalog }) => [storeId, catalog ? createCatalog(catalog) : houseCatalog]),
    ),
  };
}
