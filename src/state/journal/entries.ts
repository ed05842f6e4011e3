/**
 * The lines of the journal. Each says its version, when it was written and in which run.
 *
 * A write leaves `sent` before its first byte goes out, and `outcome` once its answer is here; a request that is repeated
 * leaves both for each attempt. A run of many orders begins with `run` and the list of its `orders`, and ends with `end`;
 * `resumed` says that another process went on with it. Its orders share lines: `sent` and `outcome` name all of one
 * moment, and what they have in common stands in `run`.
 *
 * All of them are on the disk as soon as they are written: what was sent, before a byte of it goes out. So a loss of power
 * leaves nothing out that was sent, and of what was answered no more than what was being written.
 */
import type { Evidence } from "../../shared/errors.js";
import { isObject } from "../../shared/json.js";

export const entryVersion = 1;

interface Stamped {
  readonly v: typeof entryVersion;
  /** ISO 8601, UTC. */
  readonly at: string;
  readonly run: string;
}

/** Who did it. */
export interface Author {
  /** The machine's user; `null` where the machine doesn't tell. */
  readonly user: string | null;
  /** `COMANDA_ACTOR`. */
  readonly actor?: string;
}

/** Where it was done. */
export interface Place {
  /** The alias; `null` for a store whose credential came from the environment. */
  readonly store: string | null;
  /** The environment's name; the host where there is none. */
  readonly environment: string;
}

/** What tells one store's address and credentials from another's. It holds no secret. */
export interface Fingerprint {
  /** The base URL. */
  readonly address: string;
  /** Of an access token: when its sign-in took place (ISO 8601, UTC), or a digest of one that the environment has. */
  readonly sign_in?: string;
  /** A digest of the API key; the key itself is never written down. */
  readonly key?: string;
}

/** What is known of a request before it goes out. No header, no secret, and nothing of a customer. */
export interface Write {
  /** Its id in the contract; `request` for a call that the contract doesn't know. */
  readonly operation: string;
  /** `null` where the path names no order. */
  readonly order_id: string | null;
  /** The few that matter later: the reason, the driver, the fee. */
  readonly arguments: Readonly<Record<string, unknown>>;
}

/** Which request of a run. */
export interface AttemptKey extends Pick<Write, "operation" | "order_id"> {
  /** Tells calls without an order apart. */
  readonly call?: number;
  /** From 1. */
  readonly attempt: number;
}

export const attemptOutcomes = ["done", "refused", "failed", "unknown"] as const;
const evidences: readonly Evidence[] = ["api", "gateway", "nobody"];
export type AttemptOutcome = (typeof attemptOutcomes)[number];

/** What one request came to. */
export interface AttemptResult {
  readonly outcome: AttemptOutcome;
  readonly http_status: number | null;
  /** The API's code where the service gave one, comanda's own otherwise; null where all went well. */
  readonly code: number | string | null;
  /** Who said so; null where it never went out. */
  readonly evidence: Evidence | null;
}

export interface SentEntry extends Stamped, Place, Author, Write, AttemptKey {
  readonly type: "sent";
}

export interface OutcomeEntry extends Stamped, AttemptKey, AttemptResult {
  readonly type: "outcome";
}

/** As {@link SentEntry}, of orders of one run. */
export interface OrdersSentEntry extends Stamped {
  readonly type: "orders_sent";
  readonly orders: readonly string[];
  readonly attempt: number;
}

/** As {@link OutcomeEntry}, of orders of one run that fared the same. */
export interface OrdersOutcomeEntry extends Stamped, AttemptResult {
  readonly type: "orders_outcome";
  readonly orders: readonly string[];
  readonly attempt: number;
}

/** What a run of many orders is about. */
export interface RunSubject extends Place {
  /** As it is typed: `dispatch`. */
  readonly verb: string;
  /** Its id in the contract. */
  readonly operation: string;
  /** Goes out with every order. */
  readonly reason?: string;
}

export interface RunEntry extends Stamped, Author, RunSubject {
  readonly type: "run";
  /** Whose the orders are; absent where that isn't known. */
  readonly fingerprint?: Fingerprint;
  /** Of orders. */
  readonly count: number;
  /** Of the list of orders. */
  readonly digest: string;
}

/** A part of a run's list. */
export interface OrdersEntry extends Stamped {
  readonly type: "orders";
  readonly orders: readonly string[];
}

export interface ResumedEntry extends Stamped, Author {
  readonly type: "resumed";
}

export interface EndEntry extends Stamped {
  readonly type: "end";
  /** Every order is done, or refused for what it is: nothing is left to resume. */
  readonly settled: boolean;
}

