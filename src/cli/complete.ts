/**
 * The shells call `comanda complete` at each Tab. It offers words for the place of the last one, from a table of the command
 * tree. It reads the names of stores and environments from the names of files and from the settings, and writes nothing.
 */
import { readdirSync } from "node:fs";
import path from "node:path";

import { isObject } from "../api/json.js";
import { configFolder } from "../state/config-folder.js";

import { uncheckedSettings } from "./choose-language.js";
import type { ProcessContext } from "./context.js";
import type { Command } from "./command.js";
import {
  completionTable,
  type CompletedOption,
  type CompletionTable,
  type Kind,
  type Values,
} from "./completion-table.js";

export interface Candidate {
  readonly text: string;
  readonly summary: string;
}

export type Names = (kind: Kind) => readonly string[];

/** @param words the words after `comanda`; the last one is completed */
export function candidates(
  table: CompletionTable,
  words: readonly string[],
  names: Names,
): readonly Candidate[] {
  const before = words.slice(0, -1);
  const current = words.at(-1) ?? "";
  const { command, positions, pending, afterDashes } = walk(table, before);
  const entry = table[command];
  if (!entry) return [];
  const allOptions = optionsOf(table, command);
  const expand = (values: Values): readonly string[] => ("of" in values ? names(values.of) : values);
  const plain = (texts: readonly string[]) => texts.map((text) => ({ text, summary: "" }));
  if (pending?.values) return matching(plain(expand(pending.values)), current);
  const [, flag, start] = /^(--[a-z-]+)=(.*)$/s.exec(current) ?? [];
  if (flag !== undefined && start !== undefined && !afterDashes) {
    const values = allOptions.find((option) => option.names.includes(flag))?.values ?? [];
    return matching(plain(expand(values).map((value) => `${flag}=${value}`)), current);
  }
  if (current.startsWith("-") && !afterDashes) {
    const options = allOptions.flatMap(({ names: all, summary }) =>
      all.filter((name) => name.startsWith("--") || current === name).map((text) => ({ text, summary })),
    );
    return matching(options, current);
  }
  if (entry.members.length > 0 && positions === 0) {
    return matching(
      entry.members.map(([text, summary]) => ({ text, summary })),
      current,
    );
  }
  return matching(plain(expand(entry.words[positions] ?? entry.words.at(-1) ?? [])), current);
}

function optionsOf(table: CompletionTable, command: string): readonly CompletedOption[] {
  const options = table[command]?.options ?? [];
  return command === "" ? options : [...options, ...(table[""]?.options ?? [])];
}

interface LinePosition {
  readonly command: string;
  readonly positions: number;
  /** The option whose value comes next. */
  readonly pending: CompletedOption | undefined;
  /** After `--` there are no options. */
  readonly afterDashes: boolean;
}

function walk(table: CompletionTable, words: readonly string[]): LinePosition {
  let command = "";
  let positions = 0;
  let pending: CompletedOption | undefined;
  let afterDashes = false;
  for (const word of words) {
    const isValue = pending !== undefined;
    pending = undefined;
    if (isValue) continue;
    if (word === "--") {
      afterDashes = true;
    } else if (word.startsWith("-") && !afterDashes) {
      const option = optionsOf(table, command).find(({ names }) => names.includes(word));
      if (option?.values) pending = option;
    } else if (positions === 0 && Object.hasOwn(table, `${command} ${word}`.trim())) {
      command = `${command} ${word}`.trim();
    } else {
      positions += 1;
    }
  }
  return { command, positions, pending, afterDashes };
}

/** A value behind an operator, as in `status=closed`, is offered once the operator is typed. */
function matching(all: readonly Candidate[], start: string): readonly Candidate[] {
  return all.filter(({ text }) => {
    const [head = ""] = /^(?:--[a-z-]+=)?[\p{L}_-]+(?:[!<>]?=|[<>](?!=))(?=.)/u.exec(text) ?? [];
    return text.startsWith(start) && start.startsWith(head) && isPlain(text);
  });
}

/** A file's name could hold anything, so a name that a shell or a terminal acts upon isn't shown. */
export function isPlain(text: string): boolean {
  return /^[\p{L}\p{M}\p{Nd}._=!<>:@-]+$/u.test(text);
}

