/** The rate limits of section 8, kept across processes: a log of what was sent, for each store and bucket. */
import { rateLimits, type RateBucket, type RateLimit } from "../contract/limits.js";
import { steadyNow } from "../shared/clock.js";
import { ComandaError, type ErrorCode } from "../shared/errors.js";
import { t } from "../shared/language.js";
import { randomNonce } from "../shared/system.js";
import type { Statements, TransactionOptions } from "./database.js";
import {
  blocked,
  emptyWindow,
  expiryOf,
  freePlaces,
  inTurn,
  marginMs,
  nextFreeMs,
  placesFor,
  usedPlaces,
  waitForPlace,
  windowAt,
  withElement,
  type LimitUse,
  type LimitWaiter,
  type LimitWindow,
} from "./limit-window.js";
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
  readonly key: LimitKey;
  readonly use: LimitUse;
  readonly granted: number;
  /**
   * The moment by this process's own steady clock, no later than `use.at`: the process may have stood still in
   * between.
   */
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

export interface LimitState {
  readonly limit: number;
  readonly windowMs: number;
  readonly used: number;
  readonly remaining: number;
  /** Milliseconds until a request may go out; 0: now. */
  readonly waitMs: number;
  /** Until when the service itself said to wait (milliseconds since the epoch, by the clock as it stands now). */
  readonly blockedUntil: number | undefined;
  /** Milliseconds until a place that is taken is free again; `undefined` where none is taken. */
  readonly nextFreeMs: number | undefined;
  /** The waiters in the order in which they get their places. `since` is milliseconds since the epoch. */
  readonly waiting: readonly LimitWaiter[];
}

/**
 * Never lets more requests arrive in any window than the service allows, whichever processes send them, as long as no
 * exchange takes longer than the window and the store isn't renamed while they send. It never fails: where the database can't be used it counts for this process
 * alone, with one warning, and the service stays the authority.
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

/** A loss of power takes longer than what it loses matters. */
const options = { durable: false, isRepeatable: true };
/** A process holds the database for a moment. One that keeps it longer is stopped; where no server ends that, nobody waits for it. */
const waitForStoppedMs = 5000;

const unusable: ReadonlySet<ErrorCode> = new Set(["state_unusable", "lock_timeout"]);

/** The pause between two looks at a place that somebody else is about to take. */
const lookMs = 250;

/** One moment by the clock of all, and by this process's own. */
interface Now {
  readonly now: number;
  readonly local: number;
}

/** The window after a change, and the result of the change. */
interface Change<Result> {
  readonly next: LimitWindow;
  readonly result: Result;
}

