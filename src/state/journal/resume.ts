/** Decides for each order what a resumed run does with it. Pure. */
import { createHash } from "node:crypto";

import { errorCodes } from "../../contract/errors.js";
import type { AttemptOutcome, AttemptResult } from "./write.js";

/** An order as earlier processes left it. */
export type Earlier = Pick<AttemptResult, "http_status" | "code" | "evidence"> & {
  readonly outcome: AttemptOutcome;
  readonly attempts: number;
};

/** The step that is taken with one order of a run. */
export type Step =
  /** The order has not gone out, or certainly was not done. */
  | { readonly kind: "send" }
  /** The outcome is told again, and nothing is sent. */
  | { readonly kind: "tell"; readonly earlier: Earlier };

/**
 * @param earlier what earlier processes left of the order
 * @param retryUnknown send those too of which nothing is known
 */
export function stepOf(earlier: Earlier | undefined, retryUnknown: boolean): Step {
  if (!earlier) return { kind: "send" };
  if (isSettled(earlier)) return { kind: "tell", earlier };
  return earlier.outcome === "unknown" && !retryUnknown ? { kind: "tell", earlier } : { kind: "send" };
}

/** These statuses refuse the caller and not the order: after a sign-in, or in a while, the answer is another. */
const notAboutTheOrder: ReadonlySet<number | string | null> = new Set([401, 403, 429]);
/** These are about the order, whatever status they come with. */
const aboutTheOrder: ReadonlySet<number | string | null> = new Set([
  errorCodes.invalidParameters,
  errorCodes.statusCannotChange,
  errorCodes.notFound,
]);

type AnyResult = Pick<AttemptResult, "http_status" | "code" | "evidence"> & { readonly outcome: string };

/**
 * Will the same be answered to whoever asks again? Only the API's own word on the order settles it: what a gateway says,
 * says nothing of the order.
 */
export function isSettled({ outcome, http_status: status, code, evidence }: AnyResult): boolean {
  if (outcome === "done") return true;
  if (evidence !== "api") return false;
  // Done before, or refused: a third request would be answered like the second.
  if (outcome === "unknown") return code === errorCodes.statusCannotChange;
  if (outcome !== "refused" || code === errorCodes.invalidToken) return false;
  return aboutTheOrder.has(code) || !notAboutTheOrder.has(status);
}

/** Equal lists have an equal digest, in whatever order they come. */
export function digestOf(orders: readonly string[]): string {
  return createHash("sha256")
    .update(JSON.stringify([...orders].sort()))
    .digest("hex");
}
