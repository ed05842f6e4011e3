/** `comanda help` prints the help of a command, a topic, or a list of commands or options. */
import type { Command } from "../../cli/command.js";
import { listText } from "../../cli/help.js";
import { nearest } from "../../api/nearest.js";
import { ComandaError } from "../../client/errors.js";
import { t } from "../../languages/language.js";
import { withSystemQuotes } from "../../state/shell-word.js";
import { narrowHelp } from "../../cli/wrap.js";

import { helpTopics } from "./topics.js";

export function help(command: Command): void {
  command
    .about("help on a command or a topic; all commands, or the options of all")
    .arguments("[topic...]")
    .examples("help commands", "help orders cancel", "help periods", "help exit-codes")
    .does(({ output, host }, _, words, program) => {
      const pages = pagesOf(program);
      const page = words.join(" ");
      const text = pages.get(page)?.();
      if (text === undefined) throw unknownPage(page, [...pages.keys()]);
      output.text(narrowHelp(withSystemQuotes(text, host.platform), output.columns));
      return Promise.resolve();
    });
}

/** The texts by the words that ask for them, such as `orders cancel`. */
function pagesOf(program: Command): ReadonlyMap<string, () => string> {
  return new Map([
    ...commandPages(program, ""),
    ["commands", () => listText(program, "commands")],
    ["options", () => listText(program, "options")],
    // The topics are in English in every language, and as long as a manual.
    ...helpTopics.map(({ name, text }) => [name, () => text] as const),
  ]);
}

function commandPages(command: Command, words: string): (readonly [words: string, text: () => string])[] {
  return [
    [words, () => command.helpInformation()],
    ...command.members.flatMap((member) => commandPages(member, `${words} ${member.name()}`.trim())),
  ];
}

function unknownPage(page: string, names: readonly string[]): ComandaError {
  const similar = nearest(page, names);
  return new ComandaError("usage", t`There is no command or topic "${page}".`, {
    hint: [
      ...(similar === undefined ? [] : [t`Did you mean ${similar}?`]),
      t`Topics: ${helpTopics.map(({ name }) => name).join(", ")}. Commands: comanda --help`,
    ].join(" "),
  });
}
