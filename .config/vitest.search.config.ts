/**
 * `npm run test:search`: the searches by chance, larger than in `npm test`, and what takes long: the package as npm packs it,
 * the report's pages in a browser, an evening in tmux, other compilers. All of it is of `.ci/run`.
 */
import { defineConfig } from "vitest/config";

import { sqlTexts } from "./compiled-tests.js";
import { jqEngine } from "./jq-engine.mjs";
import { settings, testFilesWith } from "./vitest.config.js";

/** A test that has a size for this: `sized({ test: 2, search: 20, soak: 500 })`. */
const searches = testFilesWith(/\bsearch: [\d_]+,/);

export default defineConfig({
  plugins: [sqlTexts()],
  define: await jqEngine(),
  test: {
    ...settings,
    include: [...searches, "test/**/*.search.ts"],
    isolate: false,
    env: { COMANDA_SEARCH: "1" },
    testTimeout: 300_000,
  },
});
