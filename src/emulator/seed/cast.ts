/** The stores, people, drivers and apps of every seed, where a person doesn't bring stores of their own. */
import { createHash } from "node:crypto";

import * as z from "zod/mini";

import { groupBy } from "../../api/basics.js";
import { type Scope, scopes } from "../../api/operations.js";
import type { App, Driver, Person, Store } from "../inputs.js";
import type { StoreInput } from "../inputs.js";

export const localClientId = "comanda-local";
export const localRedirectUri = "http://127.0.0.1:8765/callback";
/** The partner behind the apps has this key. It is the same for every store and seed (section 5.1). */
export const partnerKey = "partner_of_the_emulator";

export interface Cast {
  readonly stores: readonly Store[];
  readonly people: readonly Person[];
  readonly drivers: readonly Driver[];
}

export function driversByStore({ drivers }: Cast): ReadonlyMap<number, readonly Driver[]> {
  return groupBy(drivers, ({ storeId }) => storeId);
}

/** The key is the same for the same seed: it protects nothing but the emulator's own data. */
function storeOf(seed: number, id: number, name: string, timeZone: string, currency: string): Store {
  const digits = createHash("sha256").update(`${seed}/${id}`).digest("hex").slice(0, 32);
  return { id, name, timeZone, currency, apiKey: `key_${id}_${digits}` };
}

/** The stores have three zones: one without and one with daylight saving time, and one an hour from the first. */
export function seedCast(seed: number): Cast {
  const stores = [
    storeOf(seed, 501, "Cantina São João", "America/Sao_Paulo", "BRL"),
    storeOf(seed, 502, "Açaí do Ribeirão", "America/Manaus", "BRL"),
    storeOf(seed, 503, "Tasca d’Avó Conceição", "Europe/Lisbon", "EUR"),
  ];
  const ines = person("ines", "Inês d’Ávila", "owner", [503]);
  return { stores, people: [...peopleOf([501, 502]), ines], drivers };
}

function person(id: string, name: string, profile: Person["profile"], storeIds: readonly number[]): Person {
  return { id, name, email: `${id}@example.com`, profile, storeIds };
}

/** One person of each profile, at all of the stores: an owner first. */
function peopleOf(storeIds: readonly number[]): readonly Person[] {
  return [
    person("ana", "Ana Lúcia Ferrão", "owner", storeIds),
    person("marta", "Marta Brandão", "manager", storeIds),
    person("caua", "Cauã Peçanha", "attendant", storeIds),
  ];
}

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
  const addresses = [...new Set([localRedirectUri, ...redirectUris])];
  const app = { redirectUris: addresses, scopes: everyScope, approved: true };
  return [
    { ...app, clientId: localClientId, name: "comanda" },
    { ...app, clientId: "painel-de-vendas", name: "Painel de Vendas", scopes: ["store", "orders"] },
    { ...app, clientId: "app-em-analise", name: "App em análise", approved: false },
  ];
}

const id = z.int().check(z.minimum(1));
const name = z.string().check(z.minLength(1), z.maxLength(200));
const driverSchema = z.strictObject({ id, name, active: z.optional(z.boolean()) });
const storeSchema = z.strictObject({
  id,
  name: z.optional(name),
  time_zone: z.optional(z.string().check(z.refine(isTimeZone, { error: "must be the IANA name of a zone" }))),
  currency: z.optional(z.string().check(z.regex(/^[A-Z]{3}$/, "must be three capital letters, as BRL"))),
  drivers: z.optional(z.array(driverSchema)),
});

export const ownStoresSchema = z.array(storeSchema, "must be a list of stores").check(
  z.minLength(1, "must have a store"),
  z.maxLength(1_000, "must have at most 1,000 stores"),
  z.refine((stores) => isUnique(stores), { error: "must have another id for each store" }),
  z.refine((stores) => isUnique(stores.flatMap((store) => store.drivers ?? [])), {
    error: "must have another id for each driver, also of different stores",
  }),
);

function isUnique(things: readonly { readonly id: number }[]): boolean {
  return new Set(things.map((thing) => thing.id)).size === things.length;
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
  return {
    stores: inputs.map((store) =>
      storeOf(
        seed,
        store.id,
        store.name ?? `Loja ${store.id}`,
        store.time_zone ?? "America/Sao_Paulo",
        store.currency ?? "BRL",
      ),
    ),
    people: peopleOf(inputs.map((store) => store.id)),
    drivers: inputs.flatMap((store) =>
      (store.drivers ?? []).map((driver) => ({
        id: driver.id,
        name: driver.name,
        storeId: store.id,
        active: driver.active ?? true,
      })),
    ),
  };
}
