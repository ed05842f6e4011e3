/** `stores protect` prevents cancels and sign-outs by mistake; `confirmation.ts` has the questions. */
import { t } from "../../shared/language.js";
import { parseStoreAlias } from "../../state/sessions/store-alias.js";
import { withStoreSettings } from "../../state/settings/store-settings.js";

import { askForStore } from "../../toolkit/asking.js";
import type { Command } from "../../toolkit/command.js";

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
        ? "have the store's alias typed before an order is canceled there, or it is signed out"
        : "let orders be canceled there, and it be signed out, without its alias being typed",
      ...(isProtected && {
        description:
          "Where nobody can be asked, a cancel there, `comanda logout` and `comanda stores remove` take " +
          "--confirm <alias>; --yes alone is refused.",
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
        output.sentence(
          t`To cancel an order at ${result.store}, to sign it out or to remove it, its alias has to be typed.`,
        );
      else output.sentence(t`${result.store} is no longer protected.`);
    },
  };
}

export const protect = protection("protect");
export const unprotect = protection("unprotect");
