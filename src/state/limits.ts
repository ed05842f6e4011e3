/**
 * The rate limits of section 8, kept across processes: a log of what was sent, for each store and bucket, from which the
 * sliding window is counted, and who waits for a place in it. All times are by the clock that all processes share
 * (`Statements.now`).
 */
import { rateLimits, type RateBucket, type RateLimit } from "../contract/limits.js";
import { steadyNow } from "../shared/clock.js";
import { randomNonce } from "../shared/system.js";
import type { Statements } from "./database.js";
import type { StateFolder } from "./state-folder.js";

/** The store and the bucket that a limit is counted for. */
export interface LimitKey {
  readonly baseUrl: string;
  /** Whatever tells stores apart, and no secret. */
  readonly store: string;
  readonly bucket: RateBucket;
}

/** Places for `granted` requests. Hand it back to `settle` when the last of them is over. */
export interface LimitSlot {
  readonly id: string;
  readonly key: LimitKey;
  readonly granted: number;
  readonly at: number;
  /** The same moment by this process's own steady clock, or earlier: the process may have stood still in between. */
  readonly takenAt: number;
}

export interface Reservation {
  /** The number of places that were granted, from 0 to what was wanted. */
  readonly granted: number;
  /** Milliseconds until it is worth asking again, where nothing was granted. Others may be quicker then. */
  readonly waitMs: number;
  /** It is absent where nothing was granted. */
  readonly slot: LimitSlot | undefined;
  /** Where not all was granted and the wait isn't too long, ask again with it, at least every `askAgainMs`. */
  readonly ticket: string | undefined;
}

export interface ReserveOptions {
  /** The ticket of an earlier reservation: whoever came later gets no place before. */
  readonly ticket?: string | undefined;
  /** A caller that can't wait for so many milliseconds isn't waited for. Default: nobody waits. */
  readonly patienceMs?: number;
  /** Let everybody else go first. */
  readonly background?: boolean;
}

/** Requests of one process that began to wait in the same moment. */
export interface LimitWaiter {
  readonly id: string;
  readonly requests: number;
  /** Work that nobody waits for: whoever else waits goes before it. */
  readonly isBackground: boolean;
  readonly since: number;
  readonly pid: number;
  readonly host: string;
}

export interface LimitState extends RateLimit {
  readonly used: number;
  readonly remaining: number;
  /** Milliseconds until a request may go out; 0: now. */
  readonly waitMs: number;
  /** Milliseconds until a place that is taken is free again; `undefined` where none is taken. */
  readonly nextFreeMs: number | undefined;
  /** The waiters in the order in which they get their places. `since` is milliseconds since the epoch. */
  readonly waiting: readonly LimitWaiter[];
}

/**
 * Never lets more requests arrive in any window than the service allows, whichever processes send them, as long as no
 * exchange takes longer than the window and the store isn't renamed while they send. Each method rejects with
 * `state_unusable` or `lock_timeout` where the database can't be used.
 */
export interface Limits {
  /** Takes up to `want` places. Several at once cost one transaction, but count until the last one is over. */
  reserve(key: LimitKey, want?: number, options?: ReserveOptions): Promise<Reservation>;
  /** Once for each slot, when its requests are over. `unused` of them were never sent and are given back. */
  settle(slot: LimitSlot, options?: { readonly unused?: number }): Promise<void>;
  remaining(key: LimitKey): Promise<LimitState>;
  /** After an answer 429 no process sends to this bucket for so many milliseconds. */
  observe429(key: LimitKey, retryAfterMs: number): Promise<void>;
}

/**
 * The service counts a request when it arrives: after it was granted, and before it was answered. An exchange that took
 * no longer than this counts from its grant, with this added to the window; a longer one counts from its end.
 */
export const marginMs = 1000;
/** No server's word shuts a store out for longer than this without being asked again. */
const maxBlockMs = 60 * 60_000;
/** A waiter asks again at least so often: a killed one keeps its turn for little longer. */
export const askAgainMs = 5000;
/** A waiter that is late by so many milliseconds has given up. */
const lateMs = 2000;
/** The pause between two looks at a place that somebody else is about to take. */
const lookMs = 250;
/** A process holds the database for a moment. One that keeps it longer is stopped; where no server ends that, nobody waits for it. */
const waitForStoppedMs = 5000;

