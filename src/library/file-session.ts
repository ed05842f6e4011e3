/** What `fileSession` gives: it is loaded when that is called, since the state of a machine is larger than the whole client. */
import path from "node:path";

import { sessionCredentials } from "../auth/renewal.js";
import type { ClientOptions } from "../client/options.js";
import { createTransport, type Variables } from "../client/http.js";
import type { Transport } from "../client/transport.js";
import { systemClock } from "../client/clock.js";
import { ComandaError } from "../client/errors.js";
import { openJournal } from "../state/journal.js";
import { openState, type State } from "../state/state.js";
import { openLimiter } from "../state/limits.js";
import { credentialDigest, type Session } from "../state/sessions.js";

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
  /** A refresh goes through this transport. The default is a connection of its own, which ends within a second. */
  readonly transport?: Transport;
  /** This function is told in a sentence what went wrong with the machine's files and fails no call. */
  readonly onWarning?: (message: string) => void;
}

/** Address, credentials and limits of one store belong together. */
export type FileSessionClientOptions = Required<
  Pick<ClientOptions, "baseUrl" | "allowInsecure" | "credentials" | "rateLimiter" | "observer">
>;

export interface FileSession {
  /** The store has this alias on this machine. */
  readonly store: string;
  /** The environment has this name in `comanda env list`. */
  readonly environment: string;
  /**
   * Pass these options on: `createClient(clientOptions)`. The access token refreshes itself under the store's lock, however
   * many processes use the store, and is written back. Requests are counted together with those of all processes of this
   * machine, the command line's included (section 8), unless `COMANDA_RATE_LIMITS` is `off`. The observer keeps writes in
   * this machine's journal, which `comanda history` shows.
   */
  readonly clientOptions: FileSessionClientOptions;
}

/** @param host the program's process */
export async function openFileSession(
  options: FileSessionOptions,
  host: { readonly env: Variables; readonly pid: number },
): Promise<FileSession> {
  const { folder, env = host.env, onWarning } = options;
  const { transport = createTransport({ env, shortLived: false }) } = options;
  const state = await openState({
    clock: systemClock,
    ...(onWarning && { warn: onWarning }),
    // The command line takes the same variables for the same folder.
    env: folder === undefined ? env : { ...env, COMANDA_CONFIG_DIR: path.resolve(folder) },
  });
  const { sessions } = state;
  const named = options.store ?? (env["COMANDA_STORE"] === "" ? undefined : env["COMANDA_STORE"]);
  const session = await chooseSession(state, named);
  const { store, environment } = session;
  const { base_url: baseUrl, allow_insecure: allowInsecure = false } = environment;
  const access = { session, sessions, transport, clock: systemClock, pid: host.pid };
  const { credentials, fingerprint } = sessionCredentials(access, credentialDigest);
  const place = { store, environment: environment.name };
  return {
    ...place,
    clientOptions: {
      baseUrl,
      allowInsecure,
      credentials,
      rateLimiter: openLimiter(state, { baseUrl, quotaKey: `store ${store}` }, env),
      observer: openJournal({ state, place, fingerprint }).observer,
    },
  };
}

/** The errors are worded for a program: it passes options, and types no flags. */
async function chooseSession({ sessions, settings }: State, named: string | undefined): Promise<Session> {
  const alias = named ?? (await settings.read()).default_store;
  const session = alias === undefined ? undefined : await sessions.read(alias);
  if (session) return session;
  const listed = await sessions.list();
  const [only, ...others] = listed;
  if (only === undefined)
    throw new ComandaError("not_signed_in", "This machine knows no store yet.", {
      hint: "Sign in at one: comanda login --store <alias> --env <name>",
    });
  const hint = `Pass one of these as store: ${listed.map(({ store }) => store).join(", ")}.`;
  if (named !== undefined)
    throw new ComandaError("invalid_input", `This machine knows no store "${named}".`, { hint });
  if (others.length > 0)
    throw new ComandaError("usage", "This machine knows several stores; say which one.", { hint });
  if ("error" in only) throw only.error;
  return only;
}
