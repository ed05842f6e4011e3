/** A person sees how many calls are left while figures are fetched, and how long they will take. */
import type { WaitNotice } from "../../client/observer.js";
import { rateLimits, type RateBucket } from "../../api/limits.js";
import { plural, t } from "../../languages/language.js";
import type { LimitState } from "../../state/limits.js";
import { startProgress as startBar } from "../../cli/progress.js";
import type { Context } from "../../cli/context.js";
import type { PlannedRequest } from "../../sales/ask.js";

/** One store's calls to one endpoint go against this limit. */
export interface ExpectedCalls {
  readonly calls: number;
  readonly limit: LimitState | undefined;
}

export interface SalesProgress {
  readonly expected: typeof expectedCalls;
  /** Says how long it will take, where that is long enough to wonder. */
  begin(expected: readonly ExpectedCalls[]): void;
  readonly called: () => void;
  isAnnounced(notice: WaitNotice): boolean;
  end(): void;
}

/** A wait of fewer milliseconds needs no announcement. */
const announcedFromMs = 2_000;

/**
 * Shows a bar with the remaining time on a terminal; elsewhere it prints one line, where the rate limit makes it last.
 * With `--quiet` it shows nothing.
 */
export function startProgress(
  { clock, output }: Pick<Context, "clock" | "output">,
  label: string,
): SalesProgress {
  const ticking = new AbortController();
  const start = (total: number) => startBar(output.status, { total, label, now: () => clock.now() });
  let bar = start(0);
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
    expected: expectedCalls,
    begin(expected) {
      const wait = longestWait(expected) ?? 0;
      total = expected.reduce((sum, { calls }) => sum + calls, 0);
      endsAt = clock.now() + wait;
      announced = wait >= announcedFromMs;
      if (total > 1 && output.status.isShown) {
        bar = start(total);
        void tick();
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
    isAnnounced: ({ reason }) => announced && reason === "rate_limit",
    end() {
      ticking.abort();
      bar.end();
    },
  };
}

/** Counts what these requests take of each limit: a summary and groups have one each. */
export async function expectedCalls(
  limit: (bucket: RateBucket) => Promise<LimitState | undefined>,
  requests: readonly PlannedRequest[],
): Promise<readonly ExpectedCalls[]> {
  const missing = requests.filter(({ kept }) => !kept);
  const groups = missing.filter(({ by }) => by !== undefined).length;
  const counts = [
    ["summary", missing.length - groups],
    ["summary_grouped", groups],
  ] as const;
  return Promise.all(
    counts.map(async ([bucket, calls]) => ({ calls, limit: calls === 0 ? undefined : await limit(bucket) })),
  );
}

/**
 * Gives the least time, in milliseconds, until all have gone out: each store and endpoint has a limit of its own.
 *
 * @returns `undefined` where nobody knows, as with `COMANDA_RATE_LIMITS=off`
 */
export function longestWait(expected: readonly ExpectedCalls[]): number | undefined {
  const isCounted = expected.every(({ calls, limit }) => calls === 0 || limit !== undefined);
  return isCounted ? Math.max(0, ...expected.map(waitOf)) : undefined;
}

function waitOf({ calls, limit: state }: ExpectedCalls): number {
  if (!state || calls === 0) return 0;
  const { remaining, waitMs, limit, windowMs } = state;
  const windows = (free: number) => Math.max(0, Math.ceil((calls - free) / limit)) * windowMs;
  // Where the limit is full, the first place is free after `waitMs`, and then a usual window begins.
  return remaining === 0 ? waitMs + windows(limit) : windows(remaining);
}

/** Writes a duration, for example `45 s`, `1 min 5 s`, `12 min`. */
export function duration(ms: number): string {
  const seconds = Math.max(1, Math.ceil(ms / 1_000));
  if (seconds < 60) return `${seconds} s`;
  const rest = seconds % 60;
  const minutes = `${Math.floor(seconds / 60)} min`;
  return rest === 0 || seconds >= 600 ? minutes : `${minutes} ${rest} s`;
}
