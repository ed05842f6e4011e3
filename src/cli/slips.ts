/** Guesses what a command line that commander refuses was meant to be. */
import type { Command, CommanderError } from "commander";

import { dimensionNamed } from "../api/enums.js";
import { ComandaError } from "../client/errors.js";
import { t } from "../languages/language.js";
import { isPeriodName } from "../sales/names.js";

import { commandAt } from "./command-words.js";
import { commandWordsOf } from "./global-options.js";
import { toComandaError } from "./to-comanda-error.js";

/** An option that more commands have says nothing of what was meant. */
const fewCommands = 4;

/**
 * @param line as it was typed, and the program that refuses it
 * @param wholeTree makes the program with all of its commands
 * @returns what was thrown, with the option or the command that was meant as its hint where that can be told
 */
export async function withMeaning(
  thrown: CommanderError,
  { program, argv }: { readonly program: Command; readonly argv: readonly string[] },
  wholeTree: () => Promise<Command>,
): Promise<Error> {
  const { command, end } = commandAt(program, argv);
  const hint =
    thrown.code === "commander.excessArguments"
      ? optionForWord(command, argv[end] ?? "")
      : await meantByOption(thrown, command, wholeTree);
  const error = toComandaError(thrown);
  if (hint === undefined || error === undefined) return thrown;
  return new ComandaError("usage", error.message, { hint, cause: thrown });
}

/** `summary yesterday` is `summary --period yesterday`, and `grouped day` is `grouped --by day`. */
function optionForWord(command: Command, word: string): string | undefined {
  const options = new Set(command.options.map(({ long }) => long));
  const option = ["--period", "--by"].find((flag) => options.has(flag) && takes(flag, word));
  return option === undefined ? undefined : t`Did you mean ${`${option} ${word}`}?`;
}

function takes(option: string, word: string): boolean {
  return option === "--period" ? isPeriodName(word) : dimensionNamed(word) !== undefined;
}

/** An option that only other commands have, or a period that was typed as one: `summary --yesterday`. */
async function meantByOption(
  { code, message }: CommanderError,
  command: Command,
  wholeTree: () => Promise<Command>,
): Promise<string | undefined> {
  const flag = code === "commander.unknownOption" ? /'(--[^'=]+)/.exec(message)?.[1] : undefined;
  if (flag === undefined) return undefined;
  const period = optionForWord(command, flag.slice(2));
  if (period !== undefined) return period;
  const owners = withMembers(await wholeTree()).filter(({ options }) =>
    options.some(({ long }) => long === flag),
  );
  if (owners.length === 0 || owners.length > fewCommands) return undefined;
  const names = owners.map(commandWordsOf);
  return t`${flag} is an option of: ${names.join(", ")}`;
}

function withMembers(command: Command): readonly Command[] {
  return command.commands.flatMap((member) => [member, ...withMembers(member)]);
}
