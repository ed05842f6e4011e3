/** Finds the words of a command line that name a command, before commander reads it. */
import type { Option } from "commander";

import { ComandaError } from "../client/errors.js";
import { t } from "../languages/language.js";
import { nearest } from "../api/nearest.js";

import type { Command } from "./command.js";
import { commandPath } from "./global-options.js";

interface CommandPosition {
  /** The program where no word names a command. */
  readonly command: Command;
  /** The index of the first word that names no command, or the length of the line. */
  readonly end: number;
}

/**
 * Refuses a wrong word here, since commander would print the help that the line asks for, and end with 0.
 *
 * @throws {ComandaError} `usage` where a word stands in a command's place and names none
 */
export function refuseUnknownCommand(program: Command, argv: readonly string[]): void {
  const { command, end } = commandAt(program, argv);
  const word = argv[end];
  if (word === undefined || command.commands.length === 0) return;
  throw unknownCommand(command, word);
}

/**
 * A command may run another program, as `docker run` does: comanda's options end at the first word of that program's
 * command line, with `--` before it or without.
 *
 * @returns the same words, with a `--` that was left out
 */
export function endComandaOptions(program: Command, argv: readonly string[]): readonly string[] {
  const { command, end } = commandAt(program, argv);
  if (end === argv.length || !command.isRunner) return argv;
  return [...argv.slice(0, end), "--", ...argv.slice(end)];
}

export function commandAt(program: Command, argv: readonly string[]): CommandPosition {
  let command = program;
  for (let index = 0; index < argv.length; index += 1) {
    const word = argv[index] ?? "";
    if (word === "--") break;
    if (word.length > 1 && word.startsWith("-")) {
      if (isHelpOption(word)) continue;
      const option = findOption(command, word);
      // Nobody knows whether the next word is the option's value, and commander refuses the option.
      if (!option) break;
      if (option.required && (word === option.long || word === option.short)) index += 1;
      continue;
    }
    const member = command.members.find((candidate) => candidate.name() === word);
    if (!member) return { command, end: index };
    command = member;
  }
  return { command, end: argv.length };
}

function isHelpOption(word: string): boolean {
  return word === "--help" || word === "-h";
}

/** Looks in the command and those above it; the value may stand in the same word: `--store=a`, `-sa`. */
function findOption(command: Command["parent"], word: string): Option | undefined {
  if (!command) return undefined;
  const flag = word.startsWith("--") ? word.replace(/=.*$/s, "") : word.slice(0, 2);
  return (
    command.options.find(({ short, long }) => short === flag || long === flag) ??
    findOption(command.parent, word)
  );
}

/** @param word stands in the place of a member's name */
function unknownCommand(group: Command, word: string): ComandaError {
  const path = commandPath(group);
  const commandLine = [...path.split(" ").slice(1), word].join(" ");
  const suggestion = nearest(
    word,
    group.commands.map((member) => member.name()),
  );
  return new ComandaError("usage", t`There is no command "${commandLine}".`, {
    hint: t`${suggestion === undefined ? "" : t`Did you mean ${suggestion}? `}${path} --help lists the commands.`,
  });
}
