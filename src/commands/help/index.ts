/** `comanda help` prints the help of a command, or a topic. */
import { Command } from "../../cli/command.js";
import { nearest } from "../../api/nearest.js";
import { ComandaError } from "../../client/errors.js";
import { t } from "../../languages/language.js";
import { wrapWords } from "../../cli/text.js";

import { helpTopics } from "./topics.js";

export function help(command: Command): void {
  command
    .about("help on a command or a topic")
    .arguments("[topic...]")
    .examples("help orders cancel", "help periods", "help exit-codes")
    .does(({ output }, _, words) => {
      const pages =
        command.parent instanceof Command
          ? commandPages(command.parent, "")
          : new Map<string, () => string>();
      const page = words.join(" ");
      // The topics are in English in every language, and as long as a manual.
      const topic = helpTopics.find(({ name }) => name === page);
      const text =
        pages.get(page)?.() ??
        topic?.text
          .split("\n")
          .map((line) => wrapWords(line, output.columns))
          .join("\n");
      if (text === undefined)
        throw unknownPage(page, [...pages.keys(), ...helpTopics.map(({ name }) => name)]);
      output.text(text);
      return Promise.resolve();
    });
}

/** The texts by the words that ask for them, such as `orders cancel`. */
function commandPages(command: Command, words: string): ReadonlyMap<string, () => string> {
  return new Map([
    [words, () => command.helpInformation()],
    ...command.members.flatMap((member) => [...commandPages(member, `${words} ${member.name()}`.trim())]),
  ]);
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
