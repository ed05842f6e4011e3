/** `comanda help` prints the help of a command, or a topic: what is true of many commands, told once, in English in every language. */
import { Command } from "../cli/command.js";
import { wrapWords } from "../cli/text.js";
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

const texts = {
  periods,
  filters,
  figures,
  output,
  "sign-in": signIn,
  cron,
  chain,
  journal,
  testing,
  library,
  mcp,
  "exit-codes": exitCodes,
  environment,
  json,
  "sales-db": salesDb,
  files,
};

/** As a terminal shows them: without the marks of Markdown, which are the heading's and those around what is laid out. */
export const helpTopics = Object.entries(texts).map(([name, markdown]) => ({
  name,
  text: markdown.replace(/^# /, "").replaceAll(/^```.*\n/gm, ""),
}));

export default function help(command: Command): void {
  command
    .arguments("[topic...]")
    .examples("help orders cancel", "help periods", "help exit-codes")
    .does((context, _, words) => {
      const { columns } = context.output;
      const wrapped = (text: string) =>
        text
          .split("\n")
          .map((line) => wrapWords(line, columns))
          .join("\n");
      /** The texts by the words that ask for them, such as `orders cancel`. */
      const pages = new Map(helpTopics.map(({ name, text }) => [name, () => wrapped(text)]));
      const add = (member: Command, name: string) => {
        // A topic may have the name of a command, and follows its help.
        const topic = pages.get(name);
        pages.set(name, () => [member.helpInformation(), topic?.()].filter(Boolean).join("\n"));
        for (const each of member.members) add(each, `${name} ${each.name()}`.trim());
      };
      if (command.parent instanceof Command) add(command.parent, "");
      const page = words.join(" ");
      const text = pages.get(page)?.();
      if (text === undefined) {
        throw new ComandaError("usage", t`There is no command or topic "${page}".`, {
          hint: t`Topics: ${helpTopics.map(({ name }) => name).join(", ")}. Commands: comanda --help`,
        });
      }
      context.output.text(text);
      return Promise.resolve();
    });
}
