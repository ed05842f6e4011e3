/** Forgets what the journal holds of long ago. */
import { ComandaError } from "../../shared/errors.js";
import type { Database } from "../database.js";
import type { StateFolder } from "../state-folder.js";
import { runsWhere, withListLock, type JournalRun } from "./runs.js";

/** A lone write without an answer may be on its way for so long (milliseconds): longer than any request takes. */
const mostOnItsWay = 60 * 60_000;
/** Rows that are removed at once, so that nobody who sends has to wait. */
const rowsAtOnce = 5000;

export interface Cleared {
  /** Writes. */
  readonly removed: number;
  /** Runs that a process has now, and lone writes whose answer may still come. */
  readonly kept: number;
}

/**
 * Removes what was sent before a moment. A run goes as a whole, once all of it is older, and never while a process has it:
 * what is left of it would be taken for orders that were never sent.
 *
 * @param before milliseconds since the epoch
 * @param options.keepsUnfinished keep runs that can still be gone on with, too
 * @throws {ComandaError} `state_unusable`
 */
export async function clearHistory(
  state: StateFolder,
  before: number,
  { keepsUnfinished = false }: { readonly keepsUnfinished?: boolean } = {},
): Promise<Cleared> {
  const database = await state.existingDatabase("comanda");
  if (!database) return { removed: 0, kept: 0 };
  let { removed, kept } = await clearLoneWrites(database, before, state.clock.now() - mostOnItsWay);
  const isOlder = "began_at < $1 and not exists (select 1 from writes where run_id = id and sent_at >= $1)";
  const isMeant = keepsUnfinished ? `is_settled = 1 and ended_at is not null and ${isOlder}` : isOlder;
  for (const run of await runsWhere(state, isMeant, before)) {
    const count = await clearRun(state, database, run);
    if (count === undefined) kept += 1;
    else removed += count;
  }
  return { removed, kept };
}

async function clearLoneWrites(database: Database, before: number, onItsWaySince: number): Promise<Cleared> {
  const isLone = "sent_at < $1 and not exists (select 1 from runs where id = run_id)";
  const removal = `delete from writes where (run_id, number) in (select run_id, number from writes
    where ${isLone} and (is_open = 0 or sent_at < $2) limit $3)`;
  let removed = 0;
  for (let count = rowsAtOnce; count === rowsAtOnce; removed += count)
    count = await database.run(removal, before, onItsWaySince, rowsAtOnce);
  const [row] = await database.rows(
    { count: "bigint" },
    `select count(*) as count from writes where ${isLone}`,
    before,
  );
  return { removed, kept: row?.count ?? 0 };
}

/** @returns how many writes it had; `undefined` where a process has it now */
async function clearRun(
  state: StateFolder,
  database: Database,
  { endedAt, ...run }: JournalRun,
): Promise<number | undefined> {
  const remove = (condition: string) =>
    database.transaction(`run ${run.id}`, async (statements) => {
      if ((await statements.run(`delete from runs where id = $1 and ${condition}`, run.id)) === 0)
        return undefined;
      await statements.run("delete from run_orders where run_id = $1", run.id);
      return statements.run("delete from writes where run_id = $1", run.id);
    });
  // Whoever goes on with it says so first.
  if (endedAt !== null) return remove("ended_at is not null");
  try {
    return await withListLock(state, run.lock, () => remove("ended_at is null"));
  } catch (error) {
    if (error instanceof ComandaError && error.code === "lock_timeout") return undefined;
    throw error;
  }
}
