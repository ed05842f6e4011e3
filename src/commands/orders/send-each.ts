/** Sends many writes, several at a time, and ends early in good order: of what is out, the answer is still heard. */
import type { CallOptions } from "../../client/index.js";
import { ComandaError } from "../../shared/errors.js";
import { startProgress, type Output } from "../../terminal/index.js";
import type { Context } from "../context.js";
import { hearAnswers, reasonOf } from "../hear-answers.js";
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

export async function sendEach<Item, Row extends { readonly outcome: Outcome }>(
  invocation: Invocation,
  { items, width, label, ...run }: Run<Item, Row>,
): Promise<Ran> {
  const {
    context: { signal, clock, stderr },
    globals,
  } = invocation;
  const counts = { done: 0, refused: 0, failed: 0, unknown: 0, skipped: 0 };
  const progress = startProgress(globals.quiet ? { write: () => undefined } : stderr, {
    total: items.length,
    label,
    now: () => clock.now(),
  });
  let finished = 0;
  let ended: ComandaError | undefined;
  const settle = (row: Row) => {
    counts[row.outcome] += 1;
    finished += 1;
    run.settled(row);
    progress.update(finished, counts.done < finished ? `${finished - counts.done} not done` : "");
  };
  const sendOne = async (item: Item, options: CallOptions) => {
    if (signal.aborted) ended ??= reasonOf(signal);
    if (ended) {
      settle(run.skipped(item, ended));
      return;
    }
    try {
      settle(await run.send(item, options));
    } catch (error) {
      if (!(error instanceof ComandaError)) throw error;
      if (endsTheRun(error)) ended ??= error;
      settle(run.failed(item, error));
    }
  };
  await hearAnswers(invocation, (options) =>
    eachOf(items, Math.min(width, items.length), (item) => sendOne(item, options)),
  );
  progress.end();
  return { counts, ended };
}

/**
 * Says how many came to what, and nothing where nobody reads on.
 *
 * @throws the signal's reason
 */
export function conclude({ context, output }: Invocation, ran: Ran): void {
  tellCounts(output, ran);
  const interruption = interruptionOf(context, ran);
  if (interruption) throw interruption;
}

/** How many came to what, for the person who waits; nothing where nobody reads on. */
export function tellCounts(output: Output, { counts, ended }: Ran): void {
  if (ended?.code === "output_closed") return;
  output.notice(outcomes.flatMap((name) => (counts[name] > 0 ? [`${counts[name]} ${name}`] : [])).join(", "));
}

/** Why the program was told to stop. All may have been done by then; a signal's exit code stays. */
export function interruptionOf(
  { signal }: Pick<Context, "signal">,
  { ended }: Ran,
): ComandaError | undefined {
  if (!signal.aborted) return undefined;
  const reason = reasonOf(signal);
  return ended !== undefined || reason.code !== "output_closed" ? reason : undefined;
}
