/**
 * This machine has changed an order of a store: what was known of its sales until then is doubtful. One small file in the
 * store's folder of the ledger says when that was last so.
 */
import path from "node:path";

import type { CallObserver } from "../../client/call/observer.js";
import { serviceClock } from "../../client/call/service-clock.js";
import { isSafe } from "../../client/http/transport.js";
import { operations } from "../../contract/operations.js";
import { ComandaError } from "../../shared/errors.js";
import { t } from "../../shared/language.js";
import type { StateFolder } from "../state-folder.js";

/** The name of the file; it has nothing of the form of a month's. */
export const doubtFile = "orders-changed-at";

/** Where a store's figures are kept. */
export interface FiguresFolder {
  readonly data: StateFolder;
  /** As `LedgerStore.folder`. */
  readonly folder: string;
}

/** Of a run of many, the file is written so often (milliseconds). */
const doubtedEveryMs = 1000;

/**
 * Marks the figures before an order is changed and after: another process may ask the service in between. Of many calls at
 * once, the first and the last do.
 */
export function doubtObserver(figures: FiguresFolder): CallObserver {
  const { clock } = figures.data;
  // Answers are kept with the service's time, where that is another one.
  const { observer, ahead } = serviceClock(clock);
  const underWay = new Set<number>();
  let doubtedAt = -Infinity;
  const isDue = () => Math.abs(clock.now() - doubtedAt) >= doubtedEveryMs;
  const doubt = () => {
    doubtFigures(figures, clock.now() + ahead());
    doubtedAt = clock.now();
  };
  return {
    ...observer,
    sends(call) {
      if (isSafe(call) || call.operation === operations.createPrefilledOrder.id) return;
      underWay.add(call.number);
      if (isDue()) doubt();
    },
    ended({ number }) {
      if (underWay.delete(number) && (underWay.size === 0 || isDue())) doubt();
    },
  };
}

/** Nothing is written for a store of which nothing is kept. A change of an order never fails by it. */
function doubtFigures({ data, folder: store }: FiguresFolder, at: number): void {
  const folder = path.join(data.path, "ledger", store);
  try {
    if (!data.files.sweep(folder)) return;
    // Not brought to the disk, which would take as long as the rest of a call: a kill doesn't lose it.
    data.files.write(path.join(folder, doubtFile), `${new Date(at).toISOString()}\n`, { durable: false });
  } catch (error) {
    if (!(error instanceof ComandaError)) throw error;
    data.warn(
      t`${error.message} Sales figures that are kept here may be of before this change: use --fresh.`,
    );
  }
}

/** When this machine last changed an order of the store, in milliseconds since the epoch. */
export function doubtedAt(data: StateFolder, store: string): number | undefined {
  const at = Date.parse(readMark(data, path.join(data.path, "ledger", store, doubtFile)));
  return Number.isNaN(at) ? undefined : at;
}

/** Where the folder can't be trusted, no answer of it is used either. */
function readMark(data: StateFolder, file: string): string {
  try {
    return data.files.read(file)?.trim() ?? "";
  } catch (error) {
    if (!(error instanceof ComandaError)) throw error;
    return "";
  }
}
