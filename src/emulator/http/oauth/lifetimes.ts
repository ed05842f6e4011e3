/** How long codes and tokens live, in seconds. */
export interface Lifetimes {
  readonly accessTokenSeconds: number;
  readonly refreshTokenSeconds: number;
  readonly codeSeconds: number;
}

/** @throws {RangeError} where a lifetime is not a positive number */
export function changeLifetimes(current: Lifetimes, change: Partial<Lifetimes>): Lifetimes {
  for (const [name, seconds] of Object.entries(change)) {
    if (!Number.isFinite(seconds) || seconds <= 0) throw new RangeError(`${name} must be a positive number`);
  }
  return { ...current, ...change };
}
