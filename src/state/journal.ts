/**
 * What was sent: a row for each write, which is on the disk before the first byte goes out, and says after each request what
 * the write has come to. `history`, `history drivers` and `--resume` are queries of these rows.
 */
import { createHash, randomUUID } from "node:crypto";
import { userInfo } from "node:os";

import { isObject, once, parseJson } from "../base/basics.js";
import { operations } from "../api/operations.js";
import { anyCallId } from "../client/judge.js";
import type { CallJournal, ObservedCall } from "../client/options.js";
import { ComandaError, systemErrorCode, outcomes, evidences } from "../base/errors.js";
import { t } from "../languages/language.js";
import { isoTime, type Row, type Value } from "./database.js";
import type { Lease } from "./leases.js";
import type { State } from "./state.js";

/** It tells one store's address and credentials from another's, and holds no secret. */
export interface Fingerprint {
  /** The base URL. */
  readonly address: string;
  /** The moment of the sign-in (ISO 8601, UTC), or a digest of the token or key that is used without one; `null`: not known. */
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

/**
 * One write, as schema.sql describes it. It holds no header, no secret, and nothing of a customer. Its moments are ISO 8601, UTC; what
 * a person has looked up of an unknown one is what it was settled as.
 */
export type HistoryRow = ReturnType<typeof historyRow>;

export interface JournalOptions {
  readonly state: State;
  readonly place: { readonly store: string | null; readonly environment: string };
  readonly fingerprint: () => Fingerprint;
  /**
   * For a machine without state of its own, such as a container: where there is no journal, and none can be made, requests
   * go out all the same, with one warning. A disk that is full is no such thing.
   */
  readonly folderMayLack?: boolean;
}

/** One client's, which numbers its calls by itself. It touches nothing on the disk before its first row. */
export function openJournal({ state, place, fingerprint, folderMayLack = false }: JournalOptions) {
  /** Rows of the same moment stand in the order of their calls. */
  const client = randomUUID();
  /** By the number of the call; what it has come to so far is on its way to the disk. */
  const rows = new Map<number, { readonly id: string; written?: Promise<void> }>();
  let isWarned = false;

  function warnOnce(error: ComandaError, consequence: string): void {
    if (!isWarned) state.warn(`${error.message} ${consequence}`);
    isWarned = true;
  }

  /** May requests go out although this error keeps them out of the journal? If so, that is warned of. */
  function goesWithout(error: unknown): boolean {
    if (!folderMayLack || !(error instanceof ComandaError) || error.code !== "state_unusable") return false;
    const cause = systemErrorCode(error.cause);
    if (cause === "ENOSPC" || cause === "EDQUOT") return false;
    try {
      if (state.hasDatabase("comanda")) return false;
    } catch (unsafe) {
      // A folder that can't be used holds no journal of ours.
      if (!(unsafe instanceof ComandaError)) throw unsafe;
    }
    warnOnce(error, t`Changes are not recorded in the journal.`);
    return true;
  }

  const journal: CallJournal = {
    async willSend(call, { attempt }) {
      const row = rows.get(call.number) ?? { id: `${client} ${String(call.number).padStart(6, "0")}` };
      await row.written;
      const { address, sign_in: signIn } = fingerprint();
      // A path may name anything: PostgreSQL keeps no NUL, and has 2,704 bytes in a row of an index.
      const order = call.order?.replaceAll("\0", "\ufffd").slice(0, 600) ?? null;
      try {
        const database = await state.database("comanda");
        // As long as no answer is here, nothing tells whether it was done.
        await database.run(
          `insert into writes (id, sent_at, store, environment, address, sign_in, user_name, operation, order_id, arguments,
               attempts, outcome, evidence)
             values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, 'unknown', 'nobody')
             on conflict (id) do update set sent_at = excluded.sent_at, attempts = excluded.attempts, outcome = 'unknown',
               http_status = null, code = null, service_code = null, evidence = 'nobody'`,
          ...[row.id, Math.round(state.clock.now()), place.store, place.environment, address, signIn],
          ...[userName(), call.operation, order, argumentsOf(call), attempt],
        );
        rows.set(call.number, row);
      } catch (error) {
        if (!goesWithout(error)) throw error;
      }
    },
    attempted(call, { verdict, answer }) {
      const row = rows.get(call.number);
      if (!row) return;
      const { outcome, httpStatus, code, serviceCode, evidence } = verdict;
      const write = async () => {
        const database = await state.database("comanda");
        await database.run(
          `update writes set outcome = $2, http_status = $3, code = $4, service_code = $5, evidence = $6, arguments = $7
             where id = $1`,
          ...[row.id, outcome, httpStatus, code, serviceCode, evidence],
          argumentsOf(call, outcome === "done" ? answer?.body : undefined),
        );
      };
      row.written = write()
        .catch((error: unknown) => {
          // It has been sent all the same: an interrupt ends no wait for its outcome's row.
          if (!state.signal?.aborted) throw error;
          return write();
        })
        .catch((error: unknown) => {
          // A call doesn't fail for want of it.
          if (!(error instanceof ComandaError)) throw error;
          warnOnce(error, t`The outcome is shown here but not recorded in the journal.`);
        });
    },
    async ended({ number }) {
      await rows.get(number)?.written;
      rows.delete(number);
    },
  };
  return { journal, goesWithout };
}

/**
 * As JSON. The customer and the address stay out.
 *
 * @param answer the body of the answer to a write that is done
 */
function argumentsOf({ operation, order, method, path, body }: ObservedCall, answer = ""): string {
  const text = body instanceof Uint8Array ? new TextDecoder().decode(body) : body;
  const data = typeof text === "string" ? parseJson(text) : undefined;
  const { order_type, cart, cancellation_reason, driver_id, driver_fee } = isObject(data) ? data : {};
  const isPrefilled = operation === operations.createPrefilledOrder.id;
  const isAssignment = operation === operations.assignDriver.id;
  const assigned = isAssignment ? parseJson(answer) : undefined;
  const isOther = !isPrefilled && (order === null || operation === anyCallId);
  return JSON.stringify({
    order_type: isPrefilled && typeof order_type === "string" ? order_type : undefined,
    items: isPrefilled ? (Array.isArray(cart) ? cart.length : 0) : undefined,
    // A call that the contract doesn't know may change an order all the same.
    method: isOther ? method : undefined,
    path: isOther ? path : undefined,
    reason: typeof cancellation_reason === "string" ? cancellation_reason : undefined,
    driver_id: typeof driver_id === "number" ? driver_id : undefined,
    driver_fee: isAssignment ? feeOf(driver_fee) : undefined,
    returned_fee: isObject(assigned) ? feeOf(assigned["driver_fee"]) : undefined,
  });
}

/** A driver's fee; null for none, and undefined for what isn't one. */
function feeOf(value: unknown): number | null | undefined {
  return typeof value === "number" || value === null ? value : undefined;
}

/** The name of the machine's user, where the machine tells it. */
export const userName = once(() => {
  try {
    return userInfo().username;
  } catch {
    // The number has no name, as in many containers.
    return null;
  }
});

export interface HistoryFilter {
  /** Milliseconds since the epoch. */
  readonly since?: number | undefined;
  readonly order?: string | undefined;
  readonly store?: string | undefined;
  /** `unknown`: those that nobody has settled. */
  readonly outcome?: string | undefined;
}

/**
 * Gives the newest writes first.
 *
 * @param most rows
 * @throws {ComandaError} `state_unusable`
 */
export async function readHistory(
  state: Pick<State, "database" | "hasDatabase">,
  { since = Number.MIN_SAFE_INTEGER, order, store, outcome }: HistoryFilter,
  most = Number.MAX_SAFE_INTEGER,
): Promise<readonly HistoryRow[]> {
  // The first condition lets the index be read, where all rows would be sorted otherwise.
  const [conditions, values] = [["sent_at >= $1"], [since, most] as Value[]];
  for (const [name, wanted] of Object.entries({ order_id: order, store, outcome }))
    if (wanted !== undefined) conditions.push(`${name} = $${values.push(wanted)}`);
  // The index of the rows that aren't done asks for this condition.
  if (outcome !== undefined && outcome !== "done") conditions.push("outcome <> 'done'");
  if (outcome === "unknown") conditions.push("settled_as is null");
  // SQLite stores any value in any column: one that is damaged is read as far as it can be, and hides no other row.
  const readable = Object.entries(columns).map(
    ([name, type]) => `cast(${name} as ${type.startsWith("text") ? "text" : "double precision"}) as ${name}`,
  );
  const sql = `select ${readable.join(", ")} from writes
    where ${conditions.join(" and ")} order by writes.sent_at desc, writes.id desc limit $2`;
  if (!state.hasDatabase("comanda")) return [];
  const database = await state.database("comanda");
  return (await database.rows(columns, sql, ...values)).map(historyRow);
}

function historyRow({
  sent_at: at,
  user_name: user,
  settled_as: settled,
  settled_by: by,
  settled_at: settledAt,
  settled_note: note,
  ...row
}: Row<typeof columns>) {
  const given = parseJson(row.arguments);
  const { returned_fee: returned, ...sent } = isObject(given) ? given : {};
  const as = settledAs.find((name) => name === settled);
  return {
    ...row,
    /** When its last request was sent. */
    at: isoTime(at),
    user,
    arguments: sent,
    /** The order's driver fee in the answer to an assignment, or else the fee that was sent with it; undefined if neither had one. */
    fee: feeOf(returned === undefined ? sent["driver_fee"] : returned),
    /** `unknown` as long as no answer is here, and for ever where its process was killed before: it may have been done. */
    outcome: outcomes.find((name) => name === row.outcome) ?? "unknown",
    evidence: evidences.find((name) => name === row.evidence) ?? null,
    ...(as && {
      settled: { outcome: as, by: by ?? "", at: isoTime(settledAt ?? 0), note },
    }),
  };
}

/** What the write has come to: where it was unknown, what a person has looked up counts. */
export function lookedUp(row: HistoryRow): HistoryRow {
  if (row.outcome !== "unknown" || !row.settled) return row;
  return {
    ...row,
    outcome: row.settled.outcome === "done" ? "done" : "failed",
    http_status: null,
    code: null,
    service_code: null,
  };
}

/**
 * Writes down what a person has looked up. They look at the order, and not at a request: so all that is unknown of its newest
 * unknown change is settled, however often it was sent. Where all was settled before, what was said last is corrected.
 *
 * @param settling without a store the order's id alone tells
 * @returns the settled rows as they are now, the newest first
 * @throws {ComandaError} `invalid_input` where nothing of the order is unknown, or it is one of several stores;
 *   `state_unusable`
 */
export async function settleOrder(
  state: State,
  settling: {
    readonly order: string;
    readonly as: SettledAs;
    readonly note: string | null;
    readonly store: string | undefined;
  },
): Promise<readonly HistoryRow[]> {
  const { order, as, note, store } = settling;
  const unknown = (await readHistory(state, { order, store })).filter(({ outcome }) => outcome === "unknown");
  const open = unknown.filter(({ settled }) => settled === undefined);
  const candidates = open.length > 0 ? open : unknown;
  const [newest] = candidates;
  if (!newest) {
    throw new ComandaError("invalid_input", t`Order ${order} has no change with an unknown outcome.`, {
      hintFacts: { about: "no_unknown", order },
    });
  }
  const placeOf = (row: HistoryRow) => row.store ?? row.environment;
  const places = [...new Set(candidates.map(placeOf))];
  if (places.length > 1) {
    throw new ComandaError(
      "invalid_input",
      t`Order ${order} has changes with an unknown outcome at several stores: ${places.join(", ")}.`,
      { hintFacts: { about: "which_store", store: placeOf(newest) } },
    );
  }
  const meant = candidates.filter(({ operation }) => operation === newest.operation);
  const database = await state.database("comanda");
  const [at, by] = [Math.round(state.clock.now()), userName() ?? "?"];
  for (const { id } of meant)
    await database.run(
      "update writes set settled_as = $2, settled_by = $3, settled_at = $4, settled_note = $5 where id = $1",
      ...[id, as, by, at, note],
    );
  const settled = { outcome: as, by, at: isoTime(at), note };
  return meant.map((row) => ({ ...row, settled }));
}

/** The same change of the same orders at the same store. */
export interface OrderList {
  /** The alias; null for a store whose credential came from the environment. */
  readonly store: string | null;
  readonly fingerprint: Fingerprint;
  /** Its id in the contract. */
  readonly operation: string;
  readonly orders: readonly string[];
}

/** What was sent before is no part of the same evening. */
const countedMs = 24 * 60 * 60_000;

/**
 * What was done of the list in the last 24 hours, or is unknown; by what a person has said of it, where one has.
 *
 * @returns by order what isn't sent again; and how many of the orders were sent with another sign-in, which may be another store's
 * @throws {ComandaError} `state_unusable`
 */
export async function earlierWrites(
  state: State,
  { store, fingerprint, operation, orders }: OrderList,
): Promise<{ readonly byOrder: ReadonlyMap<string, HistoryRow>; readonly otherSignIn: number }> {
  const rows = await readHistory(state, { since: Math.round(state.clock.now()) - countedMs });
  const wanted = new Set(orders);
  const byOrder = new Map<string, HistoryRow>();
  const others = new Set<string>();
  for (const row of rows.map(lookedUp)) {
    const { order_id: order, outcome } = row;
    if (row.operation !== operation || row.address !== fingerprint.address) continue;
    if (order === null || !wanted.has(order) || (outcome !== "done" && outcome !== "unknown")) continue;
    // A sign-in is one store's, by whatever name that goes: a rename that was cut off hides nothing.
    if (row.sign_in !== fingerprint.sign_in) {
      if (row.store === store) others.add(order);
    } else if (outcome === "done" || !byOrder.has(order)) byOrder.set(order, row);
  }
  return { byOrder, otherSignIn: [...others].filter((order) => !byOrder.has(order)).length };
}

/** With less time left than this, in milliseconds, the lease of a list is prolonged before a request. */
const prolongAtMs = 60_000;

/**
 * Does the work while no other process sends the same list. An interrupt doesn't wait for it: the journal is right at every
 * moment.
 *
 * @param work gets what is to be asked before each request: a process that was stopped for long may have been taken for dead
 * @throws {ComandaError} `lock_timeout`, which says whose it is, where another process does, also what the work is given
 */
export async function withList<Result>(
  state: State,
  { store, fingerprint, operation, orders }: OrderList,
  work: (assertOurs: () => Promise<void>) => Promise<Result>,
): Promise<Result> {
  const list = JSON.stringify([store, fingerprint.address, operation, [...orders].sort()]);
  const digest = createHash("sha256").update(list).digest("hex").slice(0, 16);
  const guarded = (lease: Lease) =>
    work(async () => {
      if (lease.leftMs() < prolongAtMs) await lease.keep();
    });
  return state.withLease(`list of orders ${digest}`, guarded, { waitMs: 0, isInterruptible: true });
}

/** The store is called otherwise from now on: what was sent stays its own, also where this is done twice. */
export async function renameInHistory(state: State, from: string, to: string): Promise<void> {
  if (!state.hasDatabase("comanda")) return;
  const database = await state.database("comanda");
  await database.run("update writes set store = $2 where store = $1", from, to);
}
