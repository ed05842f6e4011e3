/**
 * The sign-ins of a chain: a row each in PostgreSQL, its secrets encrypted. The store's lease lets one machine at a time refresh,
 * and its end is that of the request. A write counts only where the row still has the generation that was read, so an answer is
 * stored though the server was started anew meanwhile.
 */
import * as z from "zod/mini";

import { ComandaError } from "../../client/errors.js";
import { parseJson } from "../../api/json.js";
import { t } from "../../languages/language.js";
import { randomNonce, type System } from "../system.js";
import type { Database, Statements } from "../database.js";
import type { Lease, WithLease } from "../leases.js";
import { whenBack } from "../postgres.js";
import { noStateKey, openSealed, type StateKeys } from "./state-keys.js";
import { sessionSchema, type Session, type SessionStore } from "../sessions/session.js";
import { taken, unknownStore, unwritable } from "../sessions/sessions.js";
import { parseStoreAlias, storeFileName, storeKey } from "../sessions/store-alias.js";

export interface SharedSessionsOptions {
  readonly database: () => Promise<Database>;
  readonly withLease: WithLease;
  readonly system: System;
  /** @returns `undefined` where there is none */
  readonly keys: () => StateKeys | undefined;
}

/** A write is tried for so long while the server is away. */
const storeWithinMs = 60_000;
/** The columns of a row. */
const columns = {
  store_key: "text",
  store: "text",
  key_id: "text?",
  content: "text",
  generation: "bigint",
  write_id: "text",
} as const;
const select = `select ${Object.keys(columns).join(", ")} from sign_ins`;
type SignInRow = Awaited<ReturnType<typeof rowsOf>>[number];

export function openSharedSessions(options: SharedSessionsOptions): SessionStore {
  const { database, withLease, system, keys } = options;

  async function readRow(alias: string): Promise<SignInRow | undefined> {
    const [row] = await rowsOf(await database(), "where store_key = $1", storeKey(alias));
    return row;
  }

  function leased<Result>(
    alias: string,
    work: (row: SignInRow | undefined, lease: Lease) => Promise<Result>,
  ): Promise<Result> {
    return withLease(storeFileName(alias), async (lease) => work(await readRow(alias), lease));
  }

  function sessionOf({ store_key: owner, store, key_id: keyId, content }: SignInRow): Session {
    const text = openSealed(keys(), { keyId, text: content }, `sign-in ${owner}`, t`The sign-in of ${store}`);
    return z.parse(sessionSchema, parseJson(text));
  }

  /** @returns the row as it is to be written */
  function rowOf(session: Session, generation: number): SignInRow {
    const store = parseStoreAlias(session.store);
    const owner = storeKey(store);
    const text = JSON.stringify(session);
    const { tokens, api_key: apiKey, partner_key: partnerKey } = session;
    const hasSecrets = [tokens, apiKey, partnerKey].some((secret) => secret !== undefined);
    const stateKeys = hasSecrets ? sealing() : keys();
    const sealed = stateKeys?.seal(text, `sign-in ${owner}`);
    return {
      ...{ store_key: owner, store, key_id: sealed?.keyId ?? null, content: sealed?.text ?? text },
      ...{ generation, write_id: randomNonce(system) },
    };
  }

  function sealing(): StateKeys {
    const stateKeys = keys();
    if (stateKeys === undefined) throw noStateKey();
    return stateKeys;
  }

  /** The answer to a write may be lost together with the connection: a row with its own id has been written. */
  function write(row: SignInRow, before: SignInRow | undefined): Promise<SignInRow> {
    return whenBack(async () => {
      const isWritten = (await writeRow(await database(), row, before)) > 0;
      if (isWritten || (await readRow(row.store))?.write_id === row.write_id) return row;
      throw overtaken(row.store);
    }, storeWithinMs);
  }

  async function change(store: string, work: Parameters<SessionStore["update"]>[1]) {
    const alias = parseStoreAlias(store);
    return leased(alias, async (stored, lease) => {
      let row = stored;
      let current = row && sessionOf(row);
      const put = async (next: Session) => {
        if (storeKey(next.store) !== storeKey(alias) || !z.safeParse(sessionSchema, next).success)
          throw unwritable();
        row = await write(rowOf(next, (row?.generation ?? 0) + 1), row);
        current = next;
      };
      const next = await work(current, put, lease);
      if (next) await put(next);
      return current;
    });
  }

  return {
    async list() {
      const rows = await rowsOf(await database(), "order by store_key");
      return rows.map((row) => {
        try {
          return sessionOf(row);
        } catch (error) {
          if (!(error instanceof Error)) throw error;
          return { store: row.store, error };
        }
      });
    },

    async read(store) {
      const row = await readRow(parseStoreAlias(store));
      return row && sessionOf(row);
    },

    // eslint-disable-next-line @typescript-eslint/require-await -- a rejection, never an exception
    async reserve() {
      sealing();
      return { release: () => undefined };
    },

    update: change,

    async remove(store, before) {
      return leased(parseStoreAlias(store), async (row, lease) => {
        const left = await before?.(row && sessionOf(row));
        if (row === undefined) return false;
        lease.assertHeld();
        if (left) await write(rowOf(left, row.generation + 1), row);
        else await (await database()).run("delete from sign_ins where store_key = $1", row.store_key);
        return true;
      });
    },

    async rename(from, to) {
      const [old, alias] = [parseStoreAlias(from), parseStoreAlias(to)];
      const move = async () => {
        const row = await readRow(old);
        if (row === undefined) throw unknownStore(from);
        if (storeKey(old) !== storeKey(alias) && (await readRow(alias)) !== undefined) throw taken(alias);
        await write(rowOf({ ...sessionOf(row), store: alias }, row.generation + 1), row);
      };
      // Always in the same order, or two that rename in opposite directions would wait for each other.
      const [first = old, second] = [...new Set([storeKey(old), storeKey(alias)])].sort();
      return leased(first, () => (second === undefined ? move() : leased(second, move)));
    },
  };
}

function rowsOf({ rows }: Statements, condition: string, ...values: readonly string[]) {
  return rows(columns, `${select} ${condition}`, ...values);
}

/** @returns 0 where the row has been changed since it was read */
async function writeRow({ run }: Statements, row: SignInRow, before: SignInRow | undefined): Promise<number> {
  const values = [...[row.store_key, row.store, row.key_id, row.content], ...[row.generation, row.write_id]];
  if (before === undefined) {
    const insert = `insert into sign_ins (store_key, store, key_id, content, generation, write_id)
      values ($1, $2, $3, $4, $5, $6) on conflict (store_key) do nothing`;
    return run(insert, ...values);
  }
  const update = `update sign_ins set store_key = $1, store = $2, key_id = $3, content = $4, generation = $5,
    write_id = $6 where store_key = $7 and generation = $8`;
  return run(update, ...values, before.store_key, before.generation);
}

function overtaken(store: string): ComandaError {
  const message = t`The sign-in of ${store} was changed by another machine meanwhile.`;
  return new ComandaError("lock_timeout", message, { hint: t`Run the command again.` });
}
