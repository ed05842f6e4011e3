/**
 * Makes the times at which the orders were created: three years of growing business, busy at lunch and in the
 * evening.
 */
import { createRandom, streamSeed } from "../domain/random.js";
import { scenarios, type Timeline } from "./plan.js";

const hour = 3_600_000;
const day = 24 * hour;
const years = 3 * 365 * day;
const recentHours = 6;

/** Each hour of the day at UTC-3 has its weight. */
const busy = [
  [0, 2],
  [9, 1],
  [10, 2],
  [11, 8],
  [12, 14],
  [13, 10],
  [14, 4],
  [15, 3],
  [16, 3],
  [17, 4],
  [18, 9],
  [19, 14],
  [20, 13],
  [21, 8],
  [22, 5],
  [23, 3],
] as const;

/** @param now is the end of the timeline, in milliseconds since the epoch */
export function createTimeline(seed: number, count: number, now: number, storeCount: number): Timeline {
  const random = createRandom(streamSeed(seed, -1));
  const recent = Math.min(Math.ceil(count / 2), 2 * scenarios.length * storeCount);
  const firstRecent = count - recent;
  const createdAt = new Float64Array(count);
  const end = now - recentHours * hour;
  const [start, days] = [now - years + hour, Math.floor((end - (now - years + hour)) / day)];
  for (let index = 0; index < firstRecent; index += 1) {
    // The square root makes late days fuller than early ones.
    const date = Math.floor(Math.sqrt(random.next()) * days);
    const startOfDay = Math.floor((start + date * day) / day) * day + 3 * hour;
    const time = startOfDay + random.weighted(busy) * hour + random.int(0, 3_599) * 1_000;
    createdAt[index] = Math.floor(Math.min(Math.max(time, start), end) / 1_000) * 1_000;
  }
  for (let index = firstRecent; index < count; index += 1) {
    // The timeline ends two minutes short of now, so that nothing was changed in the future.
    createdAt[index] = Math.floor((end + random.next() * (recentHours * hour - 120_000)) / 1_000) * 1_000;
  }
  return { createdAt: createdAt.sort(), firstRecent };
}
