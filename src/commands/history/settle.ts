/** `comanda history settle` records the outcome that a person has looked up for a change with an unknown one. */
import { ComandaError } from "../../client/errors.js";
import { plural, t } from "../../languages/language.js";
import { localTime } from "../../languages/local-time.js";
import { settledAs, type SettledAs, type SettledWrites } from "../../state/journal.js";
import type { Command } from "../../toolkit/command.js";
import { oneStore } from "../../toolkit/command-line.js";

import { jsonOf } from "./rows.js";

interface SettleOptions {
  readonly order: string;
  readonly outcome: SettledAs;
  readonly note: string | undefined;
  readonly store: string | undefined;
}

export const settle: Command<SettleOptions, SettledWrites> = {
  description: {
    usage: "settle <order-id> <done|not-done>",
    summary: "say what you have looked up of an order whose change is unknown",
    description:
      "Look at the order first, such as in the portal. Its newest change that is unknown is settled, however often it was " +
      "sent; to say it again corrects it. Nothing is sent. --outcome unknown lists it no more, `history drivers` counts it as " +
      "you say, and a run that is gone on with sends what is not done, and not what is done.",
    takes: ["store", "format"],
    options: [{ flags: "--note <text>", description: "kept with it, such as where you looked" }],
    examples: [
      "history settle 4712 done",
      'history settle 4712 not-done --note "still open in the portal" --json',
    ],
  },
  parse: (line) => ({
    order: line.words[0] ?? "",
    outcome: parseSettledAs(line.words[1] ?? ""),
    note: line.text("--note"),
    store: oneStore(line.globals),
  }),
  async run(machine, { order, outcome, note, store }) {
    const state = await machine.state();
    const { settleOrder } = await import("../../state/journal.js");
    const [alias] =
      store === undefined ? [] : await machine.storeAliases({ stores: [store], allStores: false });
    return settleOrder(state, {
      ...{ order, as: outcome, note: note ?? null },
      store: alias,
    });
  },
  present({ settled, left }, output, { order }) {
    for (const row of settled) {
      if (output.json) output.jsonLine(jsonOf(row));
      else {
        const when = localTime(Date.parse(row.at));
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
  },
};

function parseSettledAs(word: string): SettledAs {
  const as = settledAs.find((name) => name === word);
  if (as !== undefined) return as;
  throw new ComandaError("usage", t`An order's change is done or not-done, not "${word}".`, {
    hint: t`For example: comanda history settle 4712 done`,
  });
}
