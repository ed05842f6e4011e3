/**
 * Sends writes, one or many. An interrupt doesn't cut them: many can't be repeated, and no shown call reads them back.
 * So after a signal nothing more goes out, and the answers to what is out are waited for.
 */
import type { CallOptions } from "../client/index.js";
import { isRefusal } from "../client/call/retry.js";
import { ComandaError, type ErrorCode } from "../shared/errors.js";
import { t, translated } from "../shared/language.js";
import { startProgress, type Output, type Tone } from "../terminal/index.js";

import type { OptionDescription } from "./command.js";
import type { Machine } from "./machine.js";

/** The option of commands that send one write. */
export const noJournalOption: OptionDescription = {
  flags: "--no-journal",
  description:
    "send one and write nothing of it into the journal, as where none can be written: `history` doesn't show it, and if " +
    "its answer is lost, nothing here tells that it was sent",
};

/** Every command that a store is protected from takes it. */
export const confirmOption: OptionDescription = {
  flags: "--confirm <alias>",
  description: "the store that is meant; a store that is protected asks for it",
};

export const outcomes = ["done", "refused", "failed", "unknown", "skipped"] as const;
/**
 * What became of one write. `refused`: the service said no; `failed`: it certainly did not happen; `unknown`: it may
 * have happened; `skipped`: it was not tried.
 */
export type Outcome = (typeof outcomes)[number];

/**
 * A line of one write, for programs. Its `code` is the service's number where it gave one, as scripts know it; beside it
 * stands what is the number alone.
 */
export function withServiceCode<Line extends { readonly code: number | string | null }>(line: Line) {
  return { ...line, service_code: typeof line.code === "number" ? line.code : null };
}

/** The colour of the word in a table. */
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

/** @param write makes its calls with the options that it is given */
export async function stopGracefully<Result>(
  { context: { signal, grace }, output }: Pick<Machine, "context" | "output">,
  write: (options: CallOptions) => Promise<Result>,
): Promise<Result> {
  const onStop = () => {
    const reason = reasonOf(signal);
    // Nobody reads on, or nobody pressed a key.
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
  /** Under way at once, at most. */
  readonly concurrency: number;
  /** Before the progress. */
  readonly label: string;
  /** Gives the outcome of a write that needn't be sent. */
  known?(item: Item): Row | undefined;
  /** @throws {ComandaError} where it is not done */
  send(item: Item, options: CallOptions): Promise<Row>;
  failed(item: Item, error: ComandaError): Row;
  skipped(item: Item, because: ComandaError): Row;
  /** Told of each as it is settled. */
  settled(row: Row): void;
}

export interface WritesResult {
  readonly counts: Readonly<Record<Outcome, number>>;
  /** Why the rest was skipped. */
  readonly ended: ComandaError | undefined;
}

/** Sends each of many, several at a time, and ends early in good order. */
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
  let ended: ComandaError | undefined;
  const settle = (row: Row) => {
    counts[row.outcome] += 1;
    settled += 1;
    writes.settled(row);
    progress.update(settled, counts.done < settled ? t`${settled - counts.done} not done` : "");
  };
  const sendOne = async (item: Item, options: CallOptions) => {
    const row = writes.known?.(item);
    if (row) {
      settle(row);
      return;
    }
    if (signal.aborted) ended ??= reasonOf(signal);
    if (ended) {
      settle(writes.skipped(item, ended));
      return;
    }
    try {
      settle(await writes.send(item, options));
    } catch (error) {
      if (!(error instanceof ComandaError)) throw error;
      if (endsTheRun(error)) ended ??= error;
      settle(writes.failed(item, error));
    }
  };
  await stopGracefully(machine, (options) =>
    eachOf(items, Math.min(concurrency, items.length), (item) => sendOne(item, options)),
  );
  progress.end();
  return { counts, ended };
}

/**
 * Calls `work` for each item, at most `concurrency` at once, and holds no more than what is under way. `work` turns its
 * own failures into values.
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
 * Would every further write fare the same? Then trying them only adds load, and for a refused credential may lock the
 * person out.
 */
function endsTheRun(error: ComandaError): boolean {
  const codes: readonly ErrorCode[] = [
    ...(["token_refused", "not_signed_in", "forbidden", "internal", "callback_failed"] as const),
    // Each would wait for the lock anew.
    "lock_timeout",
    ...stopCodes,
  ];
  return codes.includes(error.code);
}

const stopCodes: readonly ErrorCode[] = ["interrupted", "terminated", "output_closed", "output_failed"];

/** How many came to what, for the person who waits; nothing where nobody reads on. */
export function tellCounts(output: Output, { counts, ended }: WritesResult): void {
  if (ended?.code === "output_closed") return;
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

/** What the sentences of {@link notAllDone} say of the things that were written. */
export interface WriteWords {
  /** After a number: `orders were not done`. */
  readonly notDone: string;
  /** What is known of each outcome, and what to do. */
  readonly hints: Readonly<Record<"unknown" | "refused" | "failed", string>>;
}

/** @returns what the program ends with where not all are done: the signal that ended the run, or how many are left */
export function notAllDone({ counts, ended }: WritesResult, words: WriteWords): ComandaError | undefined {
  if (ended && stopCodes.includes(ended.code)) return ended;
  const total = outcomes.reduce((sum, name) => sum + counts[name], 0);
  if (counts.done === total) return undefined;
  const hints = [
    ended && t`The run was ended early: ${ended.message}`,
    ended?.hint,
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
