/** The client's rate limiter over the limits that all processes share. */
import { noPlaceWithin, type Permit, type RateLimiter } from "../client/call/rate-limit.js";
import { steadyNow, type Clock } from "../shared/clock.js";
import type { RateBucket } from "../contract/limits.js";
import { askAgainMs } from "./limit-window.js";
import { openLimits, type LimitKey, type Limits, type LimitSlot } from "./limits.js";
import type { StateFolder } from "./state-folder.js";

type Variables = Readonly<Record<string, string | undefined>>;

/** Does comanda keep the service's rate limits itself? */
export function countsRequests({ env }: { readonly env: Variables }): boolean {
  return env["COMANDA_RATE_LIMITS"] !== "off";
}

/** What requests are counted for. */
export interface CountedTarget {
  readonly baseUrl: string;
  /** Requests of the same key are counted together. */
  readonly quotaKey: string;
}

interface LimiterPlace {
  readonly env: Variables;
  readonly folder: StateFolder;
  /** The same as {@link LimiterOptions.background}. */
  readonly background?: boolean | undefined;
}

/** @returns `false`, which a client takes for none, where comanda doesn't count */
export function openLimiter(
  { baseUrl, quotaKey }: CountedTarget,
  { env, folder, background }: LimiterPlace,
): RateLimiter | false {
  if (!countsRequests({ env })) return false;
  const { clock } = folder;
  return createLimiter({
    ...{ limits: openLimits(folder), clock, baseUrl, store: quotaKey },
    ...(background !== undefined && { background }),
  });
}

export interface LimiterOptions {
  readonly limits: Pick<Limits, "reserve" | "settle" | "observe429">;
  readonly clock: Clock;
  readonly baseUrl: string;
  readonly store: string;
  /** Work that nobody waits for, such as `sync`: everybody else who waits goes first. */
  readonly background?: boolean;
}

/** A batch that got some of its places asks for the others again after this wait. */
const leastWaitMs = 25;

/** One transaction may take places for many requests: they are asked for together and settled together. */
interface Batch {
  readonly slot: LimitSlot;
  open: number;
  unused: number;
}

export function createLimiter(options: LimiterOptions): RateLimiter {
  const { limits, clock, baseUrl, store, background = false } = options;
  const queues = new Map<RateBucket, PlaceQueue>();
  const queueOf = (bucket: RateBucket) => {
    const queue = queues.get(bucket) ?? new PlaceQueue(limits, { baseUrl, store, bucket }, background);
    queues.set(bucket, queue);
    return queue;
  };
  return {
    async acquire(bucket, { signal, maxWaitMs, onWait }) {
      const deadline = steadyNow(clock) + maxWaitMs;
      let ticket: string | undefined;
      let told = -Infinity;
      for (;;) {
        signal?.throwIfAborted();
        const place = await queueOf(bucket).take({ ticket, patienceMs: deadline - steadyNow(clock) });
        if ("settle" in place) return place;
        ticket = place.ticket;
        if (steadyNow(clock) + place.waitMs > deadline) throw noPlaceWithin(place.waitMs);
        const until = steadyNow(clock) + place.waitMs;
        if (until > told) onWait?.(place.waitMs);
        told = Math.max(told, until + leastWaitMs);
        await clock.sleep(Math.min(place.waitMs, askAgainMs), signal);
      }
    },
    blocked: (bucket, ms) => limits.observe429({ baseUrl, store, bucket }, ms),
  };
}

/** No place yet. */
interface Wait {
  readonly waitMs: number;
  /** Keeps the request's turn. */
  readonly ticket: string | undefined;
}

interface Asking {
  readonly ticket: string | undefined;
  readonly patienceMs: number;
}

interface Waiting extends Asking {
  readonly give: (place: Permit | Wait) => void;
  readonly fail: (error: unknown) => void;
}

/** Collects the requests of one moment, so that a run of 10,000 orders doesn't ask the database 10,000 times. */
class PlaceQueue {
  readonly #limits: LimiterOptions["limits"];
  readonly #key: LimitKey;
  readonly #background: boolean;
  #waiting: Waiting[] = [];

  constructor(limits: LimiterOptions["limits"], key: LimitKey, background: boolean) {
    this.#limits = limits;
    this.#key = key;
    this.#background = background;
  }

  async take(asking: Asking): Promise<Permit | Wait> {
    return new Promise((give, fail) => {
      this.#waiting.push({ ...asking, give, fail });
      if (this.#waiting.length === 1) queueMicrotask(() => void this.#serve());
    });
  }

  async #serve(): Promise<void> {
    const asking = this.#waiting;
    this.#waiting = [];
    // Those that began to wait together wait together.
    for (const ticket of new Set(asking.map((each) => each.ticket)))
      await this.#serveTogether(
        asking.filter((each) => each.ticket === ticket),
        ticket,
      );
  }

  async #serveTogether(asking: readonly Waiting[], before: string | undefined): Promise<void> {
    try {
      const { granted, waitMs, slot, ticket } = await this.#limits.reserve(this.#key, asking.length, {
        ticket: before,
        patienceMs: Math.max(...asking.map(({ patienceMs }) => patienceMs)),
        background: this.#background,
      });
      const batch = slot && { slot, open: granted, unused: 0 };
      for (const [index, { give }] of asking.entries()) {
        if (batch && index < granted) give(this.#permit(batch));
        else give({ waitMs: Math.max(waitMs, leastWaitMs), ticket });
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
        if (batch.open === 0) await this.#limits.settle(batch.slot, { unused: batch.unused });
      },
    };
  }
}
