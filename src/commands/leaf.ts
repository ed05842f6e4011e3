/** How a command is made: one that does something, or a group of them. */
import { Command } from "commander";

import { nearest } from "../shared/nearest.js";
import { ComandaError } from "../shared/errors.js";
import { createStyle, Output, wantsColors } from "../terminal/index.js";

import type { Context } from "./context.js";
import {
  commandPath,
  readGlobals,
  refuseUntaken,
  restricted,
  type Globals,
  type Restricted,
} from "./globals.js";

/** What a command's `run` is called with, beside its own options. */
export interface Invocation {
  readonly context: Context;
  readonly globals: Globals;
  readonly output: Output;
}

export interface LeafDescription {
  /** Name and arguments, as commander has them: `dispatch <id...>`. */
  readonly usage: string;
  readonly summary: string;
  /** Further paragraphs for `--help`. */
  readonly description?: string;
  /** Its arguments are another program's command line: from the first word on, options are that program's. */
  readonly runsAnother?: boolean;
  /** Which of the options that not all commands know this one takes. */
  readonly takes?: readonly Restricted[];
  /** Command lines without the leading `comanda`, each of which works as printed. */
  readonly examples: readonly string[];
}

/** A command without an action yet; see {@link perform}. */
export function leaf({
  usage,
  summary,
  description,
  runsAnother: another = false,
  takes = [],
  examples,
}: LeafDescription): Command {
  const hidden = restricted.filter((name) => !takes.includes(name));
  const command = new Command()
    .summary(summary)
    .description(
      [`${summary[0]?.toUpperCase()}${summary.slice(1)}.`, description].filter(Boolean).join("\n\n"),
    )
    .configureHelp({
      showGlobalOptions: true,
      visibleGlobalOptions: (of) => {
        if (!of.parent) return [];
        // An option of its own takes the place of the one that all commands have.
        const unseen = new Set<string>([...hidden, ...of.options.map((own) => own.attributeName())]);
        return globalOptions(of).filter((option) => !unseen.has(option.attributeName()));
      },
    })
    .addHelpText("after", `\nExamples:\n${examples.map((line) => `  $ comanda ${line}`).join("\n")}`);
  const [name = "", ...parameters] = usage.split(" ");
  command.name(name);
  if (parameters.length > 0) command.arguments(parameters.join(" "));
  takenBy.set(command, takes);
  if (another) runners.add(command);
  return command;
}

const runners = new WeakSet<Command>();

/** Are its arguments another program's command line? */
export function runsAnother(command: Command): boolean {
  return runners.has(command);
}

const takenBy = new WeakMap<Command, readonly Restricted[]>();

function globalOptions(command: Command) {
  let top = command;
  while (top.parent) top = top.parent;
  return top.options.filter((option) => !option.hidden && option.long !== "--version");
}

/** Gives a command its work. What `run` throws reaches the one place that turns errors into exit codes. */
export function perform(
  command: Command,
  context: Context,
  run: (invocation: Invocation, positional: readonly string[]) => Promise<void>,
): Command {
  return command.action(async () => {
    refuseUntaken(command, takenBy.get(command) ?? []);
    const globals = readGlobals(command);
    const output = await createOutput(context, globals);
    await run({ context, globals, output }, command.args);
  });
}

export async function createOutput(
  { stdout, stderr, env }: Context,
  { format, quiet, color }: Pick<Globals, "format" | "quiet" | "color">,
): Promise<Output> {
  const [style, errorStyle] = await Promise.all([
    createStyle(wantsColors(stdout, env, color)),
    createStyle(wantsColors(stderr, env, color)),
  ]);
  return new Output({ stdout, stderr, format, quiet, style, errorStyle });
}

/** A command that only groups others. */
export function group(name: string, summary: string, members: readonly Command[]): Command {
  const command = new Command(name)
    .summary(summary)
    .description(`${summary[0]?.toUpperCase()}${summary.slice(1)}.`);
  command.helpCommand(false);
  for (const member of members) command.addCommand(member);
  return command;
}

/** @param word what was typed in the place of a member's name */
export function noSuchCommand(group: Command, word: string): ComandaError {
  const path = commandPath(group);
  const typed = [...path.split(" ").slice(1), word].join(" ");
  const meant = nearest(
    word,
    group.commands.map((member) => member.name()),
  );
  return new ComandaError("usage", `There is no command "${typed}".`, {
    hint: `${meant === undefined ? "" : `Did you mean ${meant}? `}${path} --help lists the commands.`,
  });
}
