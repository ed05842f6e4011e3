/**
 * Gives a command its context, settings and output, the stored state, and the person in front of it. A part is loaded
 * when it is used for the first time, since a usage error needs none of it.
 */
import type { Readable } from "node:stream";

import type { Session } from "../state/sessions.js";
import type { Choice } from "../cli/choices.js";
import type { Output } from "../cli/output.js";

import type { ChosenStore, ChosenStores, StoreFlag, StoreFlags } from "./choose-store.js";
import type { Context } from "../cli/context.js";
import type { RunSettings } from "./context.js";
import type { State } from "../state/state.js";

export interface MachineParts {
  readonly context: Context;
  readonly settings: RunSettings;
  readonly output: Output;
}

export interface Machine extends MachineParts {
  /** Writes a line of `--debug`. Absent without that option. */
  readonly debug: ((message: string) => void) | undefined;
  /** Sessions, settings and figures, on the disk or in a chain's database. */
  state(): Promise<State>;
  /** @throws {ComandaError} `invalid_input` for an unknown alias */
  session(alias: string): Promise<Session>;
  /** @throws {ComandaError} as `chooseStore` */
  chooseSession(flag: StoreFlag): Promise<Session>;
  /**
   * The credentials may be those of a session or of the environment variables.
   *
   * @throws {ComandaError} as `chooseStore`
   */
  chooseStore(flag: StoreFlag): Promise<ChosenStore>;
  /** @throws {ComandaError} as `chooseStores` */
  chooseStores(flags: StoreFlags): Promise<ChosenStores>;
  /**
   * Gives aliases to a command that makes no calls: a named store may have been removed since.
   *
   * @throws {ComandaError} as `chooseStores`
   */
  storeAliases(flags: StoreFlags): Promise<readonly string[]>;
  /**
   * Opens a file, which may be a pipe: the signal ends the reading.
   *
   * @throws {Error} with the system's `code` where there is no such file; one that can't be read tells when it is read
   * @throws {ComandaError} `usage` for a terminal, which nobody knows to be waited for
   */
  readonly inputFile: (file: string, signal: AbortSignal) => Promise<Readable>;
  /** May a question be asked? Only where a person sits in front of both ends, and didn't say `--no-input`. */
  canAsk(): boolean;
  /** Asks for a line of text. Ask `canAsk` before. */
  askText(question: string): Promise<string>;
  /** Shows the names of the choices, and gives a value. Ask `canAsk` before. */
  choose(question: string, choices: readonly Choice[]): Promise<string>;
  /** Asks a question that is answered yes or no; just Enter means no. Ask `canAsk` before. */
  askYesNo(question: string): Promise<boolean>;
  /**
   * Asks for a secret; what is typed is not shown.
   *
   * @param signal takes the question back
   */
  askSecret(question: string, signal?: AbortSignal): Promise<string>;
}

export function createMachine(context: Context): Machine {
  const { options: settings, output, debug, state, canAsk, choose, askYesNo, askText, askSecret } = context;
  const chooser = async () => import("./choose-store.js");
  const machine: Machine = {
    ...{ context, settings, output, debug, state, canAsk, choose, askYesNo, askText, askSecret },
    session: async (alias) => (await chooser()).storedSession((await state()).sessions, alias),
    chooseSession: async (flag) => (await chooser()).chooseSession(context, flag),
    chooseStore: async (flag) => (await chooser()).chooseStore(context, flag),
    chooseStores: async (flags) => (await chooser()).chooseStores(context, flags),
    storeAliases: async (flags) => (await chooser()).storeAliases(context, flags),
    inputFile: async (file, signal) => (await import("./input-file.js")).openInputFile(file, signal),
  };
  return machine;
}
