/** `comanda state` shows where state lies, copies it, and encrypts it with a new key. */
import { ComandaError } from "../../shared/errors.js";
import { t } from "../../shared/language.js";
import type { Copied, StateStatus } from "../../state/copy-state.js";

import type { Command, CommandGroup } from "../../toolkit/command.js";
import { withVariables } from "../../toolkit/machine.js";

export const status: Command<Record<string, never>, StateStatus> = {
  description: {
    usage: "status",
    summary: "where state lies, and how much of it",
    description:
      "In PostgreSQL it makes comanda's tables where they aren't there yet and the role may make them: " +
      "see comanda help chain.",
    examples: ["state status", "state status --json"],
  },
  parse: () => ({}),
  run: async (machine) => (await import("../../state/copy-state.js")).statusOf(await machine.state()),
  present(result, output) {
    if (output.json) {
      output.value(result);
      return;
    }
    const { engine, address, schema, newer, stores, rows } = result;
    output.line(engine === "sqlite" ? t`Files of this machine: ${address}` : `PostgreSQL: ${address}`);
    if (newer) output.warn(t`A newer comanda has written it (schema ${schema}): this one leaves it alone.`);
    else if (schema === null) output.line(t`There are no databases yet.`);
    else output.line(t`Schema ${schema}, stores: ${stores}, rows: ${rows}.`);
  },
};

export const copy: Command<{ readonly to: string }, Copied & { readonly to: string }> = {
  description: {
    usage: "copy",
    summary: "copy all state to a chain's PostgreSQL, or from there to files here",
    description:
      "What was written is read back and compared. Nothing is removed where it came from, and the command can be run " +
      "again. A sign-in that lies in two places would be used up by the one that renews it first: from then on work " +
      "in one place alone.",
    options: [
      {
        flags: "--to <place>",
        description: "postgres://user@host/database, or here",
        required: true,
      },
    ],
    examples: ["state copy --to postgres://comanda_run@db.example/comanda", "state copy --to here"],
  },
  parse: (line) => ({ to: line.text("--to") ?? "" }),
  async run(machine, { to }) {
    const { env } = machine.context;
    const from = await machine.state();
    const targetMachine = withVariables(machine, { ...env, COMANDA_STATE: to === "here" ? "sqlite:" : to });
    const target = await targetMachine.state();
    const { address } = target.place;
    if (address === from.place.address) {
      throw new ComandaError("usage", t`State lies in ${address} already.`, {
        hint: t`COMANDA_STATE, or the setting state, names where it is copied from; --to where it goes.`,
      });
    }
    return { ...(await (await import("../../state/copy-state.js")).copyState(from, target)), to: address };
  },
  present({ stores, rows, to }, output) {
    if (output.json) output.value({ stores, rows });
    else output.sentence(t`Copied to ${to} and read back: stores: ${stores}, rows: ${rows}.`);
    output.notice(
      t`From now on work in one of both places alone: a sign-in is used up by the one that renews it.`,
    );
  },
};

export const rekey: Command<Record<string, never>, { readonly rekeyed: number }> = {
  description: {
    usage: "rekey",
    summary: "encrypt all sign-ins with the newest key",
    description:
      "COMANDA_STATE_KEY then has the newest key first and the old ones behind it. Cut off half-way, it is run again; " +
      "other machines may go on meanwhile.",
    examples: ["state rekey"],
  },
  parse: () => ({}),
  async run(machine) {
    const { rekey: encrypt } = await machine.state();
    if (encrypt) return { rekeyed: await encrypt() };
    throw new ComandaError(
      "usage",
      t`State lies in files of this machine, where nothing is encrypted with a key.`,
      {
        hint: t`See where it lies: comanda state status`,
      },
    );
  },
  present({ rekeyed }, output) {
    if (output.json) output.value({ rekeyed });
    else output.sentence(t`Encrypted with the newest key: ${rekeyed}. The old keys are not needed any more.`);
  },
};

export const key: Command<Record<string, never>, string> = {
  description: {
    usage: "key",
    summary: "make a key for COMANDA_STATE_KEY",
    description: "It is printed once and kept nowhere. All machines of a chain have the same.",
    examples: ["state key"],
  },
  parse: () => ({}),
  run: async (machine) =>
    (await import("../../state/chain/state-keys.js")).newStateKey(machine.context.system.random),
  present(text, output) {
    if (output.json) output.value({ key: text });
    else output.line(text);
  },
};

export const stateCommands: CommandGroup = {
  name: "state",
  summary: "where comanda keeps what it knows, and a chain's database",
  members: [status, copy, rekey, key],
};
