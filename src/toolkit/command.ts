/**
 * The one shape of a command: a description as data, `parse` (the words that were typed to typed options), `run` (the
 * work), `present` (the result to text). A test can replace `run` to see how a line is parsed, and call `run` with
 * options made by hand.
 */
import { ComandaError } from "../client/errors.js";
import { t } from "../languages/language.js";
import type { Output } from "../cli/output.js";

import type { CommandLine, RestrictedOption } from "./command-line.js";
import type { Machine } from "./machine.js";

export interface OptionDescription {
  /** The flags as commander writes them: `-p, --period <period>`, `--no-browser`. */
  readonly flags: string;
  readonly description: string;
  /** The heading under which the help has it, such as `Period:`; `Options:` where there is none. */
  readonly group?: string;
  /** Any other value is refused. */
  readonly choices?: readonly string[];
  readonly repeatable?: boolean;
  /** The command is refused without it. */
  readonly required?: boolean;
  /** The help shows it, and `text` gives it where the option isn't there. */
  readonly default?: string;
  /** Few people need it: `--help` only names it. */
  readonly rare?: boolean;
}

/** The same options under one heading of the help. */
export function underHeading(
  group: string,
  options: readonly OptionDescription[],
): readonly OptionDescription[] {
  return options.map((option) => ({ ...option, group }));
}

export interface CommandDescription {
  /** Name and arguments, as commander has them: `dispatch <id...>`. */
  readonly usage: string;
  readonly summary: string;
  /** Further paragraphs of the help. */
  readonly description?: string;
  readonly options?: readonly OptionDescription[];
  /** The restricted options that this command takes. */
  readonly takes?: readonly RestrictedOption[];
  /** The arguments are another program's command line: from the first word on, options are that program's. */
  readonly runsProgram?: boolean;
  /** Command lines without the leading `comanda`, each of which works as printed. */
  readonly examples: readonly string[];
}

export interface Command<Options, Result = void> {
  readonly description: CommandDescription;
  /**
   * Asks a person at a terminal for what the line lacks, so mandatory arguments may be left out there.
   *
   * @returns the line with the answers; see `withAnswers`
   */
  ask?(machine: Machine, line: CommandLine): Promise<CommandLine>;
  /** @throws {ComandaError} `usage` or `invalid_input`; nothing has been opened by then */
  parse(line: CommandLine): Options;
  /** @throws {ComandaError} where there is nothing to present */
  run(machine: Machine, options: Options): Promise<Result>;
  /** Absent for a command that says what it does while it does it. */
  present?(result: Result, output: Output, options: Options): void | Promise<void>;
  /** Ends the command with the error's exit code after its result was presented. */
  failure?(result: Result): ComandaError | undefined;
}

/** A command that only groups others. */
export interface CommandGroup {
  readonly name: string;
  readonly summary: string;
  readonly members: readonly Command<unknown, unknown>[];
  /** The group's name alone runs this command, whose description tells of the members, too. */
  readonly defaultCommand?: Command<unknown, unknown>;
}

/** Ends a command as another program ended: it prints nothing, and the exit code is that program's. */
export class Exit extends Error {
  override readonly name = "Exit";

  /** @param exitCode from 0 to 255 */
  constructor(readonly exitCode: number) {
    super(t`exit code ${exitCode}`);
  }
}

export async function execute(
  command: Command<unknown, unknown>,
  machine: Machine,
  line: CommandLine,
): Promise<void> {
  const completeLine = command.ask && machine.canAsk() ? await command.ask(machine, line) : line;
  await runAndPresent(command, machine, parseLine(command, completeLine));
}

/** @throws {ComandaError} as `parse`, and `usage` where an argument is missing that could have been asked for */
export function parseLine<Options>(command: Command<Options, unknown>, line: CommandLine): Options {
  const { description } = command;
  const missing = mandatoryArguments(description)[line.words.length];
  if (missing === undefined) return command.parse(line);
  throw new ComandaError("usage", t`The argument <${missing}> is missing.`, {
    hint: t`Add --help to see what the command takes.`,
  });
}

function mandatoryArguments({ usage }: CommandDescription): readonly string[] {
  return [...usage.matchAll(/<([\w-]+)(?:\.\.\.)?>/g)].map(([, name = ""]) => name);
}

/**
 * @throws {ComandaError} what `run` throws or `failure` gives; else the reason of a signal, even if the command has done
 *   all of its work by then
 */
export async function runAndPresent<Options, Result>(
  command: Command<Options, Result>,
  machine: Machine,
  options: Options,
): Promise<Result> {
  const result = await command.run(machine, options);
  await command.present?.(result, machine.output, options);
  throwFailure(machine, command.failure?.(result));
  return result;
}

/** A signal explains a failure that it may have caused, but it must not hide an unknown outcome. */
function throwFailure({ context: { signal }, output }: Machine, failure: ComandaError | undefined): void {
  const stop = signal.aborted && isStop(signal.reason) ? signal.reason : undefined;
  if (stop && failure?.code !== "outcome_unknown") {
    // JSON has the failure in its result.
    if (failure && failure.code !== stop.code && !output.json) output.warn(failure.message);
    throw stop;
  }
  if (failure) throw failure;
}

/** A reader who has gone or a full disk behind stdout stops no command whose work is done. */
function isStop(reason: unknown): reason is ComandaError {
  return reason instanceof ComandaError && reason.code !== "output_closed" && reason.code !== "output_failed";
}
