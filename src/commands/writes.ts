/** What commands that change something share: order ids, the sending, and what is told of an order. */
import type { CancelInput } from "../api/models.js";
import type { StatusChange } from "../api/operations.js";
import type { Context } from "../cli/context.js";
import type { Output } from "../cli/output.js";
import type { Tone } from "../cli/text.js";
import type { CallOptions } from "../client/options.js";
import type { Client, DescribedRequest } from "../client/client.js";
import { ComandaError, type Outcome } from "../client/errors.js";
import { t } from "../languages/language.js";

/** Each with its operation's id in the contract, and with the word for an order to which it was done. */
export const orderActions = {
  dispatch: { operation: "dispatchOrder", done: "dispatched" },
  deliver: { operation: "deliverOrder", done: "delivered" },
  finalize: { operation: "finalizeOrder", done: "finalized" },
  cancel: { operation: "cancelOrder", done: "canceled" },
} as const satisfies Readonly<Record<StatusChange, object>>;

/**
 * @param word with or without a `#` before it
 * @param where names the place of the word, for the error
 * @throws {ComandaError} `invalid_input` for anything but digits
 */
export function orderId(word: string, where: string): string {
  const id = word.trim().replace(/^#/, "");
  if (/^\d+$/.test(id)) return id;
  throw new ComandaError(
    "invalid_input",
    id === ""
      ? t`An order id (${where}) is empty; nothing was sent.`
      : t`An order id (${where}) is digits alone, not "${id.slice(0, 60)}"; nothing was sent.`,
    { hint: t`Give several as separate arguments, or one a line on stdin.` },
  );
}

/**
 * An interrupt doesn't cut a write off: many can't be repeated, and no shown call reads them back. So after a signal nothing
 * more goes out, and the program waits for the answers to writes that are out.
 *
 * @param write makes its calls with these options
 */
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
  return reason instanceof ComandaError ? reason : new ComandaError("interrupted", t`Interrupted.`);
}

/** @throws {ComandaError} what the client throws */
export function sendChange(
  client: Client,
  action: StatusChange,
  order: string,
  input: CancelInput,
  options: CallOptions,
): Promise<Outcome> {
  if (action === "cancel") return client.cancelOrder(order, input, options);
  return client[orderActions[action].operation](order, options);
}

/** What became of one order: a line of `--json`, and a row of every other format. Scripts rely on these names. */
export interface OrderLine {
  readonly order_id: string;
  readonly action: StatusChange;
  /** Of an order that was not tried it is `skipped`. */
  readonly outcome: Outcome["outcome"] | "skipped";
  readonly http_status: number | null;
  readonly code: string | null;
  readonly message: string | null;
  readonly details: string | null;
  readonly attempts: number;
  readonly evidence: Outcome["evidence"];
  /** An earlier command sent it; absent where this one did. */
  readonly resumed?: true;
  readonly service_code: number | null;
}

export function orderLine(order: string, action: StatusChange, came: Outcome): OrderLine {
  const error = came instanceof ComandaError ? came : undefined;
  const { outcome, httpStatus, code, attempts, evidence, serviceCode } = came;
  const isUnknown = outcome === "unknown";
  const said = error?.serviceMessage ?? null;
  return {
    order_id: order,
    action,
    outcome,
    http_status: httpStatus,
    code,
    // The service's texts tell the outcome of a write, except where that is unknown.
    message: (isUnknown ? null : said) ?? error?.message ?? null,
    details: error?.details ?? (isUnknown ? said : null),
    attempts,
    evidence,
    service_code: serviceCode,
  };
}

/**
 * Puts the order and its store into the error's message.
 *
 * @param place as in `Store`
 */
export function orderError(error: ComandaError, order: string, place: string): ComandaError {
  if (error.code === "output_closed" || error.code === "output_failed") return error;
  // "The service …" continues a sentence, so its capital goes; "HTTP …" stays as it is.
  const rest = error.message.replace(/^\p{Lu}(?!\p{Lu})/u, (first) => first.toLowerCase());
  return error.reworded(t`Order ${order} ${place}: ${rest}`);
}

const tones: Readonly<Record<OrderLine["outcome"], Tone>> = {
  done: "good",
  refused: "bad",
  failed: "bad",
  unknown: "doubtful",
  skipped: "quiet",
};

export function toneOfOutcome({ outcome }: Pick<OrderLine, "outcome">): Tone {
  return tones[outcome];
}

/** Shows for `--dry-run` the requests as they would be sent, with secrets masked. */
export function showRequests(output: Output, requests: readonly DescribedRequest[]): void {
  for (const { method, url, headers, body } of requests) {
    if (output.json) {
      output.value({ method, url, headers, body: body ?? null });
      continue;
    }
    output.line(`${method} ${url}`);
    for (const [name, value] of Object.entries(headers)) output.line(`${name}: ${value}`);
    if (body !== undefined) output.line(body);
    output.line("");
  }
  output.notice(t`Nothing was sent (--dry-run).`);
}
