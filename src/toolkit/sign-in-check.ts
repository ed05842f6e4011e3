/** Is a store signed in, by what lies here and by what the service says? */
import { ComandaError, type ErrorCode, type Evidence } from "../shared/errors.js";
import { t } from "../shared/language.js";

import type { StoreChoice } from "./choose-store.js";
import type { ConnectionOptions } from "./connection.js";
import type { Machine } from "./machine.js";
import { reportOf, signedOut, type StatusReport } from "./session-state.js";
import type { PinnedCredential } from "./target.js";

export interface SignIn {
  readonly report: StatusReport;
  /** What status changes may be signed with, in the order in which that is tried. */
  readonly credentials: readonly PinnedCredential[];
  /** Absent where the service wasn't asked. */
  readonly checked?: readonly CredentialCheck[];
  /** What the service, or the way to it, had against the call. */
  readonly failure?: ComandaError | undefined;
}

const nowhere: StatusReport = { store: null, ...signedOut };

/** Gives the sign-in as it is stored, without a call. */
export async function storedSignIn(machine: Machine, store: string | undefined): Promise<SignIn> {
  try {
    return signInOf(await machine.chooseStore({ store }), machine.context.clock.now());
  } catch (error) {
    if (!(error instanceof ComandaError && error.code === "not_signed_in")) throw error;
    return { report: nowhere, credentials: [] };
  }
}

function signInOf(choice: StoreChoice, now: number): SignIn {
  if (choice.kind === "session") {
    const { session } = choice;
    const credentials = credentialsOf(session.tokens, session.api_key);
    return { report: reportOf(session, now), credentials };
  }
  const { accessToken, apiKey, partnerKey } = choice.variables;
  const keys = { has_api_key: apiKey !== undefined, has_partner_key: partnerKey !== undefined };
  return {
    report: { ...nowhere, state: "valid", ...keys, can_change_orders: true },
    credentials: credentialsOf(accessToken, apiKey),
  };
}

function credentialsOf(token: unknown, apiKey: unknown): readonly PinnedCredential[] {
  return [
    ...(token === undefined ? [] : (["bearer"] as const)),
    ...(apiKey === undefined ? [] : (["api_key"] as const)),
  ];
}

/** What the service says of one credential. */
export interface CredentialCheck {
  readonly credential: PinnedCredential;
  /** The call that was signed with it. */
  readonly call: "summary" | "deliver";
  /** `not_allowed`: it is known, and may not do this; `not_checked`: nothing of the API's own tells. */
  readonly result: "accepted" | "not_allowed" | "refused" | "not_checked";
  readonly evidence: Evidence | null;
  /** Absent where it is accepted. */
  readonly failure?: ComandaError;
}

/** The `--json` shape. */
export function checkJson({ failure, ...check }: CredentialCheck): object {
  return { ...check, message: failure?.message ?? null };
}

/** Asks the service about each credential in turn. */
export async function checkedSignIn(machine: Machine, store: string | undefined): Promise<SignIn> {
  const before = await storedSignIn(machine, store);
  const [first, second] = before.credentials;
  if (first === undefined) return before;
  const checked = await checkCredential(machine, { store, auth: first });
  // A refresh may have changed what is stored.
  const { report, credentials } = await storedSignIn(machine, store);
  const isRenewalRefused = report.state === "refused" && before.report.state !== "refused";
  const check: CredentialCheck =
    isRenewalRefused && checked.result === "not_checked"
      ? { credential: first, call: checked.call, result: "refused", evidence: "api" }
      : checked;
  const told = (change: Partial<StatusReport>, ...others: readonly CredentialCheck[]): SignIn => ({
    report: { ...report, ...change },
    credentials,
    checked: [check, ...others],
    failure: check.failure,
  });
  switch (check.result) {
    case "accepted":
      return told({ state: "valid" });
    case "not_allowed":
      return told({ can_change_orders: false });
    case "not_checked":
      return told({ state: "unreachable" });
    case "refused": {
      const other = second && (await checkCredential(machine, { store, auth: second }));
      const works = other?.result === "accepted" || other?.result === "not_checked";
      return told({ state: "refused", can_change_orders: works }, ...(other ? [other] : []));
    }
  }
}

/**
 * An access token asks for the sales of the last minute, which changes nothing. No shown call that takes the key only
 * asks: so with a key an order is marked as delivered that can't exist, since ids are integers (section 2.1).
 */
const impossibleOrder = "comanda-status-check";
const minuteMs = 60_000;

/**
 * Asks with one credential alone, so that what is told of it is not another one's merit.
 *
 * @throws {ComandaError} where the command was interrupted, and for a fault of comanda's own
 */
export async function checkCredential(
  machine: Machine,
  options: ConnectionOptions & { readonly auth: PinnedCredential },
): Promise<CredentialCheck> {
  const { signal, clock } = machine.context;
  const about = {
    credential: options.auth,
    call: options.auth === "bearer" ? "summary" : "deliver",
  } as const;
  const { openConnection } = await import("./connection.js");
  const connection = await openConnection(machine, { ...options, probes: true });
  const { client } = connection;
  try {
    if (about.call === "deliver") {
      await client.deliverOrder(impossibleOrder, { signal });
      return { ...about, result: "not_checked", evidence: "gateway", failure: notOfTheApi() };
    }
    const now = clock.now();
    const start_date = new Date(now - minuteMs).toISOString();
    await client.summary({ start_date, end_date: new Date(now).toISOString() }, { signal });
    return { ...about, result: "accepted", evidence: "api" };
  } catch (error) {
    // Nothing could have been done, so that of a call which was cut off nothing is unknown.
    signal.throwIfAborted();
    if (!(error instanceof ComandaError) || faults.includes(error.code)) throw error;
    const result = resultOf(error, about.call);
    if (result === "accepted") return { ...about, result, evidence: "api" };
    const failure = result === "not_checked" ? asNotChecked(error) : error;
    return { ...about, result, evidence: error.evidence, failure };
  } finally {
    await connection.close();
  }
}

const faults: readonly ErrorCode[] = ["internal", "callback_failed"];

/** Only what the API says in its own form proves or disproves a credential: a gateway has pages of its own for each status. */
function resultOf(
  { code, evidence }: ComandaError,
  call: CredentialCheck["call"],
): CredentialCheck["result"] {
  // A renewal that is refused is the service's word too, though of another call.
  if (code === "token_refused" && evidence !== "gateway") return "refused";
  if (evidence !== "api") return "not_checked";
  if (code === "forbidden") return "not_allowed";
  const speaksOfOrder = code === "not_found" || code === "status_conflict";
  return call === "deliver" && speaksOfOrder ? "accepted" : "not_checked";
}

/** What the status of a page would say of the credential isn't the service's word. */
function asNotChecked(error: ComandaError): ComandaError {
  const { code, evidence, answer } = error;
  if (evidence === "gateway" && code !== "rate_limited" && code !== "server_error") return notOfTheApi(error);
  if (code !== "outcome_unknown") return error;
  // Nothing could have been done.
  return new ComandaError("unreachable", t`The service gave no answer that tells the state of the sign-in.`, {
    hint: t`Try again in a moment.`,
    ...(answer && { answer }),
    evidence,
  });
}

function notOfTheApi(error?: ComandaError): ComandaError {
  const { answer } = error ?? {};
  const status = answer ? ` (HTTP ${answer.httpStatus})` : "";
  return new ComandaError("unexpected_answer", t`The answer is not one of the API's${status}.`, {
    hint: t`See what is set: comanda env list`,
    ...(answer && { answer }),
    evidence: "gateway",
  });
}
