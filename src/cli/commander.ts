/** Makes commander's commands of the descriptions that the commands give of themselves. */
import { Option, type Command as CommanderCommand } from "commander";

import {
  createCommandLine,
  createMachine,
  createOutput,
  execute,
  group,
  leaf,
  readGlobals,
  refuseUntaken,
  type Command,
  type CommandGroup,
  type CommandLine,
  type Context,
  type HelpPages,
  type OptionDescription,
} from "../commands/index.js";

/** @returns a command that does its work when it is parsed */
export function commanderCommand(command: Command<unknown, unknown>, context: Context): CommanderCommand {
  const { description } = command;
  const made = leaf(description);
  for (const option of description.options ?? []) made.addOption(commanderOption(option));
  return made.action(async () => {
    refuseUntaken(made, description.takes ?? []);
    const globals = readGlobals(made);
    const output = await createOutput(context, globals);
    await execute(command, createMachine({ context, settings: globals, output }), readLine(made));
  });
}

export function commanderGroup({ name, summary, members }: CommandGroup, context: Context): CommanderCommand {
  return group(
    name,
    summary,
    members.map((member) => commanderCommand(member, context)),
  );
}

/** The help of the program and of each command in it, as `comanda help` shows it. */
export function helpPages(program: CommanderCommand): HelpPages {
  const find = (words: readonly string[]) =>
    words.reduce<CommanderCommand | undefined>(
      (command, word) => command?.commands.find((member) => member.name() === word),
      program,
    );
  return {
    text(words) {
      const command = find(words);
      return command ? helpText(command) : "";
    },
    names: (words) => find(words)?.commands.map((member) => member.name()) ?? [],
  };
}

/** What `--help` prints. */
export function helpText(command: CommanderCommand): string {
  const usual = { ...command.configureOutput() };
  let text = "";
  command.configureOutput({ writeOut: (part) => (text += part) }).outputHelp();
  command.configureOutput(usual);
  return text;
}

function commanderOption(description: OptionDescription): Option {
  const option = new Option(description.flags, description.description);
  if (description.choices) option.choices(description.choices);
  if (description.required) option.makeOptionMandatory();
  if (description.default !== undefined) option.default(description.default, description.default);
  if (description.repeatable) {
    option.argParser((value: string, before: readonly string[] = []) => [...before, value]);
  }
  return option;
}

function readLine(command: CommanderCommand): CommandLine {
  const values = command.options.flatMap((option) => valueOf(command, option));
  return createCommandLine(command.args, readGlobals(command), new Map(values));
}

type Value = string | boolean | readonly string[];

/** `--chart` and `--no-chart` share one value, which says which of them was given. */
function valueOf(command: CommanderCommand, option: Option): (readonly [option: string, value: Value])[] {
  const value: unknown = command.getOptionValue(option.attributeName());
  const name = option.long ?? option.flags;
  if (typeof value === "boolean") return value === option.negate ? [] : [[name, true]];
  if (typeof value === "string") return [[name, value]];
  return isTexts(value) ? [[name, value]] : [];
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((text) => typeof text === "string");
}
