/** What the journal knows of a list of orders, so that `--resume` sends the rest of it alone. */
import { createHash } from "node:crypto";

import { ComandaError } from "../../client/errors.js";
import { t } from "../../languages/language.js";
import { withLeaseOr, type Lease } from "../leases.js";
import type { StateFolder } from "../state-folder.js";
import { lookedUp, resultOf } from "./history.js";
import { signInOf, type Fingerprint } from "./fingerprint.js";
import type { AttemptResult } from "./write.js";

/** The same change of the same orders at the same store. */
export interface OrderList {
  /** The alias; null for a store whose credential came from the environment. */
  readonly store: string | null;
  readonly fingerprint: Fingerprint;
  /** Its id in the contract. */
  readonly operation: string;
  readonly orders: readonly string[];
}

/** An order that isn't sent again: it was done, or nothing tells whether it was. */
export interface Earlier extends AttemptResult {
  readonly attempts: number;
  /** When its last request was sent (milliseconds since the epoch). */
  readonly at: number;
}

export interface EarlierWrites {
  readonly byOrder: ReadonlyMap<string, Earlier>;
  /** How many of the orders were sent with another sign-in, which may be another store's. */
  readonly otherSignIn: number;
}

/** What was sent before is no part of the same evening. */
const countedMs = 24 * 60 * 60_000;

/**
 * What was done of the list in the last 24 hours, or is unknown; by what a person has said of it, where one has.
 *
 * @throws {ComandaError} `state_unusable`
 */
export async function earlierWrites(
  state: StateFolder,
  { store, fingerprint, operation, orders }: OrderList,
): Promise<EarlierWrites> {
  const wanted = new Set(orders);
  const rows = await state.rowsIn(
    "comanda",
    {
      ...{ order_id: "text?", sign_in: "text?", sent_at: "bigint", attempts: "bigint", settled_as: "text?" },
      ...{
        outcome: "text",
        http_status: "bigint?",
        code: "text?",
        is_service_code: "bigint",
        evidence: "text?",
      },
    },
    `select order_id, sign_in, sent_at, attempts, settled_as, outcome, http_status, code, is_service_code, evidence
     from writes where operation = $1 and address = $2 and coalesce(store, '') = $3 and sent_at >= $4
     order by sent_at`,
    ...[operation, fingerprint.address, store ?? "", Math.round(state.clock.now()) - countedMs],
  );
  const byOrder = new Map<string, Earlier>();
  const others = new Set<string>();
  for (const { order_id: order, sign_in: signIn, sent_at: at, attempts, ...row } of rows) {
    if (order === null || !wanted.has(order)) continue;
    const result = lookedUp(resultOf(row), row.settled_as);
    if (result.outcome !== "done" && result.outcome !== "unknown") continue;
    if (signIn !== signInOf(fingerprint)) others.add(order);
    else if (byOrder.get(order)?.outcome !== "done") byOrder.set(order, { ...result, attempts, at });
  }
  return { byOrder, otherSignIn: [...others].filter((order) => !byOrder.has(order)).length };
}

/**
 * Does the work while no other process sends the same list. An interrupt doesn't wait for it: the journal is right at every
 * moment.
 *
 * @throws {ComandaError} `lock_timeout` where another process does
 */
export async function withList<Result>(
  state: StateFolder,
  { store, fingerprint, operation, orders }: OrderList,
  work: (lease: Lease) => Promise<Result>,
): Promise<Result> {
  const list = JSON.stringify([store, fingerprint.address, operation, [...orders].sort()]);
  const digest = createHash("sha256").update(list).digest("hex").slice(0, 16);
  return withLeaseOr(state, `list ${digest}`, work, {
    ...{ waitMs: 0, isInterruptible: true },
    otherwise(error) {
      if (!(error instanceof ComandaError) || error.code !== "lock_timeout") throw error;
      throw new ComandaError("lock_timeout", t`Another process is sending this list of orders now.`, {
        hint: error.message,
      });
    },
  });
}
