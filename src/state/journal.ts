/**
 * Records each write in a row, which is durable before the first byte is sent and is updated after each request. `history`,
 * `history drivers` and `--resume` query these rows.
 */
import { userInfo } from "node:os";

import { isObject, parseJson } from "../base/basics.js";
import { operations } from "../api/operations.js";
import { anyCallId } from "../client/judge.js";
import type { CallJournal, ObservedCall } from "../client/options.js";
import { ComandaError, evidences, isComandaError, outcomes, systemErrorCode } from "../base/errors.js";
import { t, translated } from "../languages/language.js";
import { isoTime, type Row, type Value } from "./database.js";
import type { State } from "./state.js";

/** Identifies a store's address and credentials without containing a secret. */
export interface Fingerprint {
  readonly address: string;
  /** The time of the sign-in (ISO 8601, UTC), or a digest of the token or key without one; `null` if unknown. */
  readonly sign_in: string | null;
}

export const settledAs = ["done", "not-done"] as const;
export type SettledAs = (typeof settledAs)[number];

const columns = {
  id: "text",
  sent_at: "bigint",
  store: "text?",
  environment: "text",
  address: "text",
  sign_in: "text?",
  user_name: "text?",
  operation: "text",
  order_id: "text?",
  arguments: "text",
  attempts: "bigint",
  outcome: "text",
  http_status: "bigint?",
  code: "text?",
  service_code: "bigint?",
  evidence: "text?",
  settled_as: "text?",
  settled_by: "text?",
  settled_at: "bigint?",
  settled_note: "text?",
} as const;

/** A write, as schema.sql describes it, with times in ISO 8601 (UTC). It contains no headers, secrets, or customer data. */
export type HistoryRow = ReturnType<typeof historyRow>;

export interface JournalOptions {
  readonly state: State;
  readonly place: { readonly store: string | null; readonly environment: string };
  readonly fingerprint: Fingerprint;
  /**
   * Whether requests are sent, with a warning, if the journal doesn't exist and can't be created, such as in a container. A full
   * disk is always an error.
   */
  readonly folderMayLack?: boolean;
}

/** Opens the journal of a store's clients. It doesn't touch the disk before its first row. */
export function openJournal({ state, place, fingerprint, folderMayLack = false }: JournalOptions) {
  /** The prefix of all row ids, so rows of the same time are sorted by their number. */
  const prefix = crypto.randomUUID();
  let newest = 0;
  /** Rows by their call, because two clients number theirs alike, with the pending write of their latest outcome. */
  const rows = new Map<ObservedCall, { readonly id: string; written?: Promise<void> }>();
  let isWarned = false;

  function warnOnce(error: ComandaError, consequence: string): void {
    if (!isWarned) state.warn(`${error.message} ${consequence}`);
    isWarned = true;
  }

  /** Returns whether requests may be sent without the journal after this error, and warns once if so. */
  function maySendWithout(error: unknown): boolean {
    if (!folderMayLack || !mayLackJournal(state, error)) return false;
    warnOnce(error, t`The outcome is not recorded in the history.`);
    return true;
  }

  const journal: CallJournal = {
    async willSend(call, { attempt }) {
      const row = rows.get(call) ?? { id: `${prefix} ${String((newest += 1)).padStart(6, "0")}` };
      await row.written;
      const { address, sign_in: signIn } = fingerprint;
      // An id from a path may be anything, but PostgreSQL stores no NUL, and indexes at most 2,704 bytes.
      const order = call.order?.replaceAll("\0", "\ufffd").slice(0, 600) ?? null;
      try {
        const database = await state.database("comanda");
        // Until a response is recorded, the outcome is unknown.
        await database.run(
          `insert into writes (id, sent_at, store, environment, address, sign_in, user_name, operation, order_id, arguments,
               attempts, outcome, evidence)
             values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, 'unknown', 'nobody')
             on conflict (id) do update set sent_at = excluded.sent_at, attempts = excluded.attempts, outcome = 'unknown',
               http_status = null, code = null, service_code = null, evidence = 'nobody'`,
          ...[row.id, await database.now(), place.store, place.environment, address, signIn],
          ...[userName(), call.operation, order, argumentsOf(call), attempt],
        );
        rows.set(call, row);
      } catch (error) {
        if (!maySendWithout(error)) throw error;
      }
    },
    attempted(call, { verdict, answer }) {
      const row = rows.get(call);
      if (!row) return;
      const { outcome, httpStatus, code, serviceCode, evidence } = verdict;
      const write = async () => {
        const { completing } = await state.database("comanda");
        await completing.run(
          // An answer replaces what a person has recorded meanwhile.
          `update writes set outcome = $2, http_status = $3, code = $4, service_code = $5, evidence = $6, arguments = $7
             ${outcome === "unknown" ? "" : ", settled_as = null, settled_by = null, settled_at = null, settled_note = null"}
             where id = $1`,
          ...[row.id, outcome, httpStatus, code, serviceCode, evidence],
          argumentsOf(call, outcome === "done" ? answer?.body : undefined),
        );
      };
      row.written = write().catch((error: unknown) => {
        // The call itself has succeeded or failed already.
        if (!(error instanceof ComandaError)) throw error;
        if (call.order === null) warnOnce(error, t`The outcome is not recorded in the history.`);
        else if (outcome !== "unknown")
          state.warn(
            t`Order ${call.order}: ${translated(outcome)}, but not recorded in the history, which lists the change as unknown. ${error.message}`,
            {
              about: "unrecorded",
              order: call.order,
              store: place.store ?? undefined,
              isDone: outcome === "done",
            },
          );
      });
    },
    async ended(call) {
      await rows.get(call)?.written;
      rows.delete(call);
    },
  };
  return { journal, maySendWithout };
}

