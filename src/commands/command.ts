/**
 * The one shape of a command: a description as data, `parse` (the words that were typed to typed options), `run` (the
 * work), `present` (the result to text). A test can replace `run` to see how a line is parsed, and call `run` with
 * options made by hand.
 */
import type { ComandaError } from "../shared/errors.js";
import type { Output } from "../terminal/index.js";

import type { CommandLine } from "./command-line.js";
import type { Restricted } from "./globals.js";
import type { Machine } from "./machine.js";

export interface OptionDescription {
  /** As commander has them: `-p, --period <period>`, `--no-browser`. */
  readonly flags: string;
  /** For the help. */
  readonly description: string;
  /** The only values that it takes. */
  readonly choices?: readonly string[];
  /** May be given more than once. */
  readonly repeatable?: boolean;
  /** The command is refused without it. */
  readonly required?: boolean;
  /** What `text` gives where the option isn't there; shown in the help. */
  readonly default?: string;
}

export interface CommandDescription {
  /** Name and arguments, as commander has them: `dispatch <id...>`. */
  readonly usage: string;
  readonly summary: string;
  /** Further paragraphs for `--help`. */
  readonly description?: string;
  readonly options?: readonly OptionDescription[];
  /** Which of the options that not all commands know this one takes. */
  readonly takes?: readonly Restricted[];
  /** Its arguments are another program's command line: from the first word on, options are that program's. */
  readonly runsAnother?: boolean;
  /** Command lines without the leading `comanda`, each of which works as printed. */
  readonly examples: readonly string[];
}

export interface Command<Options, Result = void> {
  readonly description: CommandDescription;
  /** @throws {ComandaError} `usage` or `invalid_input`; nothing has been opened by then */
  parse(line: CommandLine): Options;
  /** @throws {ComandaError} where there is nothing to present */
  run(machine: Machine, options: Options): Promise<Result>;
  /** Absent for a command that says what it does while it does it. */
  present?(result: Result, output: Output, options: Options): void | Promise<void>;
  /** What ends the command with another exit code than 0 after its result was presented. */
  failure?(result: Result): ComandaError | undefined;
}

/** A command that only groups others. */
export interface CommandGroup {
  readonly name: string;
  readonly summary: string;
  readonly members: readonly Command<unknown, unknown>[];
}

export async function execute(
  command: Command<unknown, unknown>,
  machine: Machine,
  line: CommandLine,
): Promise<void> {
  const options = command.parse(line);
  const result = await command.run(machine, options);
  await command.present?.(result, machine.output, options);
  const failure = command.failure?.(result);
  if (failure) throw failure;
}
