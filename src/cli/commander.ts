/** Makes commander's commands of the descriptions that the commands give of themselves. */
import { Command as CommanderCommand, Option } from "commander";

import {
  createCommandLine,
  createMachine,
  execute,
  parseLine,
  workbookAtTerminal,
  restrictedOptions,
  type Command,
  type CommandDescription,
  type CommandGroup,
  type CommandLine,
  type Context,
  type Globals,
  type HelpPages,
  type OptionDescription,
} from "../commands/index.js";
import { ComandaError } from "../shared/errors.js";
import { capitalized, t, translated } from "../shared/language.js";
import { createStyle, Output, wantsColors } from "../terminal/index.js";

import { commandPath, readGlobals, refuseUntaken } from "./global-options.js";
import { helpScreen } from "./help-screen.js";
import { shownLine, shownMember } from "./portuguese-line.js";

/** The options of all commands that each command's help lists. The rest is in `comanda help options`. */
const telling: ReadonlySet<string> = new Set([...restrictedOptions, "json"]);

/** One that does something; it knows the command that it is made of. */
export class DescribedCommand extends CommanderCommand {
  readonly described: CommandDescription;

  constructor(readonly own: Command<unknown, unknown>) {
    const { description: described } = own;
    const [name, ...parameters] = described.usage.split(" ");
    super(name);
    this.described = described;
    this.summary(translated(described.summary)).description(descriptionOf(described));
    if (parameters.length > 0) this.#takeArguments(parameters);
    for (const option of described.options ?? []) this.addOption(commanderOption(option));
    this.configureHelp({ showGlobalOptions: true, visibleGlobalOptions: () => this.globalOptions() });
  }

  /** Those that can be asked for are refused where they are missing by `parseLine`, once nobody could be asked. */
  #takeArguments(parameters: readonly string[]): void {
    const mayLack = this.own.ask !== undefined;
    this.arguments(
      parameters.map((parameter) => (mayLack ? parameter.replace(/^<(.*)>$/, "[$1]") : parameter)).join(" "),
    );
    const members = this.described.promptsForMember === undefined ? [] : ["[command]"];
    if (mayLack) this.usage(["[options]", ...members, ...parameters].join(" "));
  }

  /** What `--help` prints. */
  override helpInformation(): string {
    return helpScreen({
      whole: this.wholeHelp(),
      words: commandPath(this).replace(/^comanda /, ""),
      usage: this.createHelp().commandUsage(this),
      summary: firstSentence(this.described),
      members: this.commands.map((member) => ({
        name: shownMember(member.name()),
        summary: member.summary(),
      })),
      options: this.options,
      rare: new Set(this.options.filter((_, index) => this.described.options?.[index]?.rare === true)),
      globals: this.globalOptions(),
      examples: this.described.examples.map((line) => shownLine(line)),
    });
  }

  /** What `comanda help <command>` prints. */
  wholeHelp(): string {
    const lines = this.described.examples.map((line) => `  $ comanda ${shownLine(line)}`);
    const further = translated("The options of every command: comanda help options");
    return `${super.helpInformation()}\n${translated("Examples:")}\n${lines.join("\n")}\n\n${further}\n`;
  }

  /** Those of the options of all commands that it takes; one of its own takes the place of another's. */
  globalOptions(): Option[] {
    if (!this.parent) return [];
    const unseen = new Set<string>([
      ...restrictedOptions.filter((name) => !(this.described.takes ?? []).includes(name)),
      ...this.options.map((option) => option.attributeName()),
    ]);
    return rootOf(this).options.filter(
      (option) => telling.has(option.attributeName()) && !unseen.has(option.attributeName()),
    );
  }
}

type Described = Pick<CommandDescription, "summary" | "description">;

function descriptionOf(described: Described): string {
  const paragraphs = described.description?.split("\n\n").map(translated) ?? [];
  return [firstSentence(described), ...paragraphs].join("\n\n");
}

function firstSentence({ summary }: Described): string {
  return `${capitalized(translated(summary))}.`;
}

function rootOf(command: CommanderCommand): CommanderCommand {
  return command.parent ? rootOf(command.parent) : command;
}

