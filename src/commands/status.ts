/**
 * `comanda status` tells whether a store is signed in, by what is stored here or by the service's answer. `login` asks the service
 * about a key in the same way.
 */
import { statusChanges, type AuthScheme } from "../api/operations.js";
import { signInAgain } from "../auth/renewal.js";
import { endWith, type Command } from "../cli/command.js";
import type { Context } from "../cli/context.js";
import { chooseStore, openConnection, signInWorks, type Store } from "../cli/connection.js";
import { localTime } from "../cli/text.js";
import { request } from "../client/any-call.js";
import { ComandaError, type Evidence } from "../base/errors.js";
import { t, translated } from "../languages/language.js";
import type { Session } from "../state/sessions.js";

export default function status(command: Command): void {
  command
    .details(
      'Reads what is stored on this machine, without a call. Exit code 0: the store is signed in, even if the next command must renew its token, or it has an API key, which is enough for orders but not for sales figures. Exit code 3: the store requires a new sign-in, even if its API key can still change orders ("can_change_orders" in --json).',
      "--check verifies the credentials with the service and renews an expired token. For a sign-in, it requests a one-minute summary, which counts as one of 5 requests per minute. The API has no call that only verifies a key, so --check tries to mark a nonexistent order as delivered. Only an answer of the API itself counts as proof.",
    )
    .takes("store")
    .option("--check", "verify the credentials with the service")
    .examples("status", "status --check --json", "status --quiet && comanda orders dispatch 4711")
    .does(showStatus);
}

