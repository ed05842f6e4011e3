/** Sends many writes, several at a time, and ends early in good order: of what is out, the answer is still heard. */
import type { CallOptions } from "../../client/index.js";
import { ComandaError } from "../../errors/index.js";
import { startProgress } from "../../terminal/index.js";
import type { Context } from "../context.js";
import type { Invocation } from "../leaf.js";

import { endsTheRun, outcomes, type Outcome } from "./outcomes.js";
import { eachOf } from "./pool.js";

export interface Run<Item, Row extends { readonly outcome: Outcome }> {
  readonly items: readonly Item[];
  /** Under way at once, at most. */
  readonly width: number;
  /** Before the progress. */
  readonly label: string;
  /** @throws {ComandaError} where it is not done */
  send(item: Item, options: CallOptions): Promise<Row>;
  failed(item: Item, error: ComandaError): Row;
  skipped(item: Item, because: ComandaError): Row;
  /** Told of each as it is settled. */
  settled(row: Row): void;
}

export type Counts = Readonly<Record<Outcome, number>>;

export interface Ran {
  readonly counts: Counts;
  /** Why the rest was skipped. */
  readonly ended: ComandaError | undefined;
}

/**
 * What a write is called with, so that an interruption starts nothing more and yet learns what became of what is out:
 * many writes can't be repeated, and no shown call reads them back.
 */
export function writeOptions({ signal, grace }: Pick<Context, "signal" | "grace">): CallOptions {
  return { signal, grace };
}

export async function sendEach<Item, Row extends { readonly outcome: Outcome }>(
  { context, globals, output }: Invocation,
  { items, width, label, ...run }: Run<Item, Row>,
): Promise<Ran> {
  const { signal, clock, stderr } = context;
  const counts = { done: 0, refused: 0, failed: 0, unknown: 0, skipped: 0 };
  const progress = startProgress(globals.quiet ? { write: () => undefined } : stderr, {
    ...{ total: items.length, label, now: () => clock.now() },
  });
  let finished = 0;
  let ended: ComandaError | undefined;
  const settle = (row: Row) => {
    counts[row.outcome] += 1;
    finished += 1;
    run.settled(row);
    progress.update(finished, counts.done < finished ? `${finished - counts.done} not done` : "");
  };
  const onStop = () => {
    const reason = reasonOf(signal);
    if (reason.code !== "output_closed")
      output.notice(
        `${reason.message} Waiting for the answers that are still out; a second signal gives them up.`,
      );
  };
  signal.addEventListener("abort", onStop, { once: true });
  await eachOf(items, Math.min(width, items.length), async (item) => {
    if (signal.aborted) ended ??= reasonOf(signal);
    if (ended) {
      settle(run.skipped(item, ended));
      return;
    }
    try {
      settle(await run.send(item, writeOptions(context)));
    } catch (error) {
      if (!(error instanceof ComandaError)) throw error;
      if (endsTheRun(error)) ended ??= error;
      settle(run.failed(item, error));
    }
  });
  signal.removeEventListener("abort", onStop);
  progress.end();
  return { counts, ended };
}

/**
 * Says how many came to what, and nothing where nobody reads on.
 *
 * @throws the signal's reason
 */
export function conclude({ context, output }: Invocation, { counts, ended }: Ran): void {
  if (ended?.code !== "output_closed")
    output.notice(
      outcomes.flatMap((name) => (counts[name] > 0 ? [`${counts[name]} ${name}`] : [])).join(", "),
    );
  // All may have been done by then; a signal's exit code stays.
  if (ended !== undefined || reasonOf(context.signal).code !== "output_closed")
    context.signal.throwIfAborted();
}

function reasonOf({ reason }: AbortSignal): ComandaError {
  return reason instanceof ComandaError ? reason : new ComandaError("interrupted", "Interrupted.");
}
