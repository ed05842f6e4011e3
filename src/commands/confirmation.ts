/** What a cancel asks at a store that is protected. */
import { ComandaError } from "../shared/errors.js";
import { t } from "../shared/language.js";
import { isProtected } from "../state/settings/store-settings.js";

import type { State } from "./state.js";
import type { Target } from "./target.js";

/** Where something is about to be done that can't be undone, as a question names it. */
export function placeInQuestion({ label, environment }: Pick<Target, "label" | "environment">): string {
  return label === environment ? label : `${label} (${environment})`;
}

/** What a question is asked by: the machine of a command. */
export interface Asking {
  state(): Promise<State>;
  canAsk(): boolean;
  askText(question: string): Promise<string>;
}

export interface CancelRequest {
  /** The store that `--confirm` names. */
  readonly confirm: string | undefined;
  /** As a question says it: `order 4711`, `12 orders`. */
  readonly what: string;
}

export type Confirmation = "confirmed" | "declined" | "unprotected";

/** @throws {ComandaError} `usage` where `--confirm` names another store than the one that is meant */
export function refuseOtherStore({ label }: Pick<Target, "label">, confirm: string | undefined): void {
  if (confirm === undefined || confirm === label) return;
  throw new ComandaError("usage", t`--confirm names ${confirm}, but this is ${label}.`, {
    hint: t`Nothing was done. Choose the store with --store.`,
  });
}

/**
 * Asks for the alias of a store that is protected, unless it was given.
 *
 * @returns `confirmed`; `declined` where another one was typed; `unprotected` where nothing has to be asked
 * @throws {ComandaError} `usage` where `--confirm` names another store, or nobody can be asked
 */
export async function confirmProtected(
  machine: Asking,
  connection: Pick<Target, "label" | "store" | "environment">,
  { confirm, what }: CancelRequest,
): Promise<Confirmation> {
  const { store } = connection;
  refuseOtherStore(connection, confirm);
  if (store === undefined) return "unprotected";
  const { settings } = await machine.state();
  if (!isProtected(settings.read(), store)) return "unprotected";
  if (confirm !== undefined) return "confirmed";
  if (!machine.canAsk()) {
    throw new ComandaError("usage", t`${store} is protected: to cancel there takes --confirm ${store}.`, {
      hint: t`A canceled order can't be brought back. To take the protection away: comanda stores unprotect ${store}`,
    });
  }
  const question = t`Cancel ${what} at ${placeInQuestion(connection)}? This can't be undone. Type the store's alias:`;
  return (await machine.askText(question)) === store ? "confirmed" : "declined";
}
