/** Runs of many orders: one begins, or an earlier one is found again and gone on with. */
import { ComandaError } from "../../shared/errors.js";
import { t } from "../../shared/language.js";
import { parseJson } from "../../shared/json.js";
import { randomNonce } from "../../shared/system.js";
import type { Database, Row, Statements } from "../database.js";
import { withLeaseOr, type Lease } from "../leases.js";
import type { StateFolder } from "../state-folder.js";
import { differenceOf, type Fingerprint, type OrderCredential } from "./fingerprint.js";
import { lookedUp, resultOf } from "./history.js";
import type { Journal } from "./journal.js";
import { digestOf, type Earlier } from "./resume.js";
import { newRunId } from "./run-id.js";
import { noAnswer, type Author, type Place } from "./write.js";
import { createWriteLog, type WriteLog } from "./write-log.js";

/** The work that a run does. */
export interface RunSubject {
  /** The word that is typed: `dispatch`. */
  readonly verb: string;
  /** The operation's id in the contract. */
  readonly operation: string;
  /** Goes out with every order. */
  readonly reason?: string;
  /** The owner of the orders. Absent where that isn't known. */
  readonly fingerprint?: Fingerprint;
  /** It is the same for the same list of orders. */
  readonly digest: string;
}

/** A run as it was begun. */
export interface JournalRun extends Place, Author, RunSubject {
  readonly id: string;
  /** ISO 8601, UTC. */
  readonly at: string;
  /** It counts the orders of the list. */
  readonly count: number;
  /** Nothing is left to resume. */
  readonly isSettled: boolean;
  /** The lock under which its list is sent. */
  readonly lock: string;
  /** The moment when its last process came to its end (ISO 8601, UTC); `null` as long as it runs, or where it was cut off. */
  readonly endedAt: string | null;
}

const columns = {
  id: "text",
  began_at: "bigint",
  store: "text?",
  environment: "text",
  address: "text?",
  sign_in: "text?",
  api_key_digest: "text?",
  user_name: "text?",
  actor: "text?",
  verb: "text",
  operation: "text",
  reason: "text?",
  list_digest: "text",
  list_lock: "text",
  order_count: "bigint",
  is_settled: "bigint",
  ended_at: "bigint?",
} as const;
const select = `select ${Object.keys(columns).join(", ")} from runs`;

function runOf(row: Row<typeof columns>): JournalRun {
  const { address, sign_in, api_key_digest: key, actor, reason, ended_at: end } = row;
  return {
    ...{ id: row.id, at: new Date(row.began_at).toISOString() },
    ...{ store: row.store, environment: row.environment },
    ...(address !== null && {
      fingerprint: { address, ...(sign_in !== null && { sign_in }), ...(key !== null && { key }) },
    }),
    ...{ user: row.user_name, ...(actor !== null && { actor }) },
    ...{ verb: row.verb, operation: row.operation, ...(reason !== null && { reason }) },
    ...{ digest: row.list_digest, lock: row.list_lock, count: row.order_count },
    ...{ isSettled: row.is_settled === 1, endedAt: end === null ? null : new Date(end).toISOString() },
  };
}

/** A run that goes on. */
export interface Run {
  readonly id: string;
  readonly log: WriteLog;
  /** Each order as earlier processes left it. It is empty in a run that begins. */
  readonly earlier: ReadonlyMap<string, Earlier>;
  /** Has nobody else gone on with it, or sent its list, since it began here? Asked where the lock was lost meanwhile. */
  isOurs(): Promise<boolean>;
  /**
   * Says that its process has come to its end, once all that it is about is written.
   *
   * @param settled nothing is left to resume
   */
  end(settled: boolean): Promise<void>;
}

/** Ids in one row. */
const ordersInARow = 1000;

/**
 * Writes down what is going to be sent, and gives the journal its run. To be called with the run's lock held.
 *
 * @throws {ComandaError} `state_unusable`: nothing may be sent
 */
export async function beginRun(
  journal: Journal,
  subject: RunSubject,
  orders: readonly string[],
): Promise<Run> {
  const { state, place, author } = journal;
  const { verb, operation, reason, fingerprint, digest } = subject;
  const { user, actor } = author();
  const { address, sign_in, key } = fingerprint ?? {};
  const { store, environment } = place;
  const lock = listLock({ ...place, verb, digest });
  const values = [
    store,
    environment,
    address,
    sign_in,
    key,
    user,
    actor,
    verb,
    operation,
    reason,
    digest,
    lock,
  ];
  const database = await state.database("comanda");
  const holder = randomNonce(state.files.system);
  let id = newRunId(state);
  while (!(await database.transaction(`run ${id}`, (statements) => begin(statements, id))))
    id = newRunId(state);
  return goOn(journal, { id, holder }, { earlier: new Map(), nextNumber: 1 });

  /** @returns `false` where another run has that number */
  async function begin({ rows, run }: Statements, number: string): Promise<boolean> {
    const lone = "select run_id from writes where run_id = $1 limit 1";
    if ((await rows({ run_id: "text" }, lone, number)).length > 0) return false;
    const inserted = await run(
      `insert into runs (id, began_at, store, environment, address, sign_in, api_key_digest, user_name, actor, verb,
         operation, reason, list_digest, list_lock, order_count, is_settled, ended_at)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, 0, null) on conflict (id) do nothing`,
      ...[number, Math.round(state.clock.now()), ...values.map((value) => value ?? null), orders.length],
    );
    if (inserted === 0) return false;
    const list = "insert into run_orders (run_id, position, order_ids) values ($1, $2, $3)";
    for (let from = 0; from < orders.length; from += ordersInARow)
      await run(list, number, from, JSON.stringify(orders.slice(from, from + ordersInARow)));
    await hold({ run }, { id: number, holder }, { digest, lock });
    return true;
  }
}

