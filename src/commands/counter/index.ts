/**
 * `comanda counter` shows the figures of the day again and again, above a line to type changes of orders. `live` is
 * another name of it.
 */
import { ComandaError } from "../../shared/errors.js";
import { t } from "../../shared/language.js";
import { isProtected } from "../../state/settings/store-settings.js";
import { wholeNumber, type CommandLine } from "../../toolkit/command-line.js";
import type { Command } from "../../toolkit/command.js";
import { parseDuration } from "../../toolkit/durations.js";
import type { Machine } from "../../toolkit/machine.js";
import type { OpenStores } from "../../sales/ask/stores.js";
import { confirmOption } from "../../toolkit/writes.js";
import { refuseOtherStore } from "../../toolkit/confirmation.js";

import type { CounterStore } from "./counter.js";
import { fillsScreen } from "./full-screen.js";
import { takeLines, type TypedLines } from "./typed-lines.js";
import { linesOf } from "./views.js";
import { emptyBoards, failureOf, lookAtAll, watch, type Pace, type WatchResult } from "./watch.js";

export interface CounterLine extends Pace {
  /** The stores that `--store` names, in order. */
  readonly stores: readonly string[];
  readonly allStores: boolean;
  /** Show the figures alone, without a line to type? */
  readonly watchOnly: boolean;
  /** Milliseconds. */
  readonly undoMs: number;
  readonly confirm: string | undefined;
}

export type CounterResult = WatchResult | TypedLines;

const leastEveryMs = 1_000;

const counterTexts = {
  summary: "today's orders by status as they move, and a line to change them",
  description: [
    "Above stand the day's figures: counts, not orders, since the API shows no list of orders. Below is a line to type: a key and an order's id. d dispatches, e delivers, f finalizes, c cancels: d 4711, c 4712 the kitchen is closed. A driver's name or id behind the id is assigned first, with his fee where one follows: d 4711 bia 7.50; without a key nothing else is done: 4711 bia. An id alone asks which change is meant. Tab completes ids of orders that this machine has seen, by their beginning or their end, and drivers' names.",
    "Nothing goes out for 3 seconds (--undo): u takes back all that has not gone out. q, Ctrl-C, Ctrl-Z, a lost connection or a kill sends nothing that still waited. The last ten changes stand with their outcomes. Each is sent as its own command sends it, with a line in the journal; a protected store's cancel asks for the alias.",
    "With --plain, or where TERM is dumb, each outcome is a line, and an empty line shows the figures. Without a terminal, lines are read from stdin, each as it would be typed, and all are sent; with --json each outcome is a line as of `orders --json`. It ends with 10 where one was not done.",
    "With --watch the figures stand alone, as with --looks and for several stores, which stand side by side; with --json or without a terminal each look is a line of JSON. A look is one call; every 5 minutes a second one asks for the same weekday a week ago until the same time. It asks only what the rate limit leaves over, and shares answers with whatever else looks on this machine. Where there is no room, or the service doesn't answer, the last figures stay, and say how old they are and why.",
  ].join("\n\n"),
};

const liveTexts = {
  summary: "another name of counter; where no terminal types, its figures alone",
  description:
    "At a terminal it is the counter: comanda help counter. Elsewhere it reads nothing: it looks at the figures again and again, as counter --watch does.",
};

