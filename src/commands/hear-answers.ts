/** Writes that an interruption doesn't cut: many can't be repeated, and no shown call reads them back. */
import type { CallOptions } from "../client/index.js";
import { ComandaError } from "../shared/errors.js";

import type { Invocation } from "./leaf.js";

/**
 * After a signal nothing more goes out, and yet what became of what is out is learnt.
 *
 * @param write makes its calls with the options that it is given
 */
export async function hearAnswers<Result>(
  { context: { signal, grace }, output }: Invocation,
  write: (options: CallOptions) => Promise<Result>,
): Promise<Result> {
  const onStop = () => {
    const reason = reasonOf(signal);
    // Nobody reads on.
    if (reason.code === "output_closed") return;
    output.notice(
      `${reason.message} Waiting for the answers that are still out; a second signal gives them up.`,
    );
  };
  signal.addEventListener("abort", onStop, { once: true });
  try {
    return await write({ signal, grace });
  } finally {
    signal.removeEventListener("abort", onStop);
  }
}

export function reasonOf({ reason }: AbortSignal): ComandaError {
  return reason instanceof ComandaError ? reason : new ComandaError("interrupted", "Interrupted.");
}
