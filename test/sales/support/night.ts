/** A clock for a night of a whole chain: time passes when nobody has anything to do but wait. */
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { setMaxListeners } from "node:events";
import { setImmediate } from "node:timers/promises";

import * as z from "zod/mini";

import type { Clock } from "../../../src/shared/clock.js";

const requestMessage = z.looseObject({
  request: z.looseObject({ path: z.string(), headers: z.union([z.string(), z.array(z.string())]) }),
});

interface Sleeper {
  readonly at: number;
  readonly wake: () => void;
}

/** The clock of machines and of their service. Thousands of waits at the same time take as long as the longest of them. */
export class NightClock implements Clock {
  /** Requests for figures that have gone out. */
  calls = 0;
  /** The same by their access token, which is a store's. */
  readonly callsByToken = new Map<string, number>();
  #now: number;
  #underWay = 0;
  #sleepers: Sleeper[] = [];

  constructor(now: number) {
    this.#now = now;
  }

  readonly now = (): number => this.#now;

  readonly sleep = (ms: number, signal?: AbortSignal): Promise<void> =>
    new Promise((resolve, reject) => {
      const wake = () => {
        signal?.removeEventListener("abort", giveUp);
        resolve();
      };
      const sleeper = { at: this.#now + Math.max(0, ms), wake };
      const giveUp = () => {
        this.#sleepers = this.#sleepers.filter((other) => other !== sleeper);
        reject(signal?.reason instanceof Error ? signal.reason : new Error("nobody waits any more"));
      };
      if (signal?.aborted) giveUp();
      else {
        if (signal) setMaxListeners(0, signal);
        signal?.addEventListener("abort", giveUp);
        this.#sleepers.push(sleeper);
      }
    });

  pass(ms: number): void {
    this.#now += ms;
  }

  /** Lets time pass until the work is done. */
  async during<Result>(work: Promise<Result>): Promise<Result> {
    const state = { isDone: false };
    const ended = work.finally(() => (state.isDone = true));
    const created = (message: unknown) => {
      this.#underWay += 1;
      const { path, headers } = z.parse(requestMessage, message).request;
      if (!path.includes("/summary")) return;
      const [token = ""] = /Bearer [^\s,]+/.exec(String(headers)) ?? [];
      this.calls += 1;
      this.callsByToken.set(token, (this.callsByToken.get(token) ?? 0) + 1);
    };
    const over = () => (this.#underWay -= 1);
    const channels = [
      ["undici:request:create", created],
      ["undici:request:trailers", over],
      ["undici:request:error", over],
    ] as const;
    for (const [name, listener] of channels) subscribe(name, listener);
    let quiet = 0;
    while (!state.isDone) {
      const before = [this.#underWay, this.#sleepers.length, this.calls].join(" ");
      await setImmediate();
      const isQuiet = this.#underWay === 0 && before === [0, this.#sleepers.length, this.calls].join(" ");
      quiet = isQuiet && this.#sleepers.length > 0 ? quiet + 1 : 0;
      if (quiet < 20) continue;
      this.#now = Math.max(this.#now, Math.min(...this.#sleepers.map(({ at }) => at)));
      const awake = this.#sleepers.filter(({ at }) => at <= this.#now);
      this.#sleepers = this.#sleepers.filter(({ at }) => at > this.#now);
      for (const { wake } of awake) wake();
      quiet = 0;
    }
    for (const [name, listener] of channels) unsubscribe(name, listener);
    return ended;
  }
}
