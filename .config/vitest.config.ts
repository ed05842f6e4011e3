import { readdirSync, readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import path from "node:path";

import { defineConfig, type ViteUserConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification, type Vite } from "vitest/node";

// Amounts are written by the language of the process where nothing names one, and a process asks for it when it starts.
process.env["LC_ALL"] = "C.UTF-8";

const root = path.resolve(import.meta.dirname, "..");

/**
 * Processes that are killed many times, limits at full speed: `npm run test:search` has more of them, a soak
 * far more. They would be a fifth of the time of `npm test`.
 */
const large = [
  ...["auth/many-processes", "library/token-store", "soak/order-kills", "soak/lost-sessions"],
  ...["soak/rate-limit", "state/chain-refresh"],
  ...["state/chain-limits", "state/kills"],
];
const leftToSearch =
  process.env["COMANDA_SOAK"] === undefined ? large.map((name) => `test/${name}.test.ts`) : [];

/** Test files whose text matches. */
export function testFilesWith(text: RegExp): string[] {
  return readdirSync(path.join(root, "test"), { recursive: true, encoding: "utf8" })
    .filter((name) => /\.test\.tsx?$/.test(name))
    .map((name) => `test/${name}`)
    .filter((name) => text.test(readFileSync(path.join(root, name), "utf8")));
}

/** In milliseconds. A soak has no limit that a busy machine could reach: see `timeLimit` in test/support/soak.ts. */
const timeLimit = process.env["COMANDA_SOAK"] === undefined ? 60_000 : 24 * 60 * 60_000;

/**
 * A worker collects garbage seldom, from a heap that begins large, and compiles no function a second time because it hasn't
 * run for a while: together a twelfth of the processor's time of a run.
 */
const roomyHeap = [
  ...["--min-semi-space-size=32", "--max-semi-space-size=64", "--initial-heap-size=512"],
  "--no-flush-bytecode",
];

/** What starts programs takes longest, so it begins first: else one worker has it left at the end. */
class ProgramsFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isLong = ({ moduleId }: TestSpecification) => /\/acceptance\/|\.search\.ts$/.test(moduleId);
    const sorted = await super.sort(files);
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
  }
}

/** Imports a file of SQL, CSS or Markdown as a text, as the build does. */
export const fileTexts: Vite.Plugin = {
  name: "file-texts",
  enforce: "pre",
  // Vitest empties every module whose name ends with .css.
  resolveId: (id, importer = root) =>
    /\.(?:css|md|sql)$/.test(id) ? `${path.resolve(path.dirname(importer), id)}.text` : undefined,
  load: (id) =>
    id.endsWith(".text")
      ? `export default ${JSON.stringify(readFileSync(id.slice(0, -5), "utf8"))};`
      : undefined,
};

export const settings = {
  globalSetup: ["temporary-folder", "chromium-server", "postgres-server"].map((name) =>
    path.join(root, `test/support/${name}.ts`),
  ),
  setupFiles: ["test/support/each-file.ts"],
  execArgv: roomyHeap,
  // Two cores, many child processes: a test that waits for a loaded machine is slow, not wrong.
  testTimeout: timeLimit,
  hookTimeout: timeLimit,
  // Much of a run is waiting for child processes: one worker more than there are cores.
  maxWorkers: availableParallelism() + 1,
  // A worker loads what its test files share once: that is a third of the time that the tests take.
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
