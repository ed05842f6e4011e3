/** The sliding window as data: who may send now, and when is the next place free? Pure. */
import type { RateLimit } from "../../contract/limits.js";
import type { ProcessIdentity } from "../locks/process-identity.js";

/**
 * One moment by two clocks. The wall clock may be set while programs run; the other never is, but counts from the start
 * of its machine and means nothing after the next one.
 */
export interface Moment {
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** Milliseconds since the machine started; `null` where no clock tells. */
  readonly up: number | null;
  /** Which start of which machine that was; `null` where it isn't known. */
  readonly boot: string | null;
}

/** Requests that were granted together: when, or when they were known to be over. */
export interface QuotaEntry extends Moment {
  readonly id: string;
  readonly count: number;
}

/** The service's own word that nothing more goes for so many milliseconds. */
export interface QuotaBlock extends Moment {
  readonly ms: number;
}

/** Requests of one process that began to wait in the same moment. */
export interface Waiter {
  readonly id: string;
  readonly process: ProcessIdentity;
  /** How many. */
  readonly count: number;
  readonly since: Moment;
  /** When it asked for the last time, and in how many milliseconds it said to ask again. */
  readonly asked: Moment;
  readonly again_ms: number;
  /** Work that nobody waits for: whoever else waits goes before it. */
  readonly background: boolean;
}

export interface QuotaWindow {
  readonly entries: readonly QuotaEntry[];
  readonly block: QuotaBlock | undefined;
  readonly waiting: readonly Waiter[];
}

export const emptyWindow: QuotaWindow = { entries: [], block: undefined, waiting: [] };

/**
 * The service counts a request when it arrives: after it was granted, and before it was answered. An exchange that took
 * no longer than this counts from its grant, with this added to the window; a longer one counts from its end.
 */
export const marginMs = 1000;

/** No server's word shuts a store out for longer than this without being asked again. */
export const maxBlockMs = 60 * 60_000;

/** Milliseconds from then to now; `undefined` where no clock can tell, as `then` seems to lie in the future. */
export function elapsedMs(then: Moment, now: Moment): number | undefined {
  const wall = now.at - then.at;
  const steady = steadyMs(then, now);
  if (steady === undefined) return wall < 0 ? undefined : wall;
  // Perhaps `then` was before this machine's last start: of two clocks that may be wrong, the cautious one.
  return now.boot === null && wall >= 0 ? Math.min(steady, wall) : steady;
}

/** By the clock that is never set, where it told both moments of the same start of the same machine. */
function steadyMs(then: Moment, now: Moment): number | undefined {
  if (then.up === null || now.up === null || then.boot !== now.boot || now.up < then.up) return undefined;
  return now.up - then.up;
}

/**
 * The window as it stands now: what has left it is gone. What only a wall clock told is told by this machine's steady
 * clock from now on. What lies in the future was written by a wrong clock, or before one was set back: it counts as if
 * it had happened now, so that it does leave.
 */
export function settled(window: QuotaWindow, { windowMs }: RateLimit, now: Moment): QuotaWindow {
  const entries = window.entries
    .map((entry) => rebased(entry, now))
    .filter((entry) => (elapsedMs(entry, now) ?? 0) <= windowMs + marginMs);
  const block = window.block && rebased(window.block, now);
  return { ...window, entries, block: waitForBlock({ block }, now) > 0 ? block : undefined };
}

function rebased<Stamped extends Moment>(stamped: Stamped, now: Moment): Stamped {
  const elapsed = elapsedMs(stamped, now);
  const canBeSteady = now.up !== null && steadyMs(stamped, now) === undefined;
  if (elapsed !== undefined && !canBeSteady) return stamped;
  const ago = elapsed ?? 0;
  return { ...stamped, at: now.at - ago, up: now.up === null ? null : now.up - ago, boot: now.boot };
}

/** Milliseconds for which the service said to wait, and never more than {@link maxBlockMs}, whatever the file says. */
export function waitForBlock({ block }: Pick<QuotaWindow, "block">, now: Moment): number {
  if (!block) return 0;
  return Math.max(0, Math.min(block.ms, maxBlockMs) - (elapsedMs(block, now) ?? 0));
}

/** How many more requests may go out now. */
export function freePlaces(window: QuotaWindow, { limit }: RateLimit): number {
  if (window.block) return 0;
  return Math.max(0, limit - used(window));
}

export function used(window: QuotaWindow): number {
  return window.entries.reduce((sum, entry) => sum + entry.count, 0);
}

/** Milliseconds until at least one request may go out; 0 where one may now. For a window that is {@link settled}. */
export function waitForPlace(window: QuotaWindow, { limit, windowMs }: RateLimit, now: Moment): number {
  const entries = window.entries.map((entry) => ({ count: entry.count, age: elapsedMs(entry, now) ?? 0 }));
  let over = used(window) - limit + 1;
  let wait = 0;
  for (const { count, age } of entries.sort((a, b) => b.age - a.age)) {
    if (over <= 0) break;
    over -= count;
    wait = windowMs + marginMs + 1 - age;
  }
  return Math.max(waitForBlock(window, now), wait);
}

/** Milliseconds until a place that is taken now is free again; `undefined` where none is. For a settled window. */
export function nextFreeMs(window: QuotaWindow, { windowMs }: RateLimit, now: Moment): number | undefined {
  const ages = window.entries.map((entry) => elapsedMs(entry, now) ?? 0);
  const oldest = ages.length === 0 ? undefined : windowMs + marginMs + 1 - Math.max(...ages);
  const block = waitForBlock(window, now);
  return block > 0 ? Math.max(block, oldest ?? 0) : oldest;
}

/** With the entry of this id replaced, added, or (`undefined`) removed. */
export function withEntry(window: QuotaWindow, id: string, entry: QuotaEntry | undefined): QuotaWindow {
  const others = window.entries.filter((other) => other.id !== id);
  return { ...window, entries: entry ? [...others, entry] : others };
}

/** Blocked for so many milliseconds from now, or for longer where that was so already. */
export function blocked(window: QuotaWindow, now: Moment, ms: number): QuotaWindow {
  const asked = Number.isFinite(ms) ? Math.min(Math.max(0, ms), maxBlockMs) : maxBlockMs;
  const duration = Math.max(asked, waitForBlock(window, now));
  return { ...window, block: duration > 0 ? { ...now, ms: duration } : undefined };
}

/** Entries are never changed in place, so the same ones are the same objects. */
export function sameWindow(a: QuotaWindow, b: QuotaWindow): boolean {
  return (
    a.entries.length === b.entries.length &&
    a.entries.every((entry, index) => entry === b.entries[index]) &&
    a.block === b.block &&
    a.waiting === b.waiting
  );
}
