/**
 * Sign-ins: a private file a store on one machine, a sealed row in PostgreSQL. Each is read, changed and written under the store's
 * lease, and a write counts only where what was read is still there: who has stood still for long writes nothing.
 */
import { createHash } from "node:crypto";
import { readdirSync } from "node:fs";
import path from "node:path";

import * as z from "zod/mini";

import { parseJson } from "../api/json.js";
import { ComandaError } from "../client/errors.js";
import { t } from "../languages/language.js";
import { withLeaseOr, type Lease, type WithLease } from "./leases.js";
import {
  atFile,
  ifPresent,
  isUnwritable,
  parseJsonFile,
  type PrivateFiles,
  type ReservedRoom,
} from "./private-file.js";
import type { SealedRows } from "./sealed-rows.js";

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

/** Room on the disk, so that one session can be written whatever happens until then. */
export interface Room {
  /** Harmless after the write. */
  release(): void;
  /** It is absent where sessions aren't files. */
  readonly file?: ReservedRoom;
}

/** Writes under the lease that is held, into the room where some was taken. */
export type SessionWrite = (next: Session, room?: Room) => Promise<void>;

export type SessionChange = (
  current: Session | undefined,
  write: SessionWrite,
  lease: Omit<Lease, "keep">,
) => Promise<Session | undefined>;

/**
 * The stores that are known. What can't be used is `state_unusable`, and never written over: only `remove` takes it away. A name
 * that can't be an alias is `invalid_input`; those that write may end in `lock_timeout`.
 */
export interface SessionStore {
  /** Sorted by alias. One that can't be used is listed with its error rather than hidden. */
  list(): Promise<readonly (Session | { readonly store: string; readonly error: Error })[]>;
  /** `undefined` where the store isn't known. */
  read(store: string): Promise<Session | undefined>;
  /**
   * Reserves room on the disk for one write of a session with the longest possible tokens. Reserve before the service
   * is asked for tokens, and release in the end.
   */
  reserve(store: string): Promise<Room>;
  /**
   * Reads, changes and writes under the store's lease. `undefined` from `change` leaves it as it is by then. While it runs, an
   * interrupt waits. For a change that must ask the service in between: it calls `assertHeld` before each request. Where the
   * lease was lost, `change` is called again with what is stored then.
   *
   * @returns the session as it is then
   */
  update(store: string, change: SessionChange): Promise<Session | undefined>;
  /**
   * Works under the store's lease. If the disk has no room for it, it works without: then no other process can take it either.
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

interface Stored {
  readonly session: Session;
  /** What lies there, to the letter. */
  readonly version: string;
}

/** Where the sessions lie, by the names that {@link storeFileName} makes. */
interface Shelf {
  names(): Promise<readonly string[]>;
  read(name: string): Promise<Stored | undefined>;
  isThere(name: string): Promise<boolean>;
  reserve(name: string): Promise<Room>;
  /** @param before takes the place of it, and of nothing else; @returns the new version */
  write(name: string, next: Session, before: Stored | undefined, room?: Room): Promise<string>;
  /** `false` where there was none. */
  remove(name: string): Promise<boolean>;
  /** At each moment it has one of both names. */
  move(name: string, to: string, next: Session, before: Stored): Promise<void>;
}

/** `list` looks so often where sessions are given other names meanwhile. */
const mostLooks = 5;

