/** The client's rate limiter over the limits that all processes share. */
import {
  createMemoryRateLimiter,
  noPlaceWithin,
  type Permit,
  type RateLimiter,
} from "../client/call/rate-limit.js";
import { steadyNow, type Clock } from "../shared/clock.js";
import type { RateBucket } from "../contract/limits.js";
import { ComandaError } from "../shared/errors.js";
import { t } from "../shared/language.js";
import {
  askAgainMs,
  openLimits,
  type LimitKey,
  type Limits,
  type LimitSlot,
  type ReserveOptions,
} from "./limits.js";
import type { StateFolder } from "./state-folder.js";

type Variables = Readonly<Record<string, string | undefined>>;

/** Does comanda keep the service's rate limits itself? */
export function countsRequests({ env }: { readonly env: Variables }): boolean {
  return env["COMANDA_RATE_LIMITS"] !== "off";
}

/**
 * @param target requests with the same `quotaKey` are counted together
 * @returns `false`, which a client takes for none, where comanda doesn't count
 */
export function openLimiter(
  { baseUrl, quotaKey: store }: { readonly baseUrl: string; readonly quotaKey: string },
  {
    env,
    folder,
    ...options
  }: { readonly env: Variables; readonly folder: StateFolder } & Pick<LimiterOptions, "background">,
): RateLimiter | false {
  if (!countsRequests({ env })) return false;
  const { clock } = folder;
  const shared = createLimiter({ limits: openLimits(folder), clock, baseUrl, store, ...options });
  return unlessUnusable(shared, folder);
}

/** Where the database can't be used, requests are counted for this process alone: the service stays the authority. */
function unlessUnusable(
  shared: RateLimiter,
  { clock, warn }: Pick<StateFolder, "clock" | "warn">,
): RateLimiter {
  let memory: RateLimiter | undefined;

  function fallBack(error: unknown): RateLimiter {
    if (!isUnusable(error)) throw error;
    // Several limits that are asked about at once come here one by one.
    if (!memory) warn(t`${error.message} Rate limits are counted for this run alone.`);
    return (memory ??= createMemoryRateLimiter(clock));
  }

  return {
    async acquire(bucket, options) {
      if (memory) return memory.acquire(bucket, options);
      try {
        const permit = await shared.acquire(bucket, options);
        return {
          async settle(sent) {
            try {
              await permit.settle(sent);
            } catch (error) {
              fallBack(error);
            }
          },
        };
      } catch (error) {
        return fallBack(error).acquire(bucket, options);
      }
    },
    async blocked(bucket, ms) {
      try {
        await (memory ?? shared).blocked(bucket, ms);
      } catch (error) {
        await fallBack(error).blocked(bucket, ms);
      }
    },
  };
}

function isUnusable(error: unknown): error is ComandaError {
  return error instanceof ComandaError && (error.code === "state_unusable" || error.code === "lock_timeout");
}

export interface LimiterOptions {
  readonly limits: Pick<Limits, "reserve" | "settle" | "observe429">;
  readonly clock: Clock;
  readonly baseUrl: string;
  readonly store: string;
  /** Work that nobody waits for, such as `sync`: everybody else who waits goes first. */
  readonly background?: boolean | undefined;
}

/** A batch that got some of its places asks for the others again after this wait. */
const leastWaitMs = 25;

/** One transaction may take places for many requests: they are asked for together and settled together. */
interface Batch {
  readonly slot: LimitSlot;
  open: number;
  unused: number;
}

export function createLimiter({
  limits,
  clock,
  baseUrl,
  store,
  background = false,
}: LimiterOptions): RateLimiter {
  const queues = new Map<RateBucket, TakePlace>();
  const queueOf = (bucket: RateBucket) => {
    const queue = queues.get(bucket) ?? placeQueue(limits, { baseUrl, store, bucket }, background);
    queues.set(bucket, queue);
    return queue;
  };
  return {
    async acquire(bucket, { signal, maxWaitMs, onWait }) {
      const deadline = steadyNow(clock) + maxWaitMs;
      let ticket: string | undefined;
      let toldUntil = -Infinity;
      for (;;) {
        signal?.throwIfAborted();
        const place = await queueOf(bucket)({ ticket, patienceMs: deadline - steadyNow(clock) });
        if ("settle" in place) return place;
        ticket = place.ticket;
        const until = steadyNow(clock) + place.waitMs;
        if (until > deadline) throw noPlaceWithin(place.waitMs);
        if (until > toldUntil) onWait?.(place.waitMs);
        toldUntil = Math.max(toldUntil, until + leastWaitMs);
        await clock.sleep(Math.min(place.waitMs, askAgainMs), signal);
      }
    },
    blocked: (bucket, ms) => limits.observe429({ baseUrl, store, bucket }, ms),
  };
}

/** The answer where no place is free yet. */
interface Wait {
  readonly waitMs: number;
  /** Keeps the request's turn. */
  readonly ticket: string | undefined;
}

type Asking = Required<Pick<ReserveOptions, "ticket" | "patienceMs">>;
type TakePlace = (asking: Asking) => Promise<Permit | Wait>;

interface Waiting extends Asking {
  readonly give: (place: Permit | Wait) => void;
  readonly fail: (error: unknown) => void;
}

/** Collects the requests of one moment, so that a run of 10,000 orders doesn't ask the database 10,000 times. */
function placeQueue(limits: LimiterOptions["limits"], key: LimitKey, background: boolean): TakePlace {
  let waiting: Waiting[] = [];

  async function serve(): Promise<void> {
    const asking = waiting;
    waiting = [];
    // Requests that began to wait together wait together.
    for (const ticket of new Set(asking.map((request) => request.ticket)))
      await serveTogether(
        asking.filter((request) => request.ticket === ticket),
        ticket,
      );
  }

  async function serveTogether(asking: readonly Waiting[], before: string | undefined): Promise<void> {
    try {
      const patienceMs = Math.max(...asking.map((request) => request.patienceMs));
      const options = { ticket: before, patienceMs, background };
      const { granted, waitMs, slot, ticket } = await limits.reserve(key, asking.length, options);
      const batch = slot && { slot, open: granted, unused: 0 };
      for (const [index, { give }] of asking.entries()) {
        if (batch && index < granted) give(permit(batch));
        else give({ waitMs: Math.max(waitMs, leastWaitMs), ticket });
      }
    } catch (error) {
      for (const { fail } of asking) fail(error);
    }
  }

  const permit = (batch: Batch): Permit => ({
    async settle(sent) {
      if (!sent) batch.unused += 1;
      batch.open -= 1;
      if (batch.open === 0) await limits.settle(batch.slot, { unused: batch.unused });
    },
  });

  return (asking) =>
    new Promise((give, fail) => {
      waiting.push({ ...asking, give, fail });
      if (waiting.length === 1) queueMicrotask(() => void serve());
    });
}