/** @param limits in place of the specification's */
export function openLimits(
  state: StateFolder,
  { limits = rateLimits }: { readonly limits?: Readonly<Record<RateBucket, RateLimit>> } = {},
): Limits {
  const { clock, table, warn, files } = state;
  /** Each window as it was last seen is kept here, for the moment that the database can't be used any more. */
  const inMemory = new Map<string, LimitWindow>();
  /** The clock of all is ahead of this process's by so many milliseconds. */
  let offset = 0;
  let memoryOnly = false;

  /** @returns what the work does with the database; `undefined` where it can't be used */
  async function unlessUnusable<Result>(work: () => Promise<Result>): Promise<Result | undefined> {
    if (memoryOnly) return undefined;
    try {
      return await work();
    } catch (error) {
      fallBack(error);
      return undefined;
    }
  }

  function fallBack(error: unknown): void {
    if (!(error instanceof ComandaError) || !unusable.has(error.code)) throw error;
    // Several limits that are asked about at once come here one by one.
    if (!memoryOnly) warn(t`${error.message} Rate limits are counted for this run alone.`);
    memoryOnly = true;
  }

  const windowInMemory = (name: string) => inMemory.get(name) ?? emptyWindow;

  function nowInMemory(): Now {
    const local = steadyNow(clock);
    return { now: local + offset, local };
  }

  async function nowOf(statements: Statements): Promise<Now> {
    const local = steadyNow(clock);
    const now = await statements.now();
    offset = now - local;
    return { now, local };
  }

  /** @param change gives what becomes of the window as it stands now */
  async function update<Result>(
    key: LimitKey,
    change: (window: LimitWindow, limit: RateLimit, moment: Now) => Change<Result>,
    { outlastsSignal }: Required<Pick<TransactionOptions, "outlastsSignal">>,
  ): Promise<Result> {
    const limit = limits[key.bucket];
    const name = nameOf(key);
    const changed = (window: LimitWindow, moment: Now) => {
      const outcome = change(windowAt(window, limit, moment.now), limit, moment);
      inMemory.set(name, outcome.next);
      return outcome;
    };
    const stored = await unlessUnusable(async () => {
      const database = await state.database("comanda");
      return database.transaction(
        `limits ${name}`,
        async (statements) => {
          const before = await readWindow(statements, name);
          const outcome = changed(before, await nowOf(statements));
          await writeWindow(statements, name, before, outcome.next);
          return outcome;
        },
        { ...options, outlastsSignal, ...(!database.endsStopped && { waitMs: waitForStoppedMs }) },
      );
    });
    return (stored ?? changed(windowInMemory(name), nowInMemory())).result;
  }

  return {
    reserve: (key, want = 1, { ticket, patienceMs = -1, background = false } = {}) =>
      update<Reservation>(
        key,
        (window, limit, { now, local }) => {
          const waiter = window.waiters.find(({ id }) => id === ticket);
          const asking = { waiter, requests: want, isBackground: background };
          const granted = placesFor(asking, freePlaces(window, limit), window.waiters);
          const use = granted > 0 ? { id: randomNonce(files.system), at: now, requests: granted } : undefined;
          const left = use ? { ...window, uses: [...window.uses, use] } : window;
          // A place is free, and somebody who came before has it: until they ask for it, to look is all that can be done.
          const behindMs = freePlaces(left, limit) > 0 ? lookMs : 0;
          const waitMs = granted < want ? Math.max(waitForPlace(left, limit, now), behindMs) : 0;
          const { pid, host } = table.self();
          const waiting: LimitWaiter | undefined =
            granted < want && waitMs <= patienceMs
              ? {
                  id: waiter?.id ?? randomNonce(files.system),
                  requests: want - granted,
                  isBackground: background,
                  since: waiter?.since ?? now,
                  expires: expiryOf(now, waitMs),
                  ...{ pid, host },
                }
              : undefined;
          const id = waiter?.id ?? waiting?.id;
          const waiters = id === undefined ? left.waiters : withElement(left.waiters, id, waiting);
          return {
            next: { ...left, waiters },
            result: {
              granted,
              waitMs: granted > 0 ? 0 : waitMs,
              slot: use && { key, use, granted, takenAt: local },
              ticket: waiting?.id,
            },
          };
        },
        { outlastsSignal: false },
      ),

    async settle({ key, use, granted, takenAt }, { unused = 0 } = {}) {
      const sent = granted - unused;
      const took = steadyNow(clock) - takenAt;
      // A clock that was set back doesn't tell.
      const wasShort = took >= 0 && took <= marginMs;
      if (unused === 0 && wasShort) return;
      await update(
        key,
        (window, _limit, { now }) => {
          const over = sent > 0 ? { id: use.id, at: wasShort ? use.at : now, requests: sent } : undefined;
          return { next: { ...window, uses: withElement(window.uses, use.id, over) }, result: undefined };
        },
        { outlastsSignal: true },
      );
    },

    async remaining(key) {
      const limit = limits[key.bucket];
      const name = nameOf(key);
      const stored = await unlessUnusable(async () => {
        const database = await state.existingDatabase("comanda");
        return database && { window: await readWindow(database, name), ...(await nowOf(database)) };
      });
      const { window: last, now } = stored ?? { window: windowInMemory(name), ...nowInMemory() };
      const window = windowAt(last, limit, now);
      const { block } = window;
      const onTheWall = clock.now() - now;
      return {
        ...limit,
        used: usedPlaces(window),
        remaining: freePlaces(window, limit),
        waitMs: waitForPlace(window, limit, now),
        blockedUntil: block && block.at + block.ms + onTheWall,
        nextFreeMs: nextFreeMs(window, limit, now),
        waiting: inTurn(window.waiters).map((waiter) => ({ ...waiter, since: waiter.since + onTheWall })),
      };
    },

    observe429: (key, retryAfterMs) =>
      update(
        key,
        (window, _limit, { now }) => ({ next: blocked(window, now, retryAfterMs), result: undefined }),
        { outlastsSignal: true },
      ),
  };
}

