/** What the parts of the portal share. */
import type { EmulatorClock, Person, Store } from "../../domain/model.js";
import type { AuthorizationServer } from "../oauth/authorization-server.js";
import { createPortalSessions, type PortalSessions } from "./sessions.js";
import { portalPath } from "./paths.js";
import { createVisitors, type Visitors } from "./visitors.js";

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
