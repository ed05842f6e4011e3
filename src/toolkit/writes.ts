/**
 * Sends writes. An interrupt doesn't cut them off: many can't be repeated, and no shown call reads them back. So after a
 * signal nothing more goes out, and the program waits for the answers to writes that are out.
 */
import type { CallOptions } from "../client/call/caller.js";
import { ComandaError, type ErrorCode } from "../shared/errors.js";
import { t, translated } from "../shared/language.js";
import { startProgress, type Output } from "../terminal/index.js";

import type { OptionDescription } from "./command.js";
import { oneStore, type CommandLine } from "./command-line.js";
import type { Machine } from "./machine.js";
import { failedWrite, outcomes, skippedWrite, type Outcome, type WriteOutcome } from "./outcomes.js";

export const noJournalOption: OptionDescription = {
  flags: "--no-journal",
  description:
    "send one and write nothing of it into the journal, as where none can be written: `history` doesn't show it, and if " +
    "its answer is lost, nothing here tells that it was sent",
};

/** Every command that sends a write has them. */
export interface WriteOptions {
  readonly store: string | undefined;
  readonly dryRun: boolean;
  /** Send without a line in the journal. */
  readonly noJournal: boolean;
}

/** @throws {ComandaError} `usage` where several stores are named */
export function writeOptionsOf(line: CommandLine): WriteOptions {
  return {
    store: oneStore(line.globals),
    dryRun: line.globals.dryRun,
    noJournal: line.flag("--no-journal"),
  };
}

/** Every command that a store can be protected from takes it. */
export const confirmOption: OptionDescription = {
  flags: "--confirm <alias>",
  description: "the store that is meant; a store that is protected asks for it",
};

/** @param write makes its calls with these options */
export async function stopGracefully<Result>(
  { context: { signal, grace }, output }: Pick<Machine, "context" | "output">,
  write: (options: CallOptions) => Promise<Result>,
): Promise<Result> {
  const onStop = () => {
    const reason = reasonOf(signal);
    // Nobody reads the output any more, or nobody pressed a key.
    if (reason.code === "output_closed" || reason.code === "output_failed") return;
    output.notice(
      t`${reason.message} Waiting for the answers that are still out; a second signal gives them up.`,
    );
  };
  signal.addEventListener("abort", onStop, { once: true });
  try {
    return await write({ signal, grace });
  } finally {
    signal.removeEventListener("abort", onStop);
  }
}

function reasonOf({ reason }: AbortSignal): ComandaError {
  return reason instanceof ComandaError ? reason : new ComandaError("interrupted", "Interrupted.");
}

export interface Writes<Item, Row extends WriteOutcome> {
  readonly items: readonly Item[];
  /** At most so many writes are out at once. */
  readonly concurrency: number;
  /** Stands before the progress bar. */
  readonly label: string;
  /** Gives the row of a write that needn't be sent. */
  rowWithoutSending?(item: Item): Row | undefined;
  /** @throws {ComandaError} where the write is not done */
  send(item: Item, options: CallOptions): Promise<Row>;
  /** Gives the row of a write that failed or was skipped. */
  row(item: Item, outcome: WriteOutcome): Row;
  onSettled(row: Row): void;
}

export interface WritesResult {
  readonly counts: Readonly<Record<Outcome, number>>;
  /** Why the rest was skipped. */
  readonly endReason: ComandaError | undefined;
}

/** Sends several writes at a time. After a signal, or an error that all would meet, the rest is skipped. */
export async function sendEach<Item, Row extends WriteOutcome>(
  machine: Pick<Machine, "context" | "output">,
  { items, concurrency, label, ...writes }: Writes<Item, Row>,
): Promise<WritesResult> {
  const { signal, clock } = machine.context;
  const counts = { done: 0, refused: 0, failed: 0, unknown: 0, skipped: 0 };
  const progress = startProgress(machine.output.status, {
    total: items.length,
    label,
    now: () => clock.now(),
  });
  let settled = 0;
  let endReason: ComandaError | undefined;
  const rowOf = async (item: Item, options: CallOptions): Promise<Row> => {
    const row = writes.rowWithoutSending?.(item);
    if (row) return row;
    if (signal.aborted) endReason ??= reasonOf(signal);
    if (endReason) return writes.row(item, skippedWrite(endReason));
    try {
      return await writes.send(item, options);
    } catch (error) {
      if (!(error instanceof ComandaError)) throw error;
      if (runEnds.includes(error.code)) endReason ??= error;
      return writes.row(item, failedWrite(error));
    }
  };
  const queue = items.values();
  const worker = async (options: CallOptions) => {
    for (const item of queue) {
      const row = await rowOf(item, options);
      counts[row.outcome] += 1;
      settled += 1;
      writes.onSettled(row);
      progress.update(settled, counts.done < settled ? t`${settled - counts.done} not done` : "");
    }
  };
  await stopGracefully(machine, (options) =>
    Promise.all(Array.from({ length: Math.min(concurrency, items.length) }, () => worker(options))),
  );
  progress.end();
  return { counts, endReason };
}

const stopCodes: readonly ErrorCode[] = ["interrupted", "terminated", "output_closed", "output_failed"];

/**
 * After these errors every further write would end the same: trying them only adds load, and a refused credential may lock
 * the person out.
 */
const runEnds: readonly ErrorCode[] = [
  ...(["token_refused", "not_signed_in", "forbidden", "internal", "callback_failed"] as const),
  // Every write would wait for the lock again.
  "lock_timeout",
  ...stopCodes,
];

/** Nothing is shown where nobody reads the output any more. */
export function showCounts(output: Output, { counts, endReason }: WritesResult): void {
  if (endReason?.code === "output_closed") return;
  const texts: Readonly<Record<Outcome, string>> = {
    done: t`${counts.done} done`,
    refused: t`${counts.refused} refused`,
    failed: t`${counts.failed} failed`,
    unknown: t`${counts.unknown} unknown`,
    skipped: t`${counts.skipped} skipped`,
  };
  const told = outcomes.filter((name) => counts[name] > 0);
  output.notice(told.map((name) => texts[name]).join(", "));
}

/** The words of {@link incompleteError} for the kind of write. */
export interface WriteWords {
  /** After a number: `orders were not done`. */
  readonly notDone: string;
  /** Each hint says what the outcome means, and what to do. */
  readonly hints: Readonly<Record<"unknown" | "refused" | "failed", string>>;
}

/** @returns the signal that ended the run, or else how many writes were not done; `undefined` where all were */
export function incompleteError(
  { counts, endReason }: WritesResult,
  words: WriteWords,
): ComandaError | undefined {
  if (endReason && stopCodes.includes(endReason.code)) return endReason;
  const total = outcomes.reduce((sum, name) => sum + counts[name], 0);
  if (counts.done === total) return undefined;
  const hints = [
    ...(endReason ? [t`The run was ended early: ${endReason.message}`, endReason.hint ?? []].flat() : []),
    ...(["unknown", "refused", "failed"] as const)
      .filter((name) => counts[name] > 0)
      .map((name) => translated(words.hints[name])),
  ];
  return new ComandaError(
    "some_failed",
    t`${total - counts.done} of ${total} ${translated(words.notDone)}.`,
    {
      ...(hints.length > 0 && { hint: hints.join("\n") }),
    },
  );
}