export function openSessions(shelf: Shelf, withLease: WithLease): SessionStore {
  const nameOf = (store: string) => storeFileName(parseStoreAlias(store));

  async function write(
    name: string,
    next: Session,
    before: Stored | undefined,
    room?: Room,
  ): Promise<Stored> {
    if (!z.safeParse(sessionSchema, next).success || storeFileName(next.store) !== name)
      throw new ComandaError("internal", t`A session was about to be written that could not be read again.`);
    return { session: next, version: await shelf.write(name, next, before, room) };
  }

  async function readOrError(name: string) {
    try {
      return (await shelf.read(name))?.session;
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      return { store: aliasOfFileName(name), error };
    }
  }

  return {
    async list() {
      const look = async () => Promise.all((await shelf.names()).map(readOrError));
      let sessions = await look();
      // One that is gone by now may have another name, under which it wasn't looked for.
      for (let looks = 1; looks < mostLooks && sessions.includes(undefined); looks += 1)
        sessions = await look();
      return sessions
        .filter((each) => each !== undefined)
        .sort((a, b) => (storeKey(a.store) < storeKey(b.store) ? -1 : 1));
    },

    read: async (store) => (await shelf.read(nameOf(store)))?.session,

    reserve: async (store) => shelf.reserve(nameOf(store)),

    async update(store, change) {
      const name = nameOf(store);
      return withLease(name, async (lease) => {
        let stored = await shelf.read(name);
        const put: SessionWrite = async (next, room) => {
          stored = await write(name, next, stored, room);
        };
        const next = await change(stored?.session, put, lease);
        if (next) await put(next);
        return stored?.session;
      });
    },

    async remove(store, before) {
      const name = nameOf(store);
      const remove = async () => {
        const stored = before && (await shelf.read(name));
        const left = await before?.(stored?.session);
        if (left) {
          try {
            await write(name, left, stored);
            return true;
          } catch (error) {
            if (!isUnwritable(error)) throw error;
          }
        }
        return shelf.remove(name);
      };
      return withLeaseOr({ withLease }, name, remove, {
        otherwise(error) {
          if (!isUnwritable(error)) throw error;
          return remove();
        },
      });
    },

    async rename(from, to) {
      const [name, alias] = [nameOf(from), parseStoreAlias(to)];
      const newName = storeFileName(alias);
      const move = async () => {
        const stored = await shelf.read(name);
        if (!stored) {
          throw new ComandaError("invalid_input", t`No store "${from}" is known on this machine.`, {
            hint: t`See which are: comanda stores list`,
          });
        }
        const next = { ...stored.session, store: alias };
        if (newName === name) await write(name, next, stored);
        else if (await shelf.isThere(newName)) throw taken(alias);
        else await shelf.move(name, newName, next, stored);
      };
      // Always in the same order, or two that rename in opposite directions would wait for each other.
      const [first = name, second] = [...new Set([name, newName])].sort();
      await withLease(first, () => (second === undefined ? move() : withLease(second, move)));
    },
  };
}

export function taken(alias: string): ComandaError {
  return new ComandaError("invalid_input", t`There is a store "${alias}" already.`, {
    hint: t`Choose another name, or remove that store first: comanda stores remove ${alias}`,
  });
}

/** Two tokens of 4,096 characters at up to two bytes in JSON, and half of that for all other fields. */
const reservedBytes = 24 * 1024;

/** Since a session got another name, its file says that name, too, until it is next written. */
const fileSchema = z.extend(sessionSchema, {
  /** The session is this store's as soon as the file has its name. */
  renamed_to: optionalText,
});

/** A private file a store. */
export function sessionFiles(root: string, files: PrivateFiles): Shelf {
  const folder = path.join(root, "sessions");
  const fileOf = (name: string) => path.join(folder, `${name}.json`);
  const textOf = (session: z.infer<typeof fileSchema>) => `${JSON.stringify(session, undefined, 2)}\n`;

  function refuseOvertaken(name: string, before: Stored | undefined): void {
    if (files.read(fileOf(name)) !== before?.version) throw overtaken(aliasOfFileName(name));
  }

  /* eslint-disable @typescript-eslint/require-await -- rejections, never exceptions */
  return {
    async names() {
      if (!files.trusts(folder)) return [];
      return atFile("read", folder, () => ifPresent(() => readdirSync(folder)) ?? [])
        .filter((entry) => entry.startsWith("s-") && entry.endsWith(".json"))
        .map((entry) => entry.slice(0, -".json".length));
    },
    async read(name) {
      const file = fileOf(name);
      const version = files.read(file);
      if (version === undefined) return undefined;
      const { renamed_to: next, ...kept } = parseJsonFile(file, version, {
        schema: fileSchema,
        hint: t`Delete it and sign in again: comanda login --store ${aliasOfFileName(name)}`,
      });
      const hasNewName = next !== undefined && storeFileName(next) === name;
      const session = hasNewName ? { ...kept, store: next } : kept;
      if (storeFileName(session.store) === name) return { session, version };
      throw new ComandaError("state_unusable", t`The file ${file} holds the session of another store.`, {
        hint: t`Give it back the name it had, or delete it and sign in again.`,
      });
    },
    isThere: async (name) => files.isThere(fileOf(name)),
    async reserve(name) {
      const file = files.reserve(fileOf(name), reservedBytes);
      return { file, release: () => file.release() };
    },
    async write(name, next, before, room) {
      const text = textOf(z.parse(fileSchema, next));
      refuseOvertaken(name, before);
      if (room?.file) room.file.write(text);
      else files.write(fileOf(name), text);
      return text;
    },
    remove: async (name) => files.remove(fileOf(name)),
    async move(name, to, next, before) {
      refuseOvertaken(name, before);
      // At no moment are there two files of it: a kill would leave both, and each would use up the other's token.
      files.write(fileOf(name), textOf({ ...before.session, renamed_to: next.store }));
      files.move(fileOf(name), fileOf(to));
    },
  };
  /* eslint-enable @typescript-eslint/require-await */
}

