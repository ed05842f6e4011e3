/**
 * The one shape of a command: a description as data, `parse` (the words that were typed to typed options), `run` (the
 * work), `present` (the result to text). A test can replace `run` to see how a line is parsed, and call `run` with
 * options made by hand.
 */
import { ComandaError } from "../client/errors.js";
import { t } from "../languages/language.js";
import type { Output } from "../cli/output.js";

import { endWith, type Command as Definition } from "../cli/command.js";

import { createCommandLine, type CommandLine, type RestrictedOption } from "./command-line.js";
import { createMachine, type Machine } from "./machine.js";

export { Exit } from "../cli/command.js";

export interface OptionDescription {
  /** The flags as commander writes them: `-p, --period <period>`, `--no-browser`. */
  readonly flags: string;
  readonly description: string;
  /** Any other value is refused. */
  readonly choices?: readonly string[];
  readonly repeatable?: boolean;
  /** The command is refused without it. */
  readonly required?: boolean;
  /** The help shows it, and `text` gives it where the option isn't there. */
  readonly default?: string;
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
  endWith(machine.context, command.failure?.(result));
  return result;
}

/** Puts a described command onto commander's. */
export function adopt(described: Command<unknown, unknown> | CommandGroup): (definition: Definition) => void {
  return (definition) => {
    if (!("members" in described)) {
      define(definition, described);
      return;
    }
    if (described.defaultCommand) define(definition, described.defaultCommand);
    for (const member of described.members) {
      const [name = ""] = member.description.usage.split(" ");
      define(definition.command(name), member);
    }
  };
}

function define(definition: Definition, command: Command<unknown, unknown>): void {
  const {
    usage,
    summary,
    description,
    options = [],
    takes = [],
    runsProgram,
    examples,
  } = command.description;
  const [, ...parameters] = usage.split(" ");
  definition
    .about(summary, ...(description?.split("\n\n") ?? []))
    .takes(...takes)
    .examples(...examples);
  if (runsProgram) definition.runsProgram();
  const isOptional = command.ask !== undefined;
  const words = parameters.map((each) => (isOptional ? each.replace(/^<(.*)>$/, "[$1]") : each));
  if (words.length > 0) definition.arguments(words.join(" "));
  for (const each of options) {
    const option = definition.createOption(each.flags, each.description);
    if (each.choices) option.choices(each.choices);
    if (each.required) option.makeOptionMandatory();
    if (each.default !== undefined) option.default(each.default, each.default);
    if (each.repeatable)
      option.argParser((value: string, before: readonly string[] | undefined) => [...(before ?? []), value]);
    definition.addOption(option);
  }
  definition.does(async (context) => {
    const values = definition.options.flatMap((option): [string, string | boolean | readonly string[]][] => {
      const value: unknown = definition.getOptionValue(option.attributeName());
      const name = option.long ?? option.flags;
      if (typeof value === "boolean") return value === option.negate ? [] : [[name, true]];
      return typeof value === "string" || isTexts(value) ? [[name, value]] : [];
    });
    const line = createCommandLine(definition.args, context.options, new Map(values));
    await execute(command, createMachine(context), line);
  });
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((text) => typeof text === "string");
}
