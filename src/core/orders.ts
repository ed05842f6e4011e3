/** Changes the status of orders (sections 4.2 to 4.5), and reports each one as it finishes. */
import type * as z from "zod";

import type { CancelInput } from "../api/models.js";
import { statusChanges, type StatusChange } from "../api/operations.js";
import { ComandaError, type ErrorCode, type Outcome } from "../base/errors.js";
import type { HintFacts, HintKinds } from "../base/hint-facts.js";
import type { Client } from "../client/client.js";
import { setV8Flag } from "../client/http.js";
import type { CallOptions } from "../client/options.js";
import type { HttpRequest } from "../client/transport.js";
import { continued, plural, t } from "../languages/language.js";
import { digestOf } from "../state/database.js";
import { LeaseHeld, type Lease } from "../state/leases.js";
import { earlierWrites, type HistoryRow } from "../state/journal.js";
import { hasSeveralStores, knownStores, type Connection } from "./connection.js";
import type * as results from "./results.js";
import type { Totals, Workspace } from "./workspace.js";

export type OrderLine = z.output<typeof results.orderLine>;

export interface ListChange {
  readonly action: StatusChange;
  /** Ids without repetitions. */
  readonly orders: readonly string[];
  readonly input?: CancelInput;
  /** Skips orders that this machine has changed already. */
  readonly resume?: boolean;
}

/** An order of a list that is settled. */
export interface SettledOrder {
  /** Position in the list. */
  readonly index: number;
  readonly line: OrderLine;
  /** Why it wasn't changed, or isn't known to be; absent for an order that an earlier command sent. */
  readonly error?: ComandaError;
}

/** The end of a list. */
export interface ListEnd {
  readonly totals: Totals;
  /** Sets the exit code; `undefined` if all orders were changed. */
  readonly failure: ComandaError | undefined;
  /** The next step, which the hint of `failure` words: record an outcome, sign in, resume. */
  readonly next: HintFacts | undefined;
}

/** The maximum number of orders that are sent at the same time. */
const concurrency = 16;
/** The lease of a list is extended before a request if less than this is left, in milliseconds. */
const extendAtMs = 60_000;

const stopCodes: readonly ErrorCode[] = ["interrupted", "terminated", "output_closed", "output_failed"];

/** After these errors, every further order would fail too: sending it adds load, and a refused credential may lock the user out. */
const endsAll: readonly ErrorCode[] = [
  ...stopCodes,
  "token_refused",
  "not_signed_in",
  "forbidden",
  "internal",
  "callback_failed",
  "lock_timeout",
];

/**
 * Starts to change orders at once, several at a time, and returns them in the order in which they are settled, then the end. The work
 * doesn't wait for its reader. After a signal or an error that would affect every order, the rest is skipped. If the reader leaves,
 * nothing more is sent, and the orders in flight are recorded before it goes on.
 *
 * @throws {ComandaError} from the iterator: `lock_timeout` if the same list is already being sent; `state_unusable`
 */
export function changeOrders(
  connection: Connection,
  change: ListChange,
): AsyncIterable<SettledOrder | ListEnd> {
  const settled: (SettledOrder | ListEnd)[] = [];
  let wake = (): void => undefined;
  const reader = {
    isOver: false,
    hasLeft: false,
    receive(item: SettledOrder | ListEnd) {
      settled.push(item);
      wake();
    },
  };
  const end = () => {
    reader.isOver = true;
    wake();
  };
  const work = sendList(connection, change, reader);
  // The reader receives the error below. Until then, Node would end the process for it.
  work.then(end, end);
  return {
    async *[Symbol.asyncIterator]() {
      try {
        while (!reader.isOver || settled.length > 0) {
          const item = settled.shift();
          if (item) yield item;
          else await new Promise<void>((resolve) => (wake = resolve));
        }
      } finally {
        reader.hasLeft = true;
        await work;
      }
    },
  };
}

