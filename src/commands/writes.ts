/**
 * Sends writes. An interrupt doesn't cut them off: many can't be repeated, and no shown call reads them back. So after a
 * signal nothing more goes out, and the program waits for the answers to writes that are out.
 */
import type { CallOptions } from "../client/call.js";
import type { DescribedRequest } from "../client/client.js";
import type { Output } from "../cli/output.js";
import { ComandaError } from "../client/errors.js";
import { t } from "../languages/language.js";

import type { Context } from "../cli/context.js";

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

/** Shows for `--dry-run` the requests as they would be sent, with secrets masked. */
export function showRequests(output: Output, requests: readonly DescribedRequest[]): void {
  for (const { method, url, headers, body } of requests) {
    if (output.json) {
      output.jsonLine({ method, url, headers, body: body ?? null });
      continue;
    }
    output.line(`${method} ${url}`);
    for (const [name, value] of Object.entries(headers)) output.line(`${name}: ${value}`);
    if (body !== undefined) output.line(body);
    output.line("");
  }
  output.notice(t`Nothing was sent (--dry-run).`);
}
