/** Waits for the answer to a sign-in on every way that can bring it; the first one ends the others. */
import type { Clock } from "../shared/clock.js";
import { ComandaError } from "../shared/errors.js";
import type { PendingCallback } from "./callback.js";
import { askForRedirect, type RedirectPrompt } from "./pasted-redirect.js";
import type { RedirectAddress } from "./redirect-address.js";
import type { ReceivedCallback, RedirectListener } from "./redirect-listener.js";

export interface WaitOptions {
  readonly address: RedirectAddress;
  readonly pending: PendingCallback;
  readonly clock: Clock;
  readonly timeoutMs: number;
  readonly listener: RedirectListener | undefined;
  readonly prompt: RedirectPrompt | undefined;
  /** Asks the person only after this has come true; at once where it is absent. */
  readonly promptWhen?: Promise<boolean>;
  readonly signal: AbortSignal | undefined;
}

/**
 * @throws the signal's reason
 * @throws {ComandaError} `not_signed_in` when the time is up, or nobody is left who could answer
 */
export async function waitForCallback(options: WaitOptions): Promise<ReceivedCallback> {
  const { clock, timeoutMs, listener, signal } = options;
  signal?.throwIfAborted();
  const end = new AbortController();
  const ways: Promise<ReceivedCallback>[] = [
    timeUp(clock, timeoutMs, end.signal),
    pasted(options, end.signal),
  ];
  if (listener !== undefined) ways.push(listener.received);
  if (signal !== undefined) ways.push(aborted(signal, end.signal));
  // The losers end with the abort below; what they say then is of no interest.
  for (const way of ways) way.catch(() => undefined);
  try {
    return await Promise.race(ways);
  } finally {
    end.abort();
  }
}

async function timeUp(clock: Clock, timeoutMs: number, end: AbortSignal): Promise<never> {
  await clock.sleep(timeoutMs, end);
  throw new ComandaError("not_signed_in", "Nobody finished the sign-in in time, and nothing was stored.", {
    hint: "Run comanda login again; --timeout gives more time.",
  });
}

async function pasted(options: WaitOptions, end: AbortSignal): Promise<ReceivedCallback> {
  const { address, pending, listener, prompt, promptWhen } = options;
  if (prompt === undefined || (promptWhen !== undefined && !(await promptWhen))) return never();
  const callback = await askForRedirect(prompt, address, pending, end);
  if (callback !== undefined) return { callback, answer: () => Promise.resolve() };
  if (listener !== undefined) return never();
  throw new ComandaError("not_signed_in", "The input ended before the redirect address was pasted.", {
    hint: "Run comanda login again and paste the address that the browser ends at.",
  });
}

async function aborted(signal: AbortSignal, end: AbortSignal): Promise<never> {
  await new Promise<void>((done) => {
    signal.addEventListener("abort", () => done(), { once: true, signal: end });
  });
  throw signal.reason;
}

function never(): Promise<never> {
  return new Promise(() => undefined);
}
