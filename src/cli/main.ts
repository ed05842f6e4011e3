/** The program starts here. `--version` is answered before anything else is loaded. */
import { writeSync } from "node:fs";

declare const __VERSION__: string;

/** @param argv the words behind the program's name */
export async function main(argv: readonly string[]): Promise<void> {
  if (argv.length === 1 && /^(--version|-V|-v)$/.test(argv[0] ?? "") && isWritten(`${__VERSION__}\n`)) return;
  // A clone has the source maps of what it runs, the package doesn't.
  if (argv.includes("--debug")) process.setSourceMapsEnabled(true);
  const program = await import("./program.js");
  await program.main(argv);
}

/** Where it can't be written the program says why. */
function isWritten(text: string): boolean {
  try {
    writeSync(1, text);
    return true;
  } catch {
    return false;
  }
}