const builtinEnvironments: readonly string[] = ["local", "sandbox", "production"];

function namesHere(kind: Kind): readonly string[] {
  if (kind === "stores") return storesHere().map(({ name }) => name);
  if (kind !== "environments") return [];
  const { environments } = uncheckedSettings(process.env);
  return [...new Set([...builtinEnvironments, ...Object.keys(isObject(environments) ? environments : {})])];
}

interface StoreHere {
  readonly name: string;
  readonly file: string;
}

/**
 * A folder that can't be read has no stores, and a store is left out where its name is too long for the name of its file.
 */
export function storesHere(): readonly StoreHere[] {
  const configuration = configFolder(process.env);
  if (configuration === undefined) return [];
  const folder = path.join(configuration, "sessions");
  try {
    return readdirSync(folder).flatMap((file) => {
      const [, alias] = /^s-([^~]+)\.json$/.exec(file) ?? [];
      return alias === undefined ? [] : [{ name: decodeURIComponent(alias), file: path.join(folder, file) }];
    });
  } catch {
    return [];
  }
}

/** @returns the kind of names that only the program can find */
export function needsProgram(table: CompletionTable, words: readonly string[]): "drivers" | undefined {
  let neededKind: "drivers" | undefined;
  candidates(table, words, (kind) => {
    if (kind === "drivers") neededKind = kind;
    return [];
  });
  return neededKind;
}

/**
 * Prints a line for each candidate: the text, a tab, the summary.
 *
 * @param argv the shell's name, then the words after `comanda`
 * @param programFor makes the tree of commands, as far as words need it
 * @returns the arguments of the program where only that can answer
 */
export async function complete(
  context: ProcessContext,
  argv: readonly string[],
  programFor: (words: readonly string[]) => Promise<Command>,
): Promise<readonly string[] | undefined> {
  const [shell = "", ...typedLine] = argv;
  const words = wordsForProgram(shell, typedLine);
  const table = completionTable(await programFor(words.slice(0, -1)));
  const kind = needsProgram(table, words);
  if (kind !== undefined) return ["completion", "values", kind, words.at(-1) ?? "", ...storeOf(words)];
  const matches = candidates(table, words, namesHere);
  // bash replaces the text after its last word break; within quotes it knows no breaks.
  const breaks = shell === "bash" && !isQuoted(typedLine.at(-1) ?? "");
  const cut = breaks ? (/^.*[=:]/s.exec(words.at(-1) ?? "")?.[0].length ?? 0) : 0;
  const candidateLines = matches.filter(({ text }) => text.length > cut);
  context.stdout.write(
    candidateLines.map(({ text, summary }) => `${text.slice(cut)}\t${summary}\n`).join(""),
  );
  return undefined;
}

/** The program gets words without quotes, and the last quote may not be closed yet. */
function wordsForProgram(shell: string, typed: readonly string[]): readonly string[] {
  if (shell === "bash") return joinAtBreaks(typed).map(withoutQuotes);
  // PowerShell leaves out an empty word, so its script puts a sign before the last one.
  const last = typed.at(-1) ?? "";
  const words = shell === "powershell" ? [...typed.slice(0, -1), last.replace(/^=/, "")] : typed;
  return words.map(withoutQuotes);
}

function withoutQuotes(word: string): string {
  return isQuoted(word) ? word.slice(1).replace(/["']$/, "") : word;
}

function isQuoted(word: string): boolean {
  return /^["']/.test(word);
}

function storeOf(words: readonly string[]): readonly string[] {
  const at = words.findIndex((word) => word === "-s" || word === "--store");
  const joined = words.find((word) => word.startsWith("--store="))?.slice("--store=".length);
  const store = at < 0 ? joined : words[at + 1];
  return store ? ["--store", store] : [];
}

/** bash breaks words at `=` and `:`, unless its breaks were changed: it makes three words of `--filter=status`. */
function joinAtBreaks(words: readonly string[]): readonly string[] {
  const result: string[] = [];
  let open = false;
  for (const word of words) {
    const isBreak = /^[=:]+$/.test(word);
    if ((isBreak || open) && result.length > 0) result.push(`${result.pop() ?? ""}${word}`);
    else result.push(word);
    open = isBreak;
  }
  return result;
}
