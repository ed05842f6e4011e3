/** Decides for each order what a resumed run does with it. Pure. */
import { createHash } from "node:crypto";

import { errorCodes } from "../../contract/errors.js";
import type { AttemptOutcome, AttemptResult } from "./write.js";

/** An order as earlier processes left it. */
export type Earlier = Pick<AttemptResult, "http_status" | "code" | "evidence"> & {
  readonly outcome: AttemptOutcome;
  readonly attempts: number;
};

/**
 * Is it told again, and not sent? So it is where the same would be answered, and where nothing is known: a person looks it
 * up first. Anything else has not gone out, or certainly was not done.
 */
export function isTold(earlier: Earlier | undefined): earlier is Earlier {
  return earlier !== undefined && (earlier.outcome === "unknown" || isSettled(earlier));
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