/** @param limits in place of the specification's */
export function openLimits(
  state: StateFolder,
  { limits = rateLimits }: { readonly limits?: Readonly<Record<RateBucket, RateLimit>> } = {},
): Limits {
  const { clock, table, files } = state;

  async function transaction<Result>(
    key: LimitKey,
    outlastsSignal: boolean,
    work: (statements: Statements, name: string) => Promise<Result>,
  ): Promise<Result> {
    const database = await state.database("comanda");
    const name = nameOf(key);
    return database.transaction(`limits ${name}`, (statements) => work(statements, name), {
      // A loss of power takes longer than what it loses matters.
      ...{ durable: false, isRepeatable: true, outlastsSignal },
      ...(!database.endsStopped && { waitMs: waitForStoppedMs }),
    });
  }

  return {
    reserve: (key, want = 1, { ticket, patienceMs = -1, background = false } = {}) =>
      transaction(key, false, async (statements, name) => {
        const { run } = statements;
        const takenAt = steadyNow(clock);
        const now = await statements.now();
        const limit = limits[key.bucket];
        let window = await readWindow(statements, name, limit, now);
        if (window.isAhead) {
          await bringBack(statements, name, now);
          window = await readWindow(statements, name, limit, now);
        }
        const place = window.waiters.findIndex(({ id }) => id === ticket);
        const waiter = window.waiters[place];
        const before = waiter
          ? window.waiters.slice(0, place)
          : window.waiters.filter(({ isBackground }) => background || !isBackground);
        const free = freePlaces(window, limit, now);
        const granted = Math.max(0, Math.min(want, free - sumOf(before)));
        const id = randomNonce(files.system);
        if (granted > 0) {
          const [deletion, insert] = [
            "delete from limit_uses where limit_key = $1 and counted_at < $2",
            "insert into limit_uses (id, limit_key, counted_at, requests) values ($1, $2, $3, $4)",
          ];
          await run(deletion, name, oldestThatCounts(limit, now));
          await run(insert, id, name, now, granted);
        }
        const uses = granted > 0 ? [...window.uses, { at: now, requests: granted }] : window.uses;
        // A place is free, and somebody who came before has it: until they ask for it, to look is all that can be done.
        const behindMs = free > granted ? lookMs : 0;
        const waitMs = granted < want ? Math.max(waitForPlace({ ...window, uses }, limit, now), behindMs) : 0;
        const isWaiting = granted < want && waitMs <= patienceMs;
        const waiting = isWaiting ? (waiter?.id ?? randomNonce(files.system)) : undefined;
        if (waiting !== undefined) {
          const { pid, host } = table.self();
          await run("delete from limit_waiters where limit_key = $1 and expires_at < $2", name, now);
          await run(
            `insert into limit_waiters (id, limit_key, requests, is_background, since_at, expires_at, pid, host)
             values ($1, $2, $3, $4, $5, $6, $7, $8)
             on conflict (id) do update set requests = excluded.requests, expires_at = excluded.expires_at`,
            ...[waiting, name, want - granted, background ? 1 : 0, now, expiryOf(now, waitMs), pid, host],
          );
        } else if (waiter) await run("delete from limit_waiters where id = $1", waiter.id);
        return {
          granted,
          waitMs: granted > 0 ? 0 : waitMs,
          slot: granted > 0 ? { id, key, granted, at: now, takenAt } : undefined,
          ticket: waiting,
        };
      }),

    async settle({ id, key, granted, at, takenAt }, { unused = 0 } = {}) {
      const took = steadyNow(clock) - takenAt;
      // A clock that was set back doesn't tell.
      const wasShort = took >= 0 && took <= marginMs;
      if (unused === 0 && wasShort) return;
      await transaction(key, true, async (statements, name) => {
        if (unused >= granted) return statements.run("delete from limit_uses where id = $1", id);
        const countedAt = wasShort ? at : await statements.now();
        return statements.run(
          `insert into limit_uses (id, limit_key, counted_at, requests) values ($1, $2, $3, $4)
           on conflict (id) do update set counted_at = excluded.counted_at, requests = excluded.requests`,
          ...[id, name, countedAt, granted - unused],
        );
      });
    },

    async remaining(key) {
      const limit = limits[key.bucket];
      const database = await state.existingDatabase("comanda");
      const now = (await database?.now()) ?? 0;
      const window = database ? await readWindow(database, nameOf(key), limit, now) : emptyWindow;
      const onTheWall = clock.now() - now;
      return {
        ...limit,
        used: sumOf(window.uses),
        remaining: freePlaces(window, limit, now),
        waitMs: waitForPlace(window, limit, now),
        nextFreeMs: nextFreeMs(window, limit, now),
        waiting: window.waiters.map((waiter) => ({ ...waiter, since: waiter.since + onTheWall })),
      };
    },

    async observe429(key, retryAfterMs) {
      const waitMs = Number.isFinite(retryAfterMs) ? Math.max(0, Math.ceil(retryAfterMs)) : maxBlockMs;
      await transaction(key, true, async (statements, name) =>
        statements.run(
          `insert into limit_blocks (limit_key, began_at, duration_ms) values ($1, $2, $3)
           on conflict (limit_key) do update set began_at = excluded.began_at, duration_ms = excluded.duration_ms
           where limit_blocks.began_at + limit_blocks.duration_ms < excluded.began_at + excluded.duration_ms`,
          ...[name, await statements.now(), Math.min(waitMs, maxBlockMs)],
        ),
      );
    },
  };
}

function nameOf({ baseUrl, store, bucket }: LimitKey): string {
  return `${store} ${bucket} ${baseUrl}`;
}

