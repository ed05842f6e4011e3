/**
 * Sign-ins: a private file a store on one machine, a sealed row in PostgreSQL. Each is read, changed and written under the store's
 * lease, and a write counts only where what was read is still there: who has stood still for long writes nothing.
 */
import { createHash } from "node:crypto";
import { readdirSync, rmSync } from "node:fs";
import path from "node:path";

import * as z from "zod/mini";

import { isObject, parseJson } from "../base/basics.js";
import { ComandaError } from "../base/errors.js";
import { t } from "../languages/language.js";
import type { Lease, WithLease } from "./leases.js";
import type { PrivateFiles } from "./private-file.js";

// One instance of each serves all fields: to make one takes longer than to check a field with it.
export const text = z.string();
export const optionalText = z.optional(text);
const integer = z.number().check(z.refine(Number.isSafeInteger));
/** Milliseconds since the epoch; no clock shows what lies beyond (ECMA-262, "Time Values"). */
const moment = z.number().check(z.minimum(0), z.maximum(8.64e15));
const optionalMoment = z.optional(moment);

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

const tokensSchema = z.object({
  access_token: text,
  /** The moment when they were asked for (milliseconds since the epoch); absent where a program's `TokenStore` keeps none. */
  issued_at: optionalMoment,
  /** Milliseconds since the epoch. */
  expires_at: moment,
  refresh_token: optionalText,
  /** Names as the service gave them; absent where it gave none. */
  scopes: z.optional(z.array(text)),
  /** Counts up with each refresh: a process that lost a race adopts the newer generation. */
  generation: integer,
});
export type Tokens = z.infer<typeof tokensSchema>;

const sessionSchema = z.object({
  version: z.literal(1),
  store: text,
  /** The alias before: at a rename the session is written before its file gets the other name. */
  renamed_from: optionalText,
  environment: environmentSchema,
  tokens: z.optional(tokensSchema),
  api_key: optionalText,
  /** Goes along with the API key where the service asks for both (section 5.1). */
  partner_key: optionalText,
  /**
   * When the tokens' sign-in took place (milliseconds since the epoch): after another sign-in the alias may stand for
   * another store.
   */
  signed_in_at: optionalMoment,
  /**
   * Set while a refresh request is out. Where a later run finds it, the run before was killed between the
   * service's rotation and the write, and the refresh token may be spent.
   */
  refresh_in_flight: z.optional(z.object({ started_at: moment, pid: integer })),
  /** The moment when the service last refused the refresh token (milliseconds since the epoch). A sign-in clears it. */
  refused_at: optionalMoment,
});
export type Session = z.infer<typeof sessionSchema>;

/**
 * Writes under the lease that is held. With the mark that a refresh is out, room is taken for the write that follows: the service
 * has spent the old refresh token by then, so a full disk must show before.
 */
export type SessionWrite = (next: Session) => Promise<void>;

export type SessionStore = ReturnType<typeof openSessions>;

/** Texts by name: {@link sessionFiles}, or rows of PostgreSQL. */
export interface TextStore {
  /** It begins a sentence that says where the text lies. */
  placeOf(name: string): string;
  names(): Promise<readonly string[]>;
  read(name: string): Promise<string | undefined>;
  /** Room on a disk for one write of a session with the longest possible tokens; who takes it removes what is left of it. */
  readonly room?: { take(name: string): string; remove(room: string): void };
  /**
   * Takes the place of another text, and of nothing else. Under another name it has at each moment one of both.
   *
   * @throws {ComandaError} `lock_timeout` where something else is there by now
   */
  write(
    name: string,
    text: string,
    before: string | undefined,
    how?: { readonly room?: string | undefined; readonly to?: string },
  ): Promise<void>;
  remove(name: string): Promise<void>;
}

/**
 * The stores that are known. What can't be used is `state_unusable`, and never written over: only `remove` takes it away. A name
 * that can't be an alias is `invalid_input`; those that write may end in `lock_timeout`.
 */