function nameOf({ baseUrl, store, bucket }: LimitKey): string {
  return `${store} ${bucket} ${baseUrl}`;
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

async function readWindow({ rows }: Statements, key: string): Promise<LimitWindow> {
  const uses = await rows(
    { id: "text", at: "bigint", requests: "bigint" },
    "select id, counted_at as at, requests from limit_uses where limit_key = $1",
    key,
  );
  const [block] = await rows(
    { at: "bigint", ms: "bigint" },
    "select began_at as at, duration_ms as ms from limit_blocks where limit_key = $1",
    key,
  );
  const waiters = await rows(
    {
      ...{ id: "text", requests: "bigint", is_background: "bigint", since: "bigint", expires: "bigint" },
      ...{ pid: "bigint", host: "text" },
    },
    `select id, requests, is_background, since_at as since, expires_at as expires, pid, host
     from limit_waiters where limit_key = $1`,
    key,
  );
  return {
    uses,
    block,
    waiters: waiters.map(({ is_background: background, ...waiter }) => ({
      ...waiter,
      isBackground: background === 1,
    })),
  };
}

async function writeWindow(
  { run }: Statements,
  key: string,
  before: LimitWindow,
  next: LimitWindow,
): Promise<void> {
  const uses = difference(before.uses, next.uses);
  for (const { id } of uses.removed) await run("delete from limit_uses where id = $1", id);
  for (const { id, at, requests } of uses.changed) {
    await run(
      `insert into limit_uses (id, limit_key, counted_at, requests) values ($1, $2, $3, $4)
       on conflict (id) do update set counted_at = excluded.counted_at, requests = excluded.requests`,
      ...[id, key, at, requests],
    );
  }
  if (before.block !== next.block) {
    await run("delete from limit_blocks where limit_key = $1", key);
    const insert = "insert into limit_blocks (limit_key, began_at, duration_ms) values ($1, $2, $3)";
    if (next.block) await run(insert, key, next.block.at, next.block.ms);
  }
  const waiters = difference(before.waiters, next.waiters);
  for (const { id } of waiters.removed) await run("delete from limit_waiters where id = $1", id);
  for (const { id, requests, isBackground, since, expires, pid, host } of waiters.changed) {
    await run(
      `insert into limit_waiters (id, limit_key, requests, is_background, since_at, expires_at, pid, host)
       values ($1, $2, $3, $4, $5, $6, $7, $8)
       on conflict (id) do update set requests = excluded.requests, since_at = excluded.since_at,
         expires_at = excluded.expires_at`,
      ...[id, key, requests, isBackground ? 1 : 0, since, expires, pid, host],
    );
  }
}

/** Elements are never changed in place, so the same ones are the same objects. */
function difference<Element extends { readonly id: string }>(
  before: readonly Element[],
  next: readonly Element[],
): { readonly removed: readonly Element[]; readonly changed: readonly Element[] } {
  const ids = new Set(next.map(({ id }) => id));
  const unchanged = new Set(before);
  return {
    removed: before.filter(({ id }) => !ids.has(id)),
    changed: next.filter((element) => !unchanged.has(element)),
  };
}
