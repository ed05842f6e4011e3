/**
 * The journal tells what this machine did: a row for each write, newest first. A write that was unknown when another
 * process resumed it has a row for what it was until then, and one for what came later.
 */
import type { Evidence } from "../../client/errors.js";
import { isObject, parseJson } from "../../api/json.js";
import type { Row, Statements, Value } from "../database.js";
import type { StateFolder } from "../state-folder.js";
import { attemptOutcomes, type AttemptResult, type Place, type Write } from "./write.js";

/** A person has looked up what became of a write that was unknown. */
export interface Settled {
  readonly outcome: SettledAs;
  /** The person who says so. */
  readonly by: string;
  /** ISO 8601, UTC. */
  readonly at: string;
  readonly note: string | null;
}

export const settledAs = ["done", "not-done"] as const;
export type SettledAs = (typeof settledAs)[number];

/** One write, or what one process made of it. */
export interface HistoryRow extends Place, Write, AttemptResult {
  /** The machine's user who sent it; `null` where the machine doesn't tell. */
  readonly user: string | null;
  /** The moment when its last request was sent (ISO 8601, UTC). */
  readonly at: string;
  readonly run: string;
  /** Tells it from the others of its run. */
  readonly number: number;
  /** Requests that were sent. */
  readonly attempts: number;
  readonly settled?: Settled;
}

export interface HistoryFilter {
  /** Milliseconds since the epoch. */
  readonly since?: number | undefined;
  readonly order?: string | undefined;
  readonly store?: string | undefined;
  /** `unknown`: those that nobody has settled. */
  readonly outcome?: string | undefined;
  readonly operation?: string | undefined;
  readonly run?: string | undefined;
}

/** Rows that are read at once. */
const pageRows = 1000;

/**
 * In pages. What is sent meanwhile may be missing.
 *
 * @param most rows
 * @throws {ComandaError} `state_unusable`
 */
export async function* readHistory(
  state: Pick<StateFolder, "existingDatabase">,
  filter: HistoryFilter,
  most = Infinity,
): AsyncGenerator<readonly HistoryRow[]> {
  const database = await state.existingDatabase("comanda");
  if (!database) return;
  let last: HistoryRow | undefined;
  for (let left = most; left > 0;) {
    const wanted = Math.min(left, pageRows);
    const page = await readPage(database, filter, last, wanted);
    if (page.length > 0) yield page;
    if (page.length < wanted) return;
    last = page.at(-1);
    left -= page.length;
  }
}

export async function readPage(
  { rows }: Statements,
  filter: HistoryFilter,
  after: HistoryRow | undefined,
  count: number,
): Promise<readonly HistoryRow[]> {
  const { sql, values } = select(filter, after, count);
  return (await rows(columns, sql, ...values)).map(rowOf);
}

const columns = {
  run_id: "text",
  number: "bigint",
  sent_at: "bigint",
  store: "text?",
  environment: "text",
  user_name: "text?",
  operation: "text",
  order_id: "text?",
  arguments: "text",
  attempts: "bigint",
  outcome: "text",
  http_status: "bigint?",
  code: "text?",
  is_service_code: "bigint",
  evidence: "text?",
  settled_as: "text?",
  settled_by: "text?",
  settled_at: "bigint?",
  settled_note: "text?",
} as const;

function select(
  { since = 0, order, store, outcome, operation, run }: HistoryFilter,
  after: HistoryRow | undefined,
  count: number,
): { readonly sql: string; readonly values: readonly Value[] } {
  const values: Value[] = [];
  const value = (parameter: Value) => `$${values.push(parameter)}`;
  const equal = { order_id: order, store, operation, run_id: run, outcome };
  const conditions = [
    // This condition lets the index be read, where all rows would be sorted otherwise.
    `sent_at >= ${value(since)}`,
    ...Object.entries(equal).flatMap(([name, wanted]) =>
      wanted === undefined ? [] : [`${name} = ${value(wanted)}`],
    ),
    // The index of the rows that aren't done asks for this condition.
    ...(outcome === undefined || outcome === "done" ? [] : ["outcome <> 'done'"]),
    ...(outcome === "unknown" ? ["settled_as is null"] : []),
  ];
  if (after) {
    const at = value(Date.parse(after.at));
    conditions.push(`sent_at <= ${at}`);
    conditions.push(`(sent_at, run_id, number) < (${at}, ${value(after.run)}, ${value(after.number)})`);
  }
  const sql = `select ${Object.keys(columns).join(", ")} from writes where ${conditions.join(" and ")}
    order by sent_at desc, run_id desc, number desc limit ${value(count)}`;
  return { sql, values };
}

function rowOf(row: Row<typeof columns>): HistoryRow {
  const parsed = parseJson(row.arguments);
  return {
    at: new Date(row.sent_at).toISOString(),
    ...{ run: row.run_id, number: row.number, store: row.store, environment: row.environment },
    ...{ operation: row.operation, order_id: row.order_id, arguments: isObject(parsed) ? parsed : {} },
    ...{ ...resultOf(row), attempts: row.attempts, user: row.user_name },
    ...settledOf(row),
  };
}

/** Reads the columns of an outcome. */
export function resultOf({
  outcome,
  http_status,
  code,
  is_service_code: isServiceCode,
  evidence,
}: Pick<
  Row<typeof columns>,
  "outcome" | "http_status" | "code" | "is_service_code" | "evidence"
>): AttemptResult {
  return {
    // A write whose outcome isn't known here may have been done.
    outcome: attemptOutcomes.find((name) => name === outcome) ?? "unknown",
    http_status,
    code: code !== null && isServiceCode === 1 ? Number(code) : code,
    evidence: evidences.find((name) => name === evidence) ?? null,
  };
}

const evidences: readonly Evidence[] = ["api", "gateway", "nobody"];

/** The outcome of a write: where it was unknown, the one that a person has looked up counts. */
export function lookedUp<Result extends AttemptResult>(
  result: Result,
  settledAs: string | null | undefined,
): Result {
  if (result.outcome !== "unknown" || !isSettledAs(settledAs)) return result;
  return { ...result, outcome: settledAs === "done" ? "done" : "failed", http_status: null, code: null };
}

function isSettledAs(text: string | null | undefined): text is SettledAs {
  return settledAs.some((name) => name === text);
}

function settledOf(row: Row<typeof columns>): Pick<HistoryRow, "settled"> {
  const { settled_as: outcome, settled_by: by, settled_at: at, settled_note: note } = row;
  if (!isSettledAs(outcome)) return {};
  return { settled: { outcome, by: by ?? "", at: new Date(at ?? 0).toISOString(), note } };
}

/** Rows that are changed at once, so that nobody who sends has to wait. */
const rowsAtOnce = 5000;

/**
 * The store is called otherwise from now on: what was sent stays its own, also where this is done twice.
 *
 * @throws {ComandaError} `state_unusable`, `lock_timeout`
 */
export async function renameInHistory(
  state: Pick<StateFolder, "existingDatabase">,
  from: string,
  to: string,
): Promise<void> {
  const database = from === to ? undefined : await state.existingDatabase("comanda");
  if (!database) return;
  const renaming = `update writes set store = $2 where (run_id, number) in
    (select run_id, number from writes where store = $1 limit $3)`;
  for (let count = rowsAtOnce; count === rowsAtOnce;)
    count = await database.run(renaming, from, to, rowsAtOnce);
}
