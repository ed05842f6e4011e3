/** Stores in which nothing is canceled by mistake: `stores protect`, and what a cancel asks there. */
import { ComandaError } from "../shared/errors.js";
import { t } from "../shared/language.js";
import { parseStoreAlias } from "../state/sessions/store-alias.js";
import { withStoreSettings } from "../state/settings/store-settings.js";

import { askForStore } from "./asking.js";
import type { Command, OptionDescription } from "./command.js";
import type { Connection } from "./connection.js";
import type { Machine } from "./machine.js";

export interface Protection {
  readonly store: string;
  readonly protected: boolean;
}

function protection(verb: "protect" | "unprotect"): Command<{ readonly store: string }, Protection> {
  const isProtected = verb === "protect";
  return {
    description: {
      usage: `${verb} <alias>`,
      summary: isProtected
        ? "have the store's alias typed before an order is canceled there"
        : "let orders be canceled there without its alias being typed",
      ...(isProtected && {
        description:
          "Where nobody can be asked, a cancel there takes --confirm <alias>; --yes alone is refused.",
      }),
      examples: [`stores ${verb} centro`],
    },
    ask: askForStore,
    parse: ({ words: [alias = ""] }) => ({ store: parseStoreAlias(alias) }),
    async run(machine, options) {
      const { store } = await machine.session(options.store);
      const { settings } = await machine.state();
      const change = { protected: isProtected ? true : undefined };
      await settings.update((current) => withStoreSettings(current, store, change));
      return { store, protected: isProtected };
    },
    present(result, output) {
      if (output.json) output.value(result);
      else if (isProtected)
        output.sentence(t`To cancel an order at ${result.store}, its alias has to be typed.`);
      else output.sentence(t`${result.store} is no longer protected.`);
    },
  };
}

export const protect = protection("protect");
export const unprotect = protection("unprotect");

/** Of what cancels orders. */
export const confirmOption: OptionDescription = {
  flags: "--confirm <alias>",
  description: "the store that is meant; a store that is protected asks for it",
};

/** Where something is about to be done that can't be undone, as a question names it. */
export function placeInQuestion({ label, environment }: Pick<Connection, "label" | "environment">): string {
  return label === environment ? label : `${label} (${environment})`;
}

export interface CancelRequest {
  /** As `--confirm` names the store. */
  readonly confirm: string | undefined;
  /** As a question says it: `order 4711`, `12 orders`. */
  readonly what: string;
}

/**
 * Asks for the alias of a store that is protected, unless it was given.
 *
 * @returns `confirmed`; `declined` where another one was typed; `unprotected` where nothing has to be asked
 * @throws {ComandaError} `usage` where `--confirm` names another store, or nobody can be asked
 */
export async function confirmProtected(
  machine: Machine,
  connection: Pick<Connection, "label" | "store" | "environment">,
  { confirm, what }: CancelRequest,
): Promise<"confirmed" | "declined" | "unprotected"> {
  const { store } = connection;
  if (confirm !== undefined && confirm !== store) {
    throw new ComandaError("usage", t`--confirm names ${confirm}, but this is ${connection.label}.`, {
      hint: t`Nothing was canceled. Choose the store with --store.`,
    });
  }
  if (store === undefined) return "unprotected";
  const { settings } = await machine.state();
  if (settings.read().stores?.[store]?.protected !== true) return "unprotected";
  if (confirm !== undefined) return "confirmed";
  if (!machine.canAsk()) {
    throw new ComandaError("usage", t`${store} is protected: to cancel there takes --confirm ${store}.`, {
      hint: t`A canceled order can't be brought back. To take the protection away: comanda stores unprotect ${store}`,
    });
  }
  const question = t`Cancel ${what} at ${placeInQuestion(connection)}? This can't be undone. Type the store's alias:`;
  return (await machine.askText(question)) === store ? "confirmed" : "declined";
}