function counterCommand(name: "counter" | "live"): Command<CounterLine, CounterResult> {
  return {
    description: {
      usage: name,
      ...(name === "live" ? liveTexts : counterTexts),
      options: [
        { flags: "--undo <duration>", description: "how long u can take a change back", default: "3s" },
        confirmOption,
        { flags: "--watch", description: "the figures alone" },
        { flags: "--every <duration>", description: "from one look to the next", default: "15s" },
        { flags: "--looks <number>", description: "the figures alone, so many times" },
      ],
      takes: ["store", "allStores"],
      examples: [
        name,
        `${name} --store centro --undo 5s`,
        `${name} --watch --all-stores --every 1m`,
        `${name} --store centro --looks 1 --json`,
      ],
    },
    parse(line) {
      const { stores, allStores, maxWaitMs } = line.globals;
      const looks = line.text("--looks");
      return {
        stores,
        allStores,
        maxWaitMs,
        everyMs: parseEvery(line),
        looks: looks === undefined ? undefined : wholeNumber(line, "--looks", { least: 1, most: 1_000_000 }),
        watchOnly: line.flag("--watch") || looks !== undefined,
        undoMs: parseDuration("--undo", line.text("--undo") ?? ""),
        confirm: line.text("--confirm"),
      };
    },
    async run(machine, options) {
      const { stores, undoMs, confirm, everyMs } = options;
      const { clock, signal, stdin } = machine.context;
      const mode = modeOf(machine, options, name);
      if (mode === "watch") return withStores(machine, options, (opened) => watch(machine, opened, options));
      const store = await counterStore(machine, stores[0]);
      refuseOtherStore(store, confirm);
      const counter = { ...store, undoMs, confirm, canAsk: stdin.isTTY === true };
      if (mode === "lines" && (stdin.isTTY !== true || machine.output.json))
        return takeLines(machine, counter, undefined);
      const ofStore = { stores: store.store === undefined ? [] : [store.store], allStores: false };
      return withStores<CounterResult>(machine, ofStore, (opened) => {
        if (mode === "screen") return watch(machine, opened, options, counter);
        let boards = emptyBoards(opened);
        return takeLines(machine, counter, async () => {
          boards = await lookAtAll(machine, opened, boards, { everyMs, signal, until: clock.now() });
          machine.output.text(linesOf(boards, machine));
        });
      });
    },
    failure(result) {
      if (result.kind === "watched") return result.hasLeft ? undefined : failureOf(result.boards);
      const { count, notDone } = result;
      if (notDone === 0) return undefined;
      return new ComandaError("some_failed", t`${notDone} of ${count} lines were not done.`);
    },
  };
}

export const counter = counterCommand("counter");
export const live = counterCommand("live");

/** @throws {ComandaError} `usage` */
function parseEvery(line: CommandLine): number {
  const text = line.text("--every") ?? "";
  const everyMs = parseDuration("--every", text);
  if (everyMs >= leastEveryMs) return everyMs;
  throw new ComandaError("usage", t`--every can't be "${text}": the least is 1s.`, {
    hint: t`For example: ${"--every"} 30s`,
  });
}

/** Nothing is typed where several stores are shown, since an id could be any store's. */
function modeOf(
  machine: Machine,
  { watchOnly, allStores, stores }: CounterLine,
  name: "counter" | "live",
): "watch" | "screen" | "lines" {
  const { context, output } = machine;
  if (watchOnly || allStores || stores.length > 1) return "watch";
  const canType = context.stdin.isTTY === true && machine.settings.input;
  if (canType && fillsScreen(machine)) return "screen";
  // For years `live` has given its figures to scripts, which type nothing.
  return name === "live" && (!canType || output.json || output.columns === undefined) ? "watch" : "lines";
}

async function counterStore(machine: Machine, named: string | undefined): Promise<CounterStore> {
  const { store, label, environment } = await machine.chooseStore({ store: named });
  const { settings } = await machine.state();
  const hasProtection = store !== undefined && isProtected(await settings.read(), store);
  return { store, label, environment, isProtected: hasProtection };
}

async function withStores<Result>(
  machine: Machine,
  { stores, allStores }: Pick<CounterLine, "stores" | "allStores">,
  work: (opened: OpenStores) => Promise<Result>,
): Promise<Result> {
  const { openStores } = await import("../../sales/ask/stores.js");
  const { openOf } = await import("../../sales/results.js");
  const { sayGuessedZones } = await import("../../sales/ask/say-of-stores.js");
  const opened = await openStores(machine, {
    ...{ stores, allStores, presentation: {}, purpose: "watch" },
  });
  try {
    sayGuessedZones(machine.output, openOf(opened));
    return await work(opened);
  } finally {
    await opened.close();
  }
}
