/** The rate limits of section 8, kept across processes: a log of what was sent, for each store and bucket. */
import { createHash } from "node:crypto";

import { rateLimits, type RateBucket, type RateLimit } from "../../contract/limits.js";
import { ComandaError } from "../../shared/errors.js";
import { t } from "../../shared/language.js";
import { randomNonce } from "../../shared/system.js";
import type { Lease } from "../locks/locks.js";
import { openQuotaFiles } from "./quota-file.js";
import {
  blocked,
  elapsedMs,
  emptyWindow,
  freePlaces,
  marginMs,
  settled,
  used,
  waitForBlock,
  nextFreeMs,
  sameWindow,
  waitForPlace,
  withEntry,
  type Moment,
  type QuotaWindow,
  type Waiter,
} from "./quota-window.js";
import { inTurn, placesFor, stillWaiting, withWaiter } from "./waiters.js";
import type { StateFolder } from "../state-folder.js";

/** What a limit is counted for. */
export interface QuotaKey {
  readonly baseUrl: string;
  /** Whatever tells stores apart; only a digest of it is kept. */
  readonly store: string;
  readonly bucket: RateBucket;
}

/** Places for `granted` requests. Hand it back to `settle` when the last of them is over. */
export interface QuotaSlot {
  readonly key: QuotaKey;
  readonly id: string;
  readonly taken: Moment;
  readonly granted: number;
}

export interface Reservation {
  /** From 0 to what was asked for. */
  readonly granted: number;
  /** Where nothing was granted: milliseconds until it is worth asking again. Others may be quicker then. */
  readonly waitMs: number;
  /** Absent where nothing was granted. */
  readonly slot: QuotaSlot | undefined;
  /** What to ask again with, where not all was granted and the wait isn't too long. */
  readonly ticket: string | undefined;
}

export interface ReserveOptions {
  /** Of an earlier reservation: whoever came later gets no place before. */
  readonly ticket?: string | undefined;
  /** Who can't wait for so many milliseconds isn't waited for. Default: nobody waits. */
  readonly patienceMs?: number;
  /** Let everybody else go first. */
  readonly background?: boolean;
}

export interface QuotaState {
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
  /** In the order in which they get their places. */
  readonly waiting: readonly Waiter[];
}

/**
 * Never lets more requests arrive in any window than the service allows, whichever processes of this machine send them,
 * as long as no exchange takes longer than the window. It never fails: where the folder can't be used it counts for
 * this process alone, with one warning, and the service stays the authority.
 */
export interface QuotaLedger {
  /** Takes up to `want` places. Several at once cost one turn of the lock, but count until the last one is over. */
  reserve(key: QuotaKey, want?: number, options?: ReserveOptions): Promise<Reservation>;
  /** Once for each slot, when its requests are over. `unused` of them were never sent and are given back. */
  settle(slot: QuotaSlot, options?: { readonly unused?: number }): Promise<void>;
  remaining(key: QuotaKey): Promise<QuotaState>;
  /** After an answer 429: no process sends to this bucket for so many milliseconds. */
  observe429(key: QuotaKey, retryAfterMs: number): Promise<void>;
}

export interface QuotaOptions {
  /** In place of the specification's. */
  readonly limits?: Readonly<Record<RateBucket, RateLimit>>;
}

/**
 * The ledger's lock is held for a moment at a time: who keeps it longer is stopped, and we don't wait for that. Where many
 * processes share a busy machine, it may be a while until it is our turn.
 */
const lockWait = { holderMs: 5000, waitMs: 60_000 };

/** Between two looks at a place that somebody else is about to take. */
const lookMs = 250;

