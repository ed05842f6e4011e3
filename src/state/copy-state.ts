/** Takes what comanda keeps from one place to another. It can be run again: what is there already is compared. */
import { ComandaError } from "../shared/errors.js";
import { t } from "../shared/language.js";
import { NewerSchema, schemaVersion, type Database, type DatabaseName, type Row } from "./database.js";
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

export async function statusOf({ folder, data, sessions, place }: State): Promise<StateStatus> {
  try {
    const databases = [
      ["comanda", await folder.existingDatabase("comanda")],
      ["sales", await data.existingDatabase("sales")],
    ] as const;
    let rows = 0;
    for (const [name, database] of databases) if (database) rows += await countRows(database, name);
    const isThere = databases.some(([, database]) => database !== undefined);
    const stores = (await sessions.list()).length;
    return { ...place, schema: isThere ? schemaVersion : null, newer: false, stores, rows };
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
const leftThere = /^(?:limit_|steady_clock|store_turns)/;
const pageRows = 500;

/** @throws {ComandaError} `state_unusable` where what was read back isn't what was written */
export async function copyState(from: State, to: State): Promise<Copied> {
  const stores = await copySessions(from, to);
  const settings = await from.settings.read();
  await to.settings.update((current) => ({ ...current, ...settings }));
  const databases = [
    ["comanda", from.folder, to.folder],
    ["sales", from.data, to.data],
  ] as const;
  let rows = 0;
  for (const [name, source, target] of databases) {
    const database = await source.existingDatabase(name);
    if (!database) continue;
    for (const table of tablesOf(name).filter((each) => !leftThere.test(each.name)))
      rows += await copyTable(table, database, await target.database(name));
  }
  return { stores, rows };
}

async function copySessions({ sessions: from }: State, { sessions: to, place }: State): Promise<number> {
  const all = await from.list();
  for (const session of all) {
    if ("error" in session) throw session.error;
    const { store } = session;
    // One that was renewed there since it was copied is newer than this one.
    const kept = await to.update(store, (current) => {
      const isNewer = (current?.tokens?.generation ?? 0) > (session.tokens?.generation ?? 0);
      return Promise.resolve(isNewer ? undefined : session);
    });
    const back = await to.read(store);
    if (JSON.stringify(sorted(back)) !== JSON.stringify(sorted(kept))) throw notTheSame(place.address, store);
  }
  return all.length;
}

async function copyTable(table: Table, from: Database, to: Database): Promise<number> {
  let count = 0;
  let last: Row<Table["columns"]> | undefined;
  for (;;) {
    const rows = await pageAfter(table, from, last);
    last = rows.at(-1);
    if (last === undefined) return count;
    for (const row of rows) refuseOther(row, await rowWith(table, to, row), to.place);
    await to.transaction(`copy ${table.name}`, async ({ run }) => {
      for (const row of rows) await run(upsert(table), ...names(table).map((name) => row[name] ?? null));
    });
    for (const row of rows) {
      const back = await rowWith(table, to, row);
      if (JSON.stringify(sorted(back)) !== JSON.stringify(sorted(row)))
        throw notTheSame(to.place, table.name);
    }
    count += rows.length;
  }
}

/** Numbers count up in each place by themselves: one number may be two different answers. */
function refuseOther(
  row: Row<Table["columns"]>,
  there: Row<Table["columns"]> | undefined,
  place: string,
): void {
  const isOther = ["environment", "sign_in", "asked_at"].some((name) => there && there[name] !== row[name]);
  if (!isOther) return;
  throw new ComandaError("state_unusable", t`${place} holds other sales figures already.`, {
    hint: t`They stay as they are. Sign-ins, settings and what was sent are copied; figures are asked again by: comanda sync`,
  });
}

const names = ({ columns }: Table): readonly string[] => Object.keys(columns);

function pageAfter(
  { name, columns, key }: Table,
  { rows }: Database,
  last: Row<Table["columns"]> | undefined,
) {
  const places = key.map((_, index) => `$${index + 1}`).join(", ");
  const after = last === undefined ? "" : `where (${key.join(", ")}) > (${places})`;
  const sql = `select ${Object.keys(columns).join(", ")} from ${name} ${after} order by ${key.join(", ")} limit ${pageRows}`;
  return rows(columns, sql, ...(last === undefined ? [] : key.map((each) => last[each] ?? null)));
}

async function rowWith({ name, columns, key }: Table, { rows }: Database, row: Row<Table["columns"]>) {
  const condition = key.map((each, index) => `${each} = $${index + 1}`).join(" and ");
  const sql = `select ${Object.keys(columns).join(", ")} from ${name} where ${condition}`;
  return (await rows(columns, sql, ...key.map((each) => row[each] ?? null)))[0];
}

function upsert(table: Table): string {
  const all = names(table);
  const changed = all.filter((name) => !table.key.includes(name)).map((name) => `${name} = excluded.${name}`);
  const places = all.map((_, index) => `$${index + 1}`).join(", ");
  const change = changed.length > 0 ? `do update set ${changed.join(", ")}` : "do nothing";
  return `insert into ${table.name} (${all.join(", ")}) values (${places}) on conflict (${table.key.join(", ")}) ${change}`;
}

function sorted(value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, each]) => each !== undefined)
      .map(([name, each]) => [name, sorted(each)] as const)
      .sort(([left], [other]) => (left < other ? -1 : 1)),
  );
}

function notTheSame(address: string, what: string): ComandaError {
  return new ComandaError(
    "state_unusable",
    t`What was read back from ${address} is not what was written: ${what}.`,
    {
      hint: t`Nothing was taken away where it came from. Run the command again.`,
    },
  );
}
