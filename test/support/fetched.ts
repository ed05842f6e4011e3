/** Runtimes and bundlers that `.ci/run` fetches from the registry because `npm ci` doesn't install them. */
import { existsSync } from "node:fs";
import path from "node:path";

/** @returns a file of the package that was fetched under this name; `undefined` if it wasn't, and its tests are skipped */
export function fetched(name: string, file: string): string | undefined {
  const found = path.resolve(process.env["COMANDA_TEST_FETCHED"] ?? "", name, "node_modules", file);
  return process.env["COMANDA_TEST_FETCHED"] !== undefined && existsSync(found) ? found : undefined;
}
