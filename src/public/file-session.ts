/** The stores that are signed in on this machine, for programs that share them with the command line. */
import * as z from "zod/mini";

import type { CallObserver, Credentials, RateLimiter, Transport } from "../client/index.js";
import { aFunction, aText, aTransport, checkOptions, must, objectWith, optionsOf } from "../client/checks.js";
import { once } from "../shared/once.js";

export interface FileSessionOptions {
  /** The alias that `comanda login --store` was given. Default: `COMANDA_STORE`, the default store, the only one. */
  readonly store?: string;
  /** Default: `COMANDA_CONFIG_DIR`, else comanda's configuration folder in this operating system. */
  readonly folder?: string;
  /**
   * Where those two variables, `COMANDA_ACTOR`, `COMANDA_DATA_DIR`, `COMANDA_RATE_LIMITS` and those of a proxy are looked
   * up. Default: `process.env`.
   */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** What a refresh goes through. Default: a connection of its own, closed again. */
  readonly transport?: Transport;
  /**
   * The store's alias, once more: this program may cancel orders there although the store is protected
   * (`comanda stores protect`). Without it, a call that may cancel an order at a protected store throws `usage`, however it
   * is spelled, and nothing is sent.
   */
  readonly confirm?: string;
  /**
   * Is each write in the machine's journal, before it goes out, so that `comanda history` shows it? Default: true; then a
   * write throws `state_unusable`, and nothing is sent, where its line can't be written. With `false` there is no line.
   */
  readonly journal?: boolean;
  /**
   * Told, in a sentence, of what went wrong with the machine's files and fails no call, and of what a client warns of: see
   * `ClientOptions.onWarning`.
   */
  readonly onWarning?: (message: string) => void;
}

export interface FileSession {
  /** The store's alias on this machine. */
  readonly store: string;
  /** The environment's name, as `comanda env list` shows it. */
  readonly environment: string;
  /** For `createClient(clientOptions)`. */
  readonly clientOptions: FileSessionClientOptions;
}

/** Address, credentials and limits of one store belong together. */
export interface FileSessionClientOptions {
  /** The environment's `base_url`. */
  readonly baseUrl: string;
  /** As the environment was set: may its address be another machine's by http? */
  readonly allowInsecure: boolean;
  /**
   * The access token refreshes itself under the store's lock, however many processes use the store at once, and
   * is written back; each throws a `ComandaError` of `not_signed_in` or `token_refused` where a new sign-in is
   * needed.
   */
  readonly credentials: Credentials;
  /**
   * Counts this store's requests together with those of every process of this machine that uses the store, the
   * command line's included, so that all of them stay within the service's limits (section 8). It keeps the count in
   * a file of the folder, from the first request on; where it can't, it counts for itself alone. `acquire` throws a
   * `ComandaError` of `rate_limited`, as every limiter does. `false`, which is none, where `COMANDA_RATE_LIMITS` is
   * `off`.
   */
  readonly rateLimiter: RateLimiter | false;
  /**
   * Sees to what holds for every call to the store on this machine: a protected store's orders are canceled with
   * {@link FileSessionOptions.confirm} alone, writes are in the journal, and sales figures that are kept here count as
   * doubtful once an order is changed. A client without it keeps none of that.
   */
  readonly observer: CallObserver;
  /** That of {@link FileSessionOptions}. */
  readonly onWarning?: (message: string) => void;
}

/**
 * Reads the session of a store that `comanda login` has stored. This and what it returns are all of this library that
 * touches a disk.
 *
 * What a client of it sends is seen to as the command line's own calls are: see
 * {@link FileSessionClientOptions.observer}.
 *
 * @throws {ComandaError} `not_signed_in` where no store is known, `invalid_input` for one that isn't, `usage` where
 *   there are several and none is chosen, or where `confirm` names another one, `state_unusable` where a file can't be used, `configuration` for options that
 *   can't be used
 */
export async function fileSession(options: FileSessionOptions = {}): Promise<FileSession> {
  checkOptions(optionsSchema(), options, "fileSession");
  const { store, folder, env, transport, confirm, journal = true, onWarning } = options;
  // eslint-disable-next-line no-restricted-globals -- here the program is somebody else's: its process is asked for its id and owner, and its environment is the default
  const host = process;
  const variables = env ?? host.env;
  const { openFileSession } = await import("./open-file-session.js");
  const chosen = variables["COMANDA_STORE"];
  return openFileSession({
    store: store ?? (chosen === "" ? undefined : chosen),
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
