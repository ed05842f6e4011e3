/** Judges a store's session by what is stored, without a call. */
import type { Session } from "../state/sessions.js";
import { t } from "../languages/language.js";

export const sessionStates = ["valid", "expired", "refused", "unreachable", "signed_out"] as const;
export type SessionState = (typeof sessionStates)[number];

/** The `--json` shape of `status` and `login`. */
export interface StatusReport {
  readonly store: string | null;
  readonly environment: string | null;
  readonly state: SessionState;
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
export const signedOutReport: Omit<StatusReport, "store"> = {
  environment: null,
  state: "signed_out",
  scopes: [],
  expires_at: null,
  has_api_key: false,
  has_partner_key: false,
  has_refresh_token: false,
  can_change_orders: false,
};

/** `expired` is about the access token alone: with a refresh token the next command gets a new one by itself. */
function stateOf(session: Session, now: number): SessionState {
  const { tokens, api_key: apiKey, refused_at: refusedAt } = session;
  if (refusedAt !== undefined) return "refused";
  if (tokens) return tokens.expires_at > now ? "valid" : "expired";
  return apiKey === undefined ? "signed_out" : "valid";
}

export function reportOf(session: Session, now: number): StatusReport {
  const { tokens } = session;
  return {
    store: session.store,
    environment: session.environment.name,
    state: stateOf(session, now),
    scopes: tokens?.scopes ?? [],
    expires_at: tokens ? new Date(tokens.expires_at).toISOString() : null,
    has_api_key: session.api_key !== undefined,
    has_partner_key: session.partner_key !== undefined,
    has_refresh_token: tokens?.refresh_token !== undefined,
    can_change_orders: canChangeOrders(session, now),
  };
}

/** A store that was signed out has no credential, and this machine still knows it. */
export function hasCredential({ tokens, api_key: apiKey, partner_key: partnerKey }: Session): boolean {
  return [tokens, apiKey, partnerKey].some((credential) => credential !== undefined);
}

/** Does the sign-in work, by what is stored? */
export function signInWorks(session: Session, now: number): boolean {
  const { tokens } = session;
  const state = stateOf(session, now);
  return (
    tokens !== undefined && (state === "valid" || (state === "expired" && tokens.refresh_token !== undefined))
  );
}

/** Orders are changed with the API key only where no sign-in works. */
function canChangeOrders(session: Session, now: number): boolean {
  const { tokens, api_key: apiKey } = session;
  if (!tokens || !signInWorks(session, now)) return apiKey !== undefined;
  const { scopes = [] } = tokens;
  // The service need not have named the scopes.
  return scopes.length === 0 || scopes.includes("orders");
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
