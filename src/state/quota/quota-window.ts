/** The sliding window as data: who may send now, and when is the next place free? Pure. */
import type { RateLimit } from "../../contract/limits.js";

/** Requests that were granted together. */
export interface QuotaEntry {
  readonly id: string;
  /** When they were granted, or known to be over (milliseconds since the epoch). */
  readonly at: number;
  readonly count: number;
}

/** The service's own word that nothing more goes, from when until when (milliseconds since the epoch). */
export interface QuotaBlock {
  readonly from: number;
  readonly until: number;
}

export interface QuotaWindow {
  readonly entries: readonly QuotaEntry[];
  readonly block: QuotaBlock | undefined;
}

export const emptyWindow: QuotaWindow = { entries: [], block: undefined };

/**
 * The service counts a request when it arrives: after it was granted, and before it was answered. An exchange that took
 * no longer than this counts from its grant, with this added to the window; a longer one counts from its end.
 */
export const marginMs = 1000;

/** No server's word shuts a store out for longer than this without being asked again. */
export const maxBlockMs = 60 * 60_000;

/**
 * The window as it stands now: what has left it is gone. What lies in the future was written before a clock was set
 * back; it counts as if it had happened now, so that it does leave.
 */
export function settled(window: QuotaWindow, { windowMs }: RateLimit, now: number): QuotaWindow {
  const entries = window.entries
    .map((entry) => (entry.at > now ? { ...entry, at: now } : entry))
    .filter((entry) => now - entry.at <= windowMs + marginMs);
  return { entries, block: settledBlock(window.block, now) };
}

function settledBlock(block: QuotaBlock | undefined, now: number): QuotaBlock | undefined {
  if (!block) return undefined;
  const moved = block.from > now ? { from: now, until: now + (block.until - block.from) } : block;
  return moved.until > now ? moved : undefined;
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
export function waitForPlace(window: QuotaWindow, { limit, windowMs }: RateLimit, now: number): number {
  const blocked = window.block ? window.block.until - now : 0;
  let over = used(window) - limit + 1;
  let free = now;
  for (const entry of [...window.entries].sort((a, b) => a.at - b.at)) {
    if (over <= 0) break;
    over -= entry.count;
    free = entry.at + windowMs + marginMs + 1;
  }
  return Math.max(blocked, free - now);
}

/** With the entry of this id replaced, added, or (`undefined`) removed. */
export function withEntry(window: QuotaWindow, id: string, entry: QuotaEntry | undefined): QuotaWindow {
  const others = window.entries.filter((other) => other.id !== id);
  return { ...window, entries: entry ? [...others, entry] : others };
}

/** Blocked for so many milliseconds from now, or for longer where that was so already. */
export function blocked(window: QuotaWindow, now: number, ms: number): QuotaWindow {
  const duration = Number.isFinite(ms) ? Math.min(Math.max(0, ms), maxBlockMs) : maxBlockMs;
  const until = Math.max(window.block?.until ?? 0, now + duration);
  return { ...window, block: until > now ? { from: now, until } : undefined };
}
