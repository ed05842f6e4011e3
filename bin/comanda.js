#!/usr/bin/env node
const { lstatSync, mkdirSync } = require("node:fs");
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

// Node has it from 22.8 on; on Windows nothing tells whose a folder is.
if (module_.enableCompileCache && process.getuid) keepCompiledCode();
require(path.join(program, "main.js")).main(process.argv.slice(2));
