// @ts-check
/**
 * `npm run test:mutations`: changes the pure rules in small ways, one at a time, and runs their tests each time. A change that no
 * test notices has survived: add the missing test, or delete the code that nothing needs. `npx stryker run
 * .config/stryker.config.mjs -m src/api/money.ts` selects one file. With COMANDA_MUTATIONS_HALF=0 or 1, every other file is changed:
 * CI takes turns, commit by commit, because all of them take longer than a build should.
 */
import process from "node:process";

const files = [
  ...["client/judge", "sales/period", "client/signer", "sales/filters", "sales/figures", "sales/fetch"],
  ...["api/money", "state/limits"],
];
const { COMANDA_MUTATIONS_HALF: half } = process.env;

export default {
  mutate: files
    .filter((_, at) => half === undefined || at % 2 === Number(half))
    .map((name) => `src/${name}.ts`),
  testRunner: "vitest",
  plugins: ["@stryker-mutator/vitest-runner"],
  vitest: { configFile: ".config/vitest.mutations.config.ts", related: false },
  mutator: {
    // Changes of conditions, comparisons and arithmetic remain. Those of values are nearly always noticed, and take a third of the time;
    // texts are for people: their tests compare codes.
    excludedMutations: [
      ...["ArrayDeclaration", "ArrowFunction", "BlockStatement", "ObjectLiteral", "OptionalChaining"],
      ...["Regex", "StringLiteral"],
    ],
  },
  // A changed table needs all tests, which would take half of the time.
  ignoreStatic: true,
  ignorePatterns: ["dist", "coverage"],
  concurrency: 2,
  reporters: ["clear-text", "progress-append-only"],
  clearTextReporter: { allowColor: false, logTests: false, reportTests: false },
  thresholds: { high: 95, low: 85, break: 85 },
};
