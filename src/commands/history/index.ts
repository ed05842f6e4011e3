/** `comanda history` shows this machine's writes from the journal. */
import { t } from "../../languages/language.js";
import { attemptOutcomes, type HistoryRow } from "../../state/journal.js";
import type { Command, CommandGroup } from "../../toolkit/command.js";
import { oneStore, wholeNumber } from "../../toolkit/command-line.js";
import type { Machine } from "../../toolkit/machine.js";

import { drivers } from "./drivers.js";
import { presentRows, untilAborted, type HistoryPages } from "./rows.js";
import { settle } from "./settle.js";
import { expectManyCalls } from "../../toolkit/many-calls.js";

export interface HistoryOptions {
  readonly since: string | undefined;
  readonly order: string | undefined;
  readonly store: string | undefined;
  readonly outcome: string | undefined;
  readonly limit: number;
}

interface NewestRows {
  readonly pages: HistoryPages;
  /** Set when all pages have been read. */
  readonly more: { exist: boolean };
}

const defaultLimit = 50;
const mostRows = 1_000_000_000;
/** More rows than this are worth the tuning of the engine. */
const manyRows = 1000;

export const show: Command<HistoryOptions, NewestRows> = {
  description: {
    usage: "history",
    summary: "what this machine sent: who did what to which order, and what came of it",
    description:
      "The last 50, newest first; --limit shows more. Of a write that is unknown nothing tells whether it was done: " +
      "its process was killed, or no answer came. `history settle` says what you have looked up of it; then --outcome " +
      "unknown lists it no more. What was done elsewhere, such as in the portal, is not in it.",
    takes: ["store", "format"],
    options: [
      { flags: "--limit <number>", description: `so many of them (default: ${defaultLimit})` },
      { flags: "--since <moment>", description: "a day, a date-time with offset, or how long ago: 2h, 7d" },
      { flags: "--order <id>", description: "of this order alone" },
      { flags: "--outcome <outcome>", description: "of this outcome alone", choices: attemptOutcomes },
    ],
    examples: [
      "history",
      "history --order 4712",
      "history --since 7d --outcome unknown --json",
      "history --since 2026-11-01 --limit 5000 --format csv",
      "history drivers",
    ],
  },
  parse: (line) => ({
    since: line.text("--since"),
    order: line.text("--order"),
    store: oneStore(line.globals),
    outcome: line.text("--outcome"),
    limit: wholeNumber(line, "--limit", { least: 1, most: mostRows, usual: defaultLimit }),
  }),
  async run(machine, { since, store: alias, limit, ...filters }) {
    const state = await machine.state();
    const [store] =
      alias === undefined ? [] : await machine.storeAliases({ stores: [alias], allStores: false });
    const filter = {
      ...filters,
      store,
      ...(since !== undefined && { since: await momentOf(machine, since, store) }),
    };
    const { readHistory } = await import("../../state/journal.js");
    if (limit > manyRows) await expectManyCalls();
    const more = { exist: false };
    const pages = limitPages(readHistory(state, filter, limit + 1), limit, more);
    return { pages: untilAborted(pages, machine.context.signal), more };
  },
  async present({ pages, more }, output) {
    const count = await presentRows(pages, output);
    if (more.exist) {
      output.notice(t`These are the newest ${count}. To see more: comanda history --limit ${count * 10}`);
    }
  },
};

/** The calendar is loaded only for a typed moment. */
async function momentOf(machine: Machine, since: string, store: string | undefined): Promise<number> {
  const { readMoment } = await import("./moments.js");
  return readMoment(machine, "--since", since, store);
}

/** @param pages have one row more than the limit, where there is one */
async function* limitPages(pages: HistoryPages, limit: number, more: { exist: boolean }): HistoryPages {
  let remaining = limit;
  for await (const page of pages) {
    more.exist = page.length > remaining;
    const shownRows: readonly HistoryRow[] = more.exist ? page.slice(0, remaining) : page;
    if (shownRows.length > 0) yield shownRows;
    remaining -= shownRows.length;
  }
}

export const history: CommandGroup = {
  name: "history",
  summary: show.description.summary,
  defaultCommand: show,
  members: [settle, drivers],
};
