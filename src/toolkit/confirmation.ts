/** Asks for the alias of a protected store before a change that can't be undone. */
import { ComandaError } from "../shared/errors.js";
import { t } from "../shared/language.js";
import { isProtected } from "../state/settings/store-settings.js";

import type { StoreAddress } from "./choose-store.js";
import type { Machine } from "./machine.js";

type NamedStore = Pick<StoreAddress, "label" | "environment">;

export function placeInQuestion({ label, environment }: NamedStore): string {
  return label === environment ? label : `${label} (${environment})`;
}

export type Confirmation = "confirmed" | "declined" | "unprotected";

/** @throws {ComandaError} `usage` where `--confirm` names another store */
export function refuseOtherStore({ label }: Pick<StoreAddress, "label">, confirm: string | undefined): void {
  if (confirm === undefined || confirm === label) return;
  throw new ComandaError("usage", t`--confirm names ${confirm}, but this is ${label}.`, {
    hint: t`Nothing was done. Choose the store with --store.`,
  });
}

/** @param subject what is canceled: `order 4711`, `12 orders` */
export function aliasQuestion(store: NamedStore, subject: string): string {
  return t`Cancel ${subject} at ${placeInQuestion(store)}? This can't be undone. Type the store's alias:`;
}

/**
 * @param subject as in {@link aliasQuestion}
 * @throws {ComandaError} as {@link confirmAlias}
 */
export async function confirmCancelAt(
  machine: Machine,
  store: Pick<StoreAddress, "label" | "store" | "environment">,
  confirm: string | undefined,
  subject: string,
): Promise<Confirmation> {
  const { label } = store;
  return confirmAlias(machine, store, confirm, {
    question: aliasQuestion(store, subject),
    requirement: t`${label} is protected: to cancel there takes --confirm ${label}.`,
    reason: t`A canceled order can't be brought back.`,
  });
}

/** @throws {ComandaError} as {@link confirmAlias} */
export async function confirmSignOut(
  machine: Machine,
  store: string,
  confirm?: string,
): Promise<Confirmation> {
  return confirmAlias(machine, { store, label: store }, confirm, {
    question: t`Sign ${store} out? Only its owner can sign it in again. Type the store's alias:`,
    requirement: t`${store} is protected: to sign it out takes --confirm ${store}.`,
    reason: t`Only its owner can sign it in again.`,
  });
}

/**
 * Asks for the alias of a protected store, unless `--confirm` names it.
 *
 * @param words.requirement the error's message where nobody can be asked
 * @returns `declined` where another alias was typed; `unprotected` where nothing has to be asked
 * @throws {ComandaError} `usage` where `--confirm` names another store, or nobody can be asked
 */
export async function confirmAlias(
  machine: Machine,
  { store, label }: Pick<StoreAddress, "label" | "store">,
  confirm: string | undefined,
  words: { readonly question: string; readonly requirement: string; readonly reason: string },
): Promise<Confirmation> {
  refuseOtherStore({ label }, confirm);
  if (store === undefined) return "unprotected";
  const { settings } = await machine.state();
  if (!isProtected(await settings.read(), store)) return "unprotected";
  if (confirm !== undefined) return "confirmed";
  if (!machine.canAsk()) {
    throw new ComandaError("usage", words.requirement, {
      hint: t`${words.reason} To take the protection away: comanda stores unprotect ${store}`,
    });
  }
  return (await machine.askText(words.question)) === store ? "confirmed" : "declined";
}
