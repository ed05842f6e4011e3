/** The tests that Stryker runs for each mutant: those of the pure rules. */
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

import { fileTexts } from "../vitest.config.js";

/** Runs commands last, because the first failure ends a run, and they take longest. */
class CommandsLast extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isCommand = ({ moduleId }: TestSpecification) => moduleId.includes("/commands/");
    const sorted = await super.sort(files);
    return [...sorted.filter((file) => !isCommand(file)), ...sorted.filter(isCommand)];
  }
}

export default defineConfig({
  plugins: [fileTexts],
  test: {
    include: [
      "test/api/money.test.ts",
      "test/client/{ambiguous,client,retry,wire}.test.ts",
      "test/sales/*.test.ts",
      "test/sales/period/{comparison,resolve,windows}.test.ts",
      "test/commands/{orders,resume}.test.ts",
      "test/state/limits.test.ts",
      "test/truth/truth.test.ts",
    ],
    // Without PostgreSQL, whose tests are slow.
    provide: { postgres: "" },
    env: { COMANDA_MUTATIONS: "1" },
    setupFiles: ["test/support/each-file.ts"],
    // Stryker ends runs that take too long.
    testTimeout: 300_000,
    sequence: { sequencer: CommandsLast },
    isolate: false,
    restoreMocks: true,
    unstubEnvs: true,
    unstubGlobals: true,
  },
});
