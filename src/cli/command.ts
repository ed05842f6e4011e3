/** Extends commander's command with translated texts, examples, global options and a context. */
import { type Argument, Command as CommanderCommand, Help, type HelpConfiguration, Option } from "commander";
import ms from "ms";

import { defaults } from "../base/defaults.js";
import { alternatives, nearest } from "../base/basics.js";
import { ComandaError } from "../base/errors.js";
import { contradiction } from "../base/fields.js";
import { capitalized, t, translated } from "../languages/language.js";

import { openContext, type Context, type GlobalOptions, type ProcessContext } from "./context.js";
import { readers, type Format } from "./records.js";
import { wrapWords } from "./text.js";

/** Global options that only some commands accept. The others reject them. */
const restricted = ["json", "store", "allStores", "format", "dryRun"] as const;

/** Returns why the work isn't done, if the command has shown its result nevertheless. */
type Work<Options> = (
  context: Context,
  options: Options,
  words: readonly string[],
) => Promise<void> | Promise<ComandaError | undefined>;

export class Command extends CommanderCommand {
  declare readonly commands: readonly Command[];
  declare readonly parent: Command | null;
  /** The global options that it accepts, besides those that every command does. */
  declare taken: readonly string[];
  /** Command lines without the leading `comanda`, which work as printed. */
  declare exampleLines?: readonly string[];
  /** Loads the file of a command of `comanda` itself, which adds the command's options and action. */
  declare load?: () => Promise<void>;
  declare private readonly process: ProcessContext;
  /** commander's types lack it, although they have `on`. */
  declare private readonly emit: (event: string) => boolean;

  constructor(name: string | undefined, process: ProcessContext) {
    super(name);
    this.process = process;
    this.taken = ["json"];
    this.helpCommand(false);
    this.configureHelp(translatedHelp);
    // commander prints a group's help even if the line names a subcommand that doesn't exist.
    this.on("beforeHelp", () => this.checkSubcommand());
  }

  override createCommand(name?: string): Command {
    return new Command(name, this.process);
  }

  /** Sets the summary, and the paragraphs that follow it in the help. */
  about(summary: string, ...paragraphs: readonly string[]): this {
    return this.summary(summary).description([summary, ...paragraphs].join("\n\n"));
  }

  /** Sets the paragraphs of a command whose summary is in the table of main.ts. */
  details(...paragraphs: readonly string[]): this {
    return this.description([this.summary(), ...paragraphs].join("\n\n"));
  }

  takes(...options: readonly (typeof restricted)[number][]): this {
    this.taken = [...this.taken, ...options];
    return this;
  }

  /** Rejects --json, except for a dry run. */
  printsText(): this {
    this.taken = this.taken.filter((name) => name !== "json");
    return this;
  }

  examples(...lines: readonly string[]): this {
    this.exampleLines = lines;
    return this;
  }

  /** commander calls this if a subcommand is missing. */
  override help(): never {
    this.process.stderr.write(this.helpInformation());
    const names = this.commands.map((command) => command.name());
    throw this.usageError(t`Choose a command: ${names.slice(0, -1).join(", ")} or ${names.at(-1) ?? ""}.`);
  }

  /** @throws {ComandaError} `usage` if the first word isn't one of the subcommands */
  private checkSubcommand(): void {
    const [word = "-"] = this.args.filter((each) => each !== "--help" && each !== "-h");
    const isKnown = this.commands.some((command) => command.name() === word);
    if (this.commands.length > 0 && !word.startsWith("-") && !isKnown) this.unknownCommand(word);
  }

  usageError(message: string, near?: string): ComandaError {
    const help = t`Run ${commandPath(this)} --help for usage.`;
    return new ComandaError("usage", message, { hint: near === undefined ? help : t`Did you mean ${near}?` });
  }

  // commander calls the next methods for an invalid command line. They are missing from its types.

  unknownCommand(word = this.args[0] ?? ""): never {
    const names = this.commands.map((command) => command.name());
    throw this.usageError(t`Unknown command ${`'${word}'`}.`, nearest(word, names));
  }

