/** `comanda help`: the help of a command, the topics, and the lists of commands and options. */
import { nearest } from "../shared/nearest.js";
import { t, translated } from "../shared/language.js";
import { ComandaError } from "../shared/errors.js";

import type { Command } from "./command.js";
import { moreTopics } from "./help-topics.js";

const topics = new Map<string, string>([
  ...moreTopics,
  [
    "exit-codes",
    `Exit codes

    0  done; also where a question was answered with no, and so nothing was done
    1  a fault of comanda's own; of doctor: something has to be mended
    2  wrong usage or input (also API code 4000); an output that can't be
       written, as on a full disk
    3  not signed in, or the token was refused (401, 4010)
    4  not allowed (403: missing scope; access_denied)
    5  not found (404, 4041)
    6  the order's status can't be changed (4002)
    7  rate limited, or the wait would pass --max-wait
    8  service unreachable or failing: network, TLS, timeout, 5xx, an answer
       that isn't the API's; or a lock that stays busy
    9  outcome unknown: the request went out, no answer came
   10  several orders: some did not succeed; each one's outcome is in the output
   11  an --alert holds
  130  interrupted
  141  the reader of the output has gone (| head) before all was done
  143  terminated
`,
  ],
  [
    "environment",
    `Environment variables

  COMANDA_STORE         the store to work at, where --store isn't given
  COMANDA_ENV           the environment to sign in at, where --env isn't given;
                        for every other command a safeguard: a store of another
                        environment is refused
  COMANDA_DATA_DIR      where sales figures are kept, in place of the system's
                        data folder (or of data in COMANDA_CONFIG_DIR)
  COMANDA_CONFIG_DIR    where settings and sessions are kept, in place of the
                        system's folder
  COMANDA_ACTOR         who is at work, for the journal (comanda history), where
                        the machine's user doesn't tell
  COMANDA_RATE_LIMITS   "off" leaves the rate limits to the service: comanda
                        neither counts nor waits ahead

  For machines without state (containers, CI):
  COMANDA_BASE_URL      the API's address, together with one of the next two;
                        --store goes before it
  COMANDA_ACCESS_TOKEN  an access token
  COMANDA_API_KEY       the store's API key
  COMANDA_PARTNER_KEY   the partner key, which goes along with it:
                        comanda api --auth partner

  COMANDA_LANG          en or pt-BR: the language of messages, tables and help;
                        --lang goes before it, the setting "language" and the
                        locale come after it
  COMANDA_PAGER, PAGER  what shows a table that is longer than the terminal,
                        such as less; set to nothing, or not set: none
  NO_COLOR              no colours; FORCE_COLOR and CLICOLOR_FORCE: colours also
                        where the output is no terminal
  HTTPS_PROXY, HTTP_PROXY, NO_PROXY
                        the proxy to go through, such as proxy.example:8080 or
                        http://user:password@proxy.example:8080; loopback
                        addresses (127.0.0.0/8, ::1, localhost) never do
`,
  ],
]);

/** The help that the command tree gives. */
export interface HelpPages {
  /** The help of the command that these words name; of the whole program without a word. */
  text(words: readonly string[]): string;
  /** Every command with what it is for. */
  commands(): string;
  /** The options of every command. */
  options(): string;
  /** The names of the commands below; none where the words name no command. */
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
    run: (_, options) => Promise.resolve(textOf(pages, options)),
    present(text, output) {
      output.text(text);
    },
  };
}

function textOf(pages: HelpPages, options: HelpOptions): string {
  switch (options.kind) {
    case "topic":
      return translated(topics.get(options.topic) ?? "");
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
    const meant = nearest(word, words.length === 1 ? [...names, ...topics.keys()] : names);
    throw new ComandaError("usage", t`There is no command or topic "${words.join(" ")}".`, {
      hint: [
        ...(meant === undefined ? [] : [t`Did you mean ${meant}?`]),
        t`Topics: ${[...topics.keys()].join(", ")}. Commands: comanda --help`,
      ].join(" "),
    });
  }
}
