/** Makes commander's commands of the commands' descriptions. */
import { Command as CommanderCommand, Option } from "commander";

import {
  createCommandLine,
  restrictedOptions,
  type CommandLine,
  type Globals,
} from "../toolkit/command-line.js";
import {
  execute,
  type Command,
  type CommandDescription,
  type CommandGroup,
  type OptionDescription,
} from "../toolkit/command.js";
import type { Context } from "../toolkit/context.js";
import { createMachine } from "../toolkit/machine.js";
import { capitalized, translated } from "../languages/language.js";
import { Output } from "./output.js";
import { createStyle, wantsColors } from "./style.js";

import { commandWordsOf, readGlobals, refuseIgnoredOptions } from "./global-options.js";
import { helpScreen } from "./help-screen.js";

/** Each command's help lists these options of all commands. `comanda help options` has the others, too. */
const listedOptions: ReadonlySet<string> = new Set([...restrictedOptions, "json"]);

/** A command that does work, with the description that it is made of. */
export class DescribedCommand extends CommanderCommand {
  readonly details: CommandDescription;

  constructor(readonly definition: Command<unknown, unknown>) {
    const { description: details } = definition;
    const [name, ...parameters] = details.usage.split(" ");
    super(name);
    this.details = details;
    this.summary(translated(details.summary)).description(descriptionOf(details));
    if (parameters.length > 0) this.#takeArguments(parameters);
    for (const option of details.options ?? []) this.addOption(commanderOption(option));
    this.configureHelp({ showGlobalOptions: true, visibleGlobalOptions: () => this.globalOptions() });
  }

  /** `parseLine` refuses a missing argument where a person could have been asked for it, so commander must not. */
  #takeArguments(parameters: readonly string[]): void {
    const isOptional = this.definition.ask !== undefined;
    this.arguments(
      parameters
        .map((parameter) => (isOptional ? parameter.replace(/^<(.*)>$/, "[$1]") : parameter))
        .join(" "),
    );
    if (isOptional) this.usage(["[options]", ...parameters].join(" "));
  }

  override helpInformation(): string {
    return helpScreen({
      whole: this.wholeHelp(),
      words: commandWordsOf(this),
      usage: this.createHelp().commandUsage(this),
      summary: firstSentence(this.details),
      members: this.commands.map((member) => ({ name: member.name(), summary: member.summary() })),
      options: this.options,
      rare: new Set(this.options.filter((_, index) => this.details.options?.[index]?.rare === true)),
      globals: this.globalOptions(),
      examples: this.details.examples.map(translated),
    });
  }

  /** Gives the text of `comanda help <command>`. */
  wholeHelp(): string {
    const lines = this.details.examples.map((line) => `  $ comanda ${translated(line)}`);
    const optionsHint = translated("The options of every command: comanda help options");
    return `${super.helpInformation()}\n${translated("Examples:")}\n${lines.join("\n")}\n\n${optionsHint}\n`;
  }

  /** Gives the options of all commands that this command takes, without those that its own options replace. */
  globalOptions(): Option[] {
    if (!this.parent) return [];
    const hiddenOptions = new Set<string>([
      ...restrictedOptions.filter((name) => !(this.details.takes ?? []).includes(name)),
      ...this.options.map((option) => option.attributeName()),
    ]);
    return rootOf(this).options.filter(
      (option) => listedOptions.has(option.attributeName()) && !hiddenOptions.has(option.attributeName()),
    );
  }
}

type DescriptionTexts = Pick<CommandDescription, "summary" | "description">;

function descriptionOf(described: DescriptionTexts): string {
  const paragraphs = described.description?.split("\n\n").map(translated) ?? [];
  return [firstSentence(described), ...paragraphs].join("\n\n");
}

function firstSentence({ summary }: DescriptionTexts): string {
  return `${capitalized(translated(summary))}.`;
}

function rootOf(command: CommanderCommand): CommanderCommand {
  return command.parent ? rootOf(command.parent) : command;
}

export type TreeCommand = Command<unknown, unknown> | CommandGroup;

/** @returns a command that does its work when it is parsed */
export function commanderCommand(command: TreeCommand, context: Context): CommanderCommand {
  if (!("members" in command)) return workingCommand(command, context);
  const { name, summary, members, defaultCommand } = command;
  const group = defaultCommand
    ? workingCommand(defaultCommand, context)
    : new CommanderCommand(name).summary(translated(summary)).description(descriptionOf({ summary }));
  group.helpCommand(false);
  for (const member of members) group.addCommand(workingCommand(member, context));
  return group;
}

function workingCommand(command: Command<unknown, unknown>, context: Context): CommanderCommand {
  const described = new DescribedCommand(command);
  return described.action(async () => {
    refuseIgnoredOptions(described, command.description.takes ?? []);
    const globals = readGlobals(described);
    const output = await createOutput(context, globals);
    const machine = createMachine({ context, settings: globals, output });
    await execute(command, machine, readLine(described, globals));
  });
}

export async function createOutput(
  { stdout, stderr, env, host }: Context,
  settings: Pick<Globals, "format" | "quiet" | "color">,
): Promise<Output> {
  const { format, quiet, color } = settings;
  const [style, errorStyle] = await Promise.all([
    createStyle(wantsColors(stdout, env, color)),
    createStyle(wantsColors(stderr, env, color)),
  ]);
  return new Output({
    stdout,
    stderr,
    format,
    platform: host.platform,
    quiet,
    plain: env["TERM"] === "dumb",
    style,
    errorStyle,
  });
}

/** @returns the commands of a tree by the words that name each, such as `orders dispatch` */
export function commandsByWords(
  command: CommanderCommand,
  words = "",
): readonly (readonly [words: string, command: CommanderCommand])[] {
  const members = command.commands.flatMap((member) =>
    commandsByWords(member, `${words} ${member.name()}`.trim()),
  );
  return [[words, command], ...members];
}

/** Gives the text of `comanda help <command>`. */
export function wholeHelp(command: CommanderCommand): string {
  return command instanceof DescribedCommand ? command.wholeHelp() : command.helpInformation();
}

function commanderOption(description: OptionDescription): Option {
  const option = new Option(description.flags, translated(description.description));
  if (description.choices) option.choices(description.choices);
  if (description.group !== undefined) option.helpGroup(description.group);
  if (description.required) option.makeOptionMandatory();
  if (description.default !== undefined) option.default(description.default, description.default);
  if (description.repeatable) {
    option.argParser((value: string, before: readonly string[] | undefined) => [...(before ?? []), value]);
  }
  return option;
}

function readLine(command: CommanderCommand, globals: Globals): CommandLine {
  const values = command.options.flatMap((option) => valueOf(command, option));
  return createCommandLine(command.args, globals, new Map(values));
}

type Value = string | boolean | readonly string[];

/** commander gives `false` for a `--no-browser` that was typed. */
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
