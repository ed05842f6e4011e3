/** The tests that Stryker runs for each mutant: those of the pure rules. */
import { defineConfig } from "vitest/config";

import { fileTexts } from "../vitest.config.js";

/** Separate, because a run of commands takes ten times as long, and covers most rules. */
const include =
  process.env["COMANDA_MUTATIONS"] === "commands"
    ? ["test/commands/{network-trouble,orders,outcomes,resume}.test.ts", "test/core/orders.test.ts"]
    : [
        "test/api/money.test.ts",
        "test/client/{client,retry}.test.ts",
        "test/sales/{fetch,figures,filters}.test.ts",
        "test/sales/period/{comparison,resolve,windows,zones}.test.ts",
        "test/state/limits.test.ts",
      ];

export default defineConfig({
  plugins: [fileTexts],
  test: {
    include,
    // Without PostgreSQL, whose tests are slow.
    provide: { postgres: "" },
    env: { COMANDA_MUTATIONS: "1" },
    setupFiles: ["test/support/each-file.ts"],
    // Stryker ends runs that take too long.
    testTimeout: 300_000,
    isolate: false,
    restoreMocks: true,
    unstubEnvs: true,
    unstubGlobals: true,
  },
});
