/** What `.ci/run` fetches from the registry and no `npm ci` installs: runtimes, and bundlers of other programs. */
import { existsSync } from "node:fs";
import path from "node:path";

/** @returns the file of a package that was fetched under this name; `undefined` if it wasn't, and its tests are skipped */
export function fetched(name: string, file: string): string | undefined {
  const found = path.resolve(process.env["COMANDA_TEST_FETCHED"] ?? "", name, "node_modules", file);
  return process.env["COMANDA_TEST_FETCHED"] !== undefined && existsSync(found) ? found : undefined;
}