/** To be done with the list's lock held. Who has lost it finds that it holds the run no more. */
async function hold(
  { run }: Pick<Statements, "run">,
  { id, holder }: HeldRun,
  { digest, lock }: Pick<JournalRun, "digest" | "lock">,
): Promise<void> {
  const sql =
    "update runs set holder = case when id = $1 then $2 end where list_digest = $3 and list_lock = $4";
  await run(sql, id, holder, digest, lock);
}

interface HeldRun {
  readonly id: string;
  /** This process, as `runs.holder` has it. */
  readonly holder: string;
}

/**
 * Goes on with a run. To be called with its lock held: what {@link readRun} has read would be out of date.
 *
 * @throws {ComandaError} `state_unusable`: nothing may be sent
 */
export async function resumeRun(journal: Journal, resumed: JournalRun, read: ReadRun): Promise<Run> {
  const { id } = resumed;
  const holder = randomNonce(journal.state.files.system);
  const database = await journal.state.database("comanda");
  await database.transaction(`run ${id}`, async (statements) => {
    // It may have been cleared away by now.
    if ((await statements.run("update runs set ended_at = null where id = $1", id)) === 0)
      throw noSuchRun(id);
    await hold(statements, { id, holder }, resumed);
  });
  return goOn(journal, { id, holder }, read);
}

function goOn(
  journal: Journal,
  { id, holder }: HeldRun,
  { earlier, nextNumber }: Omit<ReadRun, "orders">,
): Run {
  const { state, place, author } = journal;
  const log = createWriteLog({
    database: () => state.database("comanda"),
    clock: state.clock,
    context: { ...place, ...author() },
    run: id,
    nextNumber,
    otherRun: () => {
      throw takenOver(id);
    },
  });
  const ofRun: WriteLog = {
    row(write) {
      const before = write.order_id === null ? undefined : earlier.get(write.order_id);
      return log.row(write, before && { result: before, number: before.openRow });
    },
  };
  journal.join(ofRun);
  return {
    id,
    log: ofRun,
    earlier,
    async isOurs() {
      const database = await state.database("comanda");
      const held = "select id from runs where id = $1 and holder = $2";
      return (await database.rows({ id: "text" }, held, id, holder)).length > 0;
    },
    async end(settled) {
      // Whoever wrote it was told if it failed.
      await log.written();
      const database = await state.database("comanda");
      const sql = "update runs set is_settled = $2, ended_at = $3 where id = $1";
      const endedAt = Math.round(state.clock.now());
      await database.transaction(`run ${id}`, ({ run }) => run(sql, id, settled ? 1 : 0, endedAt), {
        outlastsSignal: true,
        isRepeatable: true,
      });
    },
  };
}

export function takenOver(id: string): ComandaError {
  return new ComandaError("lock_timeout", t`Another process has gone on with the run ${id}.`);
}

/** A run is resumed where it is about all of this. */
export interface WantedRun {
  readonly place: Place;
  readonly fingerprint: Fingerprint;
  /** Calls are signed with it. */
  readonly credential: OrderCredential;
  readonly verb: string;
  readonly orders: readonly string[];
}

/**
 * Finds the last one of a list that isn't finished. After another sign-in, or with another key, nothing tells whether the
 * store is the same: what was begun before that isn't gone on with.
 *
 * @throws {ComandaError} `invalid_input` where there is none
 */
export async function findRun(state: StateFolder, wanted: WantedRun): Promise<JournalRun> {
  const { place, verb, fingerprint, credential } = wanted;
  const runs = await runsWhere(state, "list_digest = $1 order by began_at desc", digestOf(wanted.orders));
  const ofPlace = runs.filter(
    (run) => run.verb === verb && run.environment === place.environment && run.store === place.store,
  );
  const unfinished = ofPlace.filter(({ isSettled }) => !isSettled);
  const last = unfinished.find((run) => differenceOf(run.fingerprint, fingerprint, credential) === undefined);
  if (last) return last;
  const why =
    unfinished.length > 0
      ? t`This list was begun with another sign-in, key or address, and nothing tells whether it is the same store's.`
      : ofPlace.length > 0
        ? t`Nothing is left to go on with: this list has come to its end.`
        : t`There is no "orders ${verb}" of this list at this store to go on with.`;
  throw new ComandaError("invalid_input", why, {
    hint: t`Nothing was sent. Leave --resume out to begin anew; \`comanda history\` shows what was sent.`,
  });
}

