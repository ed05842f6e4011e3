/** Asks the service whether it takes a credential, by a call that changes nothing. */
import { statusChanges } from "../api/operations.js";
import type { Context } from "../cli/context.js";
import { ComandaError, type ErrorCode, type Evidence } from "../client/errors.js";
import { t } from "../languages/language.js";
import type { OrderCredential } from "../state/journal.js";

import { openConnection, type Store } from "./store.js";

export interface CredentialCheck {
  readonly credential: OrderCredential;
  /** The call that was signed with it. */
  readonly call: "summary" | "deliver";
  /** `not_allowed`: the service knows it, and it may not do this; `not_checked`: no answer of the API tells. */
  readonly result: "accepted" | "not_allowed" | "refused" | "not_checked";
  readonly evidence: Evidence | null;
  /** Absent where it is accepted. */
  readonly failure?: ComandaError;
}

/**
 * An access token asks for the sales of the last minute, which changes nothing. No shown call that takes the key is a
 * mere question: so a key marks an order as delivered that can't exist, since ids are integers (section 2.1).
 */
const impossibleDelivery = statusChanges.deliver.path.replace("{order_id}", "comanda-status-check");
const minuteMs = 60_000;
const faults: readonly ErrorCode[] = ["internal", "callback_failed"];

/**
 * Signs with one credential alone, so that no other one can make the call succeed.
 *
 * @throws {ComandaError} where the command was interrupted, and for a fault of comanda's own
 */
export async function checkCredential(
  context: Context,
  store: string | Store | undefined,
  credential: OrderCredential,
  singleAttempt = false,
): Promise<CredentialCheck> {
  const { signal, clock } = context;
  const call = credential === "bearer" ? "summary" : "deliver";
  const { client } = await openConnection(context, store, { probe: credential, singleAttempt });
  try {
    if (call === "deliver") {
      await client.request({ method: "POST", path: impossibleDelivery }, { signal });
      const failure = uncheckedError({ code: "unexpected_answer", evidence: "gateway", httpStatus: null });
      return { credential, call, result: "not_checked", evidence: "gateway", failure };
    }
    const now = clock.now();
    const start_date = new Date(now - minuteMs).toISOString();
    await client.summary({ start_date, end_date: new Date(now).toISOString() }, { signal });
    return { credential, call, result: "accepted", evidence: "api" };
  } catch (error) {
    // The call could not have done anything, so an interrupt leaves no unknown outcome.
    signal.throwIfAborted();
    if (!(error instanceof ComandaError) || faults.includes(error.code)) throw error;
    const { code, evidence } = error;
    const result = resultOf(error, call);
    if (result === "accepted") return { credential, call, result, evidence };
    const keepsWords =
      result !== "not_checked" ||
      (code !== "outcome_unknown" &&
        (evidence !== "gateway" || code === "rate_limited" || code === "server_error"));
    return { credential, call, result, evidence, failure: keepsWords ? error : uncheckedError(error) };
  }
}

/** Only an answer in the API's own form proves or disproves a credential: a gateway has its own page for each status. */
function resultOf(
  { code, evidence }: ComandaError,
  call: CredentialCheck["call"],
): CredentialCheck["result"] {
  // A refused renewal of the token is an answer of the service, too.
  if (code === "token_refused" && evidence !== "gateway") return "refused";
  if (evidence !== "api") return "not_checked";
  if (code === "forbidden") return "not_allowed";
  const speaksOfOrder = code === "not_found" || code === "status_conflict";
  return call === "deliver" && speaksOfOrder ? "accepted" : "not_checked";
}

/** The status of a gateway's page says nothing about the credential; and a call that can't do anything has no unknown outcome. */
function uncheckedError({
  evidence,
  httpStatus,
}: Pick<ComandaError, "code" | "evidence" | "httpStatus">): ComandaError {
  const isGateway = evidence === "gateway";
  const status = httpStatus === null ? "" : ` (HTTP ${httpStatus})`;
  return new ComandaError(
    isGateway ? "unexpected_answer" : "unreachable",
    isGateway
      ? t`The answer is not one of the API's${status}.`
      : t`The service gave no answer that tells the state of the sign-in.`,
    {
      hint: isGateway ? t`See what is set: comanda env list` : t`Try again in a moment.`,
      httpStatus,
      evidence,
    },
  );
}
