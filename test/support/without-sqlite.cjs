/** Loaded before the program (`NODE_OPTIONS=--require`): a Node 20 on which comanda was installed without optional packages. */
const Module = require("node:module");

/** @type {Record<string, (request: string, ...others: unknown[]) => unknown>} */
const functions = Object(Module);
for (const name of ["_load", "_resolveFilename"]) {
  const usual = functions[name];
  functions[name] = function (request, ...others) {
    if (/^node:sqlite$|@photostructure[/]sqlite/.test(request))
      throw Object.assign(new Error(`Cannot find module '${request}'`), { code: "MODULE_NOT_FOUND" });
    return usual?.call(this, request, ...others);
  };
}
