/** The built program where any user of the machine can reach it: a clone may lie in a home that others can't enter. */
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

/** What the program loads that isn't in its build, with what that loads. */
const packages = ["@photostructure/sqlite", "node-gyp-build"];
let copy: readonly [string, ...string[]] | undefined;

/** @param command of Node and the program's script; both are copied, once, where another user couldn't reach them */
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
  for (const name of [
    "bin",
    "dist",
    "package.json",
    ...packages.map((each) => path.join("node_modules", each)),
  ])
    cpSync(path.join(root, name), path.join(folder, name), { recursive: true });
  cpSync(node, path.join(folder, "node"));
  // Whoever runs the tests may have a umask that leaves others nothing.
  execFileSync("chmod", ["-R", "a+rX", folder]);
  return [path.join(folder, "node"), path.join(folder, "bin", "comanda.js")];
}
