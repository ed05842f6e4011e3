/** Makes the help of a command: usage, what it is for, its commands and options, examples; 80 columns wide. */
import { Help, type Option } from "commander";

import { translated } from "../languages/language.js";
import { linesOfWords } from "./wrap.js";

import type { Command } from "./command.js";
import { globalOptionsOf } from "./global-options.js";
import { rootHelp } from "./root-help.js";

const columns = 80;

export function helpText(command: Command): string {
  if (!command.parent) return rootHelp();
  const { commands, exampleLines } = command;
  const options = command.options.filter(({ hidden }) => !hidden);
  const global = globalOptionsOf(command, command.taken).map(({ long = "" }) => long);
  return sections([
    [`${translated("Usage:")} ${usageOf(command)}`],
    ...command
      .description()
      .split("\n\n")
      .map((text) => fill("", text.split(" "))),
    commands.length > 0 ? listOfCommands(command) : [],
    options.length > 0 ? [translated("Options:"), ...described(options)] : [],
    [`${translated("Also (comanda help options):")} ${global.join(" ")}`],
    exampleLines.length > 0
      ? [translated("Examples:"), ...exampleLines.map((line) => `  $ comanda ${translated(line)}`)]
      : [],
  ]);
}

/** Makes the lists of `comanda help commands` and `comanda help options` */
export function listText(program: Command, of: "commands" | "options"): string {
  return sections([
    of === "commands" ? listOfCommands(program) : [translated("Options:"), ...described(program.options)],
  ]);
}

function sections(all: readonly (readonly string[])[]): string {
  return `${all
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join("\n"))
    .join("\n\n")}\n`;
}

function usageOf(command: Command): string {
  return new Help()
    .commandUsage(command)
    .replace("[options]", translated("[options]"))
    .replace("[command]", translated("[command]"));
}

function listOfCommands({ commands }: Command): readonly string[] {
  return [translated("Commands:"), ...aligned(commands.map((member) => [member.name(), member.summary()]))];
}

function described(options: readonly Option[]): readonly string[] {
  return aligned(options.map((option) => [option.flags, descriptionOf(option)]));
}

/** commander says the default in English, and the choices, too, which the description may have named. */
function descriptionOf(option: Option): string {
  const { description, argChoices = [] } = option;
  if (argChoices.length > 0 && argChoices.every((choice) => description.includes(choice))) return description;
  return new Help()
    .optionDescription(option)
    .replaceAll(
      /(\(|, )(choices|default): /g,
      (_, start: string, word: string) => `${start}${translated(`${word}:`)} `,
    );
}

function aligned(rows: readonly (readonly [term: string, text: string])[]): readonly string[] {
  const width = Math.max(...rows.map(([term]) => term.length));
  return rows.flatMap(([term, text]) => fill(`  ${term.padEnd(width)}  `, text.split(" ")));
}

/** @param start of the first line; the others begin below its end */
function fill(start: string, words: readonly string[], between = " "): readonly string[] {
  const lines = linesOfWords(words, (line) => start.length + line.length <= columns, between);
  return lines.map((line, index) => `${index === 0 ? start : " ".repeat(start.length)}${line}`);
}
