/** `npm run test:costs`: the test files that cost the most, in seconds of the processor. */
import process from "node:process";

import type { Reporter, TestModule } from "vitest/node";

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
    const sum = rows.reduce((total, { all }) => total + all, 0);
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
        line(seconds(sum), "", "", "", `all ${rows.length} files, without vitest itself`),
      ].join(""),
    );
  }
}
