#!/usr/bin/env node
const { lstatSync, mkdirSync, writeSync } = require("node:fs");
const module_ = require("node:module");
const path = require("node:path");

const program = path.join(__dirname, "..", "dist", "cli");

/**
 * Makes Node store the compiled code next to the program, which halves its load time. A user who could write there could run code
 * as this user, so only a folder that belongs to this user is used. The program works without it.
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

/** Prints the version without loading the program, which reports the error if this fails. */
function tellsVersion() {
  try {
    return writeSync(1, `${require("../package.json").version}\n`) > 0;
  } catch {
    return false;
  }
}

const argv = process.argv.slice(2);
if (!(argv.length === 1 && /^(--version|-V)$/.test(argv[0]) && tellsVersion())) {
  // Node has this from 22.8. Windows doesn't tell whose a folder is.
  if (module_.enableCompileCache && process.getuid) keepCompiledCode();
  // A clone has source maps; the package doesn't.
  if (argv.includes("--debug")) process.setSourceMapsEnabled(true);
  require(path.join(program, "main.js")).main(argv);
}
