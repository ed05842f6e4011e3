/** The checks of `doctor` on the databases. */
import { ComandaError } from "../../client/errors.js";
import { t } from "../../languages/language.js";
import type { DatabaseName } from "../../state/database.js";
import { damaged } from "../../state/sqlite.js";
import type { State } from "../../state/state.js";
import type { Context } from "../../cli/context.js";

import { failureOf, ok, type Finding } from "./finding.js";

export async function databases(context: Context): Promise<readonly Finding[]> {
  const state = await context.state();
  const { place } = state;
  if (!isUsable(state)) return [];
  const findings: Finding[] = [];
  for (const name of ["comanda", "sales"] as const) {
    const check = place.engine === "sqlite" ? t`database ${name}.db` : t`database ${name} (PostgreSQL)`;
    findings.push(await database(check, name, state));
  }
  return findings;
}

/** The check of the folder says why a folder is unusable. A server needs no folder. */
function isUsable({ place, path, files }: State): boolean {
  try {
    return place.engine === "postgresql" || files.trusts(path);
  } catch (error) {
    if (error instanceof ComandaError) return false;
    throw error;
  }
}

async function database(check: string, name: DatabaseName, state: State): Promise<Finding> {
  try {
    const openDatabase = await state.existingDatabase(name);
    if (!openDatabase) return ok(check, t`None yet: it is made when something is kept.`);
    const faults = await openDatabase.check();
    return faults.length === 0
      ? ok(check, t`${openDatabase.place} is sound.`)
      : failureOf(check, damaged(openDatabase.place));
  } catch (error) {
    return failureOf(check, error);
  }
}
