/** Makes the table of completion, for the build alone: .config/build.mjs writes it beside the program. */
import type { Command, Option } from "commander";

import { shells } from "../commands/completion/scripts.js";
import { settingNames } from "../commands/config.js";
import { dimensions } from "../contract/enums.js";
import { fieldNames } from "../contract/filters.js";
import { filterFields, type FilterField } from "../contract/filter-fields.js";
import { operatorsOf } from "../sales/plan/filters.js";
import { comparisons } from "../sales/period/comparison.js";
import { periodNames } from "../sales/period/names.js";

import { firstClause } from "./help-screen.js";
import type { CompletedCommand, CompletedOption, CompletionTable, Values } from "./complete.js";

const stores = { of: "stores" } as const;
const environments = { of: "environments" } as const;

/** The values of a command's arguments; any other argument takes any text. */
const words: Readonly<Record<string, readonly Values[]>> = {
  ...Object.fromEntries(
    ["use", "set", "rename", "remove", "protect", "unprotect"].map((name) => [
      `stores ${name}`,
      [stores, []],
    ]),
  ),
  revoke: [stores],
  "env set": [environments],
  "env remove": [environments],
  "driver assign": [[], { of: "drivers" }],
  completion: [[...shells, "install"], shells],
  ...Object.fromEntries(["get", "set", "unset"].map((name) => [`config ${name}`, [settingNames, []]])),
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
  "--confirm": stores,
  "--by": dimensions,
  "--rows": dimensions,
  "--cols": dimensions,
  "--period": [...periodNames, "last-7-days", "last-30-days"],
  "--resume": { of: "runs" },
  "--compare": [...comparisons, "none"],
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
