// @ts-check
/** Checks the types of the package, as npm packs it, with each module resolution of TypeScript: `npm run check:package`. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import process from "node:process";

import { checkPackage, createPackageFromTarballData } from "@arethetypeswrong/core";

const folder = mkdtempSync(path.join(tmpdir(), "comanda-types-"));
try {
  const pack = ["pack", "--ignore-scripts", "--silent", "--pack-destination", folder];
  const name = execFileSync("npm", pack, { encoding: "utf8", shell: process.platform === "win32" }).trim();
  const result = await checkPackage(createPackageFromTarballData(readFileSync(path.join(folder, name))));
  const problems = result.types ? result.problems : ["The package has no types."];
  if (problems.length > 0) {
    console.error(problems);
    process.exitCode = 1;
  }
} finally {
  rmSync(folder, { recursive: true });
}
