/** Who the people of the portal are and which stores they may decide about. */
import type { Context } from "hono";

import type { Person, Store } from "../../domain/model.js";
import type { Visitor } from "./pages/layout.js";
import type { PortalSessions } from "./sessions.js";

export interface Visitors {
  readonly people: readonly Person[];
  readonly stores: readonly Store[];
  /** The visitor of a request; a session is opened where there is none. */
  of(c: Context): Visitor;
  /** The stores that someone owns: none for any profile but the owner's. */
  ownedBy(person: Person): readonly Store[];
}

export function createVisitors(options: {
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
