/** A rate limit's sliding window as data: who may send now, whose turn it is, and when is the next place free? Pure. */
import type { RateLimit } from "../contract/limits.js";

/** All moments are milliseconds by the clock that all processes share (`Statements.now`). */
export interface LimitWindow {
  readonly uses: readonly LimitUse[];
  readonly block: LimitBlock | undefined;
  readonly waiters: readonly LimitWaiter[];
}

/** The service's own word that nothing more goes for so many milliseconds. */
export interface LimitBlock {
  readonly at: number;
  readonly ms: number;
}

/** Requests that were granted together. */
export interface LimitUse {
  readonly id: string;
  /** The moment when they were granted, or were known to be over. */
  readonly at: number;
  readonly requests: number;
}

/** Requests of one process that began to wait in the same moment. */
export interface LimitWaiter {
  readonly id: string;
  readonly requests: number;
  /** Work that nobody waits for: whoever else waits goes before it. */
  readonly isBackground: boolean;
  readonly since: number;
  /** A waiter that hasn't asked again by then has given up, stands still, or was killed. */
  readonly expires: number;
  readonly pid: number;
  readonly host: string;
}

export const emptyWindow: LimitWindow = { uses: [], block: undefined, waiters: [] };

/**
 * The service counts a request when it arrives: after it was granted, and before it was answered. An exchange that took
 * no longer than this counts from its grant, with this added to the window; a longer one counts from its end.
 */
export const marginMs = 1000;

/** No server's word shuts a store out for longer than this without being asked again. */
export const maxBlockMs = 60 * 60_000;

/** A waiter asks again at least so often: a killed one keeps its turn for little longer. */
export const askAgainMs = 5000;
/** A waiter that is late by so many milliseconds has given up. */
const lateMs = 2000;

/** @param againMs in how long it is going to ask again */
export function expiryOf(now: number, againMs: number): number {
  return now + Math.min(againMs, askAgainMs) + lateMs;
}

/**
 * The window as it stands now: what has left it is gone. What lies in the future is of another start of the machine, or
 * of a clock that was set back: it counts as if it had happened now, so that it does leave.
 */
export function windowAt(window: LimitWindow, { windowMs }: RateLimit, now: number): LimitWindow {
  return {
    uses: window.uses
      .map((use) => (use.at > now ? { ...use, at: now } : use))
      .filter(({ at }) => now - at <= windowMs + marginMs),
    block: blockAt(window.block, now),
    waiters: window.waiters
      .map((waiter) => {
        const last = expiryOf(now, askAgainMs);
        return waiter.since <= now && waiter.expires <= last
          ? waiter
          : { ...waiter, since: Math.min(waiter.since, now), expires: Math.min(waiter.expires, last) };
      })
      .filter(({ expires }) => expires >= now),
  };
}

function blockAt(block: LimitBlock | undefined, now: number): LimitBlock | undefined {
  const at = Math.min(block?.at ?? 0, now);
  const ms = Math.min(block?.ms ?? 0, maxBlockMs);
  if (at + ms <= now) return undefined;
  return block?.at === at && block.ms === ms ? block : { at, ms };
}

/** Nothing goes out before. */
function blockedUntil({ block }: Pick<LimitWindow, "block">): number {
  return block ? block.at + block.ms : -Infinity;
}

/** Blocked for so many milliseconds from now, or for longer where that was so already. */
export function blocked(window: LimitWindow, now: number, ms: number): LimitWindow {
  const waitMs = Number.isFinite(ms) ? Math.min(Math.max(0, Math.ceil(ms)), maxBlockMs) : maxBlockMs;
  return now + waitMs <= blockedUntil(window) ? window : { ...window, block: { at: now, ms: waitMs } };
}

export function usedPlaces({ uses }: LimitWindow): number {
  return uses.reduce((sum, { requests }) => sum + requests, 0);
}

/** Counts the requests that may still go out now. */
export function freePlaces(window: LimitWindow, { limit }: RateLimit): number {
  return window.block ? 0 : Math.max(0, limit - usedPlaces(window));
}

/** @returns the moment when a place that was taken at another is free again */
function freeAt(at: number, { windowMs }: RateLimit): number {
  return at + windowMs + marginMs + 1;
}

/** Milliseconds until at least one request may go out; 0 where one may now. */
export function waitForPlace(window: LimitWindow, limit: RateLimit, now: number): number {
  let over = usedPlaces(window) - limit.limit + 1;
  let free = blockedUntil(window);
  for (const { at, requests } of window.uses.toSorted((a, b) => a.at - b.at)) {
    if (over <= 0) break;
    over -= requests;
    free = Math.max(free, freeAt(at, limit));
  }
  return Math.max(0, free - now);
}

/** Milliseconds until a place that is taken now is free again; `undefined` where none is. */
export function nextFreeMs(window: LimitWindow, limit: RateLimit, now: number): number | undefined {
  const { uses, block } = window;
  if (uses.length === 0 && !block) return undefined;
  const oldest = uses.length === 0 ? -Infinity : freeAt(Math.min(...uses.map(({ at }) => at)), limit);
  return Math.max(blockedUntil(window), oldest) - now;
}

/** Whoever asks for places: a waiter that is known already, or somebody new. */
export type Asking = Pick<LimitWaiter, "requests" | "isBackground"> & {
  readonly waiter: LimitWaiter | undefined;
};

/** Counts the free places that are theirs now: those of whoever came before are not. */
export function placesFor(asking: Asking, free: number, waiters: readonly LimitWaiter[]): number {
  const taken = waiters
    .filter((other) => other.id !== asking.waiter?.id && goesBefore(other, asking))
    .reduce((sum, { requests }) => sum + requests, 0);
  return Math.max(0, Math.min(asking.requests, free - taken));
}

/** Sorts those who wait in the order in which they get their places. */
export function inTurn(waiters: readonly LimitWaiter[]): readonly LimitWaiter[] {
  return waiters.toSorted((left, other) => (goesBefore(left, { waiter: other, ...other }) ? -1 : 1));
}

function goesBefore(other: LimitWaiter, { waiter, isBackground }: Omit<Asking, "requests">): boolean {
  if (other.isBackground !== isBackground) return isBackground;
  if (!waiter) return true;
  // Two that began in the same moment need an order too, whichever.
  return other.since < waiter.since || (other.since === waiter.since && other.id < waiter.id);
}

/** Replaces, adds or (`undefined`) removes the element of this id. */
export function withElement<Element extends { readonly id: string }>(
  elements: readonly Element[],
  id: string,
  element: Element | undefined,
): readonly Element[] {
  const others = elements.filter((other) => other.id !== id);
  return element ? [...others, element] : others;
}
