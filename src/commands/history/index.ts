/** `comanda history`: what this machine did, from the journal that stands under every write. */
import { attemptOutcomes } from "../../state/journal/entries.js";
import type { HistoryFilter, HistoryRow } from "../../state/journal/history-rows.js";
import { storeNow } from "../../state/settings/store-settings.js";
import type { Column, Output } from "../../terminal/index.js";
import type { Command, CommandGroup } from "../command.js";
import { oneStore } from "../command-line.js";
import { ComandaError } from "../../shared/errors.js";

import { clear } from "./clear.js";
import { drivers } from "./drivers.js";
import { toneOfOutcome } from "../writes.js";
import { t, translated } from "../../shared/language.js";
import { localTime } from "../../shared/local-time.js";

export interface HistoryOptions {
  /** As it was typed. */
  readonly since: string | undefined;
  readonly order: string | undefined;
  readonly store: string | undefined;
  readonly outcome: string | undefined;
}

/** Rows in pieces, newest first. */
type Rows = AsyncIterable<readonly HistoryRow[]>;

export const show: Command<HistoryOptions, Rows> = {
  description: {
    usage: "history",
    summary: "what this machine sent: who did what to which order, and what came of it",
    description:
      "Newest first. Of a write that is unknown nothing tells whether it was done: its process was killed, or no answer " +
      "came. What was done elsewhere, such as in the portal, or sent with --no-journal is not in it.",
    takes: ["store", "format"],
    options: [
      { flags: "--since <moment>", description: "a day, a date-time with offset, or how long ago: 2h, 7d" },
      { flags: "--order <id>", description: "of this order alone" },
      { flags: "--outcome <outcome>", description: "of this outcome alone", choices: attemptOutcomes },
    ],
    examples: [
      "history",
      "history --order 4712",
      "history --since 7d --outcome unknown --json",
      "history drivers",
    ],
  },
  parse: (line) => ({
    since: line.text("--since"),
    order: line.text("--order"),
    store: oneStore(line.globals),
    outcome: line.text("--outcome"),
  }),
  async run(machine, { since, store: named, ...filters }) {
    const { folder, settings } = await machine.state();
    const store = named === undefined ? undefined : await machine.storeAlias(named);
    const filter: HistoryFilter = {
      ...filters,
      ...(store !== undefined && { store, storeNow: storeNow(await settings.read()) }),
      ...(since !== undefined && { since: await machine.moment("--since", since, store) }),
    };
    const { historyBytes, readHistory } = await machine.history();
    // As many lines as there are in a month leave as little behind as calls do.
    if (historyBytes(folder) >= manyBytes) await machine.expectManyCalls();
    return whileWanted(readHistory(folder, filter), machine.context.signal);
  },
  async present(rows, output) {
    if (output.json) {
      for await (const piece of rows) for (const row of piece) output.jsonLine(jsonOf(row));
    } else if (output.format === "csv") await presentCsv(rows, output);
    else await presentTable(rows, output);
  },
};

/** Some thousand rows. */
const manyBytes = 1024 * 1024;

/**
 * Between two pieces the program hears that it is interrupted, or that the reader of its output has gone, as `head` does
 * after a few lines: then nothing more is wanted.
 */
async function* whileWanted(pieces: Iterable<readonly HistoryRow[]>, signal: AbortSignal): Rows {
  for (const piece of pieces) {
    yield piece;
    await new Promise((resolve) => setImmediate(resolve));
    if (!signal.aborted) continue;
    if (signal.reason instanceof ComandaError && signal.reason.code === "output_closed") return;
    throw signal.reason;
  }
}

async function presentCsv(rows: Rows, output: Output): Promise<void> {
  let header = true;
  for await (const piece of rows) {
    await output.records(columns, piece, { header });
    header = false;
  }
  if (header) await output.records(columns, []);
}

/** How wide its columns are is known with the last row. */
async function presentTable(pieces: Rows, output: Output): Promise<void> {
  const rows: HistoryRow[] = [];
  for await (const piece of pieces) for (const row of piece) rows.push(row);
  if (rows.length === 0 && output.format === "table") output.notice(t`The journal has nothing of that.`);
  else await output.records(columns, rows);
}

/** What scripts rely on. */
function jsonOf({ user, actor, ...row }: HistoryRow) {
  const { at, run, store, environment, operation, order_id } = row;
  const { outcome, http_status, code, attempts, evidence } = row;
  return {
    ...{ at, run, store, environment, operation, order_id, arguments: row.arguments },
    ...{ outcome, http_status, code, attempts, evidence, actor: actor ?? user },
  };
}

const columns: readonly Column<HistoryRow>[] = [
  { heading: "When", name: "at", cell: ({ at }) => at, inTable: ({ at }) => localTime(Date.parse(at)) },
  { heading: "Store", name: "store", leftOut: 6, cell: ({ store }) => store },
  { heading: "Environment", name: "environment", leftOut: 5, cell: ({ environment }) => environment },
  { heading: "Operation", name: "operation", cell: ({ operation }) => operation },
  { heading: "Order", name: "order_id", cell: (row) => row.order_id },
  { heading: "With", name: "arguments", cell: (row) => argumentsText(row.arguments) },
  { heading: "Outcome", name: "outcome", cell: ({ outcome }) => translated(outcome), tone: toneOfOutcome },
  { heading: "HTTP", name: "http_status", leftOut: 3, cell: (row) => row.http_status },
  { heading: "Code", name: "code", leftOut: 4, cell: ({ code }) => code },
  { heading: "Attempts", name: "attempts", leftOut: 2, align: "right", cell: ({ attempts }) => attempts },
  {
    heading: "By",
    name: "actor",
    cell: ({ user, actor }) => (actor === undefined ? user : `${actor} (${user ?? "?"})`),
  },
  { heading: "Run", name: "run", leftOut: 1, cell: ({ run }) => run },
];

function argumentsText(given: HistoryRow["arguments"]): string {
  return Object.entries(given)
    .map(([name, value]) => `${name}=${typeof value === "string" ? value : JSON.stringify(value)}`)
    .join(", ");
}

export const history: CommandGroup = {
  name: "history",
  summary: show.description.summary,
  itself: show,
  members: [drivers, clear],
};
