/** The sessions on disk: one private file for each store. */
import path from "node:path";

import * as z from "zod/mini";

import { ComandaError } from "../../client/errors.js";
import { t } from "../../languages/language.js";
import { ifPresent, isUnwritable, withFileErrors } from "../files/file-errors.js";
import { parseJsonFile } from "../files/json-file.js";
import { withLeaseOr } from "../leases.js";
import {
  optionalText,
  sessionSchema,
  type Room,
  type Session,
  type SessionStore,
  type SessionWrite,
} from "./session.js";
import type { StateFolder } from "../state-folder.js";
import { aliasOfFileName, parseStoreAlias, storeFileName, storeKey } from "./store-alias.js";

/** Two tokens of 4,096 characters at up to two bytes in JSON, and half of that for all other fields. */
const reservedBytes = 24 * 1024;

/** Since a session got another name, its file says that name, too, until it is next written. */
const fileSchema = z.extend(sessionSchema, {
  /** The session is this store's as soon as the file has its name. */
  renamed_to: optionalText,
});
type SessionFile = z.infer<typeof fileSchema>;

/** `list` looks so often where sessions are given other names meanwhile. */
const mostLooks = 5;

/**
 * Every method throws a {@link ComandaError}: `invalid_input` for a name that can't be an alias, `state_unusable` for a
 * file or folder that can't be used, and those that write `lock_timeout`. A file that can't be used is never written
 * over; only `remove` takes it away.
 */
export function openSessions({ path: root, files, withLease }: StateFolder): SessionStore {
  const folder = path.join(root, "sessions");
  const fileOf = (name: string) => path.join(folder, `${name}.json`);

  function readFile(name: string): Session | undefined {
    const file = fileOf(name);
    const text = files.read(file);
    if (text === undefined) return undefined;
    const { renamed_to: next, ...kept } = parseJsonFile(file, text, {
      schema: fileSchema,
      version: 1,
      hint: t`Delete it and sign in again: comanda login --store ${aliasOfFileName(name)}`,
    });
    const hasNewName = next !== undefined && storeFileName(next) === name;
    const session = hasNewName ? { ...kept, store: next } : kept;
    if (storeFileName(session.store) !== name) {
      throw new ComandaError("state_unusable", t`The file ${file} holds the session of another store.`, {
        hint: t`Give it back the name it had, or delete it and sign in again.`,
      });
    }
    return session;
  }

  function writeFile(name: string, session: SessionFile, room?: Room) {
    const checked = z.safeParse(fileSchema, session);
    if (!checked.success || storeFileName(parseStoreAlias(session.store)) !== name) throw unwritable();
    const text = `${JSON.stringify(checked.data, undefined, 2)}\n`;
    if (room?.file) room.file.write(text);
    else files.write(fileOf(name), text);
  }

  function namesInFolder(): readonly string[] {
    return withFileErrors("read", folder, () => ifPresent(() => files.system.disk.readdir(folder)) ?? [])
      .filter((entry) => entry.startsWith("s-") && entry.endsWith(".json"))
      .map((entry) => entry.slice(0, -".json".length));
  }

  function readOrError(name: string): Session | { store: string; error: Error } | undefined {
    try {
      return readFile(name);
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      return { store: aliasOfFileName(name), error };
    }
  }

  return {
    // eslint-disable-next-line @typescript-eslint/require-await -- a rejection, never an exception
    async list() {
      files.trusts(folder);
      let sessions = namesInFolder().map(readOrError);
      // One that is gone by now may have another name, under which it wasn't looked for.
      for (let looks = 1; looks < mostLooks && sessions.includes(undefined); looks += 1)
        sessions = namesInFolder().map(readOrError);
      return sessions
        .filter((each) => each !== undefined)
        .sort((a, b) => (storeKey(a.store) < storeKey(b.store) ? -1 : 1));
    },

    // eslint-disable-next-line @typescript-eslint/require-await -- a rejection, never an exception
    async read(store) {
      return readFile(storeFileName(parseStoreAlias(store)));
    },

    // eslint-disable-next-line @typescript-eslint/require-await -- a rejection, never an exception
    async reserve(store) {
      const file = files.reserve(fileOf(storeFileName(parseStoreAlias(store))), reservedBytes);
      return { file, release: () => file.release() };
    },

    async update(store, change) {
      const name = storeFileName(parseStoreAlias(store));
      return await withLease(name, async (lease) => {
        let current = readFile(name);
        const write: SessionWrite = (next, room) => {
          writeFile(name, next, room);
          current = next;
          return Promise.resolve();
        };
        const next = await change(current, write, lease);
        if (next) await write(next);
        return current;
      });
    },

    async remove(store, before) {
      const name = storeFileName(parseStoreAlias(store));
      const remove = async () => {
        const left = before && (await before(readFile(name)));
        if (left && isWritten(() => writeFile(name, left))) return true;
        return files.remove(fileOf(name));
      };
      return withLeaseOr({ withLease }, name, remove, {
        otherwise(error) {
          if (!isUnwritable(error)) throw error;
          return remove();
        },
      });
    },

    async rename(from, to) {
      const [oldName, alias] = [storeFileName(parseStoreAlias(from)), parseStoreAlias(to)];
      const newName = storeFileName(alias);
      const move = () => {
        const session = readFile(oldName);
        if (!session) throw unknownStore(from);
        if (newName === oldName) writeFile(newName, { ...session, store: alias });
        else {
          if (files.isThere(fileOf(newName))) throw taken(alias);
          // At no moment are there two files of it: a kill would leave both, and each would use up the other's token.
          writeFile(oldName, { ...session, renamed_to: alias });
          files.move(fileOf(oldName), fileOf(newName));
        }
        return Promise.resolve();
      };
      // Always in the same order, or two that rename in opposite directions would wait for each other.
      const [first = oldName, second] = [...new Set([oldName, newName])].sort();
      await withLease(first, () => (second === undefined ? move() : withLease(second, move)));
    },
  };
}

function isWritten(write: () => void): boolean {
  try {
    write();
    return true;
  } catch (error) {
    if (!(error instanceof ComandaError) || error.code !== "state_unusable") throw error;
    return false;
  }
}

export function unwritable(): ComandaError {
  return new ComandaError("internal", t`A session was about to be written that could not be read again.`);
}

export function unknownStore(alias: string): ComandaError {
  return new ComandaError("invalid_input", t`No store "${alias}" is known on this machine.`, {
    hint: t`See which are: comanda stores list`,
  });
}

export function taken(alias: string): ComandaError {
  return new ComandaError("invalid_input", t`There is a store "${alias}" already.`, {
    hint: t`Choose another name, or remove that store first: comanda stores remove ${alias}`,
  });
}