async function showStatus(context: Context, { check = false }: { readonly check?: boolean }): Promise<void> {
  const { output, clock } = context;
  const { report, credentials, checks, problem } = await examine(context, context.options.store, check);
  const { store, environment, state, scopes, expires_at: end } = report;
  const { stores } = await (await context.state()).settings.read();
  const zone = store === null ? undefined : stores?.[store]?.time_zone;
  if (output.json) {
    const time_zone = store === null ? {} : { time_zone: zone ?? null };
    output.value({ ...report, ...time_zone, ...(checks.length > 0 && { checked: checks.map(checkJson) }) });
  } else {
    if (store !== null) output.words(t`Store:        ${store} (${environment ?? "?"})`);
    const words = state === "unreachable" && problem ? t`not checked: ${problem.message}` : undefined;
    output.words(t`State:        ${words ?? describeState(report, credentials.includes("bearer"))}`);
    for (const { call, result } of checks)
      output.words(t`Checked:      ${translated(checkWords[call])}: ${translated(checkWords[result])}`);
    if (scopes.length > 0) output.words(t`Permissions:  ${scopes.join(", ")}`);
    // The end of a token that the service refuses would mislead.
    if (end !== null && state !== "refused") {
      const time = localTime(Date.parse(end), zone);
      const renewal = report.has_refresh_token ? t`, then it renews itself` : "";
      const isOver = Date.parse(end) <= clock.now();
      output.words(isOver ? t`Token ended:  ${time}` : t`Token until:  ${time}${renewal}`);
    }
    if (store !== null)
      output.words(t`Orders:       ${report.can_change_orders ? t`can be changed` : t`can't be changed`}`);
    if (report.has_api_key) output.line(t`API key:      stored`);
    if (report.has_partner_key) output.line(t`Partner key:  stored`);
    if (store !== null) output.words(t`Time zone:    ${zone ?? t`not set, so it is this machine's`}`);
  }
  endWith(context, problem);
}

const checkedStates = { accepted: "valid", refused: "refused", not_checked: "unreachable" } as const;

/**
 * Reads the sign-in of a store, and with `check` asks the service whether it accepts it: a refused one is followed by the next
 * credential.
 *
 * @returns `problem`: why commands for this store fail, if they do
 * @throws {ComandaError} as {@link chooseStore}, except that no store is a `problem`, and as {@link checkCredential}
 */
export async function examine(context: Context, named: string | undefined, check: boolean) {
  let { session, report, credentials, missing } = await storedSignIn(context, named);
  const checks: CredentialCheck[] = [];
  for (const credential of check ? credentials : []) {
    checks.push(await checkCredential(context, named, credential));
    if (checks.at(-1)?.result !== "refused") break;
  }
  const [first, last] = [checks[0], checks.at(-1)];
  if (first && last) {
    // A renewal may have changed what is stored.
    ({ session, report, credentials, missing } = await storedSignIn(context, named));
    const changesOrders = report.can_change_orders || last !== first;
    const isTaken = last.result === "accepted" || last.result === "not_checked";
    const state = first.result === "not_allowed" ? report.state : checkedStates[first.result];
    report = { ...report, state, can_change_orders: isTaken && changesOrders };
  }
  let problem = first?.failure ?? missing;
  // A store with a key alone never had a sign-in.
  if (!problem && session && report.state !== "valid" && !signInWorks(session, context.clock.now())) {
    const code = report.state === "refused" ? "token_refused" : "not_signed_in";
    problem = new ComandaError(code, t`${session.store} needs a new sign-in.`, signInAgain(session));
  }
  return { report, credentials, checks, problem };
}

/**
 * @returns `credentials`: those that may sign status changes, in the order in which they are tried; `missing`: why there is no
 *   store
 */
async function storedSignIn(context: Context, named: string | undefined) {
  let store: Store | undefined;
  let missing: ComandaError | undefined;
  try {
    store = await chooseStore(context, named);
  } catch (error) {
    if (!(error instanceof ComandaError && error.code === "not_signed_in")) throw error;
    missing = error;
  }
  const { session, accessToken = session?.tokens?.access_token, apiKey = session?.api_key } = store ?? {};
  const credentials: AuthScheme[] = [];
  if (accessToken !== undefined) credentials.push("bearer");
  if (apiKey !== undefined) credentials.push("api_key");
  let report = reportOf(session, context.clock.now());
  if (store && !session)
    report = { ...report, state: "valid", has_api_key: apiKey !== undefined, can_change_orders: true };
  return { session, report, credentials, missing };
}

export interface CredentialCheck {
  readonly credential: AuthScheme;
  /** The call that was signed with it. */
  readonly call: "summary" | "deliver";
  /** `not_allowed`: the service knows it, and it may not do this; `not_checked`: no answer of the API tells. */
  readonly result: "accepted" | "not_allowed" | "refused" | "not_checked";
  readonly evidence: Evidence | null;
  /** Absent where it is accepted. */
  readonly failure?: ComandaError;
}

const checkWords: Readonly<Record<CredentialCheck["call"] | CredentialCheck["result"], string>> = {
  summary: "the sign-in, by a summary of one minute",
  deliver: "the API key, by marking an order as delivered that can't exist",
  accepted: "the service accepts it",
  not_allowed: "the service doesn't allow it",
  refused: "the service refuses it",
  not_checked: "no answer of the API that tells",
};

/** The `--json` shape. */
export function checkJson({ failure, ...check }: CredentialCheck): object {
  return { ...check, message: failure?.message ?? null };
}

/**
 * Asks the service whether it takes a credential, by a call that changes nothing and is signed with that alone. A token asks for
 * the sales of the last minute. No shown call that takes the key is a mere question: so a key marks an order as delivered that
 * can't exist, since ids are integers (section 2.1).
 *
 * @throws {ComandaError} where the command was interrupted, and for a fault of comanda's own
 */
export async function checkCredential(
  context: Context,
  store: string | Store | undefined,
  credential: AuthScheme,
): Promise<CredentialCheck> {
  const { signal, clock } = context;
  const { client } = await openConnection(context, store, { probe: true });
  const call = credential === "bearer" ? "summary" : "deliver";
  try {
    if (call === "summary") {
      const now = clock.now();
      const start_date = new Date(now - 60_000).toISOString();
      await client.summary({ start_date, end_date: new Date(now).toISOString() }, { signal });
      return { credential, call, result: "accepted", evidence: "api" };
    }
    const path = statusChanges.deliver.path.replace("{order_id}", "comanda-status-check");
    await request(client, { method: "POST", path, auth: "api_key" }, { signal });
    // It took what it can't have.
    throw new ComandaError("unexpected_answer", "", { evidence: "gateway" });
  } catch (error) {
    // The call could not have done anything, so an interrupt leaves no unknown outcome.
    signal.throwIfAborted();
    if (!(error instanceof ComandaError) || error.exitCode === 1) throw error;
    const { code, evidence, httpStatus } = error;
    const check = { credential, call, evidence, failure: error } as const;
    const speaksOfOrder = code === "not_found" || code === "status_conflict";
    if (call === "deliver" && evidence === "api" && speaksOfOrder)
      return { credential, call, result: "accepted", evidence };
    // Only an answer in the API's own form disproves a credential, and a refused renewal of the token, which is one too.
    if (code === "token_refused" && evidence !== "gateway") return { ...check, result: "refused" };
    if (code === "forbidden" && evidence === "api") return { ...check, result: "not_allowed" };
    // A gateway has its own page for each status, and a call that can't do anything has no unknown outcome.
    const tells = evidence !== "gateway" || code === "rate_limited" || code === "server_error";
    if (tells && code !== "outcome_unknown") return { ...check, result: "not_checked" };
    const came = httpStatus === null ? "" : ` (HTTP ${httpStatus})`;
    const failure = new ComandaError(
      evidence === "gateway" ? "unexpected_answer" : "unreachable",
      t`No answer of the API's tells the state of the sign-in${came}.`,
      { hint: t`Try again in a moment, or see what is set: comanda env list`, httpStatus, evidence },
    );
    return { ...check, result: "not_checked", failure };
  }
}

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

/** @param session absent for a store that can't be read, and where there is none */
export function reportOf(session: Session | undefined, now: number): StatusReport {
  const { tokens, api_key: apiKey, refused_at: refusedAt } = session ?? {};
  const scopes = tokens?.scopes ?? [];
  let state: StatusReport["state"] = apiKey === undefined ? "signed_out" : "valid";
  if (tokens) state = tokens.expires_at > now ? "valid" : "expired";
  if (refusedAt !== undefined) state = "refused";
  return {
    store: session?.store ?? null,
    environment: session?.environment.name ?? null,
    state,
    scopes,
    expires_at: tokens ? new Date(tokens.expires_at).toISOString() : null,
    has_api_key: apiKey !== undefined,
    has_partner_key: session?.partner_key !== undefined,
    has_refresh_token: tokens?.refresh_token !== undefined,
    // The key is taken only where no sign-in works, and the service need not have named the scopes.
    can_change_orders:
      session && signInWorks(session, now)
        ? scopes.length === 0 || scopes.includes("orders")
        : apiKey !== undefined,
  };
}

/** @param hasToken whether an access token is stored beside a key: a key alone changes orders, and sees no figures */
export function describeState(
  { state, expires_at: end, has_refresh_token: refreshes }: StatusReport,
  hasToken = end !== null,
): string {
  if (state === "valid") return hasToken ? t`signed in` : t`API key only: no sales figures, no drivers`;
  if (state === "refused") return t`refused by the service: sign in again`;
  if (state !== "expired") return t`signed out`;
  return refreshes
    ? t`signed in; the access token has expired and is renewed by the next command`
    : t`the access token has expired, and nothing is stored to renew it with: sign in again`;
}
