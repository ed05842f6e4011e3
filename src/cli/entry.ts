/**
 * Where the program starts. `--version` and the top-level help are answered before anything is loaded: the
 * texts are made at build time (.config/build.mjs) from the command tree itself.
 */
import { writeSync } from "node:fs";

declare const __VERSION__: string;
declare const __HELP__: string;

/** `process.stdout` costs more to open than these two texts to print. */
function print(text: string): void {
  try {
    writeSync(1, text);
  } catch {
    // A pipe that is full or closed: the stream knows how to deal with both.
    process.stdout.on("error", ({ code }: NodeJS.ErrnoException) => {
      if (code !== "EPIPE") process.exitCode = 1;
    });
    process.stdout.write(text);
  }
}

const argv = process.argv.slice(2);
const only = argv.length <= 1 ? (argv[0] ?? "--help") : undefined;
if (only === "--version" || only === "-V") {
  print(`${__VERSION__}\n`);
} else if (only === "--help" || only === "-h" || only === "help") {
  print(__HELP__);
} else {
  void import("./load-program.js").then(({ loadProgram }) => loadProgram().main(argv));
}
