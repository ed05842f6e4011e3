/**
 * A random generator with a seed, which the platform doesn't offer: mulberry32, with 32 bits of state. It generates the emulator's
 * data, but no secret that protects anything.
 */
export type Random = ReturnType<typeof createRandom>;

export type Weighted<Value> = readonly (readonly [Value, number])[];

export function weightsFrom(first: number, weights: readonly number[]): Weighted<number> {
  return weights.map((weight, index) => [first + index, weight]);
}

const empty = "A random choice requires at least one value.";

export function createRandom(seed: number) {
  let state = seed | 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 0x1_0000_0000;
  };
  return {
    /** Returns a number from 0 up to, but not including, 1. */
    next,
    /** Returns an integer from `min` to `max`, both included. */
    int: (min: number, max: number): number => min + Math.floor(next() * (max - min + 1)),
    chance: (probability: number): boolean => next() < probability,
    pick<Value>(values: readonly Value[]): Value {
      const value = values[Math.floor(next() * values.length)];
      if (value === undefined) throw new RangeError(empty);
      return value;
    },
    weighted<Value>(pairs: Weighted<Value>): Value {
      let sum = 0;
      for (const pair of pairs) sum += pair[1];
      let rest = next() * sum;
      for (const [value, weight] of pairs) {
        rest -= weight;
        if (rest < 0) return value;
      }
      throw new RangeError(empty);
    },
  };
}

/** Returns the seed of one of many streams, so that the n-th order doesn't depend on those before it. */
export function streamSeed(seed: number, stream: number): number {
  const mixed = Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) ^ Math.imul(stream + 1, 0xc2b2ae35);
  return mixed ^ (mixed >>> 16);
}
