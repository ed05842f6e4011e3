/**
 * Sends writes. An interrupt doesn't cut them off: many can't be repeated, and no shown call reads them back. So after a
 * signal nothing more goes out, and the program waits for the answers to writes that are out.
 */
import type { CallOptions } from "../client/call/caller.js";
import { isRefusal } from "../client/call/outcome.js";
import { ComandaError, type ErrorCode } from "../shared/errors.js";
import { t, translated } from "../shared/language.js";
import { startProgress, type Output, type Tone } from "../terminal/index.js";

import type { OptionDescription } from "./command.js";
import type { Machine } from "./machine.js";

export const noJournalOption: OptionDescription = {
  flags: "--no-journal",
  description:
    "send one and write nothing of it into the journal, as where none can be written: `history` doesn't show it, and if " +
    "its answer is lost, nothing here tells that it was sent",
};

/** Every command that a store can be protected from takes it. */
export const confirmOption: OptionDescription = {
  flags: "--confirm <alias>",
  description: "the store that is meant; a store that is protected asks for it",
};

export const outcomes = ["done", "refused", "failed", "unknown", "skipped"] as const;
/**
 * `refused`: the service refused the write; `failed`: it certainly did not happen; `unknown`: it may have happened;
 * `skipped`: it was not tried.
 */
export type Outcome = (typeof outcomes)[number];

/**
 * Scripts know `code` as the service's number or comanda's name; `service_code` is the number alone.
 */
export function withServiceCode<Line extends { readonly code: number | string | null }>(line: Line) {
  return { ...line, service_code: typeof line.code === "number" ? line.code : null };
}

export function toneOfOutcome({ outcome }: { readonly outcome: Outcome }): Tone {
  const tones = {
    done: "good",
    refused: "bad",
    failed: "bad",
    unknown: "doubtful",
    skipped: "quiet",
  } as const;
  return tones[outcome];
}

export function outcomeOf(error: ComandaError): Outcome {
  if (error.code === "outcome_unknown") return "unknown";
  return error.answer && isRefusal(error.code, error.evidence) ? "refused" : "failed";
}

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

export interface Writes<Item, Row extends { readonly outcome: Outcome }> {
  readonly items: readonly Item[];
  /** At most so many writes are out at once. */
  readonly concurrency: number;
  /** Stands before the progress bar. */
  readonly label: string;
  /** Gives the row of a write that needn't be sent. */
  rowWithoutSending?(item: Item): Row | undefined;
  /** @throws {ComandaError} where the write is not done */
  send(item: Item, options: CallOptions): Promise<Row>;
  failedRow(item: Item, error: ComandaError): Row;
  skippedRow(item: Item, reason: ComandaError): Row;
  onSettled(row: Row): void;
}

export interface WritesResult {
  readonly counts: Readonly<Record<Outcome, number>>;
  /** Why the rest was skipped. */
  readonly endReason: ComandaError | undefined;
}

/** Sends several writes at a time. After a signal, or an error that all would meet, the rest is skipped. */
export async function sendEach<Item, Row extends { readonly outcome: Outcome }>(
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
  const settle = (row: Row) => {
    counts[row.outcome] += 1;
    settled += 1;
    writes.onSettled(row);
    progress.update(settled, counts.done < settled ? t`${settled - counts.done} not done` : "");
  };
  const sendOne = async (item: Item, options: CallOptions) => {
    const row = writes.rowWithoutSending?.(item);
    if (row) {
      settle(row);
      return;
    }
    if (signal.aborted) endReason ??= reasonOf(signal);
    if (endReason) {
      settle(writes.skippedRow(item, endReason));
      return;
    }
    try {
      settle(await writes.send(item, options));
    } catch (error) {
      if (!(error instanceof ComandaError)) throw error;
      if (endsRun(error)) endReason ??= error;
      settle(writes.failedRow(item, error));
    }
  };
  await stopGracefully(machine, (options) =>
    eachOf(items, Math.min(concurrency, items.length), (item) => sendOne(item, options)),
  );
  progress.end();
  return { counts, endReason };
}

/**
 * Calls `work` for each item, at most `concurrency` at once, and keeps no results. `work` never rejects for a failed
 * write.
 */
async function eachOf<Item>(
  items: Iterable<Item>,
  concurrency: number,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const queue = items[Symbol.iterator]();
  const worker = async () => {
    for (let next = queue.next(); next.done !== true; next = queue.next()) await work(next.value);
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
}

/**
 * Would every further write end the same? Then trying them only adds load, and a refused credential may lock the person
 * out.
 */
function endsRun(error: ComandaError): boolean {
  const codes: readonly ErrorCode[] = [
    ...(["token_refused", "not_signed_in", "forbidden", "internal", "callback_failed"] as const),
    // Every write would wait for the lock again.
    "lock_timeout",
    ...stopCodes,
  ];
  return codes.includes(error.code);
}

const stopCodes: readonly ErrorCode[] = ["interrupted", "terminated", "output_closed", "output_failed"];

/** Nothing is shown where nobody reads the output any more. */
export function showCounts(output: Output, { counts, endReason }: WritesResult): void {
  if (endReason?.code === "output_closed") return;
  output.notice(
    outcomes.flatMap((name) => (counts[name] > 0 ? [countText(name, counts[name])] : [])).join(", "),
  );
}

function countText(outcome: Outcome, count: number): string {
  switch (outcome) {
    case "done":
      return t`${count} done`;
    case "refused":
      return t`${count} refused`;
    case "failed":
      return t`${count} failed`;
    case "unknown":
      return t`${count} unknown`;
    case "skipped":
      return t`${count} skipped`;
  }
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
    endReason && t`The run was ended early: ${endReason.message}`,
    endReason?.hint,
    ...(["unknown", "refused", "failed"] as const).map(
      (name) => counts[name] > 0 && translated(words.hints[name]),
    ),
  ].filter((hint) => typeof hint === "string");
  return new ComandaError(
    "some_failed",
    t`${total - counts.done} of ${total} ${translated(words.notDone)}.`,
    {
      ...(hints.length > 0 && { hint: hints.join("\n") }),
    },
  );
}
