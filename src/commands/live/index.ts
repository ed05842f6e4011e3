/** `comanda live`: the orders of the day by status, looked at again and again. */
import { rateLimits } from "../../contract/limits.js";
import { ComandaError } from "../../shared/errors.js";
import { t } from "../../shared/language.js";
import { countsRequests } from "../../state/limiter.js";
import type { MissingStore } from "../../sales/results.js";
import { wholeNumber, type CommandLine } from "../../toolkit/command-line.js";
import type { Command } from "../../toolkit/command.js";
import { parseDuration } from "../../toolkit/durations.js";
import type { Machine } from "../../toolkit/machine.js";
import { missingAmong, sayGuessedZones } from "../../sales/ask/say-of-stores.js";
import { duration } from "../../sales/ask/progress.js";
import type { OpenStores } from "../../sales/ask/stores.js";

import type { Board } from "./board.js";
import { noRoom } from "./panels.js";
import { emptyBoard, lookAt, type Looking } from "./look.js";
import { fillsScreen, openView, type View } from "./views.js";

export interface LiveOptions {
  /** The stores that `--store` names, in order. */
  readonly stores: readonly string[];
  readonly allStores: boolean;
  /** Milliseconds from one look to the next. */
  readonly everyMs: number;
  /** After how many looks it ends; absent for a person or a signal to end it. */
  readonly looks: number | undefined;
  /** Milliseconds that the first look may wait for a place within the rate limit, where no screen says so. */
  readonly maxWaitMs: number;
}

export interface Watched {
  /** The boards after the last look. */
  readonly boards: readonly Board[];
  /** Did the person leave, rather than the looks come to their end? */
  readonly left: boolean;
}

const leastEveryMs = 1_000;
/** What the limits leave over where nobody else asks: one call of each window is left to other commands. */
const looksAtOnce = rateLimits.summary_grouped.limit - 1;
const paceMs = rateLimits.summary_grouped.windowMs / looksAtOnce;

export const live: Command<LiveOptions, Watched> = {
  description: {
    usage: "live",
    summary: "today's orders by status as they move, and the takings against the same weekday",
    description: [
      "Counts, not orders: the API shows no list of orders. A look is one call, with what moved since the look before; every 5 minutes a second call asks for the same weekday a week ago until the same time. A day is the store's, from when it starts.",
      "At a terminal it fills the screen, stores side by side; q or Ctrl-C ends it, and Ctrl-Z sets it aside until `fg`. With --plain, or where TERM is dumb, each look is a block of lines. With --json, and without a terminal, each look is one line of JSON.",
      "It asks only what the rate limit leaves over: other commands go first, and one call a minute stays free for them. Where there is no room, or the service doesn't answer, the last figures stay, and say how old they are and why. Only the first look has to succeed.",
    ].join("\n\n"),
    options: [
      { flags: "--every <duration>", description: "from one look to the next", default: "15s" },
      { flags: "--looks <number>", description: "end after so many looks" },
    ],
    takes: ["store", "allStores"],
    examples: ["live", "live --all-stores --every 1m", "live --store centro --looks 1 --json"],
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
    };
  },
  async run(machine, { stores, allStores, ...pace }) {
    const { openStores } = await import("../../sales/ask/stores.js");
    const opened = await openStores(machine, {
      stores,
      allStores,
      presentation: {},
      background: true,
      once: true,
      isAnnounced: () => true,
    });
    try {
      sayGuessedZones(machine.output, opened);
      return await watch(machine, opened, pace);
    } finally {
      await opened.close();
    }
  },
  failure: ({ boards, left }) => (left ? undefined : failureOf(boards)),
};

/** @throws {ComandaError} `usage` */
function parseEvery(line: CommandLine): number {
  const text = line.text("--every") ?? "";
  const everyMs = parseDuration("--every", text);
  if (everyMs >= leastEveryMs) return everyMs;
  throw new ComandaError("usage", t`--every can't be "${text}": the least is 1s.`, {
    hint: t`For example: ${"--every"} 30s`,
  });
}

/** @throws {ComandaError} what went wrong at the first look, where no store was answered; the signal's reason */
async function watch(
  machine: Machine,
  opened: OpenStores,
  { everyMs, looks, maxWaitMs }: Pick<LiveOptions, "everyMs" | "looks" | "maxWaitMs">,
): Promise<Watched> {
  const { context } = machine;
  const { clock } = context;
  const stores = opened.kind === "one store" ? [opened.store] : opened.stores;
  let boards = stores.map((store) => (store.kind === "missing" ? missingBoard(store) : emptyBoard(store)));
  const look = async (pace: Omit<Looking, "maxAgeMs">) => {
    // What another process was told since the last look is as good as a look of one's own.
    const looking = { ...pace, maxAgeMs: everyMs - 1 };
    const next = stores.map(async (store, index) => {
      const board = boards[index];
      return store.kind === "missing" || !board ? undefined : lookAt(machine, store, board, looking);
    });
    const looks = await Promise.all(next);
    boards = boards.map((board, index) => looks[index] ?? board);
  };
  await look(firstLook(machine, maxWaitMs));
  const failure = boards.some((board) => board.look ?? !board.failure) ? undefined : failureOf(boards);
  if (failure) throw failure;
  const view = openView(machine, paceNote(machine, { everyMs, looks }));
  try {
    for (let count = 1; ; count += 1) {
      const nextAt = clock.now() + everyMs;
      view.show(boards, count === looks ? undefined : nextAt);
      if (count === looks) return { boards, left: false };
      await clock.sleep(Math.max(0, nextAt - clock.now()), view.signal);
      await look({ signal: view.signal, until: clock.now() + everyMs });
    }
  } catch (error) {
    if (!hasLeft(view, context.signal)) throw error;
    return { boards, left: true };
  } finally {
    view.close();
  }
}

/** A screen shows at once that there is no room yet. Elsewhere the look waits for it, as any call. */
function firstLook(machine: Machine, maxWaitMs: number): Omit<Looking, "maxAgeMs"> {
  const { context, output } = machine;
  const [signal, now] = [context.signal, context.clock.now()];
  if (fillsScreen(machine)) return { signal, until: now };
  let said = false;
  const onWait = () => {
    if (!said) output.notice(noRoom());
    said = true;
  };
  return { signal, until: now + maxWaitMs, onWait };
}

function hasLeft({ left }: View, signal: AbortSignal): boolean {
  return left && !signal.aborted;
}

function missingBoard({ store, error }: MissingStore): Board {
  return {
    store,
    zone: "UTC",
    display: { locale: "en", currency: undefined },
    isLimited: false,
    failure: error,
  };
}

/** One store's own failure; of several, that some of them gave no figures. */
function failureOf(boards: readonly Board[]): ComandaError | undefined {
  const [first] = boards;
  if (boards.length === 1) return first?.failure;
  return missingAmong(
    boards.map(({ store, failure }) =>
      failure ? { kind: "missing", store, error: failure } : { kind: "figures" },
    ),
  );
}

/** Looks that are fewer than the limit leaves go out as soon as they are wanted. */
function paceNote(
  { context }: Machine,
  { everyMs, looks = Infinity }: Pick<LiveOptions, "everyMs" | "looks">,
): string | undefined {
  if (everyMs >= paceMs || looks <= looksAtOnce || !countsRequests(context)) return undefined;
  return t`Every ${duration(everyMs)} is more often than the limits allow: figures come about every ${duration(paceMs)}.`;
}
