/** The sign-ins of this machine's stores, as they are stored, or as the service confirms them by calls that change nothing. */
import type * as z from "zod";

import { statusChanges, type AuthScheme } from "../api/operations.js";
import { ComandaError } from "../base/errors.js";
import { request } from "../client/any-call.js";
import { t } from "../languages/language.js";
import type { Session } from "../state/sessions.js";
import { chooseStore, notSignedIn, openConnection, signInWorks, type Store } from "./connection.js";
import type * as results from "./results.js";
import type { Workspace } from "./workspace.js";

export type SignIn = z.output<typeof results.signIn>;
export type ListedStore = z.output<typeof results.listedStore>;
type CheckDocument = NonNullable<SignIn["checked"]>[number];

/** @param session `undefined` if there is none, or it can't be read */
export function signInOf(session: Session | undefined, now: number): SignIn {
  const { tokens, api_key: apiKey, refused_at: refusedAt } = session ?? {};
  const scopes = [...(tokens?.scopes ?? [])];
  let state: SignIn["state"] = apiKey === undefined ? "signed_out" : "valid";
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

/**
 * Returns all stores of this machine, and the aliases of those whose removal was interrupted.
 *
 * @throws {ComandaError} `state_unusable`
 */
export async function storeStates({
  clock,
  ...workspace
}: Workspace): Promise<{ readonly stores: readonly ListedStore[]; readonly unfinished: readonly string[] }> {
  const { sessions, settings } = await workspace.state();
  const current = await settings.read();
  const listed = await sessions.list();
  const byDefault = listed.length === 1 ? listed[0]?.store : current.default_store;
  const stores = listed.map((session): ListedStore => {
    const { store } = session;
    const isBroken = "error" in session;
    return {
      ...signInOf(isBroken ? undefined : session, clock.now()),
      store,
      default: store === byDefault,
      time_zone: current.stores?.[store]?.time_zone ?? null,
      error: isBroken ? session.error.message : null,
    };
  });
  const unfinished = Object.keys(current.stores ?? {}).filter(
    (alias) => !listed.some(({ store }) => store === alias),
  );
  return { stores, unfinished };
}

/** The sign-in of one store. */
export interface StoreState {
  readonly document: z.output<typeof results.storeStatus>;
  /** The credentials that may sign status changes, in the order in which they are tried. */
  readonly credentials: readonly AuthScheme[];
  /** The credentials that were verified. */
  readonly checks: readonly CredentialCheck[];
  /** Why commands for this store fail, if they do. */
  readonly failure?: ComandaError;
}

const checkedStates = { accepted: "valid", refused: "refused", not_checked: "unreachable" } as const;

/**
 * Verifies each credential of a store with the service, and reads its sign-in.
 *
 * @throws {ComandaError} as {@link storeState} and {@link checkCredential}
 */
export async function checkCredentials(workspace: Workspace, named: string | undefined): Promise<StoreState> {
  const { store, credentials } = await storedSignIn(workspace, named);
  const checks = await Promise.all(
    credentials.map((credential) => checkCredential(workspace, store, credential)),
  );
  // The call may have renewed the token.
  return storeState(workspace, named, checks);
}

/**
 * Reads the sign-in of a store, without a call.
 *
 * @param checks what the service returned for its credentials
 * @throws {ComandaError} as {@link chooseStore}, except that no store is a `failure`
 */
export async function storeState(
  workspace: Workspace,
  named: string | undefined,
  checks: readonly CredentialCheck[] = [],
): Promise<StoreState> {
  const { session, report, credentials, missing } = await storedSignIn(workspace, named);
  const document: StoreState["document"] = { ...report };
  const [first] = checks;
  if (first) {
    // Orders are changed with the API key only if the sign-in is refused.
    const used = checks.find(({ result }) => result !== "refused");
    const changesOrders = report.can_change_orders || used !== first;
    const isTaken = used?.result === "accepted" || used?.result === "not_checked";
    // A rate limit says nothing about a stored sign-in, and the service is reachable.
    const staysStored = session && first.failure?.code === "rate_limited";
    if (first.result !== "not_allowed" && !staysStored) document.state = checkedStates[first.result];
    document.can_change_orders = isTaken && changesOrders;
    document.checked = checks.map(checkDocument);
  }
  if (session) {
    const { settings } = await workspace.state();
    document.time_zone = (await settings.read()).stores?.[session.store]?.time_zone ?? null;
  }
  // A store with a valid sign-in has no problem if the service leaves open whether its API key is valid.
  const rejected = checks.find(({ result }) => result === "refused" || result === "not_allowed");
  let failure = first?.failure ?? rejected?.failure ?? missing;
  // A store with only a key never had a sign-in.
  if (!failure && session && document.state !== "valid" && !signInWorks(session, workspace.clock.now()))
    failure = notSignedIn(document.state === "refused" ? "token_refused" : "not_signed_in", session);
  return { document, credentials, checks, ...(failure && { failure }) };
}

/** @returns `missing` is the reason for a missing store */
async function storedSignIn(workspace: Workspace, named: string | undefined) {
  // Commands with credentials in variables use the folder, too, so one that can't be used is reported.
  await workspace.state();
  let store: Store | undefined;
  let missing: ComandaError | undefined;
  try {
    store = await chooseStore(workspace, named);
  } catch (error) {
    if (!(error instanceof ComandaError && error.code === "not_signed_in")) throw error;
    missing = error;
  }
  const { session, accessToken = session?.tokens?.access_token, apiKey = session?.api_key } = store ?? {};
  const credentials: AuthScheme[] = [];
  if (accessToken !== undefined) credentials.push("bearer");
  if (apiKey !== undefined) credentials.push("api_key");
  let report = signInOf(session, workspace.clock.now());
  if (store && !session)
    report = { ...report, state: "valid", has_api_key: apiKey !== undefined, can_change_orders: true };
  return { store, session, report, credentials, missing };
}

export interface CredentialCheck extends Omit<Readonly<CheckDocument>, "message"> {
  /** Why the credential isn't accepted. */
  readonly failure?: ComandaError;
}

/** Returns a check as `--json` prints it. */
export function checkDocument({ failure, ...check }: CredentialCheck): CheckDocument {
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
  workspace: Workspace,
  store: Store | undefined,
  credential: AuthScheme,
): Promise<CredentialCheck> {
  const { signal, clock } = workspace;
  const { client, baseUrl } = await openConnection(workspace, store, { probe: true });
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
    // A gateway's page isn't evidence about the sign-in, and a call that can't change anything has no unknown outcome.
    const isClear = evidence !== "gateway" || code === "rate_limited" || code === "server_error";
    if (isClear && code !== "outcome_unknown") return { ...check, result: "not_checked" };
    const failure = new ComandaError(
      evidence === "gateway" ? "unexpected_answer" : "unreachable",
      httpStatus === null
        ? error.message
        : t`The response from ${host} isn't from the API (HTTP ${httpStatus}).`,
      { hintFacts: error.hintFacts ?? { about: "token_service" }, httpStatus, evidence },
    );
    return { ...check, result: "not_checked", failure };
  }
}
