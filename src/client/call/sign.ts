/** The layer that signs each request with the one credential that its operation takes: section 5.1. */
import { ComandaError } from "../errors.js";
import { isSpent, type Call, type Send } from "./call.js";
import { callback } from "./callback.js";
import { askFor, chooseCredentials, notSignedIn, sendable, textOf, type Credentials } from "./credentials.js";
import type { Attempt, FailedAttempt, Refusal } from "./outcome.js";
import { maskedHead, maskedService, signedHeaders, type Secrets } from "./signature.js";

export interface SigningOptions {
  readonly credentials: Credentials;
  readonly onFallback: (() => void) | undefined;
}

/**
 * A call whose access token is refused is sent again with the token that another call has got meanwhile, then with a new
 * one. Where that is refused too, a call that may be signed with something else is sent with that, and so are all such
 * calls from then on: only the Owner could renew the sign-in, and the store's orders keep moving. A refusal (HTTP 401)
 * comes before anything was done, so that this repeats nothing.
 *
 * @throws {ComandaError} `not_signed_in`, `callback_failed`, and whatever `ComandaError` the credentials throw
 * @throws the signal's reason
 */
export function signing({ credentials, onFallback }: SigningOptions, next: Send): Send {
  const tokens = shareRenewals(async (refused) => {
    const token = textOf("renew", await credentials.renew?.(refused));
    if (token !== undefined) sendable({ bearer: token });
    return token;
  });
  const renew = (refused: string, call: Call<unknown>) => askFor("renew", call, () => tokens.renew(refused));
  const renewAdopted = async (refused: string, call: Call<unknown>) =>
    credentials.isAdopted?.(refused) ? renew(refused, call) : undefined;
  let bearerIsRefused = false;

  async function signed<Value>(call: Call<Value>): Promise<Attempt<Value>> {
    const choice = await chooseCredentials(call, credentials, call.operation.credentials);
    if (choice === undefined) throw notSignedIn(call.operation, credentials);
    const [signature, secrets] = choice;
    call.progress.credential = signature;
    let attempt = await sendWith(secrets, call, next);
    let { bearer } = secrets;
    for (const replace of [tokens.replacementOf, renew, renewAdopted]) {
      if (bearer === undefined || !isTokenRefused(attempt, call)) break;
      const token = await replace(bearer, call);
      if (token === undefined) continue;
      bearer = token;
      attempt = await sendWith({ bearer }, call, next);
    }
    return attempt;
  }

  return async <Value>(call: Call<Value>): Promise<Attempt<Value>> => {
    const { operation, progress } = call;
    const others = operation.credentials.filter((signature) => signature !== "bearer");
    const takesEither = others.length > 0 && others.length < operation.credentials.length;
    if (!takesEither) return signed(call);

    let refusal = () => signed(call);
    if (!bearerIsRefused) {
      try {
        const attempt = await signed(call);
        if (progress.credential !== "bearer" || !isTokenRefused(attempt, call)) return attempt;
        refusal = () => Promise.resolve(attempt);
      } catch (error) {
        // There is none to be had any more; nothing was sent.
        if (!(error instanceof ComandaError && error.code === "token_refused")) throw error;
        refusal = () => Promise.reject(error);
      }
    }
    const choice = await chooseCredentials(call, credentials, others);
    if (choice === undefined) return refusal();
    const [instead, secrets] = choice;
    if (!bearerIsRefused) callback("onFallback", () => onFallback?.());
    bearerIsRefused = true;
    progress.refused = "bearer";
    progress.credential = instead;
    return sendWith(secrets, call, next);
  };
}

/** Was the token refused, and can the call be sent again? */
function isTokenRefused(attempt: Attempt<unknown>, call: Call<unknown>): boolean {
  return attempt.kind === "refusal" && attempt.code === "token_refused" && !isSpent(call);
}

/** Sends the call with these secrets; what quotes them back is masked. */
async function sendWith<Value>(secrets: Secrets, call: Call<Value>, next: Send): Promise<Attempt<Value>> {
  const { progress } = call;
  const request = { ...call.request, headers: signedHeaders(call.request.headers, secrets) };
  let attempt: Attempt<Value>;
  try {
    attempt = await next({ ...call, request });
  } finally {
    if (progress.doubt) progress.doubt = maskedFailure(progress.doubt, secrets);
  }
  if (attempt.kind !== "success") return maskedFailure(attempt, secrets);
  return { ...attempt, answer: maskedHead(attempt.answer, secrets) };
}

function maskedFailure(attempt: FailedAttempt, secrets: Secrets): FailedAttempt {
  if (attempt.kind === "no_answer") return attempt;
  const service = maskedService(attempt.service, secrets);
  const answer = maskedHead(attempt.answer, secrets);
  return { ...attempt, service, answer } satisfies Refusal;
}

/**
 * Shares the renewals of access tokens between the calls of a client. A service that rotates refresh tokens takes a second
 * use of one for theft, and ends the sign-in (RFC 9700, section 4.14.2): a token is therefore renewed once, however many
 * calls it was refused to.
 *
 * @param getNew asks for another token; nobody's signal ends it, since others may be waiting for it too
 */
function shareRenewals(getNew: (refused: string) => Promise<string | undefined>) {
  const running = new Map<string, Promise<string | undefined>>();
  const replacements = new Map<string, string>();

  async function renewed(refused: string): Promise<string | undefined> {
    try {
      const token = await getNew(refused);
      if (token === undefined || token === refused) return undefined;
      // It is good again, whatever took its place before: so no chain of replacements is a circle.
      replacements.delete(token);
      replacements.set(refused, token);
      return token;
    } finally {
      running.delete(refused);
    }
  }

  return {
    /** Gives the newest token that has replaced this one; `undefined` where there is none yet. */
    replacementOf: (token: string): string | undefined => {
      let newest = replacements.get(token);
      for (let next = newest; next !== undefined; next = replacements.get(next)) newest = next;
      return newest;
    },
    /**
     * Joins the renewal of this token that is running, or begins one. A renewal that fails, fails for all who wait for
     * it; the next call begins another.
     */
    renew: (refused: string): Promise<string | undefined> => {
      const renewal = running.get(refused) ?? renewed(refused);
      running.set(refused, renewal);
      return renewal;
    },
  };
}
