/** Takes what comanda keeps from one place to another. It can be run again: what is there already is compared. */
import { isDeepStrictEqual } from "node:util";

import { ComandaError } from "../shared/errors.js";
import { t } from "../shared/language.js";
import {
  databaseNames,
  NewerSchema,
  schemaVersion,
  type Database,
  type DatabaseName,
  type Row,
} from "./database.js";
import type { State, StatePlace } from "./open-state.js";
import { tablesOf, type Table } from "./schema.js";

export interface StateStatus extends StatePlace {
  /** The schema's version; `null` where there is none yet. */
  readonly schema: number | null;
  /** Was it written by a newer comanda, so that this one leaves it alone? */
  readonly newer: boolean;
  readonly stores: number | null;
  /** The number of rows in all tables. */
  readonly rows: number | null;
}

export async function statusOf({ sessions, place, ...state }: State): Promise<StateStatus> {
  try {
    let rows: number | undefined;
    for (const name of databaseNames) {
      const database = await state.existingDatabase(name);
      if (database) rows = (rows ?? 0) + (await countRows(database, name));
    }
    const stores = (await sessions.list()).length;
    const schema = rows === undefined ? null : schemaVersion;
    return { ...place, schema, newer: false, stores, rows: rows ?? 0 };
  } catch (error) {
    if (!(error instanceof NewerSchema)) throw error;
    return { ...place, schema: error.version, newer: true, stores: null, rows: null };
  }
}

async function countRows(database: Database, name: DatabaseName): Promise<number> {
  let sum = 0;
  for (const table of tablesOf(name)) {
    const [row] = await database.rows({ count: "bigint" }, `select count(*) as count from ${table.name}`);
    sum += row?.count ?? 0;
  }
  return sum;
}

export interface Copied {
  readonly stores: number;
  readonly rows: number;
}

/** Times of these are by the clock of the one place; what they hold is over in minutes. */
const leftThere = /^(?:limit_|leases)/;
const pageRows = 500;

/** @throws {ComandaError} `state_unusable` where what was read back isn't what was written */
export async function copyState(from: State, to: State): Promise<Copied> {
  const stores = await copySessions(from, to);
  const settings = await from.settings.read();
  await to.settings.update((current) => ({ ...current, ...settings }));
  let rows = 0;
  for (const name of databaseNames) {
    const database = await from.existingDatabase(name);
    if (!database) continue;
    for (const table of tablesOf(name).filter((each) => !leftThere.test(each.name)))
      rows += await copyTable(table, database, await to.database(name));
  }
  return { stores, rows };
}

async function copySessions({ sessions: from }: State, { sessions: to, place }: State): Promise<number> {
  const sessions = await from.list();
  for (const session of sessions) {
    if ("error" in session) throw session.error;
    const { store } = session;
    // One that was renewed there since it was copied is newer than this one.
    const kept = await to.update(store, (current) => {
      const isNewer = (current?.tokens?.generation ?? 0) > (session.tokens?.generation ?? 0);
      return Promise.resolve(isNewer ? undefined : session);
    });
    refuseDifferent(place.address, store, await to.read(store), kept);
  }
  return sessions.length;
}

type TableRow = Row<Table["columns"]>;

async function copyTable({ name, columns, key }: Table, from: Database, to: Database): Promise<number> {
  const names = Object.keys(columns);
  const select = `select ${names.join(", ")} from ${name}`;
  const [keys, keyPlaces] = [key.join(", "), placesOf(key)];
  const changes = names.filter((column) => !key.includes(column)).map((each) => `${each} = excluded.${each}`);
  const change = changes.length > 0 ? `do update set ${changes.join(", ")}` : "do nothing";
  const upsert = `insert into ${name} (${names.join(", ")}) values (${placesOf(names)}) on conflict (${keys}) ${change}`;
  const valuesOf = (row: TableRow, of: readonly string[]) => of.map((column) => row[column] ?? null);
  const copyOf = async (row: TableRow) =>
    (await to.rows(columns, `${select} where (${keys}) = (${keyPlaces})`, ...valuesOf(row, key)))[0];

  let count = 0;
  for (let last: TableRow | undefined; ;) {
    const after = last === undefined ? "" : `where (${keys}) > (${keyPlaces})`;
    const page = `${select} ${after} order by ${keys} limit ${pageRows}`;
    const rows: readonly TableRow[] = await from.rows(columns, page, ...(last ? valuesOf(last, key) : []));
    last = rows.at(-1);
    if (last === undefined) return count;
    for (const row of rows) refuseOther(row, await copyOf(row), to.place);
    await to.transaction(`copy ${name}`, async ({ run }) => {
      for (const row of rows) await run(upsert, ...valuesOf(row, names));
    });
    for (const row of rows) refuseDifferent(to.place, name, await copyOf(row), row);
    count += rows.length;
  }
}

function placesOf(names: readonly string[]): string {
  return names.map((_, index) => `$${index + 1}`).join(", ");
}

/** Numbers count up in each place by themselves: one number may be two different answers. */
function refuseOther(row: TableRow, present: TableRow | undefined, place: string): void {
  const names = ["environment", "sign_in", "asked_at"];
  if (!present || names.every((name) => present[name] === row[name])) return;
  throw new ComandaError("state_unusable", t`${place} holds other sales figures already.`, {
    hint: t`They stay as they are. Sign-ins, settings and what was sent are copied; figures are asked again by: comanda sync`,
  });
}

/** @param what a store or a table, for the message */
function refuseDifferent(address: string, what: string, back: unknown, written: unknown): void {
  const [readBack, sent] = [back, written].map((value): unknown => JSON.parse(JSON.stringify(value ?? null)));
  if (isDeepStrictEqual(readBack, sent)) return;
  const message = t`What was read back from ${address} is not what was written: ${what}.`;
  throw new ComandaError("state_unusable", message, {
    hint: t`Nothing was taken away where it came from. Run the command again.`,
  });
}