async function sendList(
  connection: Connection,
  change: ListChange,
  reader: { readonly hasLeft: boolean; receive(item: SettledOrder | ListEnd): void },
): Promise<void> {
  const { client, workspace, store = null, fingerprint } = connection;
  const { signal, notify } = workspace;
  const { action, orders, input = {}, resume = false } = change;
  const totals = { orders: orders.length, done: 0, refused: 0, failed: 0, unknown: 0, skipped: 0 };
  const seen: Seen = { doneBefore: 0, isLimited: false, isNotFound: false, firstUnknown: Infinity };
  let hasBegun = false;

  /** @param lease absent for a single order, and without a journal */
  async function sendAll(lease?: Lease): Promise<void> {
    hasBegun = true;
    // This throws if another process has locked the list while this one was suspended.
    const beforeSending =
      lease &&
      (async () => {
        if (lease.leftMs() < extendAtMs) await lease.extend();
      });
    const earlier = resume ? await outcomesBefore(connection, change) : undefined;
    let settled = 0;
    const report = () => notify({ type: "progress", about: "orders", action, settled, totals });
    report();
    const queue = orders.entries();
    const faults: unknown[] = [];
    const sendNext = async () => {
      try {
        for (const [index, order] of queue) {
          if (reader.hasLeft || faults.length > 0) return;
          if (signal.reason instanceof ComandaError) seen.endReason ??= signal.reason;
          const { endReason } = seen;
          const before = earlier?.get(order);
          let line: OrderLine;
          let error: ComandaError | undefined;
          if (before) {
            line = earlierLine(connection, action, order, before);
            if (line.outcome === "skipped") seen.doneBefore += 1;
          } else if (endReason) {
            error = new ComandaError(endReason.code, t`Not sent: ${continued(endReason.message)}`);
            line = { ...orderLine(connection, action, order, error), outcome: "skipped" };
          } else {
            const result = await sendChange(client, action, order, input, { signal, beforeSending });
            if (result instanceof ComandaError) error = result;
            line = orderLine(connection, action, order, result);
          }
          settled += 1;
          totals[line.outcome] += 1;
          seen.lastError = error;
          if (line.code === "rate_limited") seen.isLimited = true;
          if (line.code === "not_found") seen.isNotFound = true;
          if (line.outcome === "unknown") seen.firstUnknown = Math.min(seen.firstUnknown, index);
          if (error && endsAll.includes(error.code)) seen.endReason ??= error;
          reader.receive({ index, line, ...(error && { error }) });
          report();
        }
      } catch (fault) {
        faults.push(fault);
      }
    };
    await Promise.all(Array.from({ length: concurrency }, sendNext));
    // After an internal error, too, the orders in flight are recorded before another process can send the list.
    if (faults.length > 0) throw faults[0];
  }

  // The calls create only short-lived objects, so memory stays flat if V8's young generation can't grow.
  if (orders.length >= 1_000) setV8Flag("--semi-space-growth-factor=1");
  if (orders.length > 1 || resume) {
    const { withLease } = await workspace.state();
    const list = JSON.stringify([store, fingerprint.address, statusChanges[action].id, orders.toSorted()]);
    // An interrupt doesn't wait for the lease, because the journal is always complete.
    const options = { waitMs: 0, isInterruptible: true };
    await withLease(`list of orders ${digestOf(list).slice(0, 16)}`, sendAll, options).catch(
      (error: unknown) => {
        if (hasBegun || !(error instanceof ComandaError)) throw error;
        // A list isn't resumed without the journal, because what was sent before isn't known.
        if (!resume && connection.maySendWithout(error)) return sendAll();
        throw notStarted(error);
      },
    );
  } else await sendAll();
  const failure = await failureOf(connection, orders, totals, seen);
  reader.receive({ totals, failure, next: failure?.hintFacts });
}

/** Returns the error of a list that another process, or another call in this one, is sending, or that can't be recorded. */
function notStarted(error: ComandaError): ComandaError {
  const nothing = t`Nothing was sent.`;
  if (!(error instanceof LeaseHeld)) return error.reworded(`${error.message} ${nothing}`);
  if (!error.isOwn) return error.reworded(`${t`${error.holder} is already sending this list.`} ${nothing}`);
  return new ComandaError("lock_timeout", `${t`This list is already being sent.`} ${nothing}`, {
    hintFacts: { about: "list_in_flight" },
  });
}