/** A sealed row a store. */
export function sessionRows(rows: SealedRows): Shelf {
  const isSecret = ({ tokens, api_key: apiKey, partner_key: partnerKey }: Session) =>
    [tokens, apiKey, partnerKey].some((secret) => secret !== undefined);
  const names = async () => (await rows.names()).filter((name) => name.startsWith("s-"));
  return {
    names,
    async read(name) {
      const row = await rows.read(name, t`The sign-in of ${aliasOfFileName(name)}`);
      return row && { session: z.parse(sessionSchema, parseJson(row.text)), version: row.version };
    },
    isThere: async (name) => (await names()).includes(name),
    reserve: () => {
      rows.refuseWithoutKey();
      return Promise.resolve({ release: () => undefined });
    },
    write: (name, next, before) =>
      rows.write(name, JSON.stringify(next), { isSecret: isSecret(next), before: before?.version }),
    remove: (name) => rows.remove(name),
    async move(name, to, next, before) {
      await rows.move(name, to, JSON.stringify(next), { isSecret: isSecret(next), before: before.version });
    },
  };
}

/** The sign-in of a store isn't any more what was read. */
function overtaken(store: string): ComandaError {
  return new ComandaError(
    "lock_timeout",
    t`The sign-in of ${store} was changed by another machine meanwhile.`,
    {
      hint: t`Run the command again.`,
    },
  );
}

const maxCharacters = 40;

/**
 * The alias in the one form that it is kept in (Unicode NFC): letters and digits of any script, `.`, `_`, `-`; first a
 * letter or digit; at most 40 characters.
 *
 * @throws {ComandaError} `invalid_input`
 */
export function parseStoreAlias(text: string): string {
  const alias = text.normalize("NFC");
  const hint = t`For example: "downtown", "loja-2", "praça.central".`;
  if (alias === "") throw new ComandaError("invalid_input", t`A store's alias can't be empty.`, { hint });
  if (Array.from(alias).length > maxCharacters) {
    throw new ComandaError("invalid_input", t`A store's alias has at most ${maxCharacters} characters.`, {
      hint,
    });
  }
  if (!isWellFormed(alias)) {
    throw new ComandaError(
      "invalid_input",
      t`${JSON.stringify(alias)} can't be a store's alias: letters, digits, ".", "_" and "-" can, and first a letter or digit.`,
      { hint },
    );
  }
  return alias;
}

/** Plain letters first: the engine makes a table of all scripts for the others, a tenth of what a short command takes. */
function isWellFormed(alias: string): boolean {
  return /^[a-z\d][\w.-]*$/i.test(alias) || /^[\p{L}\p{Nd}][\p{L}\p{M}\p{Nd}._-]*$/u.test(alias);
}

/** Two aliases that differ by letter case alone are the same store's. */
export function storeKey(alias: string): string {
  return alias.toLowerCase().normalize("NFC");
}

/** Requests to a store are counted for this key, whichever of its credentials goes along. */
export function quotaKeyOf(store: string): string {
  return `store ${store}`;
}

/** File names are limited to 255 bytes, and some are needed for what is added. */
const maxNameLength = 150;

/**
 * The name that the store's files begin with: plain ASCII in lower case, and no device name of Windows thanks to its
 * prefix. A long one ends in a digest.
 */
export function storeFileName(alias: string): string {
  const key = storeKey(alias);
  const name = `s-${encodeURIComponent(key).toLowerCase()}`;
  if (name.length <= maxNameLength) return name;
  const digest = createHash("sha256").update(key).digest("hex").slice(0, 24);
  return `${name.slice(0, maxNameLength - 25)}~${digest}`;
}

/** The alias that a file name stands for, for a file whose content can't be read. */
export function aliasOfFileName(name: string): string {
  try {
    return decodeURIComponent(name.replace(/^s-/, ""));
  } catch {
    return name;
  }
}
