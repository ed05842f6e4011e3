/** Stretches of work that an interrupt must not cut: the signal handler awaits `idle` before it ends the program. */
export type CriticalSections = ReturnType<typeof createCriticalSections>;

export function createCriticalSections() {
  const underWay = new Set<Promise<unknown>>();
  return {
    /** The number of sections that are under way. */
    get active() {
      return underWay.size;
    },
    /** Does the work; sections may overlap and nest. */
    async run<Result>(work: () => Promise<Result>): Promise<Result> {
      const section = Promise.resolve().then(work);
      underWay.add(section);
      try {
        return await section;
      } finally {
        underWay.delete(section);
      }
    },
    /** Resolves as soon as none is under way. Never rejects. */
    async idle(): Promise<void> {
      while (underWay.size > 0) await Promise.allSettled(underWay);
    },
  };
}
