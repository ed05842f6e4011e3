/**
 * The shells call `comanda complete` at each Tab. It offers words for the place of the last one, from a table that the
 * build makes of the command tree, before anything of the program is loaded. It reads the names of stores and environments
 * from the names of files and from the settings, and writes nothing.
 */
import { readdirSync } from "node:fs";
import path from "node:path";

import { isObject } from "../shared/json.js";
import { configFolder } from "../state/files/config-folder.js";

import { chooseLanguage, uncheckedSettings } from "./choose-language.js";
import { readProgramFile } from "./program-files.js";

/** This machine has names of these; finding those of drivers and runs takes the program. */
type Kind = "stores" | "environments" | "drivers" | "runs";

/** A value is one of these words, or a name on this machine. */
export type Values = readonly string[] | { readonly of: Kind };

export interface CompletedOption {
  /** The spellings of the option: `-s`, `--store`. */
  readonly names: readonly string[];
  readonly summary: string;
  /** Absent for a flag; empty where any text will do. */
  readonly values?: Values;
}

export interface CompletedCommand {
  readonly members: readonly (readonly [name: string, summary: string])[];
  readonly options: readonly CompletedOption[];
  /** The values of each position. The last one serves all further words. */
  readonly words: readonly Values[];
}

/**
 * Commands by their words, for example `orders dispatch`; the program's key is empty. Its options are those of every
 * command, so no other entry repeats them.
 */
export type CompletionTable = Readonly<Record<string, CompletedCommand>>;

/** The build writes the table with each option once, even if several commands have it. */
export interface CompletionFile {
  readonly options: readonly CompletedOption[];
  readonly commands: Readonly<
    Record<string, Omit<CompletedCommand, "options"> & { readonly own: readonly number[] }>
  >;
}

function readTable(name: string): CompletionTable {
  const { options, commands } = JSON.parse(readProgramFile(name).toString()) as CompletionFile;
  return Object.fromEntries(
    Object.entries(commands).map(([words, { own, ...rest }]) => [
      words,
      { ...rest, options: own.flatMap((index) => options[index] ?? []) },
    ]),
  );
}

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
export function needsProgram(
  table: CompletionTable,
  words: readonly string[],
): "drivers" | "runs" | undefined {
  let neededKind: "drivers" | "runs" | undefined;
  candidates(table, words, (kind) => {
    if (kind === "drivers" || kind === "runs") neededKind = kind;
    return [];
  });
  return neededKind;
}

/**
 * Prints a line for each candidate: the text, a tab, the summary.
 *
 * @param argv the shell's name, then the words after `comanda`
 * @returns the arguments of the program where only that can answer
 */
export function complete(argv: readonly string[]): readonly string[] | undefined {
  const [shell = "", ...typedLine] = argv;
  const table = readTable(`completion.${chooseLanguage([], process.env)}.json`);
  const words = wordsForProgram(shell, typedLine);
  const kind = needsProgram(table, words);
  if (kind !== undefined) {
    const [, verb] = walk(table, words.slice(0, -1)).command.split(" ");
    const of = kind === "runs" && verb !== undefined ? `runs:${verb}` : kind;
    return ["completion", "values", of, words.at(-1) ?? "", ...storeOf(words)];
  }
  const matches = candidates(table, words, namesHere);
  // bash replaces the text after its last word break; within quotes it knows no breaks.
  const breaks = shell === "bash" && !isQuoted(typedLine.at(-1) ?? "");
  const cut = breaks ? (/^.*[=:]/s.exec(words.at(-1) ?? "")?.[0].length ?? 0) : 0;
  const candidateLines = matches.filter(({ text }) => text.length > cut);
  process.stdout.write(
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