/**
 * What lies in the future is of another start of the machine, or of a clock that was set back: it counts as if it had
 * happened now, so that it leaves the window. Who waited then asks again.
 */
async function bringBack({ run }: Statements, name: string, now: number): Promise<void> {
  await run("update limit_uses set counted_at = $2 where limit_key = $1 and counted_at > $2", name, now);
  await run("update limit_blocks set began_at = $2 where limit_key = $1 and began_at > $2", name, now);
  await run("delete from limit_waiters where limit_key = $1 and since_at > $2", name, now);
}

interface LimitWindow {
  /** The oldest first. */
  readonly uses: readonly { readonly at: number; readonly requests: number }[];
  /** The service's own word that nothing more goes out before. */
  readonly blockedUntil: number;
  /** In the order in which they get their places. */
  readonly waiters: readonly LimitWaiter[];
  /** Does a part of it lie in the future? */
  readonly isAhead: boolean;
}

const emptyWindow: LimitWindow = { uses: [], blockedUntil: -Infinity, waiters: [], isAhead: false };

async function readWindow(
  { rows }: Statements,
  name: string,
  limit: RateLimit,
  now: number,
): Promise<LimitWindow> {
  const uses = await rows(
    { at: "bigint", requests: "bigint" },
    "select counted_at as at, requests from limit_uses where limit_key = $1 and counted_at >= $2 order by counted_at",
    ...[name, oldestThatCounts(limit, now)],
  );
  const [block] = await rows(
    { at: "bigint", ms: "bigint" },
    "select began_at as at, duration_ms as ms from limit_blocks where limit_key = $1",
    name,
  );
  const waiters = await rows(
    { id: "text", requests: "bigint", is_background: "bigint", since: "bigint", pid: "bigint", host: "text" },
    `select id, requests, is_background, since_at as since, pid, host from limit_waiters
     where limit_key = $1 and expires_at >= $2 order by is_background, since_at, id`,
    ...[name, now],
  );
  const latest = Math.max(
    ...[uses.at(-1)?.at ?? -Infinity, block?.at ?? -Infinity],
    ...waiters.map(({ since }) => since),
  );
  return {
    isAhead: latest > now,
    uses,
    blockedUntil: block ? block.at + Math.min(block.ms, maxBlockMs) : -Infinity,
    waiters: waiters.map(({ is_background: background, ...waiter }) => ({
      ...waiter,
      isBackground: background === 1,
    })),
  };
}

function oldestThatCounts({ windowMs }: RateLimit, now: number): number {
  return now - windowMs - marginMs;
}

/** @returns the moment when a place that was taken at another is free again */
function freeAt(at: number, { windowMs }: RateLimit): number {
  return at + windowMs + marginMs + 1;
}

/** @param againMs in how long a waiter is going to ask again */
function expiryOf(now: number, againMs: number): number {
  return now + Math.min(againMs, askAgainMs) + lateMs;
}

function sumOf(all: readonly { readonly requests: number }[]): number {
  return all.reduce((sum, { requests }) => sum + requests, 0);
}

/** Counts the requests that may still go out now. */
function freePlaces({ uses, blockedUntil }: LimitWindow, { limit }: RateLimit, now: number): number {
  return blockedUntil > now ? 0 : Math.max(0, limit - sumOf(uses));
}

/** Milliseconds until at least one request may go out; 0 where one may now. */
function waitForPlace({ uses, blockedUntil }: LimitWindow, limit: RateLimit, now: number): number {
  let over = sumOf(uses) - limit.limit + 1;
  let free = blockedUntil;
  for (const { at, requests } of uses) {
    if (over <= 0) break;
    over -= requests;
    free = Math.max(free, freeAt(at, limit));
  }
  return Math.max(0, free - now);
}

function nextFreeMs({ uses, blockedUntil }: LimitWindow, limit: RateLimit, now: number): number | undefined {
  const [oldest] = uses;
  const free = Math.max(blockedUntil, oldest ? freeAt(oldest.at, limit) : -Infinity);
  return free > now ? free - now : undefined;
}

/**
 * Requests that were counted for one store count for another from now on, whose window begins with them.
 *
 * @param from as {@link LimitKey.store}
 * @throws {ComandaError} `state_unusable`, `lock_timeout`
 */
export async function renameInLimits(state: StateFolder, from: string, to: string): Promise<void> {
  const database = await state.existingDatabase("comanda");
  const isOf = (name: string) => `substr(limit_key, 1, length(${name})) = ${name}`;
  await database?.transaction("limits", async ({ run }) => {
    for (const table of ["limit_uses", "limit_blocks", "limit_waiters"]) {
      // A second run finds nothing to rename, and leaves what the first has renamed.
      const removal = `delete from ${table} where ${isOf("$2")} and exists (select 1 from ${table} where ${isOf("$1")})`;
      const renaming = `update ${table} set limit_key = $2 || substr(limit_key, length($1) + 1) where ${isOf("$1")}`;
      for (const sql of [removal, renaming]) await run(sql, `${from} `, `${to} `);
    }
  });
}
