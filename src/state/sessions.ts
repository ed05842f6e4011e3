/**
 * Stores sign-ins: a private file for each store on one machine, an encrypted row in PostgreSQL. Each is changed under the
 * store's lease, and a write replaces only the text that was read, so a process that was suspended overwrites nothing.
 */
import { readdirSync, rmSync } from "node:fs";
import path from "node:path";

import * as z from "zod/mini";

import { isObject, parseJson } from "../base/basics.js";
import { ComandaError } from "../base/errors.js";
import type { HintFacts } from "../base/hint-facts.js";
import { t } from "../languages/language.js";
import { damaged, digestOf, newerVersion, type Damage } from "./database.js";
import type { Lease, WithLease } from "./leases.js";
import { fileError, type PrivateFiles } from "./private-file.js";

// Schemas are shared, because creating one takes longer than validating a field.
export const text = z.string();
export const optionalText = z.optional(text);
const integer = z.number().check(z.refine(Number.isSafeInteger));
/** Milliseconds since the epoch, up to the largest valid date (ECMA-262, "Time Values"). */
const moment = z.number().check(z.minimum(0), z.maximum(8.64e15));
const optionalMoment = z.optional(moment);

/**
 * The addresses of an environment of the service, and the app's registration there. They belong together (specification, section
 * 1): each session contains a copy, so a token is never sent to another environment's URL.
 */
export const environmentSchema = z.object({
  name: text,
  /** The address without a trailing slash. It may contain a path prefix. */
  base_url: text,
  /** The address may contain a query. Like `client_id`, it is absent if only keys are used. */
  auth_url: optionalText,
  client_id: optionalText,
  redirect_uri: text,
  /** Whether `base_url` and `auth_url` may use http on another machine, for tests against an emulator. */
  allow_insecure: z.optional(z.boolean()),
});
export type Environment = z.infer<typeof environmentSchema>;

const tokensSchema = z.object({
  access_token: text,
  /** The time of the request (milliseconds since the epoch); `undefined` if a program's `TokenStore` didn't store it. */
  issued_at: optionalMoment,
  /** Milliseconds since the epoch. */
  expires_at: moment,
  refresh_token: optionalText,
  /** The names that the service returned; `undefined` if it returned none. */
  scopes: z.optional(z.array(text)),
  /** Increases with each refresh, so a process that was slower adopts the newer generation. */
  generation: integer,
});
export type Tokens = z.infer<typeof tokensSchema>;

const sessionSchema = z.object({
  version: z.literal(1),
  store: text,
  /** The previous alias, because a rename writes the session before it renames the file. */
  renamed_from: optionalText,
  environment: environmentSchema,
  tokens: z.optional(tokensSchema),
  api_key: optionalText,
  /** The key that some operations require with the API key (section 5.1). */
  partner_key: optionalText,
  /** The time of the sign-in (milliseconds since the epoch). After a new one, the alias may belong to a different store. */
  signed_in_at: optionalMoment,
  /** Set during a refresh. If a later run finds it, the refresh was interrupted, and the refresh token may have been used. */
  refresh_in_flight: z.optional(z.object({ started_at: moment, pid: integer })),
  /** The time when the service rejected the refresh token (milliseconds since the epoch). A sign-in clears it. */
  refused_at: optionalMoment,
});
export type Session = z.infer<typeof sessionSchema>;

/** The lease under which a session is changed. */
export interface SessionLease extends Omit<Lease, "extend"> {
  /**
   * Writes a session. If it is marked as being refreshed, disk space is reserved for the next write, because a full disk after the
   * refresh would lose the tokens.
   */
  write(next: Session): Promise<void>;
}

export type SessionChange = (
  current: Session | undefined,
  lease: SessionLease,
) => Promise<Session | undefined>;

export type SessionStore = ReturnType<typeof openSessions>;

/** Stores strings by name, in {@link sessionFiles} or in rows of PostgreSQL. */
export interface TextStore {
  /** Returns the location of the text, as the beginning of a sentence. */
  locationOf(name: string): string;
  /** Returns the names of all sign-ins. */
  names(): Promise<readonly string[]>;
  read(name: string): Promise<string | undefined>;
  /** Reserves disk space for one write of a session with the longest possible tokens. An unused reservation must be removed. */
  readonly reservations?: { create(name: string): string; remove(reservation: string): void };
  /**
   * Replaces exactly the text `before`, and renames it in the same step if there is another name `to`.
   *
   * @throws {ComandaError} `lock_timeout` if a different text is stored by now
   */
  write(
    name: string,
    text: string,
    before: string | undefined,
    how?: { readonly reservation?: string | undefined; readonly to?: string },
  ): Promise<void>;
  remove(name: string): Promise<void>;
}

