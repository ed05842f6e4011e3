/** Loaded before the program (`NODE_OPTIONS=--require`): a Node 20 on which comanda was installed without optional packages. */
const Module = require("node:module");

/** @param {unknown} name of a module, or the path of its file */
const isSqlite = (name) => /^node:sqlite$|@photostructure[/]sqlite/.test(String(name));

/** @type {Record<string, (...given: unknown[]) => unknown>} */
const functions = Object(Module);
for (const name of ["_load", "_resolveFilename"]) {
  const usual = functions[name];
  functions[name] = function (request, ...others) {
    if (isSqlite(request)) throw Object.assign(new Error("Cannot find module"), { code: "MODULE_NOT_FOUND" });
    return usual?.call(this, request, ...others);
  };
}
/** @type {Record<string, (...given: unknown[]) => unknown>} */
const ofProcess = Object(process);
const { getBuiltinModule, dlopen } = ofProcess;
ofProcess["getBuiltinModule"] = (id) => (isSqlite(id) ? undefined : getBuiltinModule?.call(process, id));
ofProcess["dlopen"] = (module, file, ...others) => {
  if (isSqlite(file)) throw new Error("cannot open shared object file");
  return dlopen?.call(process, module, file, ...others);
};
