/** What a person sees while figures are fetched: how many calls, and how long they will take. */
import type { WaitNotice } from "../../client/index.js";
import { rateLimits } from "../../contract/limits.js";
import type { LimitState } from "../../state/limits.js";
import { startProgress } from "../../terminal/index.js";
import type { Machine } from "../../toolkit/machine.js";
import { plural, t } from "../../shared/language.js";

/** The calls of one store to one endpoint, and what its limit has left. */
export interface ExpectedCalls {
  readonly calls: number;
  readonly quota: LimitState | undefined;
}

export interface SalesProgress {
  /** Says how long it will take where that is long enough to wonder; again, where more turns out to be needed. */
  begin(expected: readonly ExpectedCalls[]): void;
  called(): void;
  /** When all will be answered, as far as is known: milliseconds since the epoch. */
  endsAt(): number;
  isAnnounced(notice: WaitNotice): boolean;
  end(): void;
}

/** Milliseconds; what takes less needs no announcement. */
export const worthSaying = 2_000;

/**
 * On a terminal a bar with the remaining time; elsewhere one line, where the rate limit makes it last. With `--quiet`
 * nothing.
 */
export function salesProgress(
  { context, output }: Pick<Machine, "context" | "output">,
  label: string,
): SalesProgress {
  const { clock } = context;
  const ticking = new AbortController();
  let bar = startProgress(output.status, { total: 0, label, now: () => clock.now() });
  let [total, done, endsAt, announced] = [0, 0, 0, false];

  const draw = () => {
    const left = Math.max(0, endsAt - clock.now());
    bar.update(done, left > 0 ? t`about ${duration(left)} left` : "");
  };
  const tick = async () => {
    while (!ticking.signal.aborted) {
      draw();
      await clock.sleep(1_000, ticking.signal).catch(() => undefined);
    }
  };

  return {
    begin(expected) {
      const wait = longestWait(expected);
      const wasTicking = total > 1;
      bar.end();
      done = 0;
      total = expected.reduce((sum, { calls }) => sum + calls, 0);
      endsAt = clock.now() + wait;
      announced = wait >= worthSaying;
      if (total > 1 && output.status.isShown) {
        bar = startProgress(output.status, { total, label, now: () => clock.now() });
        if (!wasTicking) void tick();
      } else if (announced) {
        const { limit } = rateLimits.summary;
        const calls = plural(total, { one: t`1 call`, other: t`${total} calls` });
        output.notice(t`${calls}, of which the service takes ${limit} a minute: about ${duration(wait)}.`);
      }
    },
    called() {
      // A call that wasn't foreseen takes none of the others' places.
      done = Math.min(total, done + 1);
      if (total > 1) draw();
    },
    endsAt: () => endsAt,
    isAnnounced({ reason }) {
      return announced && reason === "rate_limit";
    },
    end() {
      ticking.abort();
      bar.end();
    },
  };
}

/** Is it known how long they take? Not with `COMANDA_RATE_LIMITS=off`. */
export function isCounted({ calls, quota }: ExpectedCalls): boolean {
  return calls === 0 || quota !== undefined;
}

/** The least time, in milliseconds, until all have gone out: each store and endpoint has a limit of its own. */
export function longestWait(expected: readonly ExpectedCalls[]): number {
  return Math.max(0, ...expected.map(waitOf));
}

function waitOf({ calls, quota }: ExpectedCalls): number {
  if (!quota || calls === 0) return 0;
  const { remaining, waitMs } = quota;
  // Full: the first place is free after `waitMs`, and with it begins a window like any other.
  if (remaining === 0) return waitMs + waitForCalls(calls, quota);
  return waitForCalls(calls, quota, remaining);
}

/**
 * The least time, in milliseconds, until `calls` calls have gone out, where `free` of them may go at once and
 * each further `limit` have to wait for a whole window.
 */
export function waitForCalls(
  calls: number,
  { limit, windowMs }: { readonly limit: number; readonly windowMs: number },
  free = limit,
): number {
  return Math.max(0, Math.ceil((calls - free) / limit)) * windowMs;
}

/** `45 s`, `1 min 5 s`, `12 min`. */
export function duration(ms: number): string {
  const seconds = Math.max(1, Math.ceil(ms / 1_000));
  if (seconds < 60) return `${seconds} s`;
  const rest = seconds % 60;
  const minutes = `${Math.floor(seconds / 60)} min`;
  return rest === 0 || seconds >= 600 ? minutes : `${minutes} ${rest} s`;
}