/**
 * Opens the stored sessions. Its functions reject with `state_unusable` for a damaged session, which only `remove` deletes, with
 * `invalid_input` for an invalid alias, and with `lock_timeout` if a write has to wait too long.
 */
export function openSessions(texts: TextStore, withLease: WithLease) {
  async function readAt(name: string) {
    const text = await texts.read(name);
    if (text === undefined) return undefined;
    const location = texts.locationOf(name);
    const damage = { about: "damaged_sign_in", store: aliasOfFileName(name) } as const;
    const { renamed_from: previous, ...session } = parseStored(sessionSchema, text, location, damage);
    for (const store of [session.store, previous])
      if (store !== undefined && storeFileName(store) === name)
        return { session: { ...session, store }, text };
    throw damaged(location, damage);
  }

  return {
    /** Returns all sessions sorted by alias, with an error in place of a damaged one. */
    async list() {
      const listed: (Session | { readonly store: string; readonly error: ComandaError })[] = [];
      for (const name of await texts.names()) {
        try {
          const stored = await readAt(name);
          if (stored) listed.push(stored.session);
        } catch (error) {
          if (!(error instanceof ComandaError)) throw error;
          listed.push({ store: aliasOfFileName(name), error });
        }
      }
      return listed.sort((a, b) => (storeKey(a.store) < storeKey(b.store) ? -1 : 1));
    },

    read: async (store: string): Promise<Session | undefined> =>
      (await readAt(storeFileName(parseStoreAlias(store))))?.session,

    /**
     * Changes a session under the store's lease. An interrupt waits for the end of the change.
     *
     * @param change returns the new session, or `undefined` to leave it unchanged. It must call `assertHeld` before each request.
     *   If the lease was lost, it is called again with the session that is stored by then
     * @returns the stored session
     */
    async update(store: string, change: SessionChange): Promise<Session | undefined> {
      const name = storeFileName(parseStoreAlias(store));
      return withLease(name, async (lease) => {
        let stored = await readAt(name);
        let reservation: string | undefined;
        const write = async (session: Session) => {
          const text = textOf(session);
          const used = reservation;
          if (session.refresh_in_flight) reservation ??= texts.reservations?.create(name);
          await texts.write(name, text, stored?.text, { reservation: used });
          if (used !== undefined) reservation = undefined;
          stored = { session, text };
        };
        try {
          const next = await change(stored?.session, { ...lease, write });
          if (next) await write(next);
          return stored?.session;
        } finally {
          if (reservation !== undefined) texts.reservations?.remove(reservation);
        }
      });
    },

    /** @param before runs first, under the lease */
    async remove(store: string, before?: () => Promise<void>): Promise<void> {
      const name = storeFileName(parseStoreAlias(store));
      return withLease(name, async (lease) => {
        await before?.();
        lease.assertHeld();
        await texts.remove(name);
      });
    },

    /**
     * Renames a store, unless it no longer exists or the new alias does.
     *
     * @param before runs first, under the leases of both aliases
     */
    async rename(from: string, alias: string, before?: () => Promise<void>): Promise<void> {
      const [name, store] = [storeFileName(parseStoreAlias(from)), parseStoreAlias(alias)];
      const to = storeFileName(store);
      const move = async (...leases: readonly Lease[]) => {
        const stored = await readAt(name);
        if (!stored) throw changedElsewhere(from);
        if (to !== name && (await texts.names()).includes(to))
          throw new ComandaError("invalid_input", t`The store "${alias}" already exists.`, {
            hintFacts: { about: "alias_taken", store: alias },
          });
        await before?.();
        for (const lease of leases) lease.assertHeld();
        const next = textOf({ ...stored.session, store, renamed_from: stored.session.store });
        await texts.write(name, next, stored.text, { to });
      };
      // The order is always the same, so two renames in opposite directions don't wait for each other.
      const [first = name, second = name] = [name, to].sort();
      await withLease(first, (one) =>
        first === second ? move(one) : withLease(second, (other) => move(one, other)),
      );
    },
  };
}

