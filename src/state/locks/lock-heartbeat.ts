/**
 * How one process knows of another, whose process it can't look at, that it is still there: the holder of a lock touches
 * its file every few seconds, and who waits for it watches for that.
 *
 * Clocks are never compared: machines that share a folder may differ by hours. The one who waits counts by its own
 * clock how long it has seen no change.
 */
import { everyInterval, steadyNow, type Clock } from "../../shared/clock.js";
import type { Holding } from "./lock-holding.js";

/** Between two touches. */
export const beatMs = 3000;

/** Without a touch for so long, a holder is dead: three were missed, and a busy one may be late by a whole one. */
export const silenceMs = 12_000;

/**
 * One gap between two looks counts for no more than this: whoever looks was perhaps stopped itself, and on a machine that
 * was paused, the holder with it.
 */
const maxGapMs = 1000;

/** @returns whether a holding was silent for {@link silenceMs}, counted from the first look at it */
export function createSilenceWatch(
  clock: Pick<Clock, "now" | "monotonic">,
): (holding: Pick<Holding, "nonce" | "beat">) => boolean {
  const watched = new Map<string, { beat: string; lookedAt: number; silentMs: number }>();
  return ({ nonce, beat }) => {
    const now = steadyNow(clock);
    const before = watched.get(nonce);
    const gapMs = before?.beat === beat ? Math.min(Math.max(0, now - before.lookedAt), maxGapMs) : undefined;
    const silentMs = before === undefined || gapMs === undefined ? 0 : before.silentMs + gapMs;
    watched.set(nonce, { beat, lookedAt: now, silentMs });
    return silentMs >= silenceMs;
  };
}

/** Does something every {@link beatMs}, and never keeps the program running for it. @returns what ends it */
export function everyBeat(clock: Pick<Clock, "every">, work: () => void): () => void {
  return (clock.every ?? everyInterval)(beatMs, work);
}
