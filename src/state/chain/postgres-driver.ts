/** PostgreSQL's driver `pg`, which only those install who keep state on a server. */
import { createRequire } from "node:module";
import path from "node:path";

import type * as pg from "pg";

import { ComandaError } from "../../client/errors.js";
import { t } from "../../languages/language.js";

/**
 * An import would make a bundler of somebody's program look for a package that is not there.
 *
 * @throws {ComandaError} `state_unusable` where it is not installed
 */
export function loadDriver(): typeof pg {
  const load = createRequire(path.join(import.meta.dirname, "postgres-driver.js"));
  try {
    const driver: unknown = load("pg");
    if (isDriver(driver)) return driver;
    throw new Error("not PostgreSQL's driver");
  } catch (error) {
    throw new ComandaError("state_unusable", t`PostgreSQL's driver is not installed.`, {
      hint: t`Install it beside comanda: npm install --global comanda pg`,
      cause: error,
    });
  }
}

function isDriver(module: unknown): module is typeof pg {
  return typeof module === "object" && module !== null && "Pool" in module && "Client" in module;
}
