/** The changes that were sent from this machine, and the outcomes that people recorded for them. */
import type * as z from "zod";

import { variable } from "../base/basics.js";
import { chooseSession } from "../auth/session.js";
import type { Period, PeriodRequest } from "../sales/period.js";
import {
  countHistory,
  readHistory,
  settleOrder,
  storesInHistory,
  type HistoryFilter,
  type HistoryRow,
  type Settling,
} from "../state/journal.js";
import { storeKey } from "../state/sessions.js";
import { driverNames } from "./drivers.js";
import { readPreferences } from "./preferences.js";
import type * as results from "./results.js";
import type { Workspace } from "./workspace.js";

export type Change = z.output<typeof results.change>;

/** The alias in it is as typed. */
export interface HistoryQuery extends Omit<HistoryFilter, "orders"> {
  readonly order?: string | undefined;
  /** The maximum number of changes. */
  readonly limit: number;
}

/**
 * @returns the newest changes first, with the names of assigned drivers, and the number of older ones
 * @throws {ComandaError} as {@link storedAlias}
 */
export async function history(workspace: Workspace, { store, order, limit, ...query }: HistoryQuery) {
  const state = await workspace.state();
  const orders = order === undefined ? undefined : [order];
  const named = await storedAlias(workspace, store);
  const filter = { ...query, orders, store: named };
  const rows = await readHistory(state, filter, limit + 1);
  const nameOf = driverNames(state);
  const changes: Change[] = [];
  for (const row of rows.slice(0, limit)) {
    const { driver_id: id } = row.arguments;
    const name = typeof id === "number" ? await nameOf(row, id) : null;
    changes.push({ ...changeOf(row), ...(name !== null && { driver_name: name }) });
  }
  const omitted = rows.length > limit ? Math.max(1, (await countHistory(state, filter)) - limit) : 0;
  return { changes, omitted };
}

/**
 * Records the outcome that a person has looked up for a change.
 *
 * @param confirm as that of {@link settleOrder}
 * @returns the change, and the number of changes of the order whose outcome is still unknown
 * @throws {ComandaError} as {@link storedAlias} and {@link settleOrder}
 */
export async function settle(
  workspace: Workspace,
  { store, ...settling }: Settling,
  confirm?: (change: Change) => Promise<void>,
): Promise<{ readonly change: Change; readonly remaining: number }> {
  const wanted = { ...settling, store: await storedAlias(workspace, store) };
  const confirmRow = (row: HistoryRow) => confirm?.(changeOf(row)) ?? Promise.resolve();
  const { row, remaining } = await settleOrder(await workspace.state(), wanted, confirmRow);
  return { change: changeOf(row), remaining };
}

function changeOf({ user, settled, ...row }: HistoryRow): Change {
  const { at, store, environment, operation, order_id, outcome, http_status, code, service_code } = row;
  return {
    at,
    store,
    environment,
    operation,
    order_id,
    arguments: row.arguments,
    outcome,
    http_status,
    code,
    service_code,
    attempts: row.attempts,
    evidence: row.evidence,
    actor: user,
    ...(settled && { settled }),
  };
}

/**
 * Returns an alias as it is stored, for a store of this machine or a removed one that is still in the history.
 *
 * @throws {ComandaError} `invalid_input` for any other alias; `state_unusable`
 */
export async function storedAlias(
  workspace: Workspace,
  named: string | undefined,
): Promise<string | undefined> {
  if (named === undefined) return undefined;
  const state = await workspace.state();
  const key = storeKey(named);
  const listed = (await state.sessions.list()).find(({ store }) => storeKey(store) === key);
  if (listed) return listed.store;
  const [removed] = await readHistory(state, { store: named }, 1);
  if (removed) return named;
  const alias = (await storesInHistory(state)).find((store) => storeKey(store) === key);
  return alias ?? (await chooseSession(workspace, named)).store;
}

/**
 * Reads a period in the days of the named store, or else of that of COMANDA_STORE, the default or the only store, or of this machine.
 *
 * @throws {ComandaError} as {@link storedAlias} and `resolvePeriod`
 */
export async function storePeriod(
  workspace: Workspace,
  named: string | undefined,
  typed: PeriodRequest,
): Promise<Period> {
  let store = await storedAlias(workspace, named ?? variable(workspace, "COMANDA_STORE"));
  if (store === undefined) {
    const { sessions, settings } = await workspace.state();
    const [only, ...others] = await sessions.list();
    store = others.length === 0 ? only?.store : (await settings.read()).default_store;
  }
  return periodAt(workspace, store, typed);
}

/**
 * Reads a period of this machine's changes in the days of a store, or of this machine without one. It may be older than the figures of
 * the service.
 */
export async function periodAt(
  workspace: Workspace,
  store: string | undefined,
  typed: PeriodRequest,
): Promise<Period> {
  const { resolvePeriod } = await import("../sales/period.js");
  const { zone, dayStarts } = await readPreferences(workspace, store);
  return resolvePeriod(typed, { now: workspace.clock.now(), zone: await zone(), dayStarts });
}
