/** Asks for the alias of a protected store before a change that can't be undone. */
import { ComandaError } from "../shared/errors.js";
import { t } from "../shared/language.js";
import { isProtected } from "../state/settings/store-settings.js";

import type { Machine } from "./machine.js";
import type { Target } from "./target.js";

export function placeInQuestion({ label, environment }: Pick<Target, "label" | "environment">): string {
  return label === environment ? label : `${label} (${environment})`;
}

export interface CancelRequest {
  /** The store that `--confirm` names. */
  readonly confirm: string | undefined;
  /** The question names it: `order 4711`, `12 orders`. */
  readonly subject: string;
}

export type Confirmation = "confirmed" | "declined" | "unprotected";

/** @throws {ComandaError} `usage` where `--confirm` names another store than the target's */
export function refuseOtherStore({ label }: Pick<Target, "label">, confirm: string | undefined): void {
  if (confirm === undefined || confirm === label) return;
  throw new ComandaError("usage", t`--confirm names ${confirm}, but this is ${label}.`, {
    hint: t`Nothing was done. Choose the store with --store.`,
  });
}

/**
 * Asks for the alias of a protected store, unless `--confirm` names it.
 *
 * @returns `declined` where another alias was typed; `unprotected` where nothing has to be asked
 * @throws {ComandaError} `usage` where `--confirm` names another store, or nobody can be asked
 */
export async function confirmProtected(
  machine: Machine,
  connection: Pick<Target, "label" | "store" | "environment">,
  { confirm, subject }: CancelRequest,
): Promise<Confirmation> {
  const { store = "" } = connection;
  return confirmAlias(machine, connection, confirm, {
    question: aliasQuestion(connection, subject),
    requirement: t`${store} is protected: to cancel there takes --confirm ${store}.`,
    reason: t`A canceled order can't be brought back.`,
  });
}

/** @param subject as {@link CancelRequest.subject} */
export function aliasQuestion(target: Pick<Target, "label" | "environment">, subject: string): string {
  return t`Cancel ${subject} at ${placeInQuestion(target)}? This can't be undone. Type the store's alias:`;
}

export interface ConfirmationWords {
  readonly question: string;
  /** The error's message where nobody can be asked. */
  readonly requirement: string;
  readonly reason: string;
}

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

/** @throws {ComandaError} as {@link confirmProtected} */
export async function confirmAlias(
  machine: Machine,
  { store, label }: Pick<Target, "label" | "store">,
  confirm: string | undefined,
  { question, requirement, reason }: ConfirmationWords,
): Promise<Confirmation> {
  refuseOtherStore({ label }, confirm);
  if (store === undefined) return "unprotected";
  const { settings } = await machine.state();
  if (!isProtected(await settings.read(), store)) return "unprotected";
  if (confirm !== undefined) return "confirmed";
  if (!machine.canAsk()) {
    throw new ComandaError("usage", requirement, {
      hint: t`${reason} To take the protection away: comanda stores unprotect ${store}`,
    });
  }
  return (await machine.askText(question)) === store ? "confirmed" : "declined";
}
