/** The stores, users, drivers and apps of every seed, unless a user configures other stores. */
import { createHash } from "node:crypto";

import * as z from "zod/mini";

import { localDefaults } from "../../base/defaults.js";
import { scopeNames } from "../../api/values.js";
import { t } from "../../languages/language.js";
import type { App, Driver, Person, Store, StoreInput } from "../inputs.js";

export const localClientId = "comanda-local";
export const localRedirectUri = localDefaults.redirectUri;
/** The partner's key, which is the same for every store and seed (section 5.1). */
export const partnerKey = "partner_of_the_emulator";

const usualZone = "America/Sao_Paulo";
const usualCurrency = "BRL";

/** Stores in three zones: one without and one with daylight saving time, and one an hour from the first. */
const usualStores: readonly StoreInput[] = [
  {
    id: 501,
    name: "Cantina São João",
    drivers: [
      { id: 11, name: "José Antônio da Conceição" },
      { id: 12, name: "Bia 🛵 Nogueira" },
      { id: 13, name: "Carlos Silva" },
      { id: 14, name: "Carlos Silva" },
      { id: 15, name: "Otávio Guimarães", active: false },
    ],
  },
  {
    id: 502,
    name: "Açaí do Ribeirão",
    time_zone: "America/Manaus",
    drivers: [
      { id: 21, name: "=Zé da Moto" },
      { id: 22, name: "ياسمين حداد" },
      { id: 23, name: 'Raimunda "Rai" Nonato' },
      { id: 24, name: "Élcio Müller", active: false },
      { id: 25, name: "Tainá Iracema", active: false },
    ],
  },
  {
    id: 503,
    name: "Tasca d’Avó Conceição",
    time_zone: "Europe/Lisbon",
    currency: "EUR",
    drivers: [
      { id: 31, name: "Gonçalo Antão" },
      { id: 32, name: "Núria, a Veloz" },
      { id: 33, name: "Xosé Ærø", active: false },
    ],
  },
];

export type Cast = ReturnType<typeof castOf>;

/** @param own stores checked by {@link ownStoresSchema}; by default, the usual stores */
export function castOf(seed: number, own?: readonly StoreInput[]) {
  const inputs = own ?? usualStores;
  const stores = inputs.map(
    ({ id, name = `Loja ${id}`, time_zone: timeZone = usualZone, currency = usualCurrency }): Store => {
      // The same seed has the same keys, because they protect only generated data.
      const digits = createHash("sha256").update(`${seed}/${id}`).digest("hex").slice(0, 32);
      return { id, name, timeZone, currency, apiKey: `key_${id}_${digits}` };
    },
  );
  const drivers = inputs.flatMap(({ id: storeId, drivers: named = [] }) =>
    named.map(({ id, name, active = true }): Driver => ({ id, name, storeId, active })),
  );
  const person = (
    id: string,
    name: string,
    profile: Person["profile"],
    storeIds: readonly number[],
  ): Person => ({ id, name, email: `${id}@example.com`, profile, storeIds });
  const ids = own ? own.map(({ id }) => id) : [501, 502];
  const people = [
    person("ana", "Ana Lúcia Ferrão", "owner", ids),
    person("marta", "Marta Brandão", "manager", ids),
    person("caua", "Cauã Peçanha", "attendant", ids),
    ...(own ? [] : [person("ines", "Inês d’Ávila", "owner", [503])]),
  ];
  return { stores, people, drivers };
}

/** @param redirectUris registered for each app, in addition to the usual address */
export function seedApps(redirectUris: readonly string[]): App[] {
  const addresses = [...new Set([localRedirectUri, ...redirectUris])];
  const app = { redirectUris: addresses, scopes: scopeNames, approved: true };
  return [
    { ...app, clientId: localClientId, name: "comanda" },
    { ...app, clientId: "painel-de-vendas", name: "Painel de Vendas", scopes: ["store", "orders"] },
    { ...app, clientId: "app-em-analise", name: "App em análise", approved: false },
  ];
}

/** Unlike the contract's `anyInteger`, reports the limit that a value exceeds. */
export const integer = (minimum: number, maximum = Number.MAX_SAFE_INTEGER) => {
  const isInteger = z.refine(Number.isSafeInteger, { error: "must be an integer" });
  return z.number().check(isInteger, z.minimum(minimum), z.maximum(maximum));
};
export const text = z.string().check(z.regex(/^.{1,255}$/s, "must be text of at most 255 characters"));
const id = integer(1);
const driverSchema = z.strictObject({ id, name: text, active: z.optional(z.boolean()) });
const storeSchema = z.strictObject({
  id,
  name: z.optional(text),
  time_zone: z.optional(
    z.string().check(z.refine(isTimeZone, { error: () => t`must be valid, for example ${usualZone}` })),
  ),
  currency: z.optional(
    z.string().check(z.regex(/^[A-Z]{3}$/, { error: () => t`must be valid, for example ${usualCurrency}` })),
  ),
  drivers: z.optional(z.array(driverSchema)),
});

export const ownStoresSchema = z.array(storeSchema).check(
  z.refine(({ length }) => length > 0 && length <= 1_000, { error: () => t`must contain 1 to 1,000 stores` }),
  z.refine((stores) => isUnique(stores) && isUnique(stores.flatMap(({ drivers = [] }) => drivers)), {
    error: () => t`must have a different id for each store and for each driver, even in different stores`,
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
