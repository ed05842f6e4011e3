/** `comanda history settle` records the outcome that a person has looked up for a change with an unknown one. */
import type { Context } from "../../cli/context.js";
import { oneStore } from "../../cli/global-options.js";
import { ComandaError } from "../../client/errors.js";
import { plural, t } from "../../languages/language.js";
import { settledAs, type SettledAs } from "../../state/journal.js";
import { storedAlias } from "../store.js";

import { historyJson, knownStores, timeOf } from "./rows.js";

export async function settle(
  context: Context,
  { note }: { readonly note?: string },
  [order = "", word = ""]: readonly string[],
): Promise<void> {
  const { output } = context;
  const as = parseSettledAs(word);
  const named = oneStore(context.options);
  const state = await context.state();
  const { settleOrder } = await import("../../state/journal.js");
  const store = named === undefined ? undefined : await storedAlias(context, named);
  const { settled, left } = await settleOrder(state, {
    order,
    as,
    store,
    ...(note !== undefined && { note }),
  });
  const stores = await knownStores(state);
  for (const row of settled) {
    if (output.json) output.jsonLine(historyJson(row));
    else {
      const when = timeOf(row, stores);
      output.sentence(
        row.settled?.outcome === "done"
          ? t`Order ${order}: ${row.operation} of ${when} was done.`
          : t`Order ${order}: ${row.operation} of ${when} was not done.`,
      );
    }
  }
  if (left.length > 0) {
    output.notice(
      plural(left.length, {
        one: t`1 other change of the order is unknown still: run the command again for it.`,
        other: t`${left.length} other changes of the order are unknown still: run the command again for them.`,
      }),
    );
  }
}

function parseSettledAs(word: string): SettledAs {
  const as = settledAs.find((name) => name === word);
  if (as !== undefined) return as;
  throw new ComandaError("usage", t`An order's change is done or not-done, not "${word}".`, {
    hint: t`For example: comanda history settle 4712 done`,
  });
}
