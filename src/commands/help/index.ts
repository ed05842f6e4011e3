/** `comanda help` prints the help of a command, a topic, or a list of commands or options. */
import { nearest } from "../../shared/nearest.js";
import { t, translated } from "../../shared/language.js";
import { ComandaError } from "../../shared/errors.js";
import { withSystemQuotes } from "../../shared/shell-word.js";
import { narrowHelp } from "../../terminal/narrow.js";

import type { Command } from "../../toolkit/command.js";
import { helpTopics } from "./topics.js";

const topics = new Map(helpTopics.map((topic) => [topic.name, topic]));

/** The help that the command tree gives. */
export interface HelpPages {
  /** Gives the help of the command that these words name; without a word, of the program. */
  text(words: readonly string[]): string;
  /** Lists all commands with their summaries. */
  commands(): string;
  /** Lists the options that every command has. */
  options(): string;
  /** Gives the names of a command's members; none where the words name no command. */
  names(words: readonly string[]): readonly string[];
}

export type HelpOptions =
  | { readonly kind: "topic"; readonly topic: string }
  | { readonly kind: "list"; readonly of: "commands" | "options" }
  | { readonly kind: "command"; readonly words: readonly string[] };

export function helpCommand(pages: HelpPages): Command<HelpOptions, string> {
  return {
    description: {
      usage: "help [topic...]",
      summary: "help on a command or a topic; all commands, or the options of all",
      examples: ["help commands", "help orders cancel", "help periods", "help exit-codes"],
    },
    parse({ words }) {
      const topic = words.join(" ");
      if (topic === "commands" || topic === "options") return { kind: "list", of: topic };
      if (topics.has(topic)) return { kind: "topic", topic };
      refuseUnknown(pages, words);
      return { kind: "command", words };
    },
    run: ({ context }, options) =>
      Promise.resolve(withSystemQuotes(textOf(pages, options), context.host.platform)),
    present(text, output) {
      output.text(narrowHelp(text, output.columns));
    },
  };
}

function textOfTopic(name: string): string {
  const topic = topics.get(name);
  return topic?.inLanguage?.() ?? translated(topic?.text ?? "");
}

function textOf(pages: HelpPages, options: HelpOptions): string {
  switch (options.kind) {
    case "topic":
      return textOfTopic(options.topic);
    case "list":
      return pages[options.of]();
    case "command":
      return pages.text(options.words);
  }
}

/** @throws {ComandaError} `usage` where the words name neither a command nor a topic */
export function refuseUnknown(pages: HelpPages, words: readonly string[]): void {
  for (const [index, word] of words.entries()) {
    const names = pages.names(words.slice(0, index));
    if (names.includes(word)) continue;
    const similar = nearest(word, words.length === 1 ? [...names, ...topics.keys()] : names);
    throw new ComandaError("usage", t`There is no command or topic "${words.join(" ")}".`, {
      hint: [
        ...(similar === undefined ? [] : [t`Did you mean ${similar}?`]),
        t`Topics: ${[...topics.keys()].join(", ")}. Commands: comanda --help`,
      ].join(" "),
    });
  }
}
