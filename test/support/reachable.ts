/** A copy of the built program that every user can read. The repository may be in a home folder that others can't enter. */
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

/** The packages that the program loads at run time, with their dependencies. */
const packages = ["@photostructure/sqlite", "node-gyp-build"];
let copy: readonly [string, ...string[]] | undefined;

/** @param command Node and the program's script; each is copied once if another user couldn't reach it */
export function reachableCommand([node, script]: readonly [string, string]): readonly [string, ...string[]] {
  if ([node, script].every(isReachable)) return [node, script];
  return (copy ??= copyOf(node, path.resolve(path.dirname(script), "..")));
}

function isReachable(file: string): boolean {
  for (let each = file; each !== path.dirname(each); each = path.dirname(each))
    if ((statSync(each).mode & 0o001) === 0 && each !== file) return false;
  return (statSync(file).mode & 0o004) !== 0;
}

function copyOf(node: string, root: string): readonly [string, string] {
  const folder = mkdtempSync(path.join(tmpdir(), "comanda-reachable-"));
  mkdirSync(path.join(folder, "node_modules"));
  const modules = packages.map((each) => path.join("node_modules", each));
  for (const name of ["bin", "dist", "package.json", ...modules])
    cpSync(path.join(root, name), path.join(folder, name), { recursive: true });
  cpSync(node, path.join(folder, "node"));
  // The umask may leave other users no access.
  execFileSync("chmod", ["-R", "a+rX", folder]);
  return [path.join(folder, "node"), path.join(folder, "bin", "comanda.js")];
}
