/** This machine has changed an order of a store: what was known of its sales until then is doubtful. */
import { serviceClock, type CallObserver } from "../client/call/observer.js";
import { isSafe } from "../client/http/transport.js";
import { operations } from "../contract/operations.js";
import { ComandaError } from "../shared/errors.js";
import { t } from "../shared/language.js";
import type { StateFolder } from "./state-folder.js";

/** The store whose figures are kept, and where they are. */
export interface FiguresOfStore {
  readonly state: StateFolder;
  /** The alias, as `AnswerSource.store` has it. */
  readonly store: string;
}

/** A run of many writes its doubt down at most this often (milliseconds). */
const doubtedEveryMs = 1000;

/**
 * Marks the figures before an order is changed and after: another process may ask the service in between. Of many calls at
 * once, the first and the last do.
 */
export function doubtObserver(figures: FiguresOfStore): CallObserver {
  const { clock } = figures.state;
  // Answers are kept with the service's time, where that is another one.
  const { observer, ahead } = serviceClock(clock);
  const underWay = new Set<number>();
  let doubtedAt = -Infinity;
  let written: Promise<void> = Promise.resolve();
  const isDue = () => Math.abs(clock.now() - doubtedAt) >= doubtedEveryMs;
  const doubt = () => {
    const at = clock.now();
    doubtedAt = at;
    written = written.then(() => doubtFigures(figures, Math.round(at + ahead())));
  };
  return {
    ...observer,
    sends(call) {
      if (isSafe(call) || call.operation === operations.createPrefilledOrder.id) return;
      underWay.add(call.number);
      if (isDue()) doubt();
      return written;
    },
    ended({ number }) {
      if (!underWay.delete(number)) return;
      if (underWay.size === 0 || isDue()) doubt();
      return written;
    },
  };
}

/** Nothing is written for a store of which nothing is kept. A change of an order never fails by it. */
async function doubtFigures({ state, store }: FiguresOfStore, at: number): Promise<void> {
  try {
    const database = await state.existingDatabase("sales");
    // To bring it to the disk would take as long as the rest of a call, and a kill doesn't lose it.
    await database?.transaction(
      "answers",
      ({ run }) => run("update sources set changed_at = $1 where store = $2", at, store),
      { durable: false, waitMs, outlastsSignal: true },
    );
  } catch (error) {
    if (!(error instanceof ComandaError)) throw error;
    state.warn(
      t`${error.message} Sales figures that are kept here may be of before this change: use --fresh.`,
    );
  }
}

/** A change of an order waits no longer for whoever keeps figures. */
const waitMs = 2000;

/**
 * When this machine last changed an order of the store, in milliseconds since the epoch.
 *
 * @throws {ComandaError} `state_unusable`, `lock_timeout`
 */
export async function doubtedAt({ state, store }: FiguresOfStore): Promise<number | undefined> {
  const sql = "select max(changed_at) as at from sources where store = $1";
  const [row] = await state.rowsIn("sales", { at: "bigint?" }, sql, store);
  return row?.at ?? undefined;
}
