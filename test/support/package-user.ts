/** The folder of another program, in which this package is installed. */
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";

import { temporaryFolder } from "./cleanup.js";

export const root = path.resolve(import.meta.dirname, "../..");
export const modules = path.join(root, "node_modules");

export interface PackageUser {
  readonly folder: string;
  /** The path where this package will be installed. */
  readonly installed: string;
}

/** Removes the folder afterwards. @param names the other packages that the program has installed */
export function packageUser(names: readonly string[]): PackageUser {
  const folder = temporaryFolder();
  const installed = path.join(folder, "node_modules", "comanda");
  mkdirSync(installed, { recursive: true });
  for (const name of names) symlinkSync(path.join(modules, name), path.join(folder, "node_modules", name));
  writeFileSync(path.join(folder, "package.json"), '{ "type": "module", "private": true }');
  return { folder, installed };
}

const notCopied = new Set(["node_modules", ".git"]);

/** Installs the package as npm packs it. */
export function installPacked({ folder, installed }: PackageUser): void {
  // Packs a copy, because npm reads every package that is installed next to this one, which takes longer than packing.
  const source = path.join(folder, "source");
  cpSync(root, source, { recursive: true, filter: (file) => !notCopied.has(path.relative(root, file)) });
  const flags = ["--ignore-scripts", "--silent", "--pack-destination", folder];
  execFileSync("npm", ["pack", ...flags], { cwd: source });
  const archive = readdirSync(folder).find((name) => name.endsWith(".tgz")) ?? "";
  execFileSync("tar", ["-xzf", path.join(folder, archive), "-C", installed, "--strip-components=1"]);
  rmSync(source, { recursive: true });
}
