/** `npm run test:costs`: the test files that cost the most, and what lies outside of them, in seconds of the processor. */
import process from "node:process";

import type { Reporter, TestModule } from "vitest/node";

import { processorTime, startedProcesses } from "../test/support/processor-time.js";

const shown = 40;

export default class CostReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const rows = modules
      .map((module) => {
        const { own = 0, started = 0 } = module.meta().costs ?? {};
        const tests = [...module.children.allTests()].length;
        return { name: module.relativeModuleId, tests, own, started, all: own + started };
      })
      .sort((one, other) => other.all - one.all);
    const files = rows.reduce((total, { all }) => total + all, 0);
    const line = (...cells: readonly string[]) =>
      `${cells.map((cell, index) => (index < 4 ? cell.padStart(8) : `  ${cell}`)).join("")}\n`;
    const seconds = (value: number) => value.toFixed(2);
    process.stdout.write(
      [
        "\nSeconds of the processor\n",
        line("all", "own", "started", "tests", "file"),
        ...rows
          .slice(0, shown)
          .map(({ name, tests, own, started, all }) =>
            line(seconds(all), seconds(own), seconds(started), String(tests), name),
          ),
        line(seconds(files), "", "", "", `all ${rows.length} files`),
        ...outside(files).map(([what, value]) => line(seconds(value), "", "", "", what)),
      ].join(""),
    );
  }
}

/** What a run costs beside its files; where the machine doesn't tell, nothing is known of other processes. */
function outside(files: number): readonly (readonly [what: string, seconds: number])[] {
  const { user, system } = process.cpuUsage();
  const main = (user + system) / 1e6;
  const self = processorTime("self");
  if (!self) return [["Vitest's main process", main]];
  const running = startedProcesses(process.pid);
  const sum = (of: typeof running) => of.reduce((total, { own, ended }) => total + own + ended, 0);
  const named = (name: RegExp) => sum(running.filter((each) => name.test(each.name)));
  const [chromium, esbuild] = [named(/^chrom/), named(/^esbuild/)];
  const all = self.own + self.ended + sum(running);
  return [
    ["Chromium, for all files", chromium],
    ["esbuild, for Vitest and for the tests", esbuild],
    ["Vitest's main process", main],
    ["the workers before, between and after their files", all - files - chromium - esbuild - main],
    ["the run, without the build", all],
  ];
}
