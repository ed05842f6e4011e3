import { availableParallelism } from "node:os";

import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.{ts,tsx}"],
    setupFiles: ["test/support/watch-exchanges.ts"],
    // Two cores, many child processes: a test that waits for a loaded machine is slow, not wrong.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // Much of a run is waiting for child processes: one worker more than there are cores.
    maxWorkers: availableParallelism() + 1,
    restoreMocks: true,
    unstubEnvs: true,
  },
});