/** What the end of a list depends on, besides its totals. */
interface Seen {
  /** Orders that an earlier command has changed. */
  doneBefore: number;
  /** Whether an order was refused by a rate limit. */
  isLimited: boolean;
  /** Whether the service doesn't have an order. */
  isNotFound: boolean;
  /** The position of the first order whose outcome is unknown. */
  firstUnknown: number;
  /** Why the order that was settled last wasn't changed. */
  lastError?: ComandaError | undefined;
  /** Why the rest of the list is skipped. */
  endReason?: ComandaError;
}

/** Sends a change and returns its outcome, even if that is an error. */
async function sendChange(
  client: Client,
  action: StatusChange,
  order: string,
  input: CancelInput,
  options: CallOptions,
): Promise<Outcome> {
  try {
    if (action === "cancel") return await client.cancelOrder(order, input, options);
    return await client[statusChanges[action].id](order, options);
  } catch (error) {
    if (error instanceof ComandaError) return error;
    throw error;
  }
}

/**
 * Returns the error of a list in which not all orders were changed. Its outcome is the most uncertain one of its orders, and its hint is
 * the next step: first an unknown outcome, then what ended the list, then the rest of the list.
 */
async function failureOf(
  connection: Connection,
  orders: readonly string[],
  { done, failed, unknown, skipped }: Totals,
  seen: Seen,
): Promise<ComandaError | undefined> {
  const { doneBefore, endReason, lastError } = seen;
  const total = orders.length;
  const open = total - done - doneBefore;
  if (open === 0) return undefined;
  const [order = ""] = orders;
  if (total === 1)
    return orderError(
      connection,
      lastError ?? new ComandaError("outcome_unknown", sentBefore(), { outcome: "unknown" }),
      order,
    );
  const notSent = failed + skipped - doneBefore;
  const first = orders[seen.firstUnknown];
  let next: HintFacts | undefined = endReason?.hintFacts;
  if (next?.about === "new_sign_in") next = { ...next, isList: true };
  let hint = endReason?.hint;
  if (first !== undefined) {
    next = await settleHint(connection.workspace, {
      order: first,
      store: connection.store,
      isOnly: unknown === 1,
    });
    hint = undefined;
  } else if ((next ?? hint) === undefined && (seen.isLimited || notSent > 0)) next = { about: "resume" };
  const outcome = unknown > 0 ? "unknown" : notSent > 0 ? "failed" : "refused";
  const facts = { hint, hintFacts: next, outcome, orderId: null } as const;
  if (endReason && stopCodes.includes(endReason.code)) return endReason.reworded(endReason.message, facts);
  const others = open - unknown;
  const notChanged = plural(others, {
    one: t`1 of ${total} orders was not changed.`,
    other: t`${others} of ${total} orders were not changed.`,
  });
  const unknownOnes = plural(unknown, {
    one: t`The outcome of 1 of ${total} orders is unknown.`,
    other: t`The outcome of ${unknown} of ${total} orders is unknown.`,
  });
  const message = [unknown > 0 && unknownOnes, others > 0 && notChanged].filter(Boolean).join(" ");
  const failure = new ComandaError("some_failed", message, facts);
  return seen.isNotFound && unknown === 0 ? nameOtherStores(connection, failure) : failure;
}

/** Adds this machine's other stores to the hint, because an order that wasn't found may belong to one of them. */
async function nameOtherStores({ store, workspace }: Connection, error: ComandaError): Promise<ComandaError> {
  const others = (await knownStores(workspace)).filter((alias) => alias !== store);
  if (others.length === 0) return error;
  const { message, hintFacts } = error;
  const hint = t`An order that wasn't found may belong to another store on this machine: ${others.join(", ")}.`;
  return error.reworded(message, { hint: [error.hint, hint].filter(Boolean).join("\n"), hintFacts });
}

