/** `comanda completion` prints a script with which a shell runs `comanda complete` at each Tab. */
import type { Option } from "commander";

import { fieldNames, filterFields } from "../api/filters.js";
import { dimensions } from "../api/values.js";
import type { Command } from "../cli/command.js";
import type { Context } from "../cli/context.js";
import { translated } from "../languages/language.js";
import { operatorsOf } from "../sales/filters.js";
import { periodNames } from "../sales/period.js";
import { listEnvironments } from "../state/settings.js";
import bash from "./completion/bash.txt";
import fish from "./completion/fish.txt";
import powershell from "./completion/powershell.txt";
import zsh from "./completion/zsh.txt";

const scripts: Readonly<Record<string, string>> = { bash, zsh, fish, powershell };

export default function completion(command: Command): void {
  command
    .addArgument(command.createArgument("<shell>").choices(Object.keys(scripts)))
    .printsText()
    .examples("completion bash > ~/.local/share/bash-completion/completions/comanda")
    .does(({ output }, _, [name = ""]) => {
      output.text(scripts[name] ?? "");
      return Promise.resolve();
    });
}

/**
 * Prints a line for each text that can complete a command line: the text, a tab, a description. An empty text makes the shell
 * complete file names.
 */
export function complete(command: Command): void {
  command.arguments("<shell> <line>").does(async (context, _, [shell, line = ""]) => {
    const tokens = [...line.matchAll(/(?:[^\s"']|"[^"]*"?|'[^']*'?)+/g)];
    const last = tokens.at(-1);
    const isOpen = last !== undefined && last.index + last[0].length === line.length;
    const words = tokens.slice(1).map(([token]) => token.replaceAll(/["']/g, ""));
    const word = isOpen ? (words.pop() ?? "") : "";
    const all = await candidates(context, command.parent ?? command, words, word);
    // Names with characters that a shell or a terminal interprets aren't offered.
    const isHarmless = /^[\p{L}\p{M}\p{Nd}._=!<>:@-]+$/u;
    const isMeant = (text: string) =>
      text.toLowerCase().startsWith(word.toLowerCase()) && isHarmless.test(text);
    const found = all.filter(([text]) => text === "" || isMeant(text));
    // bash replaces the text after its last word break. Quoted text contains none.
    const cut = shell === "bash" && !/^["']/.test(last?.[0] ?? "") ? /^.*[=:]/s.exec(word) : null;
    context.output.text(found.map(([text, is]) => `${text.slice(cut?.[0].length)}\t${is}\n`).join(""));
  });
}

type Candidate = readonly [text: string, is: string];

const fileNames: readonly Candidate[] = [["", "file"]];

async function candidates(context: Context, program: Command, words: readonly string[], word: string) {
  let command = program;
  let position = 0;
  // The command that prints the candidates has no summary, and isn't one of them.
  const membersOf = ({ commands }: Command) => commands.filter((one) => one.summary() !== "");
  let pending: Option | undefined;
  const optionOf = (flag: string) =>
    [...command.options, ...program.options].find(({ short, long }) => short === flag || long === flag);
  for (const each of words) {
    const member = position === 0 ? membersOf(command).find((one) => one.name() === each) : undefined;
    await member?.load?.();
    if (each === "--") return command.registeredArguments[0]?.name() === "command" ? fileNames : [];
    if (pending) pending = undefined;
    else if (each.startsWith("-")) pending = optionOf(each)?.required ? optionOf(each) : undefined;
    else if (member) command = member;
    else position += 1;
  }
  const [, flag, start = word] = (pending ? null : /^(--[a-z-]+)=(.*)$/s.exec(word)) ?? [];
  const option = pending ?? (flag === undefined ? undefined : optionOf(flag));
  if (option) {
    if (option.flags.endsWith("<file>")) return fileNames;
    const values = await valuesOf(context, option.long, start, option.argChoices);
    return flag === undefined ? values : values.map(([text]): Candidate => [`${flag}=${text}`, ""]);
  }
  if (word.startsWith("-"))
    return [...command.options, ...program.options].map((one): Candidate => [
      one.long ?? "",
      translated(one.description),
    ]);
  if (command.commands.length > 0 && position === 0)
    return membersOf(command).map((member): Candidate => [member.name(), translated(member.summary())]);
  const argument = command.registeredArguments[position]?.name();
  if (argument === "file") return fileNames;
  return valuesOf(context, argument === "name" ? "--env" : argument, word);
}

/** @param name of an option, or of an argument */
async function valuesOf(
  context: Context,
  name: string | undefined,
  word: string,
  choices: readonly string[] = [],
): Promise<readonly Candidate[]> {
  const plain = (texts: readonly string[]) => texts.map((text): Candidate => [text, ""]);
  if (name === "--by") return plain(dimensions);
  if (name === "--period") return plain(periodNames);
  if (name === "--filter") {
    const [head = ""] = /^\w+(?:!?=|[<>]=?)/.exec(word) ?? [];
    return fieldNames().flatMap((field) => {
      const heads = operatorsOf(field).map((operator) => `${field}${operator}`);
      if (!heads.includes(head)) return plain(heads);
      const { values } = filterFields[field];
      return plain("values" in values ? values.values.map((value) => head + value) : []);
    });
  }
  if (name !== "--store" && name !== "alias" && name !== "--env") return plain(choices);
  const { sessions, settings } = await context.workspace.state();
  if (name !== "--env") return plain((await sessions.list()).map(({ store }) => store));
  return plain(listEnvironments(await settings.read()).map(({ name }) => name));
}