export type JournalEntry =
  | SentEntry
  | OutcomeEntry
  | OrdersSentEntry
  | OrdersOutcomeEntry
  | RunEntry
  | OrdersEntry
  | ResumedEntry
  | EndEntry;

type Line = Readonly<Record<string, unknown>>;

/** The run of a line that a newer comanda wrote: what it says isn't known, and must not be taken for nothing. */
export function newerRun({ v, run }: Line): string | undefined {
  if (typeof v !== "number" || v <= entryVersion) return undefined;
  return typeof run === "string" ? run : "";
}

/** What a line says; `undefined` where it isn't one of this version's. */
export function parseEntry(line: Line): JournalEntry | undefined {
  const { v, at, run } = line;
  if (v !== entryVersion || typeof at !== "string" || typeof run !== "string") return undefined;
  if (Number.isNaN(Date.parse(at))) return undefined;
  const stamp = { v, at, run } as const;
  switch (line["type"]) {
    case "sent":
      return parseSent(stamp, line);
    case "outcome":
      return parseOutcome(stamp, line);
    case "orders_sent":
      return parseOrdersSent(stamp, line);
    case "orders_outcome": {
      const [orders, result] = [parseOrdersSent(stamp, line), resultOf(line)];
      return orders && result && { ...orders, type: "orders_outcome", ...result };
    }
    case "run":
      return parseRun(stamp, line);
    case "orders":
      return { ...stamp, type: "orders", orders: texts(line["orders"]) };
    case "resumed":
      return { ...stamp, type: "resumed", ...authorOf(line) };
    case "end":
      return { ...stamp, type: "end", settled: line["settled"] === true };
    default:
      return undefined;
  }
}

function parseSent(stamp: Stamped, line: Line): SentEntry | undefined {
  const [key, place] = [attemptKey(line), placeOf(line)];
  if (!key || !place) return undefined;
  const given = line["arguments"];
  return {
    ...stamp,
    type: "sent",
    ...place,
    ...authorOf(line),
    ...key,
    arguments: isObject(given) ? given : {},
  };
}

function parseOutcome(stamp: Stamped, line: Line): OutcomeEntry | undefined {
  const [key, result] = [attemptKey(line), resultOf(line)];
  return key && result && { ...stamp, type: "outcome", ...key, ...result };
}

function parseOrdersSent(stamp: Stamped, { orders, attempt }: Line): OrdersSentEntry | undefined {
  if (typeof attempt !== "number") return undefined;
  return { ...stamp, type: "orders_sent", orders: texts(orders), attempt };
}

function resultOf(line: Line): AttemptResult | undefined {
  const outcome = attemptOutcomes.find((name) => name === line["outcome"]);
  if (!outcome) return undefined;
  const { http_status: status, code } = line;
  return {
    outcome,
    http_status: typeof status === "number" ? status : null,
    code: typeof code === "number" || typeof code === "string" ? code : null,
    evidence: evidences.find((name) => name === line["evidence"]) ?? null,
  };
}

function parseRun(stamp: Stamped, line: Line): RunEntry | undefined {
  const place = placeOf(line);
  const { verb, operation, count, digest, reason } = line;
  if (!place || typeof verb !== "string" || typeof operation !== "string") return undefined;
  if (typeof count !== "number" || typeof digest !== "string") return undefined;
  return {
    ...{ ...stamp, type: "run", ...place, ...authorOf(line), verb, operation },
    ...(typeof reason === "string" && { reason }),
    ...fingerprintOf(line),
    ...{ count, digest },
  };
}

function attemptKey({ operation, order_id: order, call, attempt }: Line): AttemptKey | undefined {
  if (typeof operation !== "string" || typeof attempt !== "number") return undefined;
  return {
    operation,
    order_id: typeof order === "string" ? order : null,
    ...(typeof call === "number" && { call }),
    attempt,
  };
}

function placeOf({ store, environment }: Line): Place | undefined {
  if (typeof environment !== "string") return undefined;
  return { store: textOrNull(store), environment };
}

function fingerprintOf({ fingerprint }: Line): Pick<RunEntry, "fingerprint"> {
  if (!isObject(fingerprint)) return {};
  const { address, sign_in, key } = fingerprint;
  if (typeof address !== "string") return {};
  return {
    fingerprint: {
      address,
      ...(typeof sign_in === "string" && { sign_in }),
      ...(typeof key === "string" && { key }),
    },
  };
}

function authorOf({ user, actor }: Line): Author {
  return {
    user: textOrNull(user),
    ...(typeof actor === "string" && { actor }),
  };
}

function texts(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((each) => typeof each === "string") : [];
}

function textOrNull(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}