/** Returns whether the error means that the journal is missing and can't be created. A full disk isn't such an error. */
export function mayLackJournal(state: Pick<State, "hasDatabase">, error: unknown): error is ComandaError {
  if (!isComandaError(error, "state_unusable")) return false;
  const cause = systemErrorCode(error.cause);
  if (cause === "ENOSPC" || cause === "EDQUOT") return false;
  try {
    return !state.hasDatabase("comanda");
  } catch (unsafe) {
    // A folder that can't be used contains no journal.
    if (unsafe instanceof ComandaError) return true;
    throw unsafe;
  }
}

/**
 * Selects the arguments to record, as JSON, without customer data.
 *
 * @param answer the response body of a write that is done
 */
function argumentsOf({ operation, order, method, path, body }: ObservedCall, answer = ""): string {
  const text = body instanceof Uint8Array ? new TextDecoder().decode(body) : body;
  const data = typeof text === "string" ? parseJson(text) : undefined;
  const { order_type, cart, cancellation_reason, driver_id, driver_fee } = isObject(data) ? data : {};
  const isPrefilled = operation === operations.createPrefilledOrder.id;
  const isAssignment = operation === operations.assignDriver.id;
  const assigned = isAssignment ? parseJson(answer) : undefined;
  const { driver_fee: returnedFee, updated_at: updatedAt } = isObject(assigned) ? assigned : {};
  const isOther = !isPrefilled && (order === null || operation === anyCallId);
  return JSON.stringify({
    order_type: isPrefilled && typeof order_type === "string" ? order_type : undefined,
    items: isPrefilled ? (Array.isArray(cart) ? cart.length : 0) : undefined,
    // A call outside the contract may also change an order.
    method: isOther ? method : undefined,
    path: isOther ? path : undefined,
    reason: typeof cancellation_reason === "string" ? cancellation_reason : undefined,
    driver_id: typeof driver_id === "number" ? driver_id : undefined,
    driver_fee: isAssignment ? feeOf(driver_fee) : undefined,
    returned_fee: feeOf(returnedFee),
    returned_time: typeof updatedAt === "string" ? updatedAt : undefined,
  });
}

/** Returns a driver's fee; `null` if it isn't set, and `undefined` if the value isn't a fee. */
function feeOf(value: unknown): number | null | undefined {
  return typeof value === "number" || value === null ? value : undefined;
}

/** Returns the name of the machine's user; `null` if the user id has no name, as in many containers. */
export function userName(): string | null {
  try {
    return userInfo().username;
  } catch {
    return null;
  }
}

export interface HistoryFilter {
  /** Milliseconds since the epoch. */
  readonly since?: number | undefined;
  /** Milliseconds since the epoch. Selects all writes of each order that has one since then. */
  readonly ordersSince?: number | undefined;
  readonly orders?: readonly string[] | undefined;
  /** `undefined` for all stores. */
  readonly store?: string | undefined;
  /** `unknown` excludes the writes whose outcome a person has recorded. */
  readonly outcome?: HistoryRow["outcome"] | undefined;
}

function conditionOf(filter: HistoryFilter) {
  const { since = Number.MIN_SAFE_INTEGER, ordersSince, orders, store, outcome } = filter;
  // The first condition makes the engines use the index instead of sorting all rows.
  const conditions = ["sent_at >= $1"];
  const values: Value[] = [since];
  for (const [name, wanted] of Object.entries({ store, outcome }))
    if (wanted !== undefined) conditions.push(`${name} = $${values.push(wanted)}`);
  if (ordersSince !== undefined)
    conditions.push(
      `order_id in (select order_id from writes where sent_at >= $${values.push(ordersSince)})`,
    );
  if (orders) conditions.push(`order_id in (${orders.map((order) => `$${values.push(order)}`).join(", ")})`);
  // The partial index is used only with this condition.
  if (outcome !== undefined && outcome !== "done") conditions.push("outcome <> 'done'");
  if (outcome === "unknown") conditions.push("settled_as is null");
  return { condition: conditions.join(" and "), values };
}

