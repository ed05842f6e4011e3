/**
 * `npm run test:search`: the searches by chance, larger than in `npm test`, and what takes long: browsers, shells, an evening
 * in tmux, processes that are killed, the package as npm packs it, other compilers. `.ci/run` runs it too.
 */
import { defineConfig } from "vitest/config";

import { fileTexts, settings, testFilesWith } from "./vitest.config.js";

/** A test that has a size for this, `sized({ test: 2, search: 20, soak: 500 })`, or that only this runs: `inSearch`. */
const searches = testFilesWith(/\bsearch: [\d_]+,|\b(?:inSearch|rowsInSearch|isSearch)\b/);

export default defineConfig({
  plugins: [fileTexts],
  test: {
    ...settings,
    include: [...searches, "test/**/*.search.ts"],
    env: { COMANDA_SEARCH: "1" },
    testTimeout: 300_000,
  },
});
