/** Is a store signed in, by what is stored here and by the service's answer? */
import { statusChanges } from "../api/operations.js";
import type { Context } from "../cli/context.js";
import { ComandaError, type ErrorCode, type Evidence } from "../client/errors.js";
import { t } from "../languages/language.js";
import type { OrderCredential } from "../state/journal.js";
import type { Session } from "../state/sessions.js";

import { chooseStore, signInWorks, withConnection, type Store } from "./store.js";

/** The `--json` shape of `status` and `login`. */
export interface StatusReport {
  readonly store: string | null;
  readonly environment: string | null;
  /** `expired` is about the access token alone: with a refresh token the next command gets a new one by itself. */
  readonly state: "valid" | "expired" | "refused" | "unreachable" | "signed_out";
  readonly scopes: readonly string[];
  /** ISO 8601; null where there is no access token, or its end isn't known. */
  readonly expires_at: string | null;
  readonly has_api_key: boolean;
  /** It signs nothing by itself: order creation asks for it beside the API key (section 5.1). */
  readonly has_partner_key: boolean;
  readonly has_refresh_token: boolean;
  /** Can orders be changed, with the access token or else with the API key? Only what is stored decides. */
  readonly can_change_orders: boolean;
}

/** The report of a store without credentials that could be used. */
export const signedOutReport: StatusReport = {
  store: null,
  environment: null,
  state: "signed_out",
  scopes: [],
  expires_at: null,
  has_api_key: false,
  has_partner_key: false,
  has_refresh_token: false,
  can_change_orders: false,
};

export function reportOf(session: Session, now: number): StatusReport {
  const { tokens, api_key: apiKey, refused_at: refusedAt } = session;
  const scopes = tokens?.scopes ?? [];
  let state: StatusReport["state"] = apiKey === undefined ? "signed_out" : "valid";
  if (tokens) state = tokens.expires_at > now ? "valid" : "expired";
  if (refusedAt !== undefined) state = "refused";
  return {
    store: session.store,
    environment: session.environment.name,
    state,
    scopes,
    expires_at: tokens ? new Date(tokens.expires_at).toISOString() : null,
    has_api_key: apiKey !== undefined,
    has_partner_key: session.partner_key !== undefined,
    has_refresh_token: tokens?.refresh_token !== undefined,
    // The key is taken only where no sign-in works, and the service need not have named the scopes.
    can_change_orders: signInWorks(session, now)
      ? scopes.length === 0 || scopes.includes("orders")
      : apiKey !== undefined,
  };
}

/** Does it need no new sign-in? A store with a key alone never had one. */
export function isSignedIn({ state, has_refresh_token: refreshes }: StatusReport): boolean {
  return state === "valid" || (state === "expired" && refreshes);
}

/** @param hasToken whether an access token is stored beside a key: a key alone changes orders, and sees no figures */
export function describeState(
  { state, expires_at: end, has_refresh_token: refreshes }: StatusReport,
  hasToken = end !== null,
): string {
  switch (state) {
    case "valid":
      return hasToken ? t`signed in` : t`API key only: no sales figures, no drivers`;
    case "expired":
      return refreshes
        ? t`signed in; the access token has expired and is renewed by the next command`
        : t`the access token has expired, and nothing is stored to renew it with: sign in again`;
    case "refused":
      return t`refused by the service: sign in again`;
    case "unreachable":
      return t`the service can't be reached`;
    case "signed_out":
      return t`signed out`;
  }
}

export interface SignIn {
  readonly report: StatusReport;
  /** The credentials that may sign status changes, in the order in which they are tried. */
  readonly credentials: readonly OrderCredential[];
  /** Absent where the service wasn't asked. */
  readonly checks?: readonly CredentialCheck[];
  /** Why the service, or the way to it, refused the call. */
  readonly failure?: ComandaError | undefined;
}

export async function storedSignIn(context: Context, named: string | undefined): Promise<SignIn> {
  let store: Store;
  try {
    store = await chooseStore(context, named);
  } catch (error) {
    if (!(error instanceof ComandaError && error.code === "not_signed_in")) throw error;
    return { report: signedOutReport, credentials: [] };
  }
  const { session, accessToken = session?.tokens?.access_token, apiKey = session?.api_key } = store;
  const credentials: OrderCredential[] = [];
  if (accessToken !== undefined) credentials.push("bearer");
  if (apiKey !== undefined) credentials.push("api_key");
  if (session) return { report: reportOf(session, context.clock.now()), credentials };
  const hasKey = apiKey !== undefined;
  return {
    report: { ...signedOutReport, state: "valid", has_api_key: hasKey, can_change_orders: true },
    credentials,
  };
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
export async function checkSignIn(context: Context, named: string | undefined): Promise<SignIn> {
  const before = await storedSignIn(context, named);
  const [first, second] = before.credentials;
  if (first === undefined) return before;
  let check = await checkCredential(context, named, first);
  // A renewal may have changed what is stored, and may have been refused itself.
  const { report, credentials } = await storedSignIn(context, named);
  const isRenewalRefused = report.state === "refused" && before.report.state !== "refused";
  if (isRenewalRefused && check.result === "not_checked")
    check = { credential: first, call: check.call, result: "refused", evidence: "api" };
  const checks = [check];
  let change: Partial<StatusReport> = {};
  switch (check.result) {
    case "accepted":
      change = { state: "valid" };
      break;
    case "not_allowed":
      change = { can_change_orders: false };
      break;
    case "not_checked":
      change = { state: "unreachable" };
      break;
    case "refused": {
      const other = second && (await checkCredential(context, named, second));
      if (other) checks.push(other);
      const works = other?.result === "accepted" || other?.result === "not_checked";
      change = { state: "refused", can_change_orders: works };
    }
  }
  return { report: { ...report, ...change }, credentials, checks, failure: check.failure };
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
  return withConnection(context, { store, probe: credential, singleAttempt }, async ({ client }) => {
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
  });
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
