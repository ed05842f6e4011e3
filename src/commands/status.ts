/**
 * `comanda status` shows whether a store is signed in, from stored data or, with `--check`, by a call. `login` verifies a key by
 * the same call.
 */
import { statusChanges, type AuthScheme } from "../api/operations.js";
import { signInAgain } from "../auth/renewal.js";
import { endWith, type Command } from "../cli/command.js";
import type { Context } from "../cli/context.js";
import { chooseStore, openConnection, signInWorks, type Store } from "../core/connection.js";
import { localTime } from "../cli/text.js";
import { request } from "../client/any-call.js";
import { ComandaError, type Evidence } from "../base/errors.js";
import { capitalized, continued, t, translated, type Word } from "../languages/language.js";
import type { Session } from "../state/sessions.js";

export default function status(command: Command): void {
  command
    .details(
      "Without --check, reads only what comanda has stored, and sends nothing.",
      'Exit code 0: the store is signed in, even if the next command must renew an expired token. It is also 0 if the store has only an API key, which is enough for orders.\nExit code 3: the store is signed out, or its sign-in no longer works, even if an API key can still change orders ("can_change_orders" in --json). With --check, it is also 3 if the service rejects the API key.',
      "--check verifies the credentials with the service and renews an expired token. To verify a sign-in, it requests the sales of one minute, which counts as one of 5 requests per minute. The API has no call that only verifies a key, so --check tries to mark a nonexistent order as delivered. Only an answer from the API itself shows that a credential is valid; a 401 or 403 shows that it isn't.",
    )
    .takes("store")
    .option("--check", "verify the credentials with the service")
    .examples("status", "status --check --json", "status --quiet && comanda orders dispatch 4711")
    .does(showStatus);
}

async function showStatus(context: Context, { check = false }: { readonly check?: boolean }): Promise<void> {
  const { output } = context;
  const { report, credentials, checks, problem } = await examine(context, context.options.store, check);
  const { store, environment, state, scopes, expires_at: end } = report;
  const { stores } = await (await context.state()).settings.read();
  const zone = store === null ? undefined : stores?.[store]?.time_zone;
  if (output.json) {
    const time_zone = store === null ? {} : { time_zone: zone ?? null };
    output.value({ ...report, ...time_zone, ...(checks.length > 0 && { checked: checks.map(checkJson) }) });
  } else {
    let expiry: string | undefined;
    // The expiry time of a rejected token would be misleading.
    if (end !== null && state !== "refused") {
      const time = localTime(Date.parse(end), zone);
      expiry = report.has_refresh_token ? t`${time} (renewed automatically)` : time;
    }
    const canChange = report.can_change_orders ? "yes" : "no";
    const isKeyChecked = checks.some(({ credential }) => credential === "api_key");
    const lines = factLines([
      ["Store", store === null ? undefined : `${store} (${environment ?? "?"})`],
      ["State", describeState(report, credentials.includes("bearer"))],
      ...checks.map(
        ({ credential, result }) => [credentialNames[credential], translated(resultTexts[result])] as const,
      ),
      ["permissions", scopes.length > 0 ? scopes.join(", ") : undefined],
      ["token expiry", expiry],
      ["can change orders", store === null ? undefined : translated(canChange)],
      ["API key", report.has_api_key && !isKeyChecked ? t`yes` : undefined],
      ["partner key", report.has_partner_key ? t`yes` : undefined],
      ["time zone", store === null ? undefined : (zone ?? t`not set`)],
    ]);
    for (const line of lines) output.words(line);
  }
  for (const { result, failure } of checks)
    if (result === "not_checked" && failure && failure.message !== problem?.message)
      output.warn(t`The key was not checked: ${continued(failure.message)}`);
  endWith(context, problem);
}

const checkedStates = { accepted: "valid", refused: "refused", not_checked: "unreachable" } as const;

/**
 * Reads the sign-in of a store. With `check`, calls the service with each credential.
 *
 * @returns `problem` is why commands for this store fail, if they do
 * @throws {ComandaError} as {@link chooseStore}, except that no store is a `problem`, and as {@link checkCredential}
 */
export async function examine(context: Context, named: string | undefined, check: boolean) {
  let { session, report, credentials, missing } = await storedSignIn(context, named);
  const checks = await Promise.all(
    (check ? credentials : []).map((credential) => checkCredential(context, named, credential)),
  );
  const [first] = checks;
  // Orders are changed with the API key only if the sign-in is refused.
  const used = checks.find(({ result }) => result !== "refused");
  if (first) {
    // The call may have renewed the token.
    ({ session, report, credentials, missing } = await storedSignIn(context, named));
    const changesOrders = report.can_change_orders || used !== first;
    const isTaken = used?.result === "accepted" || used?.result === "not_checked";
    const state = first.result === "not_allowed" ? report.state : checkedStates[first.result];
    report = { ...report, state, can_change_orders: isTaken && changesOrders };
  }
  // A store with a valid sign-in has no problem if the service leaves open whether its API key is valid.
  const rejected = checks.find(({ result }) => result === "refused" || result === "not_allowed");
  let problem = first?.failure ?? rejected?.failure ?? missing;
  // A store that only has a key never had a sign-in.
  if (!problem && session && report.state !== "valid" && !signInWorks(session, context.clock.now())) {
    const code = report.state === "refused" ? "token_refused" : "not_signed_in";
    problem = new ComandaError(code, t`The store ${session.store} is not signed in.`, signInAgain(session));
  }
  return { report, credentials, checks, problem };
}

