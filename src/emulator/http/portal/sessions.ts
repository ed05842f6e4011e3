/** Who is signed in at the portal, by cookie. */
import type { Context } from "hono";
import { deleteCookie, getCookie, setCookie } from "hono/cookie";

import type { EmulatorClock } from "../../domain/model.js";
import { sameSecret } from "../oauth/pkce.js";

export interface PortalSession {
  /** Every form carries it, so that no other page can send one (cross-site request forgery). */
  readonly formToken: string;
  /** Absent before someone signs in. */
  readonly personId?: string;
}

export interface PortalSessions {
  /** The session of the request; a new, anonymous one where there is none. */
  open(c: Context): PortalSession;
  /** Always under a new cookie, so that one planted before signing in is worth nothing. */
  signIn(c: Context, personId: string): void;
  signOut(c: Context): void;
  isGenuine(c: Context, formToken: string): boolean;
}

const cookieName = "comanda_emulator_portal";
/** A working day, in milliseconds. */
const lifetimeMs = 12 * 3_600_000;
/** Scripts that keep no cookies open a session with each page: the oldest ones give way. */
const maximumSessions = 1_000;

export function createPortalSessions(options: {
  clock: EmulatorClock;
  randomBytes: (length: number) => Uint8Array;
  /** Where the cookie is sent to. */
  path: string;
}): PortalSessions {
  const { clock, randomBytes, path } = options;
  const sessions = new Map<string, { session: PortalSession; expiresAt: number }>();
  const random = () => Buffer.from(randomBytes(24)).toString("base64url");

  const start = (c: Context, personId?: string): PortalSession => {
    const id = random();
    const session = { formToken: random(), ...(personId === undefined ? {} : { personId }) };
    sessions.set(id, { session, expiresAt: clock.now() + lifetimeMs });
    for (const oldest of sessions.keys()) {
      if (sessions.size <= maximumSessions) break;
      sessions.delete(oldest);
    }
    setCookie(c, cookieName, id, { path, httpOnly: true, sameSite: "Lax" });
    return session;
  };

  const current = (c: Context): PortalSession | undefined => {
    const found = sessions.get(getCookie(c, cookieName) ?? "");
    return found && found.expiresAt > clock.now() ? found.session : undefined;
  };

  const end = (c: Context) => sessions.delete(getCookie(c, cookieName) ?? "");

  return {
    open: (c) => current(c) ?? start(c),
    signIn: (c, personId) => {
      end(c);
      start(c, personId);
    },
    signOut: (c) => {
      end(c);
      deleteCookie(c, cookieName, { path });
    },
    isGenuine: (c, formToken) => {
      const session = current(c);
      return session !== undefined && sameSecret(session.formToken, formToken);
    },
  };
}
