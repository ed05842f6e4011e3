// @ts-check
/**
 * `npm run test:mutations`: changes the pure rules in small ways, one at a time, and runs their tests each time. A change that no
 * test notices has survived: add the missing assertion, or delete the code that nothing needs.
 *
 * All changes take half an hour on two cores, so each day has its part of each file. `-m src/api/money.ts` selects a whole file.
 */
import { readFileSync } from "node:fs";

const files = [
  ...["client/judge", "client/signer", "sales/period", "sales/filters", "sales/figures", "sales/fetch"],
  ...["api/money", "state/limits", "core/orders"],
].map((name) => `src/${name}.ts`);

const parts = 6;
const part = Math.floor(Date.now() / 86_400_000) % parts;

/** @param {string} file */
function partOf(file) {
  const lines = readFileSync(file, "utf8").split("\n").length;
  const edge = (/** @type {number} */ place) => Math.floor((lines * place) / parts);
  return `${file}:${edge(part) + 1}-${edge(part + 1)}`;
}

export default {
  mutate: files.map(partOf),
  testRunner: "vitest",
  plugins: ["@stryker-mutator/vitest-runner"],
  vitest: { configFile: ".config/vitest.mutations.config.ts", related: false },
  // Texts are for people: their tests compare codes.
  mutator: { excludedMutations: ["StringLiteral"] },
  // A changed table needs all tests, which would take half of the time.
  ignoreStatic: true,
  ignorePatterns: ["dist", "coverage"],
  concurrency: 2,
  reporters: ["clear-text", "progress-append-only"],
  clearTextReporter: { allowColor: false, logTests: false, reportTests: false },
  thresholds: { high: 95, low: 85, break: 85 },
};
