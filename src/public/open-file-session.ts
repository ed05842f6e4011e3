/** What {@link fileSession} does, loaded where it is called. */
import path from "node:path";

import { sessionAccess } from "../auth/session-access.js";
import type { Transport } from "../client/index.js";
import { createTransport } from "../client/http/undici-transport.js";
import { systemClock } from "../shared/clock.js";
import { ComandaError } from "../shared/errors.js";
import { configFolder } from "../state/files/config-folder.js";
import type { HostProcess } from "../state/locks/process-liveness.js";
import { openLedgerLimiter } from "../state/quota/ledger-limiter.js";
import { chooseSession, unknownStore, type NamedStore } from "../state/sessions/choose-session.js";
import type { Session, SessionStore } from "../state/sessions/session.js";
import { openSessions } from "../state/sessions/sessions.js";
import { openSettings } from "../state/settings/settings.js";
import { openStateFolder } from "../state/state-folder.js";

export interface OpenOptions {
  readonly store: string | undefined;
  readonly folder: string | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly transport: Transport | undefined;
  readonly host: HostProcess;
}

/** @returns a `FileSession`, which file-session.ts holds it to */
export async function openFileSession({
  store,
  folder,
  env,
  transport = passingTransport(env),
  host,
}: OpenOptions) {
  const state = openStateFolder({
    folder: folder === undefined ? configFolder(env) : path.resolve(folder),
    clock: systemClock,
    process: host,
  });
  const sessions = openSessions(state);
  const byDefault = store === undefined ? openSettings(state).read().default_store : undefined;
  const session = await choose(sessions, { named: store, byDefault });
  const access = sessionAccess({ session, sessions, transport, clock: systemClock, pid: host.pid });
  return {
    store: session.store,
    environment: session.environment.name,
    clientOptions: {
      baseUrl: access.baseUrl,
      credentials: access.credentials,
      rateLimiter: openLedgerLimiter(access, { env, folder: state }),
    },
  };
}

/** The choice has its words here: a program passes options, and types no flags. */
async function choose(sessions: SessionStore, store: NamedStore): Promise<Session> {
  const choice = await chooseSession(sessions, store);
  switch (choice.kind) {
    case "session":
      return choice.session;
    case "several":
      throw new ComandaError("usage", "This machine knows several stores; say which one.", {
        hint: `Pass one of them as store: ${choice.known.join(", ")}.`,
      });
    case "unknown":
      if (choice.known.length === 0) throw noStore();
      throw unknownStore(choice.alias, choice.known, `It knows: ${choice.known.join(", ")}.`);
    case "none":
      throw noStore();
  }
}

function noStore(): ComandaError {
  return new ComandaError("not_signed_in", "This machine knows no store yet.", {
    hint: "Sign in at one: comanda login --store <alias> --env <name>",
  });
}

/** One connection a refresh, so that nothing is left for the program to close. */
function passingTransport(env: OpenOptions["env"]): Transport {
  return {
    send: async (request) => {
      const transport = createTransport({ env, shortLived: false });
      try {
        return await transport.send(request);
      } finally {
        await transport.close();
      }
    },
    close: () => Promise.resolve(),
  };
}