  unknownOption(typed: string): never {
    // The value of an unknown option may be a secret.
    const [flag = "", value] = typed.split("=");
    const name = flag.replace(/^-+/, "");
    const accepted = [...this.options, ...(rootOf(this)?.options ?? [])];
    const names = ["help", ...accepted.map((option) => option.name())];
    if (value !== undefined && names.includes(name)) throw this.usageError(t`${flag} accepts no value.`);
    const near = nearest(name, names);
    throw this.usageError(t`Unknown option ${`'${flag}'`}.`, near && `--${near}`);
  }

  missingArgument(name: string): never {
    throw this.usageError(t`Missing required argument ${`'${name}'`}.`);
  }

  optionMissingArgument(option: Option): never {
    throw this.usageError(t`${flagOf(option)} requires a value.`);
  }

  _excessArguments(words: readonly string[]): never {
    // A command that has subcommands and an action treats an unknown subcommand as an argument.
    this.checkSubcommand();
    // A listener may throw an error that says more.
    this.emit("excess");
    const { length } = this.registeredArguments;
    throw this.usageError(
      t`Too many arguments for ${`'${this.name()}'`}. Expected ${length} but got ${words.length}.`,
    );
  }

  /** Reads a value. commander would report one that isn't among the choices in English. */
  _callParseArg(target: Option | Argument, value: string, previous: unknown): unknown {
    const { argChoices, parseArg } = target;
    if (!argChoices || argChoices.includes(value)) return parseArg?.(value, previous);
    const name = target instanceof Option ? flagOf(target) : `'${target.name()}'`;
    throw invalidValue(name, value, t`Use ${alternatives(argChoices)}.`);
  }

  /** commander has no other errors, unless a command is defined in a wrong way. */
  override error(message: string): never {
    throw new Error(message);
  }

  /**
   * Sets the action. If a signal has arrived, the command ends with that signal's exit code, even if all work is done. A signal
   * replaces a failure that it may have caused, but never an unknown outcome. Output that can't be written isn't thrown here, because
   * `runLine` reports it.
   */
  does<Options>(work: Work<Options>): this {
    return this.action(async () => {
      const { signal } = this.process;
      const context = await openContext(this.process, globalOptions(this));
      const { output } = context;
      let failure;
      try {
        failure = await work(context, this.opts<Options & Record<string, unknown>>(), this.args);
      } finally {
        await context.close();
      }
      const reason: unknown = signal.reason;
      const isStop =
        reason instanceof ComandaError && (reason.code === "interrupted" || reason.code === "terminated");
      if (isStop && failure?.code !== "outcome_unknown") {
        if (!failure || failure.code === reason.code) throw failure ?? reason;
        // In JSON, the result contains the failure.
        if (!output.json) output.warn(failure.message);
        // The next step is that of the failure.
        const { outcome, hint, hintFacts } = failure;
        throw reason.reworded(reason.message, { outcome, hint, hintFacts });
      }
      if (failure) throw failure;
    });
  }
}

function rootOf({ parent }: CommanderCommand): CommanderCommand | null {
  return (parent && rootOf(parent)) ?? parent;
}

function flagOf({ long, flags }: Option): string {
  return long ?? flags;
}

const plainHelp = new Help();

/** Translates commander's help, and adds global options and examples. */
const translatedHelp: HelpConfiguration = {
  formatHelp(command: Command, helper) {
    const width = helper.helpWidth ?? 80;
    // Without a width, commander only aligns.
    helper.helpWidth = Number.POSITIVE_INFINITY;
    const parts = [plainHelp.formatHelp(command, helper)];
    const root = rootOf(command);
    const also = root?.options.filter((option) => command.taken.includes(option.attributeName())) ?? [];
    const title = translated("More options (comanda --help):");
    if (also.length > 0) parts.push(`${[title, ...also.map(({ long = "" }) => long)].join(" ")}\n`);
    const examples = command.exampleLines?.map((example) => `  $ comanda ${translated(example)}\n`);
    if (examples) parts.push(`${translated("Examples:")}\n${examples.join("")}`);
    return wrapWords(parts.join("\n"), width);
  },
  commandUsage: (command) =>
    plainHelp
      .commandUsage(command)
      .replace("[options]", translated("[options]"))
      .replace("[command]", translated("[command]")),
  styleTitle: (title) => translated(title),
  commandDescription(command) {
    const [summary = "", ...paragraphs] = (command.description() || command.summary()).split("\n\n");
    return summary && [`${capitalized(translated(summary))}.`, ...paragraphs.map(translated)].join("\n\n");
  },
  subcommandTerm: (command) => command.name(),
  subcommandDescription: (command) => translated(command.summary()),
  optionDescription({ description, argChoices, defaultValue, ...option }) {
    const choices = argChoices ? `: ${argChoices.join(", ")}` : "";
    const text = translated(description) + choices;
    const usual: unknown = option.defaultValueDescription ?? defaultValue;
    return typeof usual === "string" ? t`${text} (default: ${usual})` : text;
  },
};

