/** `comanda help` prints the help of a command, a topic, or a list of commands or options. */
import { nearest } from "../../api/nearest.js";
import { t } from "../../languages/language.js";
import { ComandaError } from "../../client/errors.js";
import { withSystemQuotes } from "../../state/shell-word.js";
import { narrowHelp } from "../../cli/wrap.js";
import type { Command } from "../../toolkit/command.js";

import { helpTopics } from "./topics.js";

/** @param commandPages the texts about commands by the words that ask for them: `orders cancel` */
export function helpCommand(commandPages: () => ReadonlyMap<string, () => string>): Command<string, string> {
  const pages = () =>
    new Map([
      ...commandPages(),
      // The topics are in English in every language, and as long as a manual.
      ...helpTopics.map(({ name, text }) => [name, () => text] as const),
    ]);
  return {
    description: {
      usage: "help [topic...]",
      summary: "help on a command or a topic; all commands, or the options of all",
      examples: ["help commands", "help orders cancel", "help periods", "help exit-codes"],
    },
    parse({ words }) {
      const page = words.join(" ");
      const names = [...pages().keys()];
      if (names.includes(page)) return page;
      const similar = nearest(page, names);
      throw new ComandaError("usage", t`There is no command or topic "${page}".`, {
        hint: [
          ...(similar === undefined ? [] : [t`Did you mean ${similar}?`]),
          t`Topics: ${helpTopics.map(({ name }) => name).join(", ")}. Commands: comanda --help`,
        ].join(" "),
      });
    },
    run: ({ context }, page) =>
      Promise.resolve(withSystemQuotes(pages().get(page)?.() ?? "", context.host.platform)),
    present(text, output) {
      output.text(narrowHelp(text, output.columns));
    },
  };
}