/** Returns whether a listed session has credentials, or can't be read. A store that was signed out is still listed. */
export function hasCredentials(listed: Session | { readonly error: ComandaError }): boolean {
  return "error" in listed || (listed.tokens ?? listed.api_key ?? listed.partner_key) !== undefined;
}

function textOf(session: Session): string {
  return `${JSON.stringify(session, undefined, 2)}\n`;
}

/** Two tokens of 4,096 characters at up to two bytes in JSON, and half of that for all other fields. */
const reservedBytes = 24 * 1024;

export function sessionFiles(root: string, files: PrivateFiles): TextStore {
  const folder = path.join(root, "sessions");
  const fileOf = (name: string) => path.join(folder, `${name}.json`);
  /* eslint-disable @typescript-eslint/require-await -- rejections, never exceptions */
  return {
    locationOf: fileOf,
    async names() {
      if (!files.checkFolder(folder)) return [];
      try {
        return readdirSync(folder).flatMap((entry) => /^(s-.*)\.json$/.exec(entry)?.[1] ?? []);
      } catch (error) {
        throw fileError(error, "read", folder);
      }
    },
    read: async (name) => files.read(fileOf(name)),
    reservations: {
      create: (name) => files.reserve(fileOf(name), reservedBytes),
      remove: (reservation) => rmSync(reservation, { force: true }),
    },
    async write(name, text, before, { reservation, to = name } = {}) {
      if (files.read(fileOf(name)) !== before) throw changedElsewhere(name);
      // A rename never leaves two files of one session, which would invalidate each other's tokens.
      files.write(fileOf(name), text, reservation, fileOf(to));
    },
    remove: async (name) => files.remove(fileOf(name)),
  };
  /* eslint-enable @typescript-eslint/require-await */
}

export function changedElsewhere(name: string): ComandaError {
  const hint = t`Try again later.`;
  return new ComandaError("lock_timeout", t`${name} was changed by another process.`, { hint });
}

/**
 * Parses stored JSON.
 *
 * @param location as the beginning of a sentence
 * @throws {ComandaError} `state_unusable`. Neither message nor cause quotes the text, or the JSON parser's message, which may
 *   contain secrets
 */
export function parseStored<Schema extends z.ZodMiniType>(
  schema: Schema,
  text: string,
  location: string,
  damage: HintFacts<Damage>,
): z.infer<Schema> {
  const data = parseJson(text);
  const result = z.safeParse(schema, data);
  if (result.success) return result.data;
  const isNewer = isObject(data) && typeof data["version"] === "number" && data["version"] > 1;
  throw isNewer ? newerVersion(location) : damaged(location, damage);
}

/**
 * Normalizes an alias (Unicode NFC): at most 40 letters and digits of any script, `.`, `_` and `-`, starting with a letter or
 * digit.
 *
 * @throws {ComandaError} `invalid_input`
 */
export function parseStoreAlias(text: string): string {
  const alias = text.normalize("NFC");
  // ASCII is tested first, because compiling the Unicode pattern takes a tenth of a short command's time.
  const isAlias = /^[a-z\d][\w.-]*$/i.test(alias) || /^[\p{L}\p{Nd}][\p{L}\p{M}\p{Nd}._-]*$/u.test(alias);
  if (isAlias && Array.from(alias).length <= 40) return alias;
  throw new ComandaError("invalid_input", t`Invalid store alias: ${JSON.stringify(alias)}.`, {
    hint: t`Use up to 40 letters, digits, ".", "_" and "-", starting with a letter or digit, for example loja-2.`,
  });
}

/** Returns the key of an alias, whose letter case doesn't matter. */
export function storeKey(alias: string): string {
  return alias.toLowerCase().normalize("NFC");
}

export function credentialDigest(credential: string): string {
  return digestOf(credential).slice(0, 16);
}

/**
 * Returns the name of a store's file: lower-case ASCII, with a prefix so it can't be a device name of Windows. A long one ends
 * with a digest, because a file name has at most 255 bytes, including those of temporary files.
 */
export function storeFileName(alias: string): string {
  const key = storeKey(alias);
  const name = `s-${encodeURIComponent(key).toLowerCase()}`;
  return name.length <= 150 ? name : `${name.slice(0, 125)}~${digestOf(key).slice(0, 24)}`;
}

/** Returns the alias in a file name, for a file that can't be read. */
function aliasOfFileName(name: string): string {
  try {
    return decodeURIComponent(name.slice(2));
  } catch {
    return name;
  }
}
