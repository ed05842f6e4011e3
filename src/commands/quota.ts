/** `comanda quota` shows what this machine's counts leave of the service's rate limits, without a call. */
import { rateLimits, type RateBucket } from "../contract/limits.js";
import type { Column } from "../terminal/index.js";

import type { Command } from "../toolkit/command.js";
import { oneStore } from "../toolkit/command-line.js";
import { variable } from "../toolkit/context.js";
import { t } from "../shared/language.js";
import { localTime } from "../shared/local-time.js";

export interface QuotaRow {
  readonly store: string;
  readonly environment: string;
  readonly bucket: RateBucket;
  readonly limit: number;
  readonly window_seconds: number;
  /** Requests that may go out now; null where comanda doesn't count. */
  readonly left: number | null;
  /** The next request may go out at this moment (ISO 8601); null: now. */
  readonly next_free_at: string | null;
}

/** The most used limits stand first. */
const buckets = ["general", "summary", "summary_grouped", "history"] as const satisfies readonly RateBucket[];

export const quota: Command<{ readonly store: string | undefined }, readonly QuotaRow[]> = {
  description: {
    usage: "quota",
    summary: "what is left of the service's rate limits, and when the next place frees",
    description:
      "It reads what this machine has counted and asks nobody: requests of other machines are not in it, nor are any with " +
      "COMANDA_RATE_LIMITS=off. Without --store " +
      "it tells of every store that this machine knows.",
    takes: ["store", "format"],
    examples: ["quota", "quota --store centro --json"],
  },
  parse: ({ globals }) => ({ store: oneStore(globals) }),
  async run(machine, { store }) {
    const { context } = machine;
    const isSingle = store !== undefined || variable(context, "COMANDA_BASE_URL") !== undefined;
    const { stores } = await machine.chooseStores({
      stores: store === undefined ? [] : [store],
      allStores: !isSingle,
    });
    const { countsRequests, limitState } = await import("../state/limits.js");
    const opened = await machine.state();
    // A store whose session can't be read sends nothing, so it has no counts.
    const rows = stores
      .filter((chosen) => chosen.kind !== "missing")
      .flatMap(({ label, environment, baseUrl, quotaKey }) =>
        buckets.map(async (bucket): Promise<QuotaRow> => {
          const { limit, windowMs } = rateLimits[bucket];
          const state = countsRequests(context)
            ? await limitState(opened, { baseUrl, store: quotaKey, bucket })
            : undefined;
          const { waitMs = 0 } = state ?? {};
          return {
            ...{ store: label, environment, bucket, limit, window_seconds: windowMs / 1000 },
            left: state?.remaining ?? null,
            next_free_at: waitMs === 0 ? null : isoTime(context.clock.now() + waitMs),
          };
        }),
      );
    return Promise.all(rows);
  },
  async present(rows, output) {
    await output.records(columns, rows);
    if (rows.some(({ left }) => left === null))
      output.notice(
        t`Requests are not counted here (COMANDA_RATE_LIMITS=off): the service keeps to its limits.`,
      );
  },
};

function isoTime(ms: number): string {
  return new Date(ms).toISOString();
}

const columns: readonly Column<QuotaRow>[] = [
  { heading: "Store", name: "store", cell: ({ store }) => store },
  { heading: "Environment", name: "environment", cell: ({ environment }) => environment },
  { heading: "Limit", name: "bucket", cell: ({ bucket }) => bucket },
  {
    heading: "Left",
    name: "left",
    align: "right",
    cell: ({ left }) => left,
    tableText: ({ left }) => (left === null ? t`not counted` : String(left)),
    tone: ({ left }) => (left === 0 ? "doubtful" : undefined),
  },
  { heading: "Of", name: "limit", align: "right", cell: ({ limit }) => limit },
  { heading: "In seconds", name: "window_seconds", align: "right", cell: (row) => row.window_seconds },
  {
    heading: "Next place",
    name: "next_free_at",
    cell: (row) => row.next_free_at,
    tableText: ({ next_free_at: at }) => (at === null ? "" : localTime(Date.parse(at))),
  },
];
