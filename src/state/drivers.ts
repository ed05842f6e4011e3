/** Keeps the names that the service last gave its drivers, also in figures that aren't kept. */
import type { GroupedSummary } from "../contract/models.js";
import type { StateFolder } from "./state-folder.js";

export interface KnownDriver {
  readonly id: number;
  readonly name: string;
  /** The moment when the service last gave this name (ISO 8601, UTC). */
  readonly asked_at: string;
}

/** Whoever has figures to show waits no longer for another process's names. */
const waitMs = 1000;

/**
 * The drivers of groups by `driver_id` (section 4.7: key and label). The newest name of each counts.
 *
 * @param store its alias
 * @param askedAt milliseconds since the epoch
 * @throws {ComandaError} `state_unusable`, `lock_timeout`
 */
export async function learnDrivers(
  state: StateFolder,
  store: string,
  { groups }: GroupedSummary,
  askedAt: number,
): Promise<void> {
  const drivers = groups.flatMap(({ key, label }) => {
    const id = key === null ? NaN : Number(key);
    return label !== null && Number.isSafeInteger(id) ? [{ id, label }] : [];
  });
  if (drivers.length === 0) return;
  const database = await state.database("sales");
  await database.transaction(
    "drivers",
    async ({ run }) => {
      for (const { id, label } of drivers) {
        await run(
          `insert into drivers (store, driver_id, name, asked_at) values ($1, $2, $3, $4)
           on conflict (store, driver_id) do update set name = excluded.name, asked_at = excluded.asked_at
           where drivers.asked_at <= excluded.asked_at`,
          ...[store, id, label, askedAt],
        );
      }
    },
    { durable: false, waitMs, outlastsSignal: true },
  );
}

/**
 * @param store its alias
 * @returns by id
 * @throws {ComandaError} `state_unusable`, `lock_timeout`
 */
export async function knownDrivers(state: StateFolder, store: string): Promise<readonly KnownDriver[]> {
  const rows = await state.rowsIn(
    "sales",
    { driver_id: "bigint", name: "text", asked_at: "bigint" },
    "select driver_id, name, asked_at from drivers where store = $1 order by driver_id",
    store,
  );
  return rows.map(({ driver_id: id, name, asked_at: at }) => ({
    ...{ id, name },
    asked_at: new Date(at).toISOString(),
  }));
}
