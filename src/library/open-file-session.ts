/** {@link fileSession} loads this file when it is called. */
import path from "node:path";

import { sessionCredentials } from "../auth/credentials.js";
import type { Credentials } from "../client/credentials.js";
import type { CallObserver } from "../client/observer.js";
import type { RateLimiter } from "../client/rate-limit.js";
import type { Variables } from "../client/http.js";
import type { Transport } from "../client/transport.js";
import { createTransport } from "../client/http.js";
import { systemClock } from "../client/clock.js";
import { ComandaError } from "../client/errors.js";
import { openJournal } from "../state/journal.js";
import { openState, refuseUnsafeFolder } from "../state/state.js";
import { openLimiter } from "../state/limits.js";
import { chooseSession, unknownStore, type NamedStore } from "../state/settings.js";
import type { Session, SessionStore } from "../state/sessions.js";
import { quotaKeyOf } from "../state/sessions.js";

export interface FileSessionOptions {
  /**
   * The alias is the one that `comanda login --store` was given. The default is `COMANDA_STORE`, else the default
   * store, else the only one.
   */
  readonly store?: string;
  /**
   * The session is read from this folder. The default is `COMANDA_CONFIG_DIR`, else comanda's configuration folder in
   * this operating system.
   */
  readonly folder?: string;
  /**
   * Those two variables, `COMANDA_RATE_LIMITS` and those of a proxy are looked
   * up here. The default is `process.env`.
   */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** A refresh goes through this transport. The default is a connection of its own, which is closed again. */
  readonly transport?: Transport;
  /**
   * This function is told in a sentence what went wrong with the machine's files and fails no call.
   */
  readonly onWarning?: (message: string) => void;
}

export interface FileSession {
  /** The store has this alias on this machine. */
  readonly store: string;
  /** The environment has this name in `comanda env list`. */
  readonly environment: string;
  /** Pass these options on: `createClient(clientOptions)`. */
  readonly clientOptions: FileSessionClientOptions;
}

/** Address, credentials and limits of one store belong together. */
export interface FileSessionClientOptions {
  /** The environment has this `base_url` (section 1). */
  readonly baseUrl: string;
  /** The environment was set with `COMANDA_ALLOW_INSECURE=1`: its address may be another machine's by http. */
  readonly allowInsecure: boolean;
  /**
   * The access token refreshes itself under the store's lock, however many processes use the store at once, and is
   * written back. Each credential throws a `ComandaError` of `not_signed_in` or `token_refused` where a new sign-in
   * is needed.
   */
  readonly credentials: Credentials;
  /**
   * Counts this store's requests together with those of every process of this machine that uses the store, the
   * command line's included, so that all of them stay within the service's limits (section 8). It keeps the count in
   * a file of the folder, from the first request on; where it can't, it counts for itself alone. `acquire` throws a
   * `ComandaError` of `rate_limited`, as every limiter does. It is `false`, and nothing is counted, where
   * `COMANDA_RATE_LIMITS` is `off`.
   */
  readonly rateLimiter: RateLimiter | false;
  /** Keeps writes in this machine's journal. A client without it doesn't. */
  readonly observer: CallObserver;
}

/** @param host the program's process */
export async function openFileSession(
  options: FileSessionOptions,
  host: { readonly env: Variables; readonly pid: number },
): Promise<FileSession> {
  const { folder, env = host.env, transport = refreshTransport(env), onWarning } = options;
  const state = await openState({
    clock: systemClock,
    ...(onWarning && { warn: onWarning }),
    // The command line takes the same variables for the same folder.
    env: folder === undefined ? env : { ...env, COMANDA_CONFIG_DIR: path.resolve(folder) },
  });
  refuseUnsafeFolder(state);
  const { sessions, settings } = state;
  const named = options.store ?? (env["COMANDA_STORE"] === "" ? undefined : env["COMANDA_STORE"]);
  const session = await choose(sessions, {
    named,
    settings: named === undefined ? await settings.read() : undefined,
  });
  const { credentials, fingerprint } = sessionCredentials({
    session,
    sessions,
    transport,
    clock: systemClock,
    pid: host.pid,
  });
  const { base_url: baseUrl, allow_insecure: allowInsecure = false } = session.environment;
  return {
    store: session.store,
    environment: session.environment.name,
    clientOptions: {
      baseUrl,
      allowInsecure,
      credentials,
      rateLimiter: openLimiter({ baseUrl, quotaKey: quotaKeyOf(session.store) }, { env, folder: state }),
      observer: openJournal({
        state,
        place: { store: session.store, environment: session.environment.name },
        fingerprint: fingerprint,
      }).observer,
    },
  };
}

/** Chooses the session, and words its errors for a program: it passes options, and types no flags. */
async function choose(sessions: SessionStore, store: NamedStore): Promise<Session> {
  const choice = await chooseSession(sessions, store);
  switch (choice.kind) {
    case "session":
      return choice.session;
    case "several":
      throw new ComandaError("usage", "This machine knows several stores; say which one.", {
        hint: `Pass one of them as store: ${choice.aliases.join(", ")}.`,
      });
    case "unknown":
      if (choice.aliases.length === 0) throw noStore();
      throw unknownStore(choice.alias, choice.aliases, `It knows: ${choice.aliases.join(", ")}.`);
    case "none":
      throw noStore();
  }
}

function noStore(): ComandaError {
  return new ComandaError("not_signed_in", "This machine knows no store yet.", {
    hint: "Sign in at one: comanda login --store <alias> --env <name>",
  });
}

/** Opens one connection for each refresh, so that nothing is left for the program to close. */
function refreshTransport(env: Variables): Transport {
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