/** Names the order and its store in the error's message. The next step after an unknown outcome is to record it. */
export async function orderError(
  connection: Connection,
  error: ComandaError,
  order: string,
): Promise<ComandaError> {
  const ofOrder = t`Order ${order} at ${connection.label}: ${continued(error.message)}`;
  if (error.code === "not_found") return nameOtherStores(connection, error.reworded(ofOrder));
  if (stopCodes.includes(error.code))
    return error.reworded(`${ofOrder} ${t`The order was not changed.`}`, { orderId: order });
  if (error.code !== "outcome_unknown") return error.reworded(withoutRequest(error, ofOrder));
  const { workspace, store } = connection;
  const hintFacts = await settleHint(workspace, { order, store, isOnly: true });
  return error.reworded(ofOrder, { hint: undefined, hintFacts });
}

/** Adds to an error's message that nothing was sent, if this machine, and not the service, stopped the call. */
export function withoutRequest({ attempts, code, hint }: ComandaError, message: string): string {
  const nothing = t`Nothing was sent.`;
  const isSaid = code === "not_signed_in" || `${message} ${hint}`.includes(nothing);
  return attempts > 0 || isSaid ? message : `${message} ${nothing}`;
}

/** Orders of two stores may have the same id, so the command to record the outcome names the store if there are several. */
export async function settleHint(
  workspace: Workspace,
  { store, ...facts }: HintKinds["settle"],
): Promise<HintFacts<"settle">> {
  const isOneOfSeveral = await hasSeveralStores(workspace);
  return { about: "settle", ...facts, ...(isOneOfSeveral && { store }) };
}

/** Returns the requests of a list for a dry run, without those that a resumed list skips. */
export async function describeChanges(
  connection: Connection,
  change: ListChange,
): Promise<readonly HttpRequest[]> {
  const { action, orders, input = {}, resume } = change;
  const before = resume ? await outcomesBefore(connection, change) : undefined;
  const left = orders.filter((order) => !before?.has(order));
  return Promise.all(
    left.map((order) => connection.describe((probe) => sendChange(probe, action, order, input, {}))),
  );
}

/** Returns the orders of a list that a resumed list doesn't send again: those done in the last 24 hours, and unknown ones. */
async function outcomesBefore(
  connection: Connection,
  { action, orders }: ListChange,
): Promise<ReadonlyMap<string, HistoryRow>> {
  const { store = null, fingerprint, workspace } = connection;
  const list = { store, fingerprint, operation: statusChanges[action].id, orders };
  const { byOrder, otherSignIn } = await earlierWrites(await workspace.state(), list);
  if (otherSignIn > 0) workspace.notify({ type: "notice", about: "other_sign_in", orders: otherSignIn });
  return byOrder;
}

const sentBefore = () => t`Sent earlier, with an unknown outcome. Not sent again.`;

/** Returns the line of an order that an earlier command sent. */
function earlierLine(
  connection: Connection,
  action: StatusChange,
  order: string,
  { at, outcome, http_status: httpStatus, service_code: serviceCode, attempts, evidence }: HistoryRow,
): OrderLine {
  const isDone = outcome === "done";
  const facts = { httpStatus, serviceCode, attempts, evidence };
  const sent = isDone
    ? ({ ...facts, outcome: "done", code: null, value: null } as const)
    : new ComandaError("outcome_unknown", sentBefore(), { ...facts, outcome: "unknown" });
  const line = { ...orderLine(connection, action, order, sent), at, resumed: true as const };
  if (!isDone) return line;
  return { ...line, outcome: "skipped", message: t`Sent earlier, and done. Not sent again.` };
}

/** Returns the outcome of a change or an assignment as a line. */
export function orderLine(
  { store, workspace }: Connection,
  action: OrderLine["action"],
  order: string,
  result: Outcome,
): OrderLine {
  const error = result instanceof ComandaError ? result : undefined;
  const { outcome, httpStatus, code, attempts, evidence, serviceCode } = result;
  const isUnknown = outcome === "unknown";
  const serviceText = error?.serviceMessage ?? null;
  return {
    at: new Date(workspace.clock.now()).toISOString(),
    store: store ?? null,
    order_id: order,
    action,
    outcome,
    http_status: httpStatus,
    code,
    // The service's message explains the outcome, unless that is unknown.
    message: (isUnknown ? null : serviceText) ?? error?.message ?? null,
    details: error?.details ?? (isUnknown ? serviceText : null),
    attempts,
    evidence,
    service_code: serviceCode,
  };
}
