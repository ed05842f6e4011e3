/**
 * Sends writes. An interrupt doesn't cut them off: many can't be repeated, and no shown call reads them back. So after a
 * signal nothing more goes out, and the program waits for the answers to writes that are out.
 */
import type { CallOptions } from "../client/call.js";
import { ComandaError } from "../client/errors.js";
import { t } from "../languages/language.js";

import { oneStore, type CommandLine } from "./command-line.js";
import type { Context } from "../cli/context.js";

/** Every command that sends a write has them. */
export interface WriteOptions {
  readonly store: string | undefined;
  readonly dryRun: boolean;
}

/** @throws {ComandaError} `usage` where several stores are named */
export function writeOptionsOf(line: CommandLine): WriteOptions {
  return { store: oneStore(line.globals), dryRun: line.globals.dryRun };
}

/** @param write makes its calls with these options */
export async function stopGracefully<Result>(
  { signal, output }: Pick<Context, "signal" | "output">,
  write: (options: CallOptions) => Promise<Result>,
): Promise<Result> {
  const onStop = () => {
    const reason = stopReason(signal);
    // Nobody reads the output any more, or nobody pressed a key.
    if (reason.code === "output_closed" || reason.code === "output_failed") return;
    output.notice(
      t`${reason.message} Waiting for the answers that are still out; a second signal gives them up.`,
    );
  };
  signal.addEventListener("abort", onStop, { once: true });
  try {
    return await write({ signal });
  } finally {
    signal.removeEventListener("abort", onStop);
  }
}

export function stopReason({ reason }: AbortSignal): ComandaError {
  return reason instanceof ComandaError ? reason : new ComandaError("interrupted", "Interrupted.");
}
