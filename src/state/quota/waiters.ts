/** Who waits for a place within a rate limit, and whose turn it is. Pure. */
import { elapsedMs, type Moment, type QuotaWindow, type Waiter } from "./quota-window.js";

/** Who doesn't ask again for so long after it said it would has given up, or stands still. */
const lateMs = 2000;

/** @param isGone does its process run no more? */
export function stillWaiting(
  waiters: readonly Waiter[],
  now: Moment,
  isGone: (waiter: Waiter) => boolean,
): readonly Waiter[] {
  return waiters.filter(
    (waiter) => (elapsedMs(waiter.asked, now) ?? 0) <= waiter.again_ms + lateMs && !isGone(waiter),
  );
}

/** Whoever asks for places: a waiter that is known already, or somebody new. */
export type Asking = Pick<Waiter, "count" | "background"> & { readonly known: Waiter | undefined };

/** How many of the free places are theirs now: those of whoever came before are not. */
export function placesFor(asking: Asking, free: number, waiters: readonly Waiter[]): number {
  const taken = waiters
    .filter((other) => other.id !== asking.known?.id && goesBefore(other, asking))
    .reduce((sum, { count }) => sum + count, 0);
  return Math.max(0, Math.min(asking.count, free - taken));
}

/** As they get their places. */
export function inTurn(waiters: readonly Waiter[]): readonly Waiter[] {
  return [...waiters].sort((one, other) => (goesBefore(one, { known: other, ...other }) ? -1 : 1));
}

function goesBefore(other: Waiter, { known, background }: Omit<Asking, "count">): boolean {
  if (other.background !== background) return background;
  if (!known) return true;
  // Two that began in the same moment need an order too, whichever.
  return other.since.at < known.since.at || (other.since.at === known.since.at && other.id < known.id);
}

/** In the place of the one of this id, or at the end; without one it is taken away. */
export function withWaiter(
  window: QuotaWindow,
  id: string | undefined,
  waiter: Waiter | undefined,
): QuotaWindow {
  const others = window.waiting.filter((other) => other.id !== id);
  return { ...window, waiting: waiter ? [...others, waiter] : others };
}
