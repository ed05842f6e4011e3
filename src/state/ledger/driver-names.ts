/**
 * How the service called its drivers in figures that aren't kept, since they were of a day that was still going on. One
 * small file in the store's folder of the ledger.
 */
import path from "node:path";

import type { GroupedSummary } from "../../contract/summary.js";
import { ComandaError } from "../../shared/errors.js";
import { isObject, parseJson } from "../../shared/json.js";
import type { StateFolder } from "../state-folder.js";

export interface KnownDriver {
  readonly id: number;
  readonly name: string;
  /** When the service last called it so: ISO 8601. */
  readonly asked_at: string;
}

/** The name of the file; it has nothing of the form of a month's. */
export const driverNamesFile = "driver-names.json";

/**
 * The drivers in groups by `driver_id` (section 4.7: key and label).
 *
 * @param askedAt ISO 8601
 */
export function driversIn({ groups }: GroupedSummary, askedAt: string): readonly KnownDriver[] {
  return groups.flatMap(({ key, label }) =>
    key === null || label === null ? [] : [{ id: Number(key), name: label, asked_at: askedAt }],
  );
}

/** The newest name of each, by id. */
export function newestNames(all: Iterable<KnownDriver>): readonly KnownDriver[] {
  const known = new Map<number, KnownDriver>();
  for (const one of all) {
    if ((known.get(one.id)?.asked_at ?? "") <= one.asked_at) known.set(one.id, one);
  }
  return [...known.values()].sort((one, other) => one.id - other.id);
}

/**
 * Adds names to those that are known. It never fails: without them a driver is named by the id.
 *
 * @param store as `LedgerStore.folder`
 */
export async function learnDrivers(
  data: StateFolder,
  store: string,
  drivers: readonly KnownDriver[],
): Promise<void> {
  if (drivers.length === 0) return;
  try {
    await data.locks.run(
      `driver-names-${store}`,
      () => {
        const names = newestNames([...readDriverNames(data, store), ...drivers]);
        const text = `${JSON.stringify({ version: 1, drivers: names })}\n`;
        data.files.write(fileOf(data, store), text, { durable: false });
        return Promise.resolve();
      },
      { waitMs: lockWaitMs },
    );
  } catch (error) {
    if (!(error instanceof ComandaError)) throw error;
  }
}

/** Whoever has figures to show waits no longer for another process's names. */
const lockWaitMs = 1_000;

/**
 * @param store as `LedgerStore.folder`
 * @throws {ComandaError} `state_unusable`
 */
export function readDriverNames(data: StateFolder, store: string): readonly KnownDriver[] {
  const read = parseJson(data.files.read(fileOf(data, store)) ?? "");
  const drivers: unknown = isObject(read) ? read["drivers"] : undefined;
  return Array.isArray(drivers) ? drivers.filter(isDriver) : [];
}

function isDriver(value: unknown): value is KnownDriver {
  if (!isObject(value)) return false;
  const { id, name, asked_at: at } = value;
  return Number.isSafeInteger(id) && typeof name === "string" && typeof at === "string";
}

function fileOf(data: StateFolder, store: string): string {
  return path.join(data.path, "ledger", store, driverNamesFile);
}