/** A run and how many of its orders have no row; `hasRows` of what one process sent by itself, too. */
export async function findShownRun(state: StateFolder, id: string) {
  const [run] = await runsWhere(state, "id = $1", id);
  const sql = "select count(distinct order_id) as orders, count(*) as count from writes where run_id = $1";
  const [sent] = await state.rowsIn("comanda", { orders: "bigint", count: "bigint" }, sql, id);
  return {
    run: run && { ...run, unsent: run.count - (sent?.orders ?? 0) },
    hasRows: (sent?.count ?? 0) > 0,
  };
}

export async function runsWhere(
  state: StateFolder,
  condition: string,
  value: string | number,
): Promise<readonly JournalRun[]> {
  const rows = await state.rowsIn("comanda", columns, `${select} where ${condition}`, value);
  return rows.map(runOf);
}

function noSuchRun(id: string): ComandaError {
  return new ComandaError("invalid_input", t`There is no run ${id} of several orders on this machine.`, {
    hint: t`\`comanda history\` shows the runs.`,
  });
}

/** An order as earlier processes left it, and its open row. That is absent where another row tells what comes next. */
type EarlierRow = Earlier & { readonly openRow?: number };

export interface ReadRun {
  /** The orders as they were given. */
  readonly orders: readonly string[];
  readonly earlier: ReadonlyMap<string, EarlierRow>;
  /** The next row gets this number. */
  readonly nextNumber: number;
}

export async function readRun(state: StateFolder, run: JournalRun): Promise<ReadRun> {
  const database = await state.database("comanda");
  const orders = await readList(database, run);
  const rows = await database.rows(lastColumns, lastRows, run.id);
  const earlier = rows.map((row): [string, EarlierRow] => {
    // An outcome that another process left unknown stays so, whatever comes of the order later.
    const openRow = row.outcome === noAnswer.outcome ? {} : { openRow: row.number };
    const result = lookedUp(resultOf(row), row.settled_as);
    return [row.order_id ?? "", { ...result, attempts: row.all_attempts, ...openRow }];
  });
  const numbers = rows.map(({ last_number: number }) => number);
  return { orders, earlier: new Map(earlier), nextNumber: (numbers[0] ?? 0) + 1 };
}

const lastColumns = {
  order_id: "text?",
  number: "bigint",
  outcome: "text",
  http_status: "bigint?",
  code: "text?",
  is_service_code: "bigint",
  evidence: "text?",
  settled_as: "text?",
  all_attempts: "bigint",
  last_number: "bigint",
} as const;

/** The last row of each order, with the attempts of all of them. */
const lastRows = `
  select ${Object.keys(lastColumns).join(", ")} from (
    select writes.*, row_number() over (partition by order_id order by number desc) as later,
      cast(sum(attempts) over (partition by order_id) as bigint) as all_attempts, max(number) over () as last_number
    from writes where run_id = $1
  ) as numbered where later = 1 order by number`;

async function readList({ rows }: Database, run: JournalRun): Promise<readonly string[]> {
  const sql = "select order_ids from run_orders where run_id = $1 order by position";
  return (await rows({ order_ids: "text" }, sql, run.id)).flatMap(({ order_ids: json }) => {
    const ids = parseJson(json);
    return Array.isArray(ids) ? ids.filter((order) => typeof order === "string") : [];
  });
}

/** Names the lock of a list: two runs that change the same orders in the same way may not go on at the same time. */
export function listLock({
  verb,
  store,
  environment,
  digest,
}: Place & Pick<RunSubject, "verb" | "digest">): string {
  return `run-${digestOf([verb, store ?? "", environment, digest]).slice(0, 16)}`;
}

/**
 * Does the work while no other process sends the same list, in this run or in another. After a rename, who still sends a
 * run holds the lock of the store's former alias, so the run's own lock counts. An interrupt doesn't wait for it:
 * the journal is right at every moment.
 *
 * @throws {ComandaError} `lock_timeout` where another process does
 */
export async function withListLock<Result>(
  state: Pick<StateFolder, "withLease">,
  lock: string,
  work: (lease: Lease) => Promise<Result>,
): Promise<Result> {
  return withLeaseOr(state, lock, work, {
    ...{ waitMs: 0, isInterruptible: true },
    otherwise(error) {
      if (!(error instanceof ComandaError) || error.code !== "lock_timeout") throw error;
      throw new ComandaError("lock_timeout", t`Another process is sending this list of orders now.`, {
        hint: error.message,
      });
    },
  });
}