/** @returns a command that does its work when it is parsed */
export function commanderCommand(command: Command<unknown, unknown>, context: Context): CommanderCommand {
  const made = new DescribedCommand(command);
  return made.action(async () => {
    // A group whose name alone does nothing, as commander has it.
    if (command.description.promptsForMember && made.args.length === 0) made.help({ error: true });
    refuseUntaken(made, command.description.takes ?? []);
    const globals = readGlobals(made);
    await writingTo(globals, made.described, context, async (context) => {
      const output = await createOutput(context, globals);
      const machine = createMachine({ context, settings: globals, output });
      // What was told of by then is written also where the command fails.
      await execute(command, machine, readLine(made, globals)).finally(() => output.finish());
    });
  });
}

export function commanderGroup(
  { name, summary, members, defaultCommand }: CommandGroup,
  context: Context,
): CommanderCommand {
  const group = defaultCommand
    ? commanderCommand(defaultCommand, context)
    : new CommanderCommand(name).summary(translated(summary)).description(descriptionOf({ summary }));
  group.helpCommand(false);
  for (const member of members) group.addCommand(commanderCommand(member, context));
  return group;
}

/**
 * Makes the tree read command lines, and do and print nothing.
 *
 * @param onRead told of the command whose line has been read, and of the line
 */
export function readAlone(
  program: CommanderCommand,
  onRead: (command: CommanderCommand, line: CommandLine) => void,
): void {
  program.configureOutput({ writeOut: () => undefined, writeErr: () => undefined });
  if (program instanceof DescribedCommand) {
    program.action(() => {
      refuseUntaken(program, program.described.takes ?? []);
      const line = readLine(program, readGlobals(program));
      parseLine(program.own, line);
      onRead(program, line);
    });
  }
  for (const member of program.commands) readAlone(member, onRead);
}

/** What the command gives goes to stdout, or into the file that was named, unless the command writes that itself. */
async function writingTo(
  { outputFile: file, workbook }: Globals,
  { options = [] }: CommandDescription,
  context: Context,
  run: (context: Context) => Promise<void>,
): Promise<void> {
  const hasItsOwn = options.some(({ flags }) => flags.startsWith("-o, "));
  if (file === "") {
    throw new ComandaError("usage", t`--output needs the name of a file.`, {
      hint: t`For example: --output sales.csv; - is stdout.`,
    });
  }
  if (file === undefined || file === "-" || hasItsOwn) {
    if (workbook && !hasItsOwn && context.stdout.isTTY === true) throw workbookAtTerminal();
    return run(context);
  }
  const { intoFile } = await import("./output-file.js");
  return intoFile(file, context, run, { isBinary: workbook === true });
}

/** Makes the output of a run, by the options that say how it is written. */
export async function createOutput(
  { stdout, stderr, env, host, page, signal }: Context,
  settings: Pick<
    Globals,
    "format" | "quiet" | "color" | "plain" | "pager" | "fields" | "jq" | "lines" | "tabs" | "workbook"
  >,
): Promise<Output> {
  const { format, quiet, color, plain, pager: mayPage, fields, jq, lines, tabs } = settings;
  const [style, errorStyle] = await Promise.all([
    createStyle(wantsColors(stdout, env, color)),
    createStyle(wantsColors(stderr, env, color)),
  ]);
  const pager = mayPage && !plain ? (env["COMANDA_PAGER"] ?? env["PAGER"]) : undefined;
  return new Output({
    stdout,
    stderr,
    format,
    platform: host.platform,
    quiet,
    plain: plain || env["TERM"] === "dumb",
    style,
    errorStyle,
    ...{ fields, lines, tabs },
    jq: jq === undefined ? undefined : (await import("./jq.js")).createJq(jq, signal),
    workbook: settings.workbook ? new (await import("../terminal/workbook.js")).Workbook() : undefined,
    pager: pager && page ? (text) => page(pager, text) : undefined,
  });
}

/** The help of the program and of each command in it, as `comanda help` shows it. */
export function helpPages(
  program: CommanderCommand,
  list: (title: "Commands:" | "Options:") => string = () => "",
): HelpPages {
  const find = (words: readonly string[]) =>
    words.reduce<CommanderCommand | undefined>(
      (command, word) => command?.commands.find((member) => member.name() === word),
      program,
    );
  return {
    text(words) {
      const command = find(words);
      return command ? wholeHelp(command) : "";
    },
    commands: () => list("Commands:"),
    options: () => list("Options:"),
    names: (words) => find(words)?.commands.map((member) => member.name()) ?? [],
  };
}

/** What `comanda help <command>` prints. */
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

/** The value of `--no-browser` is false where it was given. */
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
