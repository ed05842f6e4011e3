/** How a store's session stands, judged from what is stored alone. */
import type { Session } from "../state/session.js";

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
}

/** `expired` is about the access token alone: with a refresh token the next command gets a new one by itself. */
export function stateOf(session: Session, now: number): SessionState {
  const { tokens, api_key: apiKey, refused_at: refused } = session;
  if (refused !== undefined) return "refused";
  if (tokens) return tokens.expires_at > now ? "valid" : "expired";
  return apiKey === undefined ? "signed_out" : "valid";
}

export function reportOf(session: Session, state: SessionState): StatusReport {
  const { tokens } = session;
  return {
    store: session.store,
    environment: session.environment.name,
    state,
    scopes: tokens?.scopes ?? [],
    expires_at: tokens ? new Date(tokens.expires_at).toISOString() : null,
    has_api_key: session.api_key !== undefined,
    has_partner_key: session.partner_key !== undefined,
    has_refresh_token: tokens?.refresh_token !== undefined,
  };
}

/** Can a command use this session without a new sign-in? */
export function isUsable(report: StatusReport): boolean {
  if (report.state === "valid") return true;
  return report.state === "expired" && (report.has_refresh_token || report.has_api_key);
}

export function describeState({ state, has_refresh_token: refreshes }: StatusReport): string {
  switch (state) {
    case "valid":
      return "signed in";
    case "expired":
      return refreshes
        ? "signed in; the access token has expired and is renewed by the next command"
        : "the access token has expired, and nothing is stored to renew it with: sign in again";
    case "refused":
      return "refused by the service: sign in again";
    case "unreachable":
      return "the service can't be reached";
    case "signed_out":
      return "signed out";
  }
}
