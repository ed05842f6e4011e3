/** Asks a person for what the command line lacks. Callers make sure that somebody sits at a terminal. */
import { dimensions } from "../api/enums.js";
import { t, translated } from "../languages/language.js";
import type { Choice } from "../cli/choices.js";

import { withAnswers, type CommandLine } from "./command-line.js";
import type { Machine } from "./machine.js";

/** For a command whose only argument is a store's alias. */
export async function askForStore(machine: Machine, line: CommandLine): Promise<CommandLine> {
  if (line.words.length > 0) return line;
  const { sessions } = await machine.state();
  const aliases = (await sessions.list()).map(({ store }) => store);
  if (aliases.length === 0) return line;
  return withAnswers(line, { words: [await machine.choose(t`Which store?`, aliases.map(choiceOf))] });
}

/** @returns the line with the chosen dimension as the option's value, or as it is where that is there */
export async function askForDimension(
  machine: Machine,
  line: CommandLine,
  { option, question }: { readonly option: string; readonly question: string },
): Promise<CommandLine> {
  if (line.text(option) !== undefined) return line;
  const choices = dimensions.map((value) => ({ value, name: dimensionText(value) }));
  return withAnswers(line, { texts: { [option]: await machine.choose(question, choices) } });
}

/** Words a dimension as a table's heading does: `day of week`. */
function dimensionText(dimension: string): string {
  return translated(dimension.replaceAll("_", " ").replace(/ id$/, ""));
}

export function choiceOf(value: string): Choice {
  return { value, name: value };
}

/** Asks for a line of text until there is one. */
export async function askForText(machine: Machine, question: string): Promise<string> {
  for (;;) {
    const answer = await machine.askText(question);
    if (answer !== "") return answer;
  }
}
