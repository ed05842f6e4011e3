/** `comanda orders` groups the changes of an order's status, and asks for the change where a line has ids alone. */
import type { StatusChange } from "../../contract/operations.js";
import { ComandaError } from "../../shared/errors.js";
import { plural, t, translated } from "../../shared/language.js";
import { withAnswers, oneStore } from "../../toolkit/command-line.js";
import { runAndPresent, type Command, type CommandGroup } from "../../toolkit/command.js";

import { defaultChange, statusCommands, type ChangeStatusOptions } from "./change-status.js";
import { parseOrderIds } from "./order-ids.js";

const actions: readonly StatusChange[] = ["dispatch", "deliver", "finalize", "cancel"];

export interface ChangeChoice {
  readonly action: StatusChange;
  readonly options: ChangeStatusOptions;
}

/** `ask` hands its answer to `parse` as this option, which nobody can type. */
const actionOption = "--action";

/** At a terminal `comanda orders 4711` lets the person choose the change. */
export const chooseChange: Command<ChangeChoice> = {
  description: {
    usage: "orders <id...>",
    summary: "change the status of orders",
    description: "At a terminal, ids without a command ask which change is meant.",
    takes: ["store", "dryRun", "format"],
    promptsForMember: /^\d+$/,
    examples: ["orders dispatch 4711", "orders finalize 4711 4712"],
  },
  async ask(machine, line) {
    const count = parseOrderIds(line.words).length;
    const [first = ""] = line.words;
    const question = plural(count, {
      one: t`What is to become of order ${first}?`,
      other: t`What is to become of ${count} orders?`,
    });
    const choices = actions.map((value) => ({
      value,
      name: `${value}: ${translated(statusCommands[value].description.summary)}`,
    }));
    return withAnswers(line, { texts: { [actionOption]: await machine.choose(question, choices) } });
  },
  parse(line) {
    const action = actions.find((action) => action === line.text(actionOption));
    if (action === undefined) throw new ComandaError("usage", t`A subcommand is missing.`);
    return {
      action,
      options: {
        ...defaultChange,
        orders: parseOrderIds(line.words),
        store: oneStore(line.globals),
        dryRun: line.globals.dryRun,
      },
    };
  },
  run: async (machine, { action, options }) => {
    await runAndPresent(statusCommands[action], machine, options);
  },
};

export const orders: CommandGroup = {
  name: "orders",
  summary: "change the status of orders",
  members: Object.values(statusCommands),
  defaultCommand: chooseChange,
};