export function collect(value: string, before: readonly string[] = []): readonly string[] {
  return [...before, value];
}

/** The global options as commander reads them. */
export type RawOptions = Pick<
  GlobalOptions,
  "allStores" | "quiet" | "debug" | "color" | "input" | "dryRun"
> & {
  readonly store?: readonly string[];
  readonly json?: boolean;
  readonly format?: string;
  readonly timeout?: string;
  readonly maxWait?: string;
};

function isFormat(name: string): name is Format {
  return Object.hasOwn(readers, name);
}

/** Returns the format that the options name; a table if there is none of that name. */
export function typedFormat({ json, format = "table" }: RawOptions): Format {
  if (json) return "json";
  return isFormat(format) ? format : "table";
}

/**
 * @throws {ComandaError} `usage` for an option that the command doesn't accept, an invalid format or duration, two options that
 *   exclude each other, or several stores if the command uses one
 */
function globalOptions(command: Command): GlobalOptions {
  // commander accepts a group's options for its subcommands, which would ignore them.
  for (let group = command.parent; group?.parent; group = group.parent)
    for (const option of group.options)
      if (group.getOptionValueSource(option.attributeName()) === "cli") command.unknownOption(flagOf(option));
  const raw = command.optsWithGlobals<RawOptions>();
  const { store: stores = [], allStores, json, format = "table", timeout, maxWait } = raw;
  for (const name of restricted) {
    const isAccepted = command.taken.includes(name) || (name === "json" && raw.dryRun);
    if (isAccepted || command.getOptionValueSourceWithGlobals(name) === undefined) continue;
    const flag = `--${name.replace(/[A-Z]/, (letter) => `-${letter.toLowerCase()}`)}`;
    throw command.usageError(t`${flag} can't be used with ${commandPath(command)}.`);
  }
  if (!isFormat(format))
    throw invalidValue("--format", format, t`Use ${alternatives(Object.keys(readers))}.`);
  const [first, second] = stores;
  if (second !== undefined && !command.taken.includes("allStores"))
    throw contradiction(`--store ${first}`, `--store ${second}`);
  if (allStores && stores.length > 0) throw contradiction("--all-stores", "--store");
  if (json && raw.format !== undefined && raw.format !== "json")
    throw contradiction("--json", `--format ${raw.format}`);
  return {
    ...raw,
    store: first,
    stores,
    several: allStores === true || stores.length > 1,
    format: typedFormat(raw),
    timeoutMs: timeout === undefined ? undefined : milliseconds("--timeout", timeout, 1),
    maxWaitMs: maxWait === undefined ? defaults.maxWaitMs : milliseconds("--max-wait", maxWait, 0),
  };
}

/** @throws {ComandaError} `usage` for a duration that isn't valid, less than `least`, or longer than a day */
function milliseconds(flag: string, text: string, least: number): number {
  // `0` requires no unit.
  const isDuration = /^(?:0|\d+(?:\.\d+)?(?:ms|s|m|h|d))$/.test(text);
  const duration = isDuration ? ms(text as ms.StringValue) : Number.NaN;
  if (duration >= least && duration <= ms("1d")) return duration;
  throw invalidValue(flag, text, t`Use a duration of at most one day, such as ${flag} 30s or ${flag} 5m.`);
}

function commandPath(command: CommanderCommand): string {
  return command.parent ? `${commandPath(command.parent)} ${command.name()}` : command.name();
}

export function invalidValue(flag: string, value: string, hint: string): ComandaError {
  return new ComandaError("usage", t`Invalid value "${value}" for ${flag}.`, { hint });
}

export function wholeNumber(flag: string, text: string, least: number, most: number): number {
  const number = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (number >= least && number <= most) return number;
  throw invalidValue(flag, text, t`Expected an integer from ${least} to ${most}.`);
}
