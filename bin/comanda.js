#!/usr/bin/env node
const { lstatSync, mkdirSync, writeSync } = require("node:fs");
const module_ = require("node:module");
const path = require("node:path");

const program = path.join(__dirname, "..", "dist", "cli");

/**
 * Node keeps the compiled code of the program beside it, which halves the time that it takes to load. Whoever can write there
 * runs code as its user: so it is a folder that is this user's alone. Nothing depends on it.
 */
function keepCompiledCode() {
  const cache = path.join(program, "compile-cache");
  try {
    mkdirSync(cache, { recursive: true, mode: 0o700 });
    const { uid, mode } = lstatSync(cache);
    const isOwn = uid === process.getuid() && (mode & 0o170077) === 0o040000;
    if (isOwn && (lstatSync(program).mode & 0o022) === 0) module_.enableCompileCache(cache);
  } catch {
    // It can't be made here.
  }
}

/** Where the version can't be written the program says why. */
function tellsVersion() {
  try {
    return writeSync(1, `${require("../package.json").version}\n`) > 0;
  } catch {
    return false;
  }
}

const argv = process.argv.slice(2);
if (!(argv.length === 1 && /^(--version|-V)$/.test(argv[0]) && tellsVersion())) {
  // Node has it from 22.8 on; on Windows nothing tells whose a folder is.
  if (module_.enableCompileCache && process.getuid) keepCompiledCode();
  // A clone has the source maps of what it runs, the package doesn't.
  if (argv.includes("--debug")) process.setSourceMapsEnabled(true);
  require(path.join(program, "main.js")).main(argv);
}
