/** The work of `fileSession`, loaded at its first call because the code for this machine's files is larger than the client. */
import path from "node:path";

import { chooseSession, type SessionCredentials } from "../auth/session.js";
import type { ClientOptions } from "../client/options.js";
import { createTransport, type Variables } from "../client/http.js";
import { systemClock } from "../base/clock.js";
import { completeHint } from "../base/errors.js";
import { accessTo, storeOf } from "../core/connection.js";
import { openState } from "../state/state.js";
import { warningsFor, withErrors } from "./callbacks.js";
import { programHint } from "./hints.js";

export interface FileSessionOptions {
  /** Alias from `comanda login --store` (default: `COMANDA_STORE`, else the default store, else the only one). */
  readonly store?: string | undefined;
  /**
   * Folder of the sign-ins (default: `COMANDA_CONFIG_DIR`, else comanda's settings folder). If `COMANDA_STATE` names a database,
   * they are read from there.
   */
  readonly folder?: string | undefined;
  /** Environment variables, including `COMANDA_STATE`, its key and proxies (default: `process.env`). */
  readonly env?: Variables | undefined;
  /** Called and awaited for a problem with this machine's files that fails no call. An error that it throws ends the call. */
  readonly onWarning?: ((message: string) => unknown) | undefined;
}

/** Options of `createClient` that belong to one store. */
export type FileSessionClientOptions = { readonly credentials: SessionCredentials } & Required<
  Pick<ClientOptions, "baseUrl" | "allowInsecure" | "rateLimiter" | "journal">
>;

export interface FileSession {
  /** Alias of the store. */
  readonly store: string;
  /** Name of the environment in `comanda env list`. */
  readonly environment: string;
  /**
   * Options for `createClient(clientOptions)`. The access token is refreshed and saved under the store's lock, however many processes
   * use it. Rate limits count the requests of all processes on this machine (section 8), unless `COMANDA_RATE_LIMITS` is `off`. The
   * journal records writes for `comanda history`. The options belong to one sign-in: if it has ended and someone has signed in again with
   * this alias, maybe to another store, calls throw `not_signed_in`. Then call `fileSession` again.
   */
  readonly clientOptions: FileSessionClientOptions;
}

/** @param host the process of the program */
export async function openFileSession(
  options: FileSessionOptions,
  host: { readonly env: Variables; readonly pid: number },
): Promise<FileSession> {
  const { folder, env = host.env, onWarning = () => undefined } = options;
  const warnings = warningsFor(onWarning);
  const transport = createTransport({ env });
  const state = await openState({
    clock: systemClock,
    warn: (message, facts) => warnings.warn(facts ? `${message} ${programHint(facts)}` : message),
    env: folder === undefined ? env : { ...env, COMANDA_CONFIG_DIR: path.resolve(folder) },
  });
  const session = await chooseSession({ env, state: () => Promise.resolve(state) }, options.store);
  await warnings.settled();
  const signedIn = storeOf(session);
  const { store, baseUrl, allowInsecure } = signedIn;
  const workspace = {
    env,
    pid: host.pid,
    clock: systemClock,
    debug: undefined,
    state: () => Promise.resolve(state),
    transport: () => Promise.resolve(transport),
  };
  const { credentials, journal, rateLimiter } = await accessTo(workspace, signedIn);
  const hinted = <Members extends object>(members: Members) =>
    withErrors(members, (error) => completeHint(error, programHint));
  return {
    store,
    environment: session.environment.name,
    clientOptions: {
      baseUrl,
      allowInsecure,
      credentials: hinted(credentials),
      rateLimiter,
      journal: hinted({ ...journal, ended: (call) => journal.ended(call).then(() => warnings.settled()) }),
    },
  };
}