/** Returns the newest writes first, at most this many. */
export async function readHistory(
  state: Pick<State, "existing">,
  filter: HistoryFilter,
  most = Number.MAX_SAFE_INTEGER,
): Promise<readonly HistoryRow[]> {
  const { condition, values } = conditionOf(filter);
  // SQLite stores any value in any column. The casts ensure that a damaged value doesn't hide the other rows.
  const readable = Object.entries(columns).map(
    ([name, type]) => `cast(${name} as ${type.startsWith("text") ? "text" : "double precision"}) as ${name}`,
  );
  const sql = `select ${readable.join(", ")} from writes
    where ${condition} order by writes.sent_at desc, writes.id desc limit $${values.push(most)}`;
  const database = await state.existing("comanda");
  return ((await database?.rows(columns, sql, ...values)) ?? []).map(historyRow);
}

export async function countHistory(state: Pick<State, "database">, filter: HistoryFilter): Promise<number> {
  const { condition, values } = conditionOf(filter);
  const database = await state.database("comanda");
  const sql = `select count(*) as found from writes where ${condition}`;
  const [row] = await database.rows({ found: "bigint" }, sql, ...values);
  return row?.found ?? 0;
}

/** Returns the aliases of all stores with writes since then, sorted. */
export async function storesInHistory(
  state: Pick<State, "existing">,
  since = Number.MIN_SAFE_INTEGER,
): Promise<readonly string[]> {
  const database = await state.existing("comanda");
  // The inner query reads only the index.
  const sql = `select cast(store as text) as store
    from (select distinct store from writes where sent_at >= $1) as found where store is not null order by 1`;
  const rows = await database?.rows({ store: "text" }, sql, since);
  return (rows ?? []).map(({ store }) => store);
}

/** Returns the hosts of all writes since then that were signed by environment variables, sorted. */
export async function hostsInHistory(
  state: Pick<State, "existing">,
  since: number,
): Promise<readonly string[]> {
  const database = await state.existing("comanda");
  const sql = `select distinct cast(environment as text) as host from writes where store is null and sent_at >= $1 order by 1`;
  const rows = await database?.rows({ host: "text" }, sql, since);
  return (rows ?? []).map(({ host }) => host);
}

function historyRow(row: Row<typeof columns>) {
  const { sent_at, user_name: user, settled_as, settled_by, settled_at, settled_note, ...others } = row;
  const { http_status: httpStatus, service_code: serviceCode } = others;
  const recorded = parseJson(row.arguments);
  const { returned_fee: returned, returned_time: time, ...sent } = isObject(recorded) ? recorded : {};
  const as = settledAs.find((name) => name === settled_as);
  const settledAt = isoTime(settled_at ?? 0);
  return {
    ...others,
    at: isoTime(sent_at),
    http_status: Number.isSafeInteger(httpStatus) ? httpStatus : null,
    service_code: Number.isSafeInteger(serviceCode) ? serviceCode : null,
    user,
    arguments: sent,
    /** The driver fee in the response to an assignment, or else in the request; `undefined` if neither contained one. */
    fee: feeOf(returned === undefined ? sent["driver_fee"] : returned),
    /** When the service changed the order, in milliseconds since the epoch, from the response to an assignment; else `undefined`. */
    changedAt: typeof time === "string" ? Date.parse(time) || undefined : undefined,
    /** The outcome: `unknown` until a response is recorded, also if the process was killed. */
    outcome: outcomes.find((name) => name === row.outcome) ?? "unknown",
    evidence: evidences.find((name) => name === row.evidence) ?? null,
    ...(as && { settled: { outcome: as, by: settled_by ?? "", at: settledAt, note: settled_note } }),
  };
}

/** Returns the write with the outcome that a person has recorded, if it was unknown. */
export function withSettledOutcome(row: HistoryRow): HistoryRow {
  if (row.outcome !== "unknown" || !row.settled) return row;
  return {
    ...row,
    outcome: row.settled.outcome === "done" ? "done" : "failed",
    http_status: null,
    code: null,
    service_code: null,
  };
}

