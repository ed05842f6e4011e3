/** Every seed has these stores, people, drivers and apps. Only the API keys depend on the seed. */
import { createHash } from "node:crypto";

import { scopes, type Scope } from "../../api/scopes.js";
import type { App, Driver, Person, Store } from "../domain/model.js";
import { houseCatalog, type Catalog } from "./catalog.js";

export const localClientId = "comanda-local";
export const localRedirectUri = "http://127.0.0.1:8765/callback";
/** The partner behind the apps has this key. It is the same for every store and seed (section 5.1). */
export const partnerKey = "partner_of_the_emulator";

/** Makes a key that is the same for the same seed: it protects nothing but the emulator's own data. */
function apiKey(seed: number, storeId: number): string {
  return `key_${storeId}_${createHash("sha256").update(`${seed}/${storeId}`).digest("hex").slice(0, 32)}`;
}

/** The cast has the people and stores, and what can be bought. */
export interface Cast {
  readonly stores: readonly Store[];
  readonly people: readonly Person[];
  readonly drivers: readonly Driver[];
  /** Catalogs are listed by store. */
  readonly catalogs: ReadonlyMap<number, Catalog>;
}

export function storeOf(seed: number, store: Omit<Store, "apiKey">): Store {
  return { ...store, apiKey: apiKey(seed, store.id) };
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

export const people: readonly Person[] = [
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
