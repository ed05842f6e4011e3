/** Is a store signed in, by what is stored here and by the service's answer? */
import { statusChanges } from "../api/operations.js";
import { ComandaError, type ErrorCode, type Evidence } from "../client/errors.js";
import { t } from "../languages/language.js";
import type { OrderCredential } from "../state/journal.js";

import { chooseStore, type ChosenStore } from "./store.js";
import type { ConnectionOptions } from "./client.js";
import type { Context } from "../cli/context.js";
import { reportOf, signedOutReport, type StatusReport } from "./session-state.js";
import { withConnection } from "./client.js";

export interface SignIn {
  readonly report: StatusReport;
  /** The credentials that may sign status changes, in the order in which they are tried. */
  readonly credentials: readonly OrderCredential[];
  /** Absent where the service wasn't asked. */
  readonly checks?: readonly CredentialCheck[];
  /** Why the service, or the way to it, refused the call. */
  readonly failure?: ComandaError | undefined;
}

const emptyReport: StatusReport = { store: null, ...signedOutReport };

export async function storedSignIn(context: Context, store: string | undefined): Promise<SignIn> {
  try {
    return signInOf(await chooseStore(context, { store }), context.clock.now());
  } catch (error) {
    if (!(error instanceof ComandaError && error.code === "not_signed_in")) throw error;
    return { report: emptyReport, credentials: [] };
  }
}

function signInOf(choice: ChosenStore, now: number): SignIn {
  if (choice.kind === "session") {
    const { session } = choice;
    const credentials = credentialsOfOrders(session.tokens, session.api_key);
    return { report: reportOf(session, now), credentials };
  }
  const { accessToken, apiKey } = choice.variables;
  return {
    report: { ...emptyReport, state: "valid", has_api_key: apiKey !== undefined, can_change_orders: true },
    credentials: credentialsOfOrders(accessToken, apiKey),
  };
}

function credentialsOfOrders(token: unknown, apiKey: unknown): readonly OrderCredential[] {
  return [
    ...(token === undefined ? [] : (["bearer"] as const)),
    ...(apiKey === undefined ? [] : (["api_key"] as const)),
  ];
}

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

/** The `--json` shape. */
export function checkJson({ failure, ...check }: CredentialCheck): object {
  return { ...check, message: failure?.message ?? null };
}

/** Asks the service about the first credential, and about the second where the first is refused. */
export async function checkSignIn(context: Context, store: string | undefined): Promise<SignIn> {
  const before = await storedSignIn(context, store);
  const [first, second] = before.credentials;
  if (first === undefined) return before;
  const firstCheck = await checkCredential(context, { store, auth: first });
  // A refresh may have changed what is stored.
  const { report, credentials } = await storedSignIn(context, store);
  const isRenewalRefused = report.state === "refused" && before.report.state !== "refused";
  const check: CredentialCheck =
    isRenewalRefused && firstCheck.result === "not_checked"
      ? { credential: first, call: firstCheck.call, result: "refused", evidence: "api" }
      : firstCheck;
  const withChecks = (change: Partial<StatusReport>, ...others: readonly CredentialCheck[]): SignIn => ({
    report: { ...report, ...change },
    credentials,
    checks: [check, ...others],
    failure: check.failure,
  });
  switch (check.result) {
    case "accepted":
      return withChecks({ state: "valid" });
    case "not_allowed":
      return withChecks({ can_change_orders: false });
    case "not_checked":
      return withChecks({ state: "unreachable" });
    case "refused": {
      const other = second && (await checkCredential(context, { store, auth: second }));
      const works = other?.result === "accepted" || other?.result === "not_checked";
      return withChecks({ state: "refused", can_change_orders: works }, ...(other ? [other] : []));
    }
  }
}

/**
 * An access token asks for the sales of the last minute, which changes nothing. No shown call that takes the key is a
 * mere question: so a key marks an order as delivered that can't exist, since ids are integers (section 2.1).
 */
const impossibleDelivery = statusChanges.deliver.path.replace("{order_id}", "comanda-status-check");
const minuteMs = 60_000;

/**
 * Signs with one credential alone, so that no other one can make the call succeed.
 *
 * @throws {ComandaError} where the command was interrupted, and for a fault of comanda's own
 */
export async function checkCredential(
  context: Context,
  options: ConnectionOptions & { readonly auth: OrderCredential },
): Promise<CredentialCheck> {
  const { signal, clock } = context;
  const subject = {
    credential: options.auth,
    call: options.auth === "bearer" ? "summary" : "deliver",
  } as const;
  return withConnection(context, { ...options, isProbe: true }, async ({ client }) => {
    try {
      if (subject.call === "deliver") {
        await client.request({ method: "POST", path: impossibleDelivery }, { signal });
        return { ...subject, result: "not_checked", evidence: "gateway", failure: foreignAnswerError() };
      }
      const now = clock.now();
      const start_date = new Date(now - minuteMs).toISOString();
      await client.summary({ start_date, end_date: new Date(now).toISOString() }, { signal });
      return { ...subject, result: "accepted", evidence: "api" };
    } catch (error) {
      // The call could not have done anything, so an interrupt leaves no unknown outcome.
      signal.throwIfAborted();
      if (!(error instanceof ComandaError) || faults.includes(error.code)) throw error;
      const result = resultOf(error, subject.call);
      if (result === "accepted") return { ...subject, result, evidence: "api" };
      const failure = result === "not_checked" ? uncheckedError(error) : error;
      return { ...subject, result, evidence: error.evidence, failure };
    }
  });
}

const faults: readonly ErrorCode[] = ["internal", "callback_failed"];

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

/** The HTTP status of a gateway's page says nothing about the credential. */
function uncheckedError(error: ComandaError): ComandaError {
  const { code, evidence } = error;
  if (evidence === "gateway" && code !== "rate_limited" && code !== "server_error")
    return foreignAnswerError(error);
  if (code !== "outcome_unknown") return error;
  // The call could not have done anything, so its outcome isn't unknown.
  return new ComandaError("unreachable", t`The service gave no answer that tells the state of the sign-in.`, {
    hint: t`Try again in a moment.`,
    httpStatus: error.httpStatus,
    evidence,
  });
}

function foreignAnswerError(error?: ComandaError): ComandaError {
  const httpStatus = error?.httpStatus ?? null;
  const status = httpStatus === null ? "" : ` (HTTP ${httpStatus})`;
  return new ComandaError("unexpected_answer", t`The answer is not one of the API's${status}.`, {
    hint: t`See what is set: comanda env list`,
    httpStatus,
    evidence: "gateway",
  });
}