/** The outcome of an order's change that a person has looked up. */
export interface Settling {
  readonly order: string;
  /** The alias; `undefined` if it isn't known. */
  readonly store?: string | undefined;
  readonly as: SettledAs;
  readonly note: string | null;
}

/**
 * Records an outcome for the order's newest change whose outcome is unknown. If all are settled already, the outcome that was
 * recorded last is replaced.
 *
 * @param confirm receives the change before its outcome is recorded, and throws to leave it as it is
 * @returns the settled change, and the number of changes of the order whose outcome is still unknown
 * @throws {ComandaError} `invalid_input` if no change of the order is unknown, or several stores have such an order and none was
 *   given; `state_unusable`
 */
export async function settleOrder(
  state: State,
  { order, store, as, note }: Settling,
  confirm?: (row: HistoryRow) => Promise<void>,
): Promise<{ readonly row: HistoryRow; readonly remaining: number }> {
  const noUnknown = t`Order ${order} has no change with an unknown outcome.`;
  const hintFacts = { about: "no_unknown", order } as const;
  const rows = await readHistory(state, { orders: [order], store });
  const unknown = rows.filter(({ outcome }) => outcome === "unknown");
  const open = unknown.filter(({ settled }) => settled === undefined);
  const settledAt = ({ settled }: HistoryRow) => Date.parse(settled?.at ?? "");
  const candidates =
    open.length > 0 ? open : unknown.toSorted((one, other) => settledAt(other) - settledAt(one));
  const [row] = candidates;
  if (!row) throw new ComandaError("invalid_input", noUnknown, { hintFacts });
  const [place = "", ...others] = new Set(candidates.map((each) => each.store ?? each.environment));
  if (others.length > 0) {
    const places = [place, ...others].join(", ");
    const message = t`Order ${order} has changes with an unknown outcome at several stores: ${places}.`;
    const example = { order, store: place, isDone: as === "done" };
    throw new ComandaError("invalid_input", message, { hintFacts: { about: "which_store", ...example } });
  }
  await confirm?.(row);
  const database = await state.database("comanda");
  const [at, by] = [Math.round(state.clock.now()), userName() ?? "?"];
  const changed = await database.run(
    `update writes set settled_as = $2, settled_by = $3, settled_at = $4, settled_note = $5
       where id = $1 and outcome = 'unknown'`,
    ...[row.id, as, by, at, note],
  );
  // An answer has arrived meanwhile.
  if (changed === 0) throw new ComandaError("invalid_input", noUnknown, { hintFacts });
  const settled = { outcome: as, by, at: isoTime(at), note };
  return { row: { ...row, settled }, remaining: Math.max(0, open.length - 1) };
}

/** A list of orders of one store with the same change. */
interface OrderList {
  /** The alias; `null` if the credential came from a variable. */
  readonly store: string | null;
  readonly fingerprint: Fingerprint;
  readonly operation: string;
  readonly orders: readonly string[];
}

/** Writes older than this don't belong to the same list. */
const countedMs = 24 * 60 * 60_000;
/** Orders in one query. SQLite accepts at most 32,766 values. */
const ordersAtOnce = 1000;

/**
 * Finds the writes of a list that were done in the last 24 hours or are unknown, considering the outcomes that people recorded.
 *
 * @returns the writes by order, and the number of orders that were sent with a different sign-in, which may be another store's
 */
export async function earlierWrites(
  state: State,
  { store, fingerprint, operation, orders }: OrderList,
): Promise<{ readonly byOrder: ReadonlyMap<string, HistoryRow>; readonly otherSignIn: number }> {
  const since = Math.round(state.clock.now()) - countedMs;
  const byOrder = new Map<string, HistoryRow>();
  const others = new Set<string>();
  for (let start = 0; start < orders.length; start += ordersAtOnce) {
    const rows = await readHistory(state, { since, orders: orders.slice(start, start + ordersAtOnce) });
    for (const row of rows.map(withSettledOutcome)) {
      const { order_id: order, outcome } = row;
      if (row.operation !== operation || row.address !== fingerprint.address) continue;
      if (order === null || (outcome !== "done" && outcome !== "unknown")) continue;
      // A sign-in identifies the store, so an interrupted rename hides no writes.
      if (row.sign_in !== fingerprint.sign_in) {
        if (row.store === store) others.add(order);
      } else if (outcome === "done" || !byOrder.has(order)) byOrder.set(order, row);
    }
  }
  return { byOrder, otherSignIn: [...others].filter((order) => !byOrder.has(order)).length };
}

/** Moves a store's writes to its new alias. Safe to repeat. */
export async function renameInHistory(state: State, from: string, to: string): Promise<void> {
  const database = await state.existing("comanda");
  await database?.run("update writes set store = $2 where store = $1", from, to);
}