export function openSessions(texts: TextStore, withLease: WithLease) {
  const nameOf = (store: string) => storeFileName(parseStoreAlias(store));

  async function readAt(name: string) {
    const text = await texts.read(name);
    if (text === undefined) return undefined;
    const place = texts.placeOf(name);
    const { renamed_from: former, ...session } = parseKept(sessionSchema, text, place, "damaged_sign_in");
    for (const store of [session.store, former])
      if (store !== undefined && storeFileName(store) === name)
        return { session: { ...session, store }, text };
    throw damaged(place, "damaged_sign_in");
  }

  return {
    /** Sorted by alias. One that can't be used is listed with its error rather than hidden. */
    async list() {
      const listed: (Session | { readonly store: string; readonly error: ComandaError })[] = [];
      for (const name of await texts.names()) {
        if (!name.startsWith("s-")) continue;
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

    read: async (store: string): Promise<Session | undefined> => (await readAt(nameOf(store)))?.session,

    /**
     * Reads, changes and writes under the store's lease. `undefined` from `change` leaves it as it is by then. While it runs, an
     * interrupt waits. For a change that must ask the service in between: it calls `assertHeld` before each request. Where the
     * lease was lost, `change` is called again with what is stored then.
     *
     * @returns the session as it is then
     */
    async update(
      store: string,
      change: (
        current: Session | undefined,
        write: SessionWrite,
        lease: Omit<Lease, "keep">,
      ) => Promise<Session | undefined>,
    ): Promise<Session | undefined> {
      const name = nameOf(store);
      return withLease(name, async (lease) => {
        let stored = await readAt(name);
        let room: string | undefined;
        const write: SessionWrite = async (session) => {
          const text = textOf(session);
          const taken = room;
          if (session.refresh_in_flight) room ??= texts.room?.take(name);
          await texts.write(name, text, stored?.text, { room: taken });
          if (taken !== undefined) room = undefined;
          stored = { session, text };
        };
        try {
          const next = await change(stored?.session, write, lease);
          if (next) await write(next);
          return stored?.session;
        } finally {
          if (room !== undefined) texts.room?.remove(room);
        }
      });
    },

    /** @param before done first, under the lease */
    async remove(store: string, before?: () => Promise<void>): Promise<void> {
      const name = nameOf(store);
      return withLease(name, async (lease) => {
        await before?.();
        lease.assertHeld();
        await texts.remove(name);
      });
    },

    /**
     * Refuses an alias that is taken, and a store that is gone.
     *
     * @param before done first, under the leases of both names
     */
    async rename(from: string, alias: string, before?: () => Promise<void>): Promise<void> {
      const [name, store] = [nameOf(from), parseStoreAlias(alias)];
      const to = storeFileName(store);
      const move = async (...leases: readonly Lease[]) => {
        const stored = await readAt(name);
        if (!stored) throw overtaken(from);
        if (to !== name && (await texts.names()).includes(to)) {
          throw new ComandaError("invalid_input", t`There is already a store "${alias}".`, {
            hintFacts: { about: "alias_taken", alias },
          });
        }
        await before?.();
        for (const lease of leases) lease.assertHeld();
        const { session, text } = stored;
        const next = textOf({ ...session, store, renamed_from: session.store });
        await texts.write(name, next, text, { to });
      };
      // Always in the same order, or two that rename in opposite directions would wait for each other.
      const [first = name, second = name] = [name, to].sort();
      await withLease(first, (one) =>
        first === second ? move(one) : withLease(second, (other) => move(one, other)),
      );
    },
  };
}

function textOf(session: Session): string {
  return `${JSON.stringify(session, undefined, 2)}\n`;
}

/** Two tokens of 4,096 characters at up to two bytes in JSON, and half of that for all other fields. */
const reservedBytes = 24 * 1024;

/** A private file a store. */
export function sessionFiles(root: string, files: PrivateFiles): TextStore {
  const folder = path.join(root, "sessions");
  const fileOf = (name: string) => path.join(folder, `${name}.json`);
  /* eslint-disable @typescript-eslint/require-await -- rejections, never exceptions */
  return {
    placeOf: fileOf,
    async names() {
      if (!files.trusts(folder)) return [];
      const names = readdirSync(folder).filter((entry) => entry.endsWith(".json"));
      return names.map((entry) => path.basename(entry, ".json"));
    },
    read: async (name) => files.read(fileOf(name)),
    room: {
      take: (name) => files.reserve(fileOf(name), reservedBytes),
      remove: (room) => rmSync(room, { force: true }),
    },
    async write(name, text, before, { room, to = name } = {}) {
      if (files.read(fileOf(name)) !== before) throw overtaken(name);
      files.write(fileOf(name), text, room);
      // At no moment are there two files of it: a kill would leave both, and each would use up the other's token.
      if (to !== name) files.move(fileOf(name), fileOf(to));
    },
    remove: async (name) => files.remove(fileOf(name)),
  };
  /* eslint-enable @typescript-eslint/require-await */
}

/** What is stored isn't any more what was read. */
export function overtaken(name: string): ComandaError {
  return new ComandaError("lock_timeout", t`${name} was changed by another process.`, {
    hint: t`Try again.`,
  });
}

/**
 * Reads JSON of the expected shape and version.
 *
 * @param place begins a sentence: the path of a file
 * @param about the hint if it can't be used
 * @throws {ComandaError} `state_unusable`. Neither message nor cause quotes what is there: it may hold a secret, and so may
 *   the message of the JSON parser, which quotes the text around the fault.
 */
export function parseKept<Schema extends z.ZodMiniType>(
  schema: Schema,
  text: string,
  place: string,
  about: Damage,
): z.infer<Schema> {
  const data = parseJson(text);
  const result = z.safeParse(schema, data);
  if (result.success) return result.data;
  const isNewer = isObject(data) && typeof data["version"] === "number" && data["version"] > 1;
  if (!isNewer) throw damaged(place, about);
  throw new ComandaError("state_unusable", t`${place} was written by a newer version of comanda.`, {
    hint: t`Update comanda on this machine.`,
  });
}

type Damage = "damaged_settings" | "damaged_sign_in";

function damaged(place: string, about: Damage): ComandaError {
  return new ComandaError("state_unusable", t`${place} is damaged.`, { hintFacts: { about } });
}

/**
 * The alias in the one form that it is kept in (Unicode NFC): letters and digits of any script, `.`, `_`, `-`; first a
 * letter or digit; at most 40 characters.
 *
 * @throws {ComandaError} `invalid_input`
 */
export function parseStoreAlias(text: string): string {
  const alias = text.normalize("NFC");
  // Plain letters first: the engine makes a table of all scripts for the others, a tenth of what a short command takes.
  const isAlias = /^[a-z\d][\w.-]*$/i.test(alias) || /^[\p{L}\p{Nd}][\p{L}\p{M}\p{Nd}._-]*$/u.test(alias);
  if (isAlias && Array.from(alias).length <= 40) return alias;
  throw new ComandaError(
    "invalid_input",
    t`Invalid store alias: ${JSON.stringify(alias)}.`,
    { hint: t`Use up to 40 letters, digits, ".", "_" and "-", starting with a letter or digit, for example loja-2.` },
  );
}

/** Two aliases that differ by letter case alone are the same store's. */
export function storeKey(alias: string): string {
  return alias.toLowerCase().normalize("NFC");
}

/** Tells credentials apart without revealing them. */
export function credentialDigest(credential: string): string {
  return createHash("sha256").update(credential).digest("hex").slice(0, 16);
}

/**
 * The name that the store's files begin with: plain ASCII in lower case, and no device name of Windows thanks to its
 * prefix. A long one ends in a digest: file names have at most 255 bytes, and some are needed for what is added.
 */
export function storeFileName(alias: string): string {
  const key = storeKey(alias);
  const name = `s-${encodeURIComponent(key).toLowerCase()}`;
  if (name.length <= 150) return name;
  return `${name.slice(0, 125)}~${createHash("sha256").update(key).digest("hex").slice(0, 24)}`;
}

/** The alias that a file name stands for, for a file whose content can't be read. */
function aliasOfFileName(name: string): string {
  try {
    return decodeURIComponent(name.slice(2));
  } catch {
    return name;
  }
}
