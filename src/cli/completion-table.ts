/** Makes the table of completion. */
import type { Command, Option } from "commander";

import { shells } from "../commands/completion/scripts.js";
import { dimensions } from "../api/enums.js";
import { fieldNames, type FilterField, filterFields } from "../api/filters.js";
import { operatorsOf } from "../sales/filters.js";
import { comparisons } from "../sales/period.js";
import { periodNames } from "../sales/names.js";

import { firstClause } from "./help.js";

/** This machine has names of these; finding those of drivers takes the program. */
export type Kind = "stores" | "environments" | "drivers";

/** A value is one of these words, or a name on this machine. */
export type Values = readonly string[] | { readonly of: Kind };

export interface CompletedOption {
  /** The spellings of the option: `-s`, `--store`. */
  readonly names: readonly string[];
  readonly summary: string;
  /** Absent for a flag; empty where any text will do. */
  readonly values?: Values;
}

interface CompletedCommand {
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

const stores = { of: "stores" } as const;
const environments = { of: "environments" } as const;

/** The values of a command's arguments; any other argument takes any text. */
const words: Readonly<Record<string, readonly Values[]>> = {
  ...Object.fromEntries(["use", "set", "rename", "remove"].map((name) => [`stores ${name}`, [stores, []]])),
  revoke: [stores],
  "env set": [environments],
  "env remove": [environments],
  "driver assign": [[], { of: "drivers" }],
  completion: [[...shells, "install"], shells],
};

/** A filter is completed by a field with an operator, then by the values of a field that has few. */
function filters(): readonly string[] {
  return fieldNames().flatMap((field) => {
    const heads = operatorsOf(field).map((operator) => `${field}${operator}`);
    return [...heads, ...heads.flatMap((head) => fewValues(field).map((value) => `${head}${value}`))];
  });
}

function fewValues(field: FilterField): readonly string[] {
  const { values } = filterFields[field];
  if (values.kind === "closed") return values.values;
  return values.kind === "text" ? ["null"] : [];
}

/** The values of options that name no choices of their own. */
const values: Readonly<Record<string, Values>> = {
  "--store": stores,
  "--env": environments,
  "--by": dimensions,
  "--rows": dimensions,
  "--cols": dimensions,
  "--period": [...periodNames, "last-7-days", "last-30-days"],
  "--compare": comparisons,
};

/** @param program the whole tree */
export function completionTable(program: Command): CompletionTable {
  return Object.fromEntries(rows(program, ""));
}

function rows(command: Command, path: string): [string, CompletedCommand][] {
  const members = command.commands.filter((member) => member.name() !== "complete");
  const completed: CompletedCommand = {
    members: members.map((member) => [member.name(), member.summary()] as const),
    options: command.options.filter(({ hidden }) => !hidden).map(optionOf),
    words: words[path] ?? [],
  };
  return [[path, completed], ...members.flatMap((member) => rows(member, `${path} ${member.name()}`.trim()))];
}

function optionOf({
  short,
  long = "",
  description,
  required,
  optional,
  argChoices,
}: Option): CompletedOption {
  const names = [short, long].filter((name) => name !== undefined);
  const summary = firstClause(description);
  if (!required && !optional) return { names, summary };
  const choices = long === "--filter" ? filters() : (argChoices ?? values[long] ?? []);
  return { names, summary, values: choices };
}
