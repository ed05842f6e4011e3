import { readdirSync, readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import path from "node:path";

import { defineConfig, type ViteUserConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification, type Vite } from "vitest/node";

// Without another locale, amounts are formatted in that of the process, which is read when it starts.
process.env["LC_ALL"] = "C.UTF-8";

const root = import.meta.dirname;

/**
 * Tests that kill many processes or use limits at full speed, and would take a fifth of the time of `npm test`. `npm run
 * test:search` runs them, and a soak runs more of them.
 */
const large = [
  ...["auth/many-processes", "library/token-store", "soak/order-kills", "soak/rate-limit"],
  "state/kills",
];
const leftToSearch =
  process.env["COMANDA_SOAK"] === undefined ? large.map((name) => `test/${name}.test.ts`) : [];

/** Returns the test files whose text matches. */
export function testFilesWith(text: RegExp): string[] {
  return readdirSync(path.join(root, "test"), { recursive: true, encoding: "utf8" })
    .filter((name) => /\.test\.tsx?$/.test(name))
    .map((name) => `test/${name}`)
    .filter((name) => text.test(readFileSync(path.join(root, name), "utf8")));
}

/** In milliseconds. A soak's limit is never reached: on a busy machine, none distinguishes a slow test from one that hangs. */
const timeLimit = process.env["COMANDA_SOAK"] === undefined ? 60_000 : 24 * 60 * 60_000;

/**
 * Options of V8 that save a twelfth of a run's CPU time: a large initial heap needs fewer garbage collections, and code that
 * hasn't run for a while isn't discarded and compiled again.
 */
const roomyHeap = [
  ...["--min-semi-space-size=32", "--max-semi-space-size=64", "--initial-heap-size=512"],
  "--no-flush-bytecode",
];

/** Runs the files that start programs first, because they take longest and would otherwise keep one worker busy at the end. */
class ProgramsFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isLong = ({ moduleId }: TestSpecification) =>
      /\/(?:acceptance|truth)\/|\.search\.ts$/.test(moduleId);
    const sorted = await super.sort(files);
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
  }
}

/** Imports SQL, CSS and Markdown files as text, as the build does. */
export const fileTexts: Vite.Plugin = {
  name: "file-texts",
  enforce: "pre",
  // Vitest empties every module whose name ends with .css.
  resolveId: (id, importer = root) =>
    /\.(?:css|md|sql|txt)$/.test(id) ? `${path.resolve(path.dirname(importer), id)}.text` : undefined,
  load: (id) =>
    id.endsWith(".text")
      ? `export default ${JSON.stringify(readFileSync(id.slice(0, -5), "utf8"))};`
      : undefined,
};

export const settings = {
  globalSetup: ["temporary-folder", "postgres-server"].map((name) =>
    path.join(root, `test/support/${name}.ts`),
  ),
  setupFiles: ["test/support/each-file.ts"],
  execArgv: roomyHeap,
  // Many child processes on two cores may make a test slow without an error.
  testTimeout: timeLimit,
  hookTimeout: timeLimit,
  expect: { poll: { timeout: 20_000 } },
  // Workers often wait for child processes, so two more than there are cores are faster.
  maxWorkers: availableParallelism() + 2,
  // A worker loads shared modules only once, which saves a third of the time.
  isolate: false,
  sequence: { sequencer: ProgramsFirst },
  restoreMocks: true,
  unstubEnvs: true,
  unstubGlobals: true,
} satisfies ViteUserConfig["test"];

export default defineConfig({
  plugins: [fileTexts],
  test: {
    ...settings,
    include: ["test/**/*.test.{ts,tsx}"],
    exclude: leftToSearch,
  },
});