/** @returns `credentials` that may sign status changes, in the order in which they are tried; `missing` is why there is no store */
async function storedSignIn(context: Context, named: string | undefined) {
  let store: Store | undefined;
  let missing: ComandaError | undefined;
  try {
    store = await chooseStore(context.workspace, named);
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
  /** The call that verified it. */
  readonly call: "summary" | "deliver";
  /** `not_allowed`: the credential is valid but lacks a permission; `not_checked`: no API response shows whether it is valid. */
  readonly result: "accepted" | "not_allowed" | "refused" | "not_checked";
  readonly evidence: Evidence | null;
  /** `undefined` if it is accepted. */
  readonly failure?: ComandaError;
}

const credentialNames = { bearer: "access token", api_key: "API key", partner: "partner key" } as const;

const resultTexts = {
  accepted: "ok",
  not_allowed: "not allowed",
  refused: "refused",
  not_checked: "not checked",
} as const;

/** The `--json` shape. */
export function checkJson({ failure, ...check }: CredentialCheck): object {
  return { ...check, message: failure?.message ?? null };
}

/**
 * Verifies a credential by a call that changes nothing and is signed only with it. A token requests the sales of the last minute.
 * The API has no call that only reads and accepts a key, so a key marks an order as delivered that can't exist, because ids are
 * integers (section 2.1).
 *
 * @throws {ComandaError} if the command is interrupted, and for an internal error
 */
export async function checkCredential(
  context: Context,
  store: string | Store | undefined,
  credential: AuthScheme,
): Promise<CredentialCheck> {
  const { signal, clock } = context;
  const { client, baseUrl } = await openConnection(context.workspace, store, { probe: true });
  const { host } = new URL(baseUrl);
  const call = credential === "bearer" ? "summary" : "deliver";
  try {
    if (call === "summary") {
      const now = clock.now();
      const start_date = new Date(now - 60_000).toISOString();
      await client.summary({ start_date, end_date: new Date(now).toISOString() }, { signal });
      return { credential, call, result: "accepted", evidence: "api" };
    }
    const path = statusChanges.deliver.path.replace("{order_id}", "comanda-status-check");
    const { httpStatus } = await request(client, { method: "POST", path, auth: "api_key" }, { signal });
    // The order can't exist, so this response isn't the API's.
    throw new ComandaError("unexpected_answer", "", { evidence: "gateway", httpStatus });
  } catch (error) {
    // The call can't change anything, so an interrupt leaves no unknown outcome.
    signal.throwIfAborted();
    if (!(error instanceof ComandaError) || error.exitCode === 1) throw error;
    const { code, evidence, httpStatus } = error;
    const check = { credential, call, evidence, failure: error } as const;
    const isAboutOrder = code === "not_found" || code === "status_conflict";
    if (call === "deliver" && evidence === "api" && isAboutOrder)
      return { credential, call, result: "accepted", evidence };
    // The status is sufficient, because the bodies of a 401 and a 403 aren't specified. A rejected renewal of the token is a refusal, too.
    if (code === "token_refused") return { ...check, result: "refused" };
    if (code === "forbidden") return { ...check, result: "not_allowed" };
    // A gateway's page says nothing about the sign-in, and a call that can't change anything has no unknown outcome.
    const isClear = evidence !== "gateway" || code === "rate_limited" || code === "server_error";
    if (isClear && code !== "outcome_unknown") return { ...check, result: "not_checked" };
    const failure = new ComandaError(
      evidence === "gateway" ? "unexpected_answer" : "unreachable",
      httpStatus === null
        ? error.message
        : t`The response of ${host} isn't from the API (HTTP ${httpStatus}).`,
      {
        hintFacts: { about: "token_service" },
        httpStatus,
        evidence,
      },
    );
    return { ...check, result: "not_checked", failure };
  }
}

/** The `--json` shape of `status` and `login`. */
export interface StatusReport {
  readonly store: string | null;
  readonly environment: string | null;
  /** `expired` refers to the access token: if there is a refresh token, the next command renews it. */
  readonly state: "valid" | "expired" | "refused" | "unreachable" | "signed_out";
  readonly scopes: readonly string[];
  /** ISO 8601; null if there is no access token. */
  readonly expires_at: string | null;
  readonly has_api_key: boolean;
  /** Order creation requires it in addition to the API key (section 5.1). */
  readonly has_partner_key: boolean;
  readonly has_refresh_token: boolean;
  /** Whether the stored access token or API key can change orders. */
  readonly can_change_orders: boolean;
}

/** @param session `undefined` if there is none, or it can't be read */
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
    // The key is used only if no sign-in works. The service may omit the scopes.
    can_change_orders:
      session && signInWorks(session, now)
        ? scopes.length === 0 || scopes.includes("orders")
        : apiKey !== undefined,
  };
}

/** @param hasToken whether there is an access token: a key can change orders, but has no access to figures */
export function describeState(
  { state, expires_at: end, has_refresh_token: refreshes }: StatusReport,
  hasToken = end !== null,
): string {
  if (state === "valid") return hasToken ? t`signed in` : t`API key only: no sales figures, no drivers`;
  if (state === "unreachable") return t`unknown`;
  if (state === "refused") return t`rejected by the service: sign in again`;
  if (state !== "expired") return t`signed out`;
  return refreshes ? t`signed in` : t`the access token has expired: sign in again`;
}

/** Returns lines with the values after their labels, aligned. Those that are `undefined` are left out. */
export function factLines(
  facts: readonly (readonly [label: Word, value: string | undefined])[],
): readonly string[] {
  const shown = facts.filter(([, value]) => value !== undefined);
  const width = Math.max(...shown.map(([label]) => translated(label).length));
  return shown.map(
    ([label, value = ""]) => `${`${capitalized(translated(label))}:`.padEnd(width + 1)}  ${value}`,
  );
}
