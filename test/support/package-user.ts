/** A folder of somebody else's program, in which this package is to be installed. */
import { mkdtempSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

export const root = path.resolve(import.meta.dirname, "../..");
export const modules = path.join(root, "node_modules");

export interface PackageUser {
  readonly folder: string;
  /** Where this package goes. There is nothing yet. */
  readonly installed: string;
  readonly remove: () => void;
}

/** @param names of the packages that it has beside this one */
export function packageUser(names: readonly string[]): PackageUser {
  const folder = mkdtempSync(path.join(tmpdir(), "comanda-package-"));
  const installed = path.join(folder, "node_modules", "comanda");
  mkdirSync(installed, { recursive: true });
  for (const name of names) symlinkSync(path.join(modules, name), path.join(folder, "node_modules", name));
  writeFileSync(path.join(folder, "package.json"), '{ "type": "module", "private": true }');
  return { folder, installed, remove: () => rmSync(folder, { recursive: true, force: true }) };
}
