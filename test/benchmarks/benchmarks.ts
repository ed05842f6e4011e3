/** Measures what the project has set itself to reach, all in one run, and prints it beside the goals. */
import { cpus } from "node:os";

import { bulk } from "./bulk.js";
import { emulator } from "./emulator.js";
import { figureLine, met, type Figure, type Part, type Report } from "./figure.js";
import { summary } from "./summary.js";
import { oneCall } from "./one-call.js";
import { startup } from "./startup.js";

const parts: readonly Part[] = [startup, oneCall, bulk, summary, emulator];

const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !parts.some((part) => part.name === name));
if (unknown.length > 0) {
  console.error(
    `There is no part ${unknown.join(", ")}. There are: ${parts.map(({ name }) => name).join(", ")}.`,
  );
  process.exit(2);
}

const measured: Figure[] = [];
let broken = 0;
const report: Report = {
  figure(figure) {
    measured.push(figure);
    console.log(figureLine(figure));
  },
  skip(what, why) {
    console.log(`${what}: not measured, as ${why}.`);
  },
};

console.log(
  `Node ${process.version}, ${cpus().length} processors. x: median of the ratios of paired runs.\n`,
);
for (const part of parts) {
  if (wanted.length > 0 && !wanted.includes(part.name)) continue;
  try {
    await part.run(report);
  } catch (error) {
    broken += 1;
    console.log(
      `${part.name}: could not be measured: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
}
const goals = measured.map(met).filter((reached) => reached !== undefined);
console.log(`\n${goals.filter(Boolean).length} of ${goals.length} goals met.`);
// A figure is no test: a busy machine misses goals. Only what doesn't run at all fails.
process.exitCode = broken > 0 ? 1 : 0;
