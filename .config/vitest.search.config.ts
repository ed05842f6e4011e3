/**
 * `npm run test:search`: random tests that are larger than in `npm test`, and slow tests with browsers, shells, tmux, killed
 * processes, the packed package and other compilers. `.ci/run` runs it, too.
 */
import { defineConfig } from "vitest/config";

import { fileTexts, settings, testFilesWith } from "../vitest.config.js";

/** Files with a test that is larger here, `sized({ test: 2, search: 20, soak: 500 })`, or that runs only here, `inSearch`. */
const searches = testFilesWith(/\bsearch: [\d_]+,|\b(?:inSearch|rowsInSearch|isSearch)\b/);

export default defineConfig({
  plugins: [fileTexts],
  test: {
    ...settings,
    include: [...searches, "test/**/*.search.ts"],
    env: { COMANDA_SEARCH: "1" },
    testTimeout: 300_000,
    // Hooks install packages from the registry.
    hookTimeout: 300_000,
  },
});
