/** A cookie tells who is signed in at the portal. The parts of the portal share this. */
import type { Context } from "hono";
import { deleteCookie, getCookie, setCookie } from "hono/cookie";

import type { EmulatorClock, Person, Store } from "../../domain/model.js";
import type { AuthorizationServer } from "../oauth/authorization-server.js";
import { sameSecret } from "../oauth/secrets.js";
import type { Visitor } from "./layout.js";
import { portalPath } from "./paths.js";

interface PortalSession {
  /** Every form carries this token, so that no other page can send one (cross-site request forgery). */
  readonly formToken: string;
  /** It is absent before someone signs in. */
  readonly personId?: string;
}

export interface PortalSessions {
  /** Gives the session of the request; a new, anonymous one where there is none. */
  open(c: Context): PortalSession;
  /** A sign-in always gets a new cookie, so that one planted before is worth nothing. */
  signIn(c: Context, personId: string): void;
  signOut(c: Context): void;
  isGenuine(c: Context, formToken: string): boolean;
}

const cookieName = "comanda_emulator_portal";
/** A session lasts a working day, in milliseconds. */
const lifetimeMs = 12 * 3_600_000;
/** Scripts that keep no cookies open a session with each page, so the oldest ones give way. */
const maximumSessions = 1_000;

function createPortalSessions(options: {
  clock: EmulatorClock;
  randomBytes: (length: number) => Uint8Array;
  /** The cookie is sent to this path. */
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
    const visit = sessions.get(getCookie(c, cookieName) ?? "");
    return visit && visit.expiresAt > clock.now() ? visit.session : undefined;
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

interface Visitors {
  readonly people: readonly Person[];
  readonly stores: readonly Store[];
  /** Gives the visitor of a request; a session is opened where there is none. */
  of(c: Context): Visitor;
  /** Lists the stores that someone owns: none for any profile but the owner's. */
  ownedBy(person: Person): readonly Store[];
}

function createVisitors(options: {
  people: readonly Person[];
  stores: readonly Store[];
  sessions: PortalSessions;
}): Visitors {
  const { people, stores, sessions } = options;
  return {
    people,
    stores,
    of: (c) => {
      const { formToken, personId } = sessions.open(c);
      return { formToken, person: people.find(({ id }) => id === personId) };
    },
    ownedBy: (person) =>
      person.profile === "owner" ? stores.filter(({ id }) => person.storeIds.includes(id)) : [],
  };
}

export interface PortalOptions {
  readonly server: AuthorizationServer;
  readonly people: readonly Person[];
  readonly stores: readonly Store[];
  readonly clock: EmulatorClock;
  readonly randomBytes: (length: number) => Uint8Array;
}

export interface Portal {
  readonly server: AuthorizationServer;
  readonly sessions: PortalSessions;
  readonly visitors: Visitors;
}

export function createPortal({ server, people, stores, clock, randomBytes }: PortalOptions): Portal {
  const sessions = createPortalSessions({ clock, randomBytes, path: portalPath });
  return { server, sessions, visitors: createVisitors({ people, stores, sessions }) };
}
