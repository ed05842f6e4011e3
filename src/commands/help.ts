/** `comanda help` prints the help of a command, or a topic that concerns many commands. Topics are in English in every language. */
import { Command } from "../cli/command.js";
import { wrapWords } from "../cli/text.js";
import { fieldNames, filterFields } from "../api/filters.js";
import { customerOriginLength } from "../api/values.js";
import { ComandaError } from "../base/errors.js";
import { t } from "../languages/language.js";
import chain from "./help/topics/chain.md";
import cron from "./help/topics/cron.md";
import environment from "./help/topics/environment.md";
import exitCodes from "./help/topics/exit-codes.md";
import figures from "./help/topics/figures.md";
import files from "./help/topics/files.md";
import filters from "./help/topics/filters.md";
import journal from "./help/topics/journal.md";
import json from "./help/topics/json.md";
import library from "./help/topics/library.md";
import mcp from "./help/topics/mcp.md";
import output from "./help/topics/output.md";
import periods from "./help/topics/periods.md";
import salesDb from "./help/topics/sales-db.md";
import signIn from "./help/topics/sign-in.md";
import testing from "./help/topics/testing.md";
import { operatorsOf } from "../sales/filters.js";

/** The values of fields without a list. */
const valueTexts = {
  opaque: "an id from the service",
  id: "a positive integer",
  text: `at most ${customerOriginLength} characters, or null`,
  time: "a time of day, HH:MM",
  amount: "an amount of at least 0, such as 50.60",
} as const;

/** Returns a row for each field of `--filter`, with its values and operators. */
function filterRows(): string {
  const rows: string[] = [];
  for (const field of fieldNames()) {
    const { values } = filterFields[field];
    const listed = "values" in values ? values.values.join(", ") : valueTexts[values.kind];
    rows.push(wrapWords(`  ${field.padEnd(19)}${listed}; ${operatorsOf(field).join(" ")}`, 80));
  }
  return rows.join("\n");
}

const texts = {
  periods,
  filters: filters.replace("  <fields>", filterRows),
  figures,
  output,
  json,
  "exit-codes": exitCodes,
  files,
  environment,
  "sign-in": signIn,
  journal,
  cron,
  chain,
  testing,
  library,
  mcp,
  "sales-db": salesDb,
};

/** The topics as a terminal shows them: section titles in capitals, and no marks of code blocks. */
export const helpTopics = Object.entries(texts).map(([name, markdown]) => ({
  name,
  text: markdown
    .replace(/^# /, "")
    .replaceAll(/^## (.*)/gm, (_, title: string) => title.toUpperCase())
    .replaceAll(/^```.*\n/gm, ""),
}));

export default function help(command: Command): void {
  command
    .arguments("[topic...]")
    .examples("help orders cancel", "help periods", "help exit-codes")
    .does((context, _, words) => {
      const { columns } = context.output;
      const wrapped = (text: string) => text.replaceAll(/^.*$/gm, (line) => wrapWords(line, columns));
      /** The texts by the words that select them, such as `orders cancel`. */
      const pages = new Map(helpTopics.map(({ name, text }) => [name, () => wrapped(text)]));
      const add = (member: Command, name: string) => {
        // A topic may have the name of a command, and follows its help.
        const topic = pages.get(name);
        pages.set(name, () => [member.helpInformation(), topic?.()].filter(Boolean).join("\n"));
        for (const each of member.commands) add(each, `${name} ${each.name()}`.trim());
      };
      if (command.parent instanceof Command) add(command.parent, "");
      const topics = t`Topics (comanda help <topic>): ${Object.keys(texts).join(", ")}`;
      pages.set(
        "",
        () => `${command.parent?.helpInformation() ?? ""}\n${wrapWords(topics, columns ?? 80)}\n`,
      );
      const page = words.join(" ");
      const text = pages.get(page)?.();
      if (text === undefined) {
        throw new ComandaError("usage", t`Unknown command ${`'${page}'`}.`, { hint: topics });
      }
      context.output.text(text);
      return Promise.resolve();
    });
}
