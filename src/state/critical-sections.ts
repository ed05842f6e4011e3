/**
 * Stretches of work that an interrupt must not cut: the signal handler awaits {@link CriticalSections.idle} before it
 * ends the program.
 */
export interface CriticalSections {
  /** The number of sections that are under way. */
  readonly active: number;
  /** Does the work; sections may overlap and nest. */
  run<Result>(work: () => Promise<Result>): Promise<Result>;
  /** Resolves as soon as none is under way: at once where that is so already. Never rejects. */
  idle(): Promise<void>;
}

export function createCriticalSections(): CriticalSections {
  let active = 0;
  let waiting: (() => void)[] = [];
  return {
    get active() {
      return active;
    },
    async run(work) {
      active += 1;
      try {
        return await work();
      } finally {
        active -= 1;
        if (active === 0) {
          for (const resolve of waiting) resolve();
          waiting = [];
        }
      }
    },
    async idle() {
      if (active === 0) return;
      await new Promise<void>((resolve) => waiting.push(resolve));
    },
  };
}
