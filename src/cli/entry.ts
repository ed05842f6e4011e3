/** The program starts here. `--version` is answered before anything is loaded. */
import { writeSync } from "node:fs";

import { loadProgram } from "./load-program.js";

declare const __VERSION__: string;

const argv = process.argv.slice(2);
if (argv.length === 1 && /^(--version|-V|-v)$/.test(argv[0] ?? "")) printVersion();
else
  void loadProgram()
    .start(argv)
    .then(() => process.nextTick(endIfIdle));

/**
 * Node says that nothing is left to do after another turn of its loop, in which V8 collects garbage: that takes as long as a
 * tenth of what a command without a call does.
 */
function endIfIdle(): void {
  if (process.getActiveResourcesInfo().length === 0) process.emit("beforeExit", 0);
}

function printVersion(): void {
  const text = `${__VERSION__}\n`;
  try {
    writeSync(1, text);
  } catch {
    loadProgram().print(text);
  }
}
