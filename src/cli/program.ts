/** Runs one command line from its arguments to its exit code. */
import { CommanderError, type Command } from "commander";

import { ComandaError } from "../client/errors.js";
import { Exit } from "../toolkit/command.js";
import type { Context } from "../toolkit/context.js";
import { languages, t, useLanguage, type Language } from "../languages/language.js";
import { withSystemQuotes } from "../state/shell-word.js";
import { narrowHelp } from "./wrap.js";

import type { Output } from "./output.js";

import { chooseLanguage, optionsIn, typedFormats, unknownLanguage } from "./choose-language.js";
import { createProgram } from "./command-tree.js";
import { createOutput } from "./commander.js";
import { endComandaOptions, refuseUnknownCommand } from "./command-words.js";
import { createProcessContext } from "./process-context.js";
import { rootHelp } from "./root-help.js";
import { toComandaError } from "./to-comanda-error.js";

declare const __VERSION__: string;

/** Never rejects: every failure is told on stderr and ends in `process.exitCode`. */
export async function main(argv: readonly string[]): Promise<void> {
  const world = createProcessContext(__VERSION__);
  const end = (exitCode: number) => {
    // A signal may have set it by now.
    if (exitCode !== 0) process.exitCode = exitCode;
  };
  world.onFault((fault) => {
    void reportError(fault, argv, world.context)
      .then(end)
      .then(() => process.exit());
  });
  try {
    end(await runLine(world.context, argv));
  } finally {
    world.end();
  }
  const fault = await world.outputFault();
  if (!fault) return;
  (await errorOutput(argv, world.context)).error(fault);
  process.exitCode ??= fault.exitCode;
}

/**
 * @param tree makes the tree of commands; a line leaves nothing in a tree, so a program of many lines may reuse it
 * @returns the exit code; every failure has been told on stderr
 */
export async function runLine(
  context: Context,
  words: readonly string[],
  tree: typeof createProgram = createProgram,
): Promise<number> {
  let argv = words;
  const language = chooseLanguage(argv, context.env);
  if (argv.length === 0) return showNextStep(context, language);
  if (argv[0] === "complete") {
    const { complete } = await import("./complete.js");
    await useLanguage(language);
    const line = await complete(context, argv.slice(1));
    return line === undefined ? 0 : runLine(context, line, tree);
  }
  await useLanguage(language);
  const unknownTag = unknownLanguage(context.env);
  if (unknownTag !== undefined) {
    (await errorOutput(argv, context)).warn(
      t`COMANDA_LANG can't be "${unknownTag}", so it is not heard. It takes ${languages.join(", ")}.`,
    );
  }
  try {
    const program = await tree(context, argv);
    refuseUnknownCommand(program, argv);
    argv = endComandaOptions(program, argv);
    await parsed(program, argv, () => tree(context, ["help"]));
    return 0;
  } catch (error) {
    return reportError(error, argv, context);
  }
}

/** `comanda` alone shows what it can do, and what this machine is ready for. */
async function showNextStep({ stdout, host }: Context, language: Language): Promise<number> {
  const { nextStep } = await import("./next-step.js");
  await useLanguage(language);
  const text = withSystemQuotes(rootHelp(), host.platform);
  stdout.write(narrowHelp(`${text}${nextStep()}`, stdout.columns));
  return 0;
}

async function parsed(
  program: Command,
  argv: readonly string[],
  wholeTree: () => Promise<Command>,
): Promise<void> {
  try {
    await program.parseAsync(argv, { from: "user" });
  } catch (error) {
    if (!(error instanceof CommanderError) || error.exitCode === 0) throw error;
    const { withMeaning } = await import("./slips.js");
    throw await withMeaning(error, { program, argv }, wholeTree);
  }
}

/**
 * A person who pressed Ctrl-C needs no message, but a script that reads JSON does. {@link main} reports an output that
 * can't be written, after everything else.
 */
function needsNoMessage({ code }: ComandaError, json: boolean): boolean {
  if (code === "output_closed" || code === "output_failed") return true;
  return !json && (code === "interrupted" || code === "terminated");
}

async function reportError(thrown: unknown, argv: readonly string[], context: Context): Promise<number> {
  if (thrown instanceof Exit) return thrown.exitCode;
  const reason: unknown = context.signal.aborted ? context.signal.reason : undefined;
  const error = toComandaError(thrown, reason);
  if (error === undefined) return 0;
  const output = await errorOutput(argv, context);
  if (needsNoMessage(error, output.json)) return error.exitCode;
  output.error(error);
  if (argv.includes("--debug")) context.stderr.write(`${trace(thrown)}\n`);
  return error.exitCode;
}

/** The command line may be wrong, so its options are read without the parser. */
function errorOutput(argv: readonly string[], context: Context): Promise<Output> {
  const format = typedFormats(argv).includes("json") ? "json" : "table";
  const color = optionsIn(argv).includes("--no-color") ? "never" : "auto";
  return createOutput(context, { format, quiet: false, color });
}

/** Shows the stack alone: an error's `cause` may carry a code or a token. */
function trace(thrown: unknown): string {
  return thrown instanceof ComandaError || !(thrown instanceof Error) ? "" : (thrown.stack ?? "");
}
