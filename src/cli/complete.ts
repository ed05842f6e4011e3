/**
 * The shells call `comanda complete` at each Tab, which offers words for the place of the last one. Names of stores and
 * environments come from the names of files and from the settings; nothing is written.
 */
import { readFileSync, readdirSync } from "node:fs";
import path from "node:path";

import type { Option } from "commander";

import { dimensions } from "../api/enums.js";
import { fieldNames, filterFields } from "../api/filters.js";
import { operatorsOf } from "../sales/filters.js";
import { periodNames } from "../sales/period.js";
import { isObject } from "../api/json.js";
import { configFolder } from "../state/config-folder.js";

import type { Command } from "./command.js";
import { openContext, type ProcessContext } from "./context.js";

type Candidate = readonly [text: string, summary: string];

/**
 * Prints a line for each candidate: the text, a tab, the summary.
 *
 * @param argv the shell's name, then the words after `comanda`
 * @param programFor makes the tree of commands, as far as words need it
 */
export async function complete(
  process: ProcessContext,
  [shell = "", ...typed]: readonly string[],
  programFor: (words: readonly string[]) => Promise<Command>,
): Promise<void> {
  // PowerShell leaves out an empty word, so its script puts a sign before the last one.
  const told = typed.map((each, index) =>
    shell === "powershell" && index === typed.length - 1 ? each.replace(/^=/, "") : each,
  );
  const words = (shell === "bash" ? joinAtBreaks(told) : told).map(withoutQuotes);
  const word = words.pop() ?? "";
  const all = await candidates(process, await programFor(words.length > 0 ? words : [""]), words, word);
  // bash replaces the text after its last word break; within quotes it knows no breaks.
  const breaks = shell === "bash" && !/^["']/.test(typed.at(-1) ?? "");
  const cut = breaks ? (/^.*[=:]/s.exec(word)?.[0].length ?? 0) : 0;
  const lines = all.filter(([text]) => offers(text, word) && text.length > cut);
  process.stdout.write(lines.map(([text, summary]) => `${text.slice(cut)}\t${summary}\n`).join(""));
}

async function candidates(
  process: ProcessContext,
  program: Command,
  words: readonly string[],
  word: string,
): Promise<readonly Candidate[]> {
  let command = program;
  let position = 0;
  let pending: Option | undefined;
  let store: string | undefined;
  const optionOf = (flag: string) =>
    [...command.options, ...program.options].find(({ short, long }) => short === flag || long === flag);
  for (const each of words) {
    if (pending) {
      if (pending.long === "--store") store = each;
      pending = undefined;
    } else if (each === "--") return [];
    else if (each.startsWith("-")) {
      const option = optionOf(each);
      if (option?.required) pending = option;
    } else {
      const member = position === 0 ? command.members.find((one) => one.name() === each) : undefined;
      if (member) command = member;
      else position += 1;
    }
  }
  if (pending) return plain(valuesOf(process, pending.long ?? "", pending.argChoices));
  const [, flag = ""] = /^(--[a-z-]+)=/.exec(word) ?? [];
  if (flag !== "") {
    const values = valuesOf(process, flag, optionOf(flag)?.argChoices);
    return plain(values.map((value) => `${flag}=${value}`));
  }
  if (word.startsWith("-")) {
    return [...command.options, ...program.options].map(({ long = "", description }) => [long, description]);
  }
  if (command.members.length > 0 && position === 0)
    return command.members.map((member) => [member.name(), member.summary()]);
  const argument = command.registeredArguments[position]?.name() ?? "";
  if (argument === "driver") return driversOf(process, word, store);
  return plain(valuesOf(process, command.parent?.name() === "env" ? "--env" : argument, undefined));
}

function plain(texts: readonly string[]): readonly Candidate[] {
  return texts.map((text) => [text, ""]);
}

/** @param name of an option, or of an argument */
function valuesOf(
  { env }: ProcessContext,
  name: string,
  choices: readonly string[] | undefined,
): readonly string[] {
  if (choices) return choices;
  switch (name) {
    case "--store":
    case "alias":
      return storesHere(env);
    case "--env": {
      return [...new Set(["local", "sandbox", "production", ...environmentsHere(env)])];
    }
    case "--by":
      return dimensions;
    case "--period":
      return [...periodNames, "last-7-days", "last-30-days"];
    case "--filter":
      return fieldNames().flatMap((field) => {
        const heads = operatorsOf(field).map((operator) => `${field}${operator}`);
        const { values } = filterFields[field];
        const few = values.kind === "closed" ? values.values : values.kind === "text" ? ["null"] : [];
        return [...heads, ...heads.flatMap((head) => few.map((value) => `${head}${value}`))];
      });
    default:
      return [];
  }
}

/** Drivers are offered by id, or by name once a letter is typed. */
async function driversOf(
  process: ProcessContext,
  word: string,
  store: string | undefined,
): Promise<readonly Candidate[]> {
  const { driversNamed, readDrivers } = await import("../commands/driver.js");
  const { storedAlias } = await import("../commands/store.js");
  const quiet = { format: "json", color: "never", quiet: true, input: false, debug: false } as const;
  const options = {
    ...quiet,
    stores: [],
    allStores: false,
    dryRun: false,
    timeoutMs: undefined,
    maxWaitMs: 0,
  };
  const context = await openContext(process, options);
  const drivers = await readDrivers(context, await storedAlias(context, store));
  if (/^\d*$/.test(word)) return drivers.map(({ id, name }) => [String(id), oneLine(name)]);
  return driversNamed(drivers, word).map(({ id, name }) => [name, String(id)]);
}

function oneLine(text: string): string {
  return text.replaceAll(/[\s\p{C}]+/gu, " ");
}

/**
 * A value behind an operator, as in `status=closed`, is offered once the operator is typed. A name could hold anything, so
 * one that a shell or a terminal acts upon isn't shown.
 */
function offers(text: string, start: string): boolean {
  const [head = ""] = /^(?:--[a-z-]+=)?[\p{L}_-]+(?:[!<>]?=|[<>](?!=))(?=.)/u.exec(text) ?? [];
  const begins = text.toLowerCase().startsWith(start.toLowerCase());
  return begins && start.startsWith(head) && /^[\p{L}\p{M}\p{Nd} ._=!<>:@-]+$/u.test(text);
}

function environmentsHere(env: ProcessContext["env"]): readonly string[] {
  try {
    const file = path.join(configFolder(env) ?? "", "settings.json");
    const settings: unknown = JSON.parse(readFileSync(file, "utf8"));
    return isObject(settings) && isObject(settings["environments"])
      ? Object.keys(settings["environments"])
      : [];
  } catch {
    return [];
  }
}

/**
 * A folder that can't be read has no stores, and a store is left out where its name is too long for the name of its file,
 * or where a shell or a terminal acts upon it.
 */
function storesHere(env: ProcessContext["env"]): readonly string[] {
  const folder = path.join(configFolder(env) ?? "", "sessions");
  try {
    return readdirSync(folder).flatMap((file) => {
      const [, alias] = /^s-([^~]+)\.json$/.exec(file) ?? [];
      const name = decodeURIComponent(alias ?? "");
      return /^[\p{L}\p{M}\p{Nd}._-]+$/u.test(name) ? [name] : [];
    });
  } catch {
    return [];
  }
}

/** The last quote may not be closed yet. */
function withoutQuotes(word: string): string {
  return /^["']/.test(word) ? word.slice(1).replace(/["']$/, "") : word;
}

/** bash breaks words at `=` and `:`, unless its breaks were changed: it makes three words of `--filter=status`. */
function joinAtBreaks(words: readonly string[]): readonly string[] {
  const joined: string[] = [];
  let open = false;
  for (const word of words) {
    const isBreak = /^[=:]+$/.test(word);
    if ((isBreak || open) && joined.length > 0) joined.push(`${joined.pop() ?? ""}${word}`);
    else joined.push(word);
    open = isBreak;
  }
  return joined;
}
