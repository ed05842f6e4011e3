/** The session of one store, in a private file of its own. */
import * as z from "zod/mini";

import type { Lease } from "../leases.js";
import type { ReservedRoom } from "../files/private-file.js";

// One instance of each serves all fields: to make one takes longer than to check a field with it.
export const text = z.string();
export const optionalText = z.optional(text);
const number = z.number();
const optionalNumber = z.optional(number);

/**
 * The two addresses of one environment of the service, and how this app is registered there. They are one unit
 * (specification, section 1): a session carries its own copy, so that a token never meets another's URL.
 */
export const environmentSchema = z.object({
  name: text,
  /** It has no trailing slash, and may carry a path prefix. */
  base_url: text,
  /** May carry a query of its own. */
  auth_url: text,
  client_id: text,
  redirect_uri: text,
  /** May `base_url` and `auth_url` be another machine's by http? For tests against an emulator. */
  allow_insecure: z.optional(z.boolean()),
});
export type Environment = z.infer<typeof environmentSchema>;

export const tokensSchema = z.object({
  access_token: text,
  /** The moment when they were asked for (milliseconds since the epoch); absent in what an older comanda stored. */
  issued_at: optionalNumber,
  /** Milliseconds since the epoch. */
  expires_at: number,
  refresh_token: optionalText,
  /** Names as the service gave them; absent where it gave none. */
  scopes: z.optional(z.array(text)),
  /** Counts up with each refresh: a process that lost a race adopts the newer generation. */
  generation: z.int(),
});
export type Tokens = z.infer<typeof tokensSchema>;

export const sessionSchema = z.object({
  version: z.literal(1),
  /** The alias that the person chose. */
  store: text,
  environment: environmentSchema,
  tokens: z.optional(tokensSchema),
  api_key: optionalText,
  /** Goes along with the API key where the service asks for both (section 5.1). */
  partner_key: optionalText,
  /**
   * When the tokens' sign-in took place (milliseconds since the epoch): after another sign-in the alias may stand for
   * another store.
   */
  signed_in_at: optionalNumber,
  /**
   * Set while a refresh request is out. Where a later run finds it, the run before was killed between the
   * service's rotation and the write, and the refresh token may be spent.
   */
  refresh_in_flight: z.optional(z.object({ started_at: number, pid: z.int() })),
  /** The moment when the service last refused the refresh token (milliseconds since the epoch). A sign-in clears it. */
  refused_at: optionalNumber,
});
export type Session = z.infer<typeof sessionSchema>;

/** @param write writes under the lock that is held, into the room where some was taken */
export type SessionChange = (
  current: Session | undefined,
  write: SessionWrite,
  lease: Omit<Lease, "keep">,
) => Promise<Session | undefined>;
export type SessionWrite = (next: Session, room?: Room) => Promise<void>;

/** Room on the disk, so that one session can be written whatever happens until then. */
export interface Room {
  /** Harmless after the write. */
  release(): void;
  /** It is absent where sessions aren't files. */
  readonly file?: ReservedRoom;
}

/** The stores that this machine knows. Every failure is a {@link ComandaError} of code `state_unusable`. */
export interface SessionStore {
  /** Sorted by alias. A file that can't be used is listed with its error rather than hidden. */
  list(): Promise<readonly (Session | { readonly store: string; readonly error: Error })[]>;
  /** `undefined` where the store isn't known. */
  read(store: string): Promise<Session | undefined>;
  /**
   * Reserves room on the disk for one write of a session with the longest possible tokens. Reserve before the service
   * is asked for tokens, and release in the end.
   */
  reserve(store: string): Promise<Room>;
  /**
   * Reads, changes and writes under the store's lock. `undefined` from `change` leaves the file as it is by then.
   * While it runs, an interrupt waits (see `critical`). For a change that must ask the service in between: it calls
   * `assertHeld` before each request. Where the lock was lost, `change` is called again with what is stored then.
   *
   * @returns the session as it is then
   */
  update(store: string, change: SessionChange): Promise<Session | undefined>;
  /**
   * Works under the store's lock. If the disk has no room for the lock's file, it works without: then no other process
   * can take the lock either.
   *
   * @param before done first with what is stored, which must be readable then; what it throws keeps the session, and what
   *   it returns stays in its place, where the disk has room for it
   * @returns `false` where there was none
   */
  remove(
    store: string,
    before?: (current: Session | undefined) => Promise<Session | undefined>,
  ): Promise<boolean>;
  /** Refuses an alias that is taken. */
  rename(from: string, to: string): Promise<void>;
}
