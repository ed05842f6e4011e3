/** A person sees how many calls are left while figures are fetched, and how long they will take. */
import type { WaitNotice } from "../../client/call/observer.js";
import { rateLimits } from "../../contract/limits.js";
import type { LimitState } from "../../state/limits.js";
import { startProgress } from "../../terminal/index.js";
import type { Machine } from "../../toolkit/machine.js";
import { plural, t } from "../../shared/language.js";

/** One store's calls to one endpoint go against this limit. */
export interface ExpectedCalls {
  readonly calls: number;
  readonly quota: LimitState | undefined;
}

export interface SalesProgress {
  /**
   * Says how long it will take, where that is long enough to wonder; it may be called again when more calls turn out
   * to be needed.
   */
  begin(expected: readonly ExpectedCalls[]): void;
  called(): void;
  /** All calls will be answered by this time, as far as is known, in milliseconds since the epoch. */
  endsAt(): number;
  isAnnounced(notice: WaitNotice): boolean;
  end(): void;
}

/** A wait of fewer milliseconds needs no announcement. */
export const announcedFromMs = 2_000;

/**
 * Shows a bar with the remaining time on a terminal; elsewhere it prints one line, where the rate limit makes it
 * last. With `--quiet` it shows nothing.
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
      const wait = longestWait(expected) ?? 0;
      const wasTicking = total > 1;
      bar.end();
      done = 0;
      total = expected.reduce((sum, { calls }) => sum + calls, 0);
      endsAt = clock.now() + wait;
      announced = wait >= announcedFromMs;
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
      // An unforeseen call takes no place of the others.
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

/**
 * Gives the least time, in milliseconds, until all have gone out: each store and endpoint has a limit of its own.
 *
 * @returns `undefined` where nobody knows, as with `COMANDA_RATE_LIMITS=off`
 */
export function longestWait(expected: readonly ExpectedCalls[]): number | undefined {
  const isCounted = expected.every(({ calls, quota }) => calls === 0 || quota !== undefined);
  return isCounted ? Math.max(0, ...expected.map(waitOf)) : undefined;
}

function waitOf({ calls, quota }: ExpectedCalls): number {
  if (!quota || calls === 0) return 0;
  const { remaining, waitMs } = quota;
  // The limit is full: the first place is free after `waitMs`, and then a usual window begins.
  if (remaining === 0) return waitMs + waitForCalls(calls, quota);
  return waitForCalls(calls, quota, remaining);
}

/**
 * Gives the least time, in milliseconds, until the calls have gone out, where `free` of them may go at once and each
 * further `limit` have to wait for a whole window.
 */
export function waitForCalls(
  calls: number,
  { limit, windowMs }: { readonly limit: number; readonly windowMs: number },
  free = limit,
): number {
  return Math.max(0, Math.ceil((calls - free) / limit)) * windowMs;
}

/** Writes a duration, for example `45 s`, `1 min 5 s`, `12 min`. */
export function duration(ms: number): string {
  const seconds = Math.max(1, Math.ceil(ms / 1_000));
  if (seconds < 60) return `${seconds} s`;
  const rest = seconds % 60;
  const minutes = `${Math.floor(seconds / 60)} min`;
  return rest === 0 || seconds >= 600 ? minutes : `${minutes} ${rest} s`;
}
