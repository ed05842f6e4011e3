// @ts-check
/**
 * Makes the code cache of the built program, which is the compiled code of what ordinary commands run through: they run
 * against the emulator, in a process of their own (record-code.cjs).
 */
import { execFileSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";

/** @param {string} folder of the built command-line program */
export function makeCodeCache(folder) {
  const { cacheFolder } = createRequire(import.meta.url)(path.join(folder, "load-program.js"));
  // Where there is one, programs keep no code of their own.
  mkdirSync(cacheFolder(folder, "code-cache"), { recursive: true });
  const comanda = [path.join(folder, "entry.js"), "emulator", "exec", "--"];
  const recorder = [process.execPath, path.join(import.meta.dirname, "record-code.cjs"), folder];
  execFileSync(process.execPath, [...comanda, ...recorder], {
    env: plainEnvironment(),
    // What they say on stderr is shown where one of them fails.
    stdio: ["ignore", "ignore", "pipe"],
  });
}

/** What is set here for Node, V8's flags above all, would make a cache that fits no other process. */
function plainEnvironment() {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith("NODE_")));
}
