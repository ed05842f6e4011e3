/** `comanda status` tells whether a store is signed in, by what is stored here or by the service's answer. */
import { endWith, type Command } from "../cli/command.js";
import type { Context } from "../cli/context.js";
import { oneStore } from "../cli/command.js";
import { ComandaError } from "../client/errors.js";
import { t } from "../languages/language.js";
import { localTime } from "../languages/local-time.js";
import type { OrderCredential } from "../state/journal.js";
import type { Session } from "../state/sessions.js";

import type { CredentialCheck } from "./credential-check.js";
import { chooseStore, signInWorks, type Store } from "./store.js";

export function status(command: Command): void {
  command
    .about(
      "is the store signed in? A gate for scripts by its exit code",
      "Answers from what is stored, without a call. Exit code 0: the store is signed in, if need be with a token " +
        "that commands renew themselves, or has a key alone, which is enough for orders and shows no sales figures. Exit code 3: it needs a new sign-in, also where its API key " +
        'still changes the status of orders; that is "can_change_orders" in --json. --check asks the service, which ' +
        "renews a token that has expired. A sign-in is tried by a summary of one minute, one of 5 a minute. There is no call that " +
        "only asks for an API key: with it an order is marked as delivered that can't exist. Only an answer of the API's own " +
        "proves or disproves it.",
    )
    .takes("store")
    .option("--check", "ask the service")
    .examples("status", "status --check --json", "status --quiet && comanda orders dispatch 4711")
    .does(showStatus);
}

async function showStatus(context: Context, { check = false }: { readonly check?: boolean }): Promise<void> {
  const { output, clock } = context;
  const named = oneStore(context.options);
  const { report, credentials, checks, failure } = await (check
    ? checkSignIn(context, named)
    : storedSignIn(context, named));
  const { store, environment, state, scopes, expires_at: end } = report;
  const { stores } = await (await context.state()).settings.read();
  const zone = store === null ? undefined : stores?.[store]?.time_zone;
  const works = isSignedIn(report);
  if (output.json) {
    const time_zone = store === null ? {} : { time_zone: zone ?? null };
    output.value({ ...report, ...time_zone, ...(checks && { checked: checks.map(checkJson) }) });
  } else {
    if (store !== null) output.words(t`Store:        ${store} (${environment ?? "?"})`);
    const words =
      state === "unreachable" && failure
        ? t`not checked: ${failure.message}`
        : describeState(report, credentials.includes("bearer"));
    output.words(t`State:        ${words}`);
    for (const each of checks ?? []) output.words(t`Checked:      ${describeCheck(each)}`);
    if (scopes.length > 0) output.words(t`Permissions:  ${scopes.join(", ")}`);
    // The end of a token that the service refuses would mislead.
    if (end !== null && state !== "refused") {
      const time = localTime(Date.parse(end), zone);
      const renewal = report.has_refresh_token ? t`, then it renews itself` : "";
      const isOver = Date.parse(end) <= clock.now();
      output.words(isOver ? t`Token ended:  ${time}` : t`Token until:  ${time}${renewal}`);
    }
    if (store !== null) {
      const byToken = end !== null && (works || state === "unreachable");
      const can = byToken ? t`can be changed` : t`can be changed, with the API key`;
      output.words(t`Orders:       ${report.can_change_orders ? can : t`can't be changed`}`);
    }
    if (report.has_api_key) output.line(t`API key:      stored`);
    if (report.has_partner_key) output.line(t`Partner key:  stored`);
    if (store !== null) output.words(t`Time zone:    ${zone ?? t`not set, so it is this machine's`}`);
  }
  if (failure ?? works) {
    endWith(context, failure);
    return;
  }
  const isKnown = store !== null && environment !== null;
  const hint = isKnown
    ? t`Sign in: comanda login --store ${store} --env ${environment}`
    : t`Sign in: comanda login --store <alias> --env <name>`;
  const untilThen = t`Until then the status of orders is changed with its API key.`;
  endWith(
    context,
    new ComandaError(
      state === "refused" ? "token_refused" : "not_signed_in",
      isKnown ? t`${store} needs a new sign-in.` : t`No store is signed in.`,
      { hint: report.can_change_orders ? `${hint}\n${untilThen}` : hint },
    ),
  );
}

interface SignIn {
  readonly report: StatusReport;
  /** The credentials that may sign status changes, in the order in which they are tried. */
  readonly credentials: readonly OrderCredential[];
  /** Absent where the service wasn't asked. */
  readonly checks?: readonly CredentialCheck[];
  /** Why the service, or the way to it, refused the call. */
  readonly failure?: ComandaError | undefined;
}

async function storedSignIn(context: Context, named: string | undefined): Promise<SignIn> {
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

/** Asks the service about the first credential, and about the second where the first is refused. */
async function checkSignIn(context: Context, named: string | undefined): Promise<SignIn> {
  const before = await storedSignIn(context, named);
  const [first, second] = before.credentials;
  if (first === undefined) return before;
  const { checkCredential } = await import("./credential-check.js");
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

/** The `--json` shape. */
export function checkJson({ failure, ...check }: CredentialCheck): object {
  return { ...check, message: failure?.message ?? null };
}

function describeCheck({ call, result }: CredentialCheck): string {
  const credential =
    call === "summary"
      ? t`the sign-in, by a summary of one minute`
      : t`the API key, by marking an order as delivered that can't exist`;
  switch (result) {
    case "accepted":
      return t`${credential}: the service accepts it`;
    case "not_allowed":
      return t`${credential}: the service doesn't allow it`;
    case "refused":
      return t`${credential}: the service refuses it`;
    case "not_checked":
      return t`${credential}: no answer of the API that tells`;
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
