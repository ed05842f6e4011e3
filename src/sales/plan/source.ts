/** One store's figures come from here: the service answers questions, and this machine keeps the answers. */
import type { Dimension } from "../../contract/enums.js";
import type { GroupedSummary, GroupedSummaryQuery, SummaryQuery } from "../../contract/models.js";
import type { Figures } from "../../state/answers.js";
import type { DatedAnswer } from "../ledger/freshness.js";
import type { KeptWindow } from "../ledger/kept-days.js";

export type SalesQuery = SummaryQuery | GroupedSummaryQuery;

export interface GroupedAnswer extends DatedAnswer {
  readonly query: GroupedSummaryQuery;
  readonly answer: GroupedSummary;
}

export interface SalesSource {
  /** Gives this machine's time in milliseconds since the epoch. */
  now(): number;
  /** The service's clock is so many milliseconds ahead of this machine's: the age of answers goes by it. */
  ahead(): number;
  /** The service counts days in this zone, an IANA name (section 4.7), where it is known. */
  readonly storeZone: string | undefined;
  /** Gives the time when this machine last changed an order of the store, in milliseconds since the epoch. */
  doubtedAt(): Promise<number | undefined>;
  /** Asks the service. */
  call(query: SalesQuery, signal: AbortSignal): Promise<DatedAnswer>;
  /** Gives every kept answer to this question, in the order in which they came. */
  history(query: SalesQuery): Promise<readonly DatedAnswer[]>;
  /** Gives every kept answer to the same question about a window that has a part of this one. */
  overlapping(query: SalesQuery): Promise<readonly KeptWindow[]>;
  /** Gives the newest answer to this question about a window that began then and ended when it was asked. */
  running(query: SalesQuery): Promise<DatedAnswer | undefined>;
  /** Gives every kept answer by a dimension, whatever else was asked for, the newest windows first. */
  answersBy(dimension: Dimension): AsyncIterable<GroupedAnswer>;
  keep(query: SalesQuery, answer: DatedAnswer, figures: Figures): Promise<void>;
  /** Keeps the answer about a window that ends now, in the place of the one before. */
  keepRunning(query: SalesQuery, answer: DatedAnswer): Promise<void>;
  /** Lets one at a time do its work among all processes that ask the same question. */
  share<Result>(query: SalesQuery, work: () => Promise<Result>, signal: AbortSignal): Promise<Result>;
}

/** Two queries with the same text are the same question. */
export function textOf(query: SalesQuery): string {
  return JSON.stringify(Object.entries(query).toSorted());
}