export function openQuotaLedger(state: StateFolder, { limits = rateLimits }: QuotaOptions = {}): QuotaLedger {
  const { clock, files, locks, table } = state;
  const warned = new Set<string>();
  const kept = openQuotaFiles(state, warnOnce);
  const inMemory = new Map<string, QuotaWindow>();
  let memoryOnly = false;

  function warnOnce(message: string) {
    if (!warned.has(message)) state.warn(message);
    warned.add(message);
  }

  function fallBack(error: unknown) {
    if (!(error instanceof ComandaError)) throw error;
    // Of several limits that are asked about at once, each comes here.
    if (memoryOnly) return;
    memoryOnly = true;
    warnOnce(t`${error.message} Rate limits are counted for this run alone.`);
  }

  function now(): Moment {
    const up = clock.monotonic?.();
    const { boot } = table.self();
    return { at: clock.now(), up: up === undefined ? null : Math.round(up), boot };
  }

  /** Whoever waits no more is gone too. */
  function settledNow(window: QuotaWindow, limit: RateLimit, moment: Moment): QuotaWindow {
    const isGone = ({ process, asked }: Waiter) => table.look(process, asked.at) === "gone";
    const waiting = stillWaiting(window.waiting, moment, isGone);
    const next = settled(window, limit, moment);
    return waiting.length === window.waiting.length ? next : { ...next, waiting };
  }

  function inMemoryOf(name: string) {
    return inMemory.get(name) ?? emptyWindow;
  }

  /** Changes one window under its lock; what `change` leaves as it is isn't written. */
  async function update<Result>(
    key: QuotaKey,
    change: (window: QuotaWindow, limit: RateLimit, now: Moment) => { next: QuotaWindow; result: Result },
  ): Promise<Result> {
    const limit = limits[key.bucket];
    const name = fileName(key);
    if (!memoryOnly) {
      try {
        return await locks.run(`quota-${name}`, (lease) => Promise.resolve(onDisk(lease)), lockWait);
      } catch (error) {
        fallBack(error);
      }
    }
    return changed(inMemoryOf(name)).result;

    function changed(window: QuotaWindow) {
      const moment = now();
      const { next, result } = change(settledNow(window, limit, moment), limit, moment);
      // Also kept for the moment that the folder can't be used any more.
      inMemory.set(name, next);
      return { next, result };
    }

    function onDisk(lease: Lease): Result {
      const before = kept.read(name);
      const { next, result } = changed(before ?? inMemoryOf(name));
      if (before && !sameWindow(before, next)) kept.write(name, next, lease);
      return result;
    }
  }

  return {
    reserve: (key, want = 1, { ticket, patienceMs = -1, background = false } = {}) =>
      update<Reservation>(key, (window, limit, taken) => {
        const known = window.waiting.find(({ id }) => id === ticket);
        const granted = placesFor(
          { known, count: want, background },
          freePlaces(window, limit),
          window.waiting,
        );
        const slot = granted > 0 ? { key, id: randomNonce(files.system), taken, granted } : undefined;
        const left = slot ? withEntry(window, slot.id, { id: slot.id, ...taken, count: granted }) : window;
        const waitMs = granted < want ? Math.max(waitForPlace(left, limit, taken), behindMs(left, limit)) : 0;
        const waiter: Waiter | undefined =
          granted < want && waitMs <= patienceMs
            ? {
                id: known?.id ?? randomNonce(files.system),
                process: table.self(),
                count: want - granted,
                since: known?.since ?? taken,
                ...{ asked: taken, again_ms: waitMs, background },
              }
            : undefined;
        const next = (known ?? waiter) ? withWaiter(left, known?.id, waiter) : left;
        return { next, result: { granted, waitMs: granted > 0 ? 0 : waitMs, slot, ticket: waiter?.id } };
      }),

    async settle(slot, { unused = 0 } = {}) {
      const sent = slot.granted - unused;
      const wasShort = (elapsedMs(slot.taken, now()) ?? Infinity) <= marginMs;
      if (unused === 0 && wasShort) return;
      await update(slot.key, (window, _limit, end) => {
        const entry = sent > 0 ? { id: slot.id, ...(wasShort ? slot.taken : end), count: sent } : undefined;
        return { next: withEntry(window, slot.id, entry), result: undefined };
      });
    },

    // eslint-disable-next-line @typescript-eslint/require-await -- a rejection, never an exception
    async remaining(key) {
      const limit = limits[key.bucket];
      const moment = now();
      const name = fileName(key);
      const onDisk = memoryOnly ? undefined : kept.read(name);
      const window = settledNow(onDisk ?? inMemoryOf(name), limit, moment);
      const blockMs = waitForBlock(window, moment);
      return {
        ...limit,
        used: used(window),
        remaining: freePlaces(window, limit),
        waitMs: waitForPlace(window, limit, moment),
        blockedUntil: blockMs > 0 ? moment.at + blockMs : undefined,
        nextFreeMs: nextFreeMs(window, limit, moment),
        waiting: inTurn(window.waiting),
      };
    },

    observe429: (key, retryAfterMs) =>
      update(key, (window, _limit, moment) => ({
        next: blocked(window, moment, retryAfterMs),
        result: undefined,
      })),
  };
}

/** A place is free, and somebody who came before has it: until they ask for it, to look is all that can be done. */
function behindMs(window: QuotaWindow, limit: RateLimit): number {
  return freePlaces(window, limit) > 0 ? lookMs : 0;
}

function fileName({ baseUrl, store, bucket }: QuotaKey): string {
  const digest = createHash("sha256")
    .update(JSON.stringify([baseUrl, store]))
    .digest("hex")
    .slice(0, 32);
  return `${digest}-${bucket}`;
}
