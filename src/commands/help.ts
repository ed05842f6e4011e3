import type { Command } from "commander";

import { nearest } from "../basics/nearest.js";
import { ComandaError } from "../errors/index.js";

import type { Context } from "./context.js";
import { leaf, perform } from "./leaf.js";

const topics = new Map([
  [
    "exit-codes",
    `Exit codes

    0  done; also where a question was answered with no, and so nothing was done
    1  a fault of comanda's own
    2  wrong usage or input (also API code 4000)
    3  not signed in, or the token was refused (401, 4010)
    4  not allowed (403: missing scope; access_denied)
    5  not found (404, 4041)
    6  the order's status can't be changed (4002)
    7  rate limited, or the wait would pass --max-wait
    8  service unreachable or failing: network, TLS, timeout, 5xx, an answer
       that isn't the API's
    9  outcome unknown: the request went out, no answer came
   10  several orders: some did not succeed; each one's outcome is in the output
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
  COMANDA_CONFIG_DIR    where settings and sessions are kept, in place of the
                        system's folder
  COMANDA_RATE_LIMITS   "off" leaves the rate limits to the service: comanda
                        neither counts nor waits ahead

  For machines without state (containers, CI):
  COMANDA_BASE_URL      the API's address, together with one of the next two;
                        --store goes before it
  COMANDA_ACCESS_TOKEN  an access token
  COMANDA_API_KEY       the store's API key
  COMANDA_PARTNER_KEY   the partner key, which goes along with it:
                        comanda api --auth partner

  NO_COLOR              no colours
  HTTPS_PROXY, HTTP_PROXY, NO_PROXY
                        the proxy to go through; loopback addresses never do
`,
  ],
]);

export function helpCommand(context: Context): Command {
  const command = leaf({
    usage: "help [topic...]",
    summary: "help on a command, on exit-codes or on environment",
    examples: ["help orders cancel", "help exit-codes", "help environment"],
  });
  return perform(command, context, ({ output }, words) => {
    const topic = topics.get(words.join(" "));
    if (topic === undefined) outputHelp(command, words);
    else output.text(topic);
    return Promise.resolve();
  });
}

function outputHelp(help: Command, words: readonly string[]): void {
  let of = help.parent;
  for (const word of words) {
    const members: readonly Command[] = of?.commands ?? [];
    of = members.find((member) => member.name() === word) ?? null;
    if (!of) throw noSuchTopic(words, word, members);
  }
  of?.outputHelp();
}

/** @param members what could stand in the place of the word that names nothing */
function noSuchTopic(words: readonly string[], word: string, members: readonly Command[]): ComandaError {
  const names = members.map((member) => member.name());
  const meant = nearest(word, words.length === 1 ? [...names, ...topics.keys()] : names);
  return new ComandaError("usage", `There is no command or topic "${words.join(" ")}".`, {
    hint: [
      ...(meant === undefined ? [] : [`Did you mean ${meant}?`]),
      `Topics: ${[...topics.keys()].join(", ")}. Commands: comanda --help`,
    ].join(" "),
  });
}
