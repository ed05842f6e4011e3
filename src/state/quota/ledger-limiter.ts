/** The client's rate limiter over the ledger that all processes of this machine share. */
import { noPlaceWithin, type Permit, type RateLimiter } from "../../client/call/rate-limit.js";
import { steadyNow, type Clock } from "../../shared/clock.js";
import type { RateBucket } from "../../contract/limits.js";
import { openQuotaLedger, type QuotaKey, type QuotaLedger, type QuotaSlot } from "./quota.js";
import type { StateFolder } from "../state-folder.js";

type Variables = Readonly<Record<string, string | undefined>>;

/** Does comanda keep the service's rate limits itself? */
export function countsRequests({ env }: { readonly env: Variables }): boolean {
  return env["COMANDA_RATE_LIMITS"] !== "off";
}

/** What requests are counted for. */
export interface CountedTarget {
  readonly baseUrl: string;
  /** Whose requests are counted together. */
  readonly quotaKey: string;
}

/** @returns `false`, which a client takes for none, where comanda doesn't count */
export function openLedgerLimiter(
  { baseUrl, quotaKey }: CountedTarget,
  { env, folder }: { readonly env: Variables; readonly folder: StateFolder },
): RateLimiter | false {
  if (!countsRequests({ env })) return false;
  const { clock } = folder;
  return createLedgerLimiter({ ledger: openQuotaLedger(folder), clock, baseUrl, store: quotaKey });
}

export interface LedgerLimiterOptions {
  readonly ledger: Pick<QuotaLedger, "reserve" | "settle" | "observe429">;
  readonly clock: Clock;
  readonly baseUrl: string;
  readonly store: string;
}

/** Of a batch that got some places but not all, the others ask again soon. */
const leastWaitMs = 25;

/** One turn of the lock may take places for many requests: they are asked for together and settled together. */
interface Batch {
  readonly slot: QuotaSlot;
  open: number;
  unused: number;
}

export function createLedgerLimiter({ ledger, clock, baseUrl, store }: LedgerLimiterOptions): RateLimiter {
  const queues = new Map<RateBucket, PlaceQueue>();
  const queueOf = (bucket: RateBucket) => {
    const queue = queues.get(bucket) ?? new PlaceQueue(ledger, { baseUrl, store, bucket });
    queues.set(bucket, queue);
    return queue;
  };
  return {
    async acquire(bucket, { signal, maxWaitMs, onWait }) {
      const deadline = steadyNow(clock) + maxWaitMs;
      for (;;) {
        signal?.throwIfAborted();
        const place = await queueOf(bucket).take();
        if (typeof place !== "number") return place;
        if (steadyNow(clock) + place > deadline) throw noPlaceWithin(place);
        onWait?.(place);
        await clock.sleep(place, signal);
      }
    },
    blocked: (bucket, ms) => ledger.observe429({ baseUrl, store, bucket }, ms),
  };
}

/** Collects the requests of one moment, so that a run of 10,000 orders doesn't take the lock 10,000 times. */
class PlaceQueue {
  readonly #ledger: LedgerLimiterOptions["ledger"];
  readonly #key: QuotaKey;
  #waiting: { give: (place: Permit | number) => void; fail: (error: unknown) => void }[] = [];

  constructor(ledger: LedgerLimiterOptions["ledger"], key: QuotaKey) {
    this.#ledger = ledger;
    this.#key = key;
  }

  /** @returns a place, or the milliseconds until it is worth asking again */
  async take(): Promise<Permit | number> {
    return new Promise((give, fail) => {
      this.#waiting.push({ give, fail });
      if (this.#waiting.length === 1) queueMicrotask(() => void this.#serve());
    });
  }

  async #serve(): Promise<void> {
    const asking = this.#waiting;
    this.#waiting = [];
    try {
      const { granted, waitMs, slot } = await this.#ledger.reserve(this.#key, asking.length);
      const batch = slot && { slot, open: granted, unused: 0 };
      for (const [index, { give }] of asking.entries()) {
        give(batch && index < granted ? this.#permit(batch) : Math.max(waitMs, leastWaitMs));
      }
    } catch (error) {
      for (const { fail } of asking) fail(error);
    }
  }

  #permit(batch: Batch): Permit {
    return {
      settle: async (sent) => {
        if (!sent) batch.unused += 1;
        batch.open -= 1;
        if (batch.open === 0) await this.#ledger.settle(batch.slot, { unused: batch.unused });
      },
    };
  }
}
