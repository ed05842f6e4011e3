/**
 * Work at many stores that runs share out, on one machine or on many: each store is one run's at a time, and is done once.
 * A run that has a store says so again before each request. Where it was silent for too long, since its machine is gone
 * or stands still, another run takes the store over; the first one finds that out before it sends or writes anything.
 */
import { ComandaError } from "../shared/errors.js";
import { t } from "../shared/language.js";
import { randomNonce } from "../shared/system.js";
import type { Statements } from "./database.js";
import type { StateFolder } from "./state-folder.js";

/** It is longer than what lies between two requests: a wait for a place within the limit, and an answer that comes slowly. */
export const leaseMs = 180_000;
/** A round that nobody ended is of no use to anybody then. */
const forgottenMs = 7 * 24 * 60 * 60_000;

export interface Turn {
  readonly store: string;
  /** Did nobody have it before in this round? */
  readonly isFirst: boolean;
  /**
   * To be called before each request, and before what came of it is kept.
   *
   * @throws {TurnLost} another run has taken it over
   */
  hold(): Promise<void>;
  /** @throws {TurnLost} as {@link hold} */
  end(outcome: "done" | "failed"): Promise<void>;
  /** Gives it to others, where it was not ended. */
  release(): Promise<void>;
}

export class TurnLost extends Error {}

/** A store that another run has ended, and how. */
export interface OtherTurn {
  readonly store: string;
  readonly outcome: "done" | "failed";
  readonly pid: number;
  readonly host: string;
}

export interface StoreTurns {
  /**
   * @returns `others` where all that are left are other runs' for now; `over` where each store has been done
   * @throws {ComandaError} `lock_timeout` where others have begun another round, since this run stood still
   */
  take(): Promise<Turn | "others" | "over">;
  /** @returns the stores that other runs have ended */
  others(): Promise<readonly OtherTurn[]>;
}

const notForGood = { durable: false };

/**
 * Joins the round of those who are at the same work, or begins one.
 *
 * @param work tells this work from every other
 */
export async function joinRound(
  state: StateFolder,
  work: string,
  stores: readonly string[],
): Promise<StoreTurns> {
  const database = await state.database("comanda");
  const { pid, host } = state.table.self();
  /** This run, and the round where it begins one. */
  const run = randomNonce(state.files.system);
  const round = await database.transaction(
    `round ${work}`,
    (statements) => roundOf(statements, work, stores, run),
    notForGood,
  );

  /** @returns the stores that are not done yet, and who has them */
  async function openTurns({ rows }: Statements) {
    const turns = await rows(
      { store: "text", run: "text?", outcome: "text?" },
      "select store, run, outcome from store_turns where work = $1 and round = $2",
      ...[work, round],
    );
    if (turns.length > 0)
      return turns.filter(({ store, outcome }) => outcome === null && stores.includes(store));
    throw new ComandaError("lock_timeout", t`This run stood still for so long that another has begun anew.`, {
      hint: t`Run the command again: what was answered is kept.`,
    });
  }

  async function freeTurn({ rows }: Statements, now: number) {
    const places = stores.map((_, index) => `$${index + 4}`).join(", ");
    const [turn] = await rows(
      { store: "text", run: "text?" },
      `select store, run from store_turns
       where work = $1 and round = $2 and outcome is null and until_at <= $3 and store in (${places})
       order by store limit 1 ${database.skipLocked}`,
      ...[work, round, now, ...stores],
    );
    return turn;
  }

  function turnAt(store: string, isFirst: boolean): Turn {
    /** @returns is it still this run's? */
    const change = async (column: "until_at" | "outcome", value: number | string) =>
      (await database.run(
        `update store_turns set ${column} = $1
         where work = $2 and store = $3 and round = $4 and run = $5 and outcome is null`,
        ...[value, work, store, round, run],
      )) > 0;
    const changeOrLose = async (...values: Parameters<typeof change>) => {
      if (!(await change(...values))) throw new TurnLost(`${store} was taken over`);
    };
    return {
      store,
      isFirst,
      hold: async () => changeOrLose("until_at", (await database.now()) + leaseMs),
      end: (outcome) => changeOrLose("outcome", outcome),
      async release() {
        await change("until_at", 0);
      },
    };
  }

  return {
    take: () =>
      database.transaction(
        `turns of ${run}`,
        async (statements) => {
          const now = await statements.now();
          const turns = await openTurns(statements);
          if (turns.length === 0) return "over";
          const turn = await freeTurn(statements, now);
          if (!turn) return turns.some((other) => other.run !== run) ? "others" : "over";
          await statements.run(
            `update store_turns set run = $1, pid = $2, host = $3, until_at = $4
             where work = $5 and store = $6`,
            ...[run, pid, host, now + leaseMs, work, turn.store],
          );
          return turnAt(turn.store, turn.run === null);
        },
        notForGood,
      ),
    async others() {
      const rows = await database.rows(
        { store: "text", outcome: "text", pid: "bigint", host: "text" },
        `select store, outcome, pid, host from store_turns
         where work = $1 and round = $2 and run <> $3 and outcome is not null order by store`,
        ...[work, round, run],
      );
      return rows
        .filter(({ store }) => stores.includes(store))
        .map((row) => ({ ...row, outcome: row.outcome === "done" ? "done" : "failed" }));
    },
  };
}

/** @returns the round that somebody is at, or a new one with this number; these stores are in it */
async function roundOf(
  { rows, run, now: clock }: Statements,
  work: string,
  stores: readonly string[],
  newRound: string,
): Promise<string> {
  const now = await clock();
  // Somebody is at it: a store is left, and it was taken or offered lately.
  const [underWay] = await rows(
    { round: "text" },
    `select round from store_turns
     where work = $1 and outcome is null and (until_at > $2 or began_at > $3) limit 1`,
    ...[work, now, now - leaseMs],
  );
  if (!underWay) {
    const removal = "delete from store_turns where work = $1 or began_at < $2";
    await run(removal, work, now - forgottenMs);
  }
  const round = underWay?.round ?? newRound;
  for (const store of stores) {
    await run(
      `insert into store_turns (work, store, round, began_at, until_at) values ($1, $2, $3, $4, 0)
       on conflict (work, store) do nothing`,
      ...[work, store, round, now],
    );
  }
  return round;
}
