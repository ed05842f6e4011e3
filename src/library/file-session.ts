/** What `fileSession` gives: it is loaded when that is called, since the state of a machine is larger than the whole client. */
import path from "node:path";

import { chooseSession, sessionCredentials } from "../auth/session.js";
import type { ClientOptions } from "../client/options.js";
import { createTransport, type Variables } from "../client/http.js";
import { systemClock } from "../base/clock.js";
import { openJournal } from "../state/journal.js";
import { openState } from "../state/state.js";
import { openLimiter } from "../state/limits.js";
import { warningsFor } from "./callbacks.js";
import { programHint, withHints } from "./hints.js";

export interface FileSessionOptions {
  /**
   * The alias is the one that `comanda login --store` was given. The default is `COMANDA_STORE`, else the default
   * store, else the only one.
   */
  readonly store?: string;
  /**
   * The session is read from this folder. The default is `COMANDA_CONFIG_DIR`, else comanda's configuration folder. Where
   * `COMANDA_STATE` names a database it is read from there.
   */
  readonly folder?: string;
  /** All variables are looked up here, also `COMANDA_STATE` with its key and those of a proxy. The default is `process.env`. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /**
   * Called with a sentence for a problem with this machine's files that fails no call, and awaited. An error that it throws ends the
   * call.
   */
  readonly onWarning?: (message: string) => unknown;
}

/** Address, credentials and limits of one store belong together. */
export type FileSessionClientOptions = Required<
  Pick<ClientOptions, "baseUrl" | "allowInsecure" | "credentials" | "rateLimiter" | "journal">
>;

export interface FileSession {
  /** The store has this alias on this machine. */
  readonly store: string;
  /** The environment has this name in `comanda env list`. */
  readonly environment: string;
  /**
   * Pass these options on: `createClient(clientOptions)`. The access token refreshes itself under the store's lock, however
   * many processes use the store, and is written back. Requests are counted together with those of all processes of this
   * machine, the command line's included (section 8), unless `COMANDA_RATE_LIMITS` is `off`. The journal records writes for
   * `comanda history` on this machine.
   */
  readonly clientOptions: FileSessionClientOptions;
}

/** @param host the program's process */
export async function openFileSession(
  options: FileSessionOptions,
  host: { readonly env: Variables; readonly pid: number },
): Promise<FileSession> {
  const { folder, env = host.env, onWarning = () => undefined } = options;
  const warnings = warningsFor(onWarning);
  // A refresh has connections of its own, which end within a second.
  const transport = createTransport({ env, shortLived: false });
  const state = await openState({
    clock: systemClock,
    warn: warnings.warn,
    // The command line takes the same variables for the same folder.
    env: folder === undefined ? env : { ...env, COMANDA_CONFIG_DIR: path.resolve(folder) },
  });
  const session = await chooseSession({ env, state: () => Promise.resolve(state) }, options.store);
  await warnings.settled();
  const { store, environment } = session;
  const { base_url: baseUrl, allow_insecure: allowInsecure = false } = environment;
  const access = { session, sessions: state.sessions, transport, clock: systemClock, pid: host.pid };
  const { credentials, fingerprint, quota } = sessionCredentials(access);
  const place = { store, environment: environment.name };
  const { journal } = openJournal({ state, place, fingerprint });
  return {
    ...place,
    clientOptions: {
      baseUrl,
      allowInsecure,
      credentials: {
        ...credentials,
        bearer: () => withHints(programHint, async () => credentials.bearer?.()),
        renew: (refused) => withHints(programHint, async () => credentials.renew?.(refused)),
      },
      rateLimiter: openLimiter(state, quota, env),
      journal: {
        ...journal,
        willSend: (call, request) => withHints(programHint, () => journal.willSend(call, request)),
        ended: (call) =>
          withHints(programHint, async () => {
            await journal.ended(call);
            await warnings.settled();
          }),
      },
    },
  };
}
