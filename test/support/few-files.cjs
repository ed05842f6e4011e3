/** Loaded before the program (`NODE_OPTIONS=--require`): only one more file can be open after comanda has created its database. */
const fs = require("node:fs");

const { openSync, closeSync } = fs;
/** @type {number | undefined} */
let database;

fs.openSync = (file, flags, mode) => {
  const descriptor = openSync(file, flags, mode);
  if (String(file).endsWith("comanda.db")) database = descriptor;
  return descriptor;
};

fs.closeSync = (descriptor) => {
  closeSync(descriptor);
  if (descriptor !== database) return;
  let last = descriptor;
  try {
    for (;;) last = openSync("/dev/null", "r");
  } catch {
    // The limit of `ulimit -n` is reached.
  }
  closeSync(last);
};
