// @ts-check
/**
 * Makes the code cache of the built program, which is the compiled code of what ordinary commands run through: they run
 * against the emulator, in a process of their own (record-code.cjs).
 */
import { execFile } from "node:child_process";
import { mkdirSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

/** @param {string} folder of the built command-line program */
export async function makeCodeCache(folder) {
  const { cacheFolder } = createRequire(import.meta.url)(path.join(folder, "load-program.js"));
  // Where there is one, programs keep no code of their own.
  mkdirSync(cacheFolder(folder, "code-cache"), { recursive: true });
  const comanda = [path.join(folder, "entry.js"), "emulator", "exec", "--"];
  const recorder = [process.execPath, path.join(import.meta.dirname, "record-code.cjs"), folder];
  // What they say on stderr is shown where one of them fails.
  const recording = run(process.execPath, [...comanda, ...recorder], { env: plainEnvironment() });
  recording.child.stdin?.end();
  await recording;
}

/** What is set here for Node, V8's flags above all, would make a cache that fits no other process. */
function plainEnvironment() {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith("NODE_")));
}
