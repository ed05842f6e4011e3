/** The layer that keeps a store's orders moving when its sign-in works no more, and only the Owner could renew that. */
import { ComandaError } from "../../shared/errors.js";
import { callback } from "./callback.js";
import { choose, sendWith, type Credentials } from "./credentials.js";
import type { Attempted, Call, Send } from "./outcome.js";
import { isSpent } from "./retrying.js";
import type { Signature } from "./signature.js";

/** One credential works no more, and another one takes its place. */
export interface FallbackNotice {
  readonly refused: Signature;
  readonly instead: Signature;
}

export interface FallbackOptions {
  readonly credentials: Credentials;
  readonly onFallback: ((notice: FallbackNotice) => void) | undefined;
}

/**
 * A call whose access token is refused, and that may be signed with something else, is sent with that; so are all such
 * calls from then on. A refusal (HTTP 401) comes before anything was done, so that this repeats nothing.
 *
 * @param bySignature signs a call with the first credential that it takes
 * @param next sends a call that is signed
 */
export function fallingBack(options: FallbackOptions, bySignature: Send, next: Send): Send {
  const { credentials, onFallback } = options;
  let bearerIsRefused = false;
  return async <Value>(call: Call<Value>): Promise<Attempted<Value>> => {
    const { operation, progress } = call;
    const others = operation.credentials.filter((signature) => signature !== "bearer");
    const takesEither = others.length > 0 && others.length < operation.credentials.length;
    if (!takesEither) return bySignature(call);

    let refusal = () => bySignature(call);
    if (!bearerIsRefused) {
      try {
        const outcome = await bySignature(call);
        if (!isBearerRefused(outcome, call)) return outcome;
        refusal = () => Promise.resolve(outcome);
      } catch (error) {
        // There is none to be had any more; nothing was sent.
        if (!(error instanceof ComandaError && error.code === "token_refused")) throw error;
        refusal = () => Promise.reject(error);
      }
    }
    const other = await choose(call, credentials, others);
    if (other === undefined) return refusal();
    const [instead, secrets] = other;
    if (!bearerIsRefused) callback("onFallback", () => onFallback?.({ refused: "bearer", instead }));
    bearerIsRefused = true;
    progress.refused = "bearer";
    progress.credential = instead;
    return sendWith(secrets, call, next);
  };
}

function isBearerRefused(outcome: Attempted<unknown>, call: Call<unknown>): boolean {
  const isRefused = outcome.kind === "refusal" && outcome.code === "token_refused";
  return isRefused && call.progress.credential === "bearer" && !isSpent(call);
}
