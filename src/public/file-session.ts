/** Programs share the stores that are signed in on this machine with the command line. */
import * as z from "zod/mini";

import type { Credentials } from "../client/call/credentials.js";
import type { CallObserver } from "../client/call/observer.js";
import type { RateLimiter } from "../client/call/rate-limit.js";
import { aFunction, aText, aTransport, checkOptions, must, objectWith, optionsOf } from "../client/checks.js";
import type { Transport } from "../client/http/transport.js";
import { once } from "../shared/once.js";

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
   * Those two variables, `COMANDA_ACTOR`, `COMANDA_DATA_DIR`, `COMANDA_RATE_LIMITS` and those of a proxy are looked
   * up here. The default is `process.env`.
   */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** A refresh goes through this transport. The default is a connection of its own, which is closed again. */
  readonly transport?: Transport;
  /**
   * The store's alias, given again, allows this program to cancel orders there although the store is protected
   * (`comanda stores protect`). Without it, a call that may cancel an order at a protected store throws `usage`,
   * however it is spelled, and nothing is sent.
   */
  readonly confirm?: string;
  /**
   * Each write is in the machine's journal before it goes out, so that `comanda history` shows it. The default is
   * true; then a write throws `state_unusable`, and nothing is sent, where its line can't be written. With `false`
   * there is no line.
   */
  readonly journal?: boolean;
  /**
   * This function is told in a sentence what went wrong with the machine's files and fails no call, and what a client
   * warns of: see `ClientOptions.onWarning`.
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
  /** The environment was set with `--allow-insecure`: its address may be another machine's by http. */
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
  /**
   * Applies what holds for every call to the store on this machine: orders of a protected store are canceled with
   * {@link FileSessionOptions.confirm} alone, writes are in the journal, and sales figures that are kept here count
   * as doubtful once an order is changed. A client without it does none of that.
   */
  readonly observer: CallObserver;
  /** This is the function of {@link FileSessionOptions}. */
  readonly onWarning?: (message: string) => void;
}

/**
 * Reads the session of a store that `comanda login` has stored. No other part of this library touches a disk.
 *
 * Calls of a client with these options follow the rules of the command line's own calls: see {@link
 * FileSessionClientOptions.observer}.
 *
 * @throws {ComandaError} `not_signed_in` where no store is known, `invalid_input` for a store that isn't, `usage`
 * where there are several and none is chosen, or where `confirm` names another one, `state_unusable` where a file
 * can't be used, `configuration` for options that can't be used
 */
export async function fileSession(options: FileSessionOptions = {}): Promise<FileSession> {
  checkOptions(optionsSchema(), options, "fileSession");
  const { store, folder, env, transport, confirm, journal = true, onWarning } = options;
  // eslint-disable-next-line no-restricted-globals -- here the program is somebody else's: its process is asked for its id and owner, and its environment is the default
  const host = process;
  const variables = env ?? host.env;
  const { openFileSession } = await import("./open-file-session.js");
  const storeVariable = variables["COMANDA_STORE"];
  return openFileSession({
    store: store ?? (storeVariable === "" ? undefined : storeVariable),
    folder,
    env: variables,
    transport,
    confirm,
    journal,
    onWarning,
    host,
  });
}

const optionsSchema = once(() =>
  optionsOf({
    store: z.optional(aText()),
    folder: z.optional(aText()),
    env: z.optional(objectWith({})),
    transport: z.optional(aTransport()),
    confirm: z.optional(aText()),
    journal: z.optional(z.boolean(must("true or false"))),
    onWarning: z.optional(aFunction()),
  } satisfies Record<keyof FileSessionOptions, z.ZodMiniType>),
);
