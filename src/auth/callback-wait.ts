/**
 * Waits for the answer to a sign-in on every way that can bring it; the first one ends the others. Where no browser of
 * this machine can bring it back, a person pastes the redirect address.
 */
import type { Clock } from "../shared/clock.js";
import { t, translated } from "../shared/language.js";
import { ComandaError } from "../shared/errors.js";
import { judgeParameters, type Callback, type PendingCallback } from "./callback.js";
import { baseOf, type RedirectAddress } from "./redirect-address.js";
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
  // All others end with the abort below; their errors don't matter then.
  for (const way of ways) way.catch(() => undefined);
  try {
    return await Promise.race(ways);
  } finally {
    end.abort();
  }
}

async function timeUp(clock: Clock, timeoutMs: number, end: AbortSignal): Promise<never> {
  await clock.sleep(timeoutMs, end);
  throw new ComandaError("not_signed_in", t`Nobody finished the sign-in in time, and nothing was stored.`, {
    hint: t`Run comanda login again; --timeout gives more time.`,
  });
}

async function pasted(options: WaitOptions, end: AbortSignal): Promise<ReceivedCallback> {
  const { address, pending, listener, prompt, promptWhen } = options;
  if (prompt === undefined || (promptWhen !== undefined && !(await promptWhen))) return never();
  const callback = await askForRedirect(prompt, address, pending, end);
  if (callback !== undefined) return { callback, answer: () => Promise.resolve() };
  if (listener !== undefined) return never();
  throw new ComandaError("not_signed_in", t`The input ended before the redirect address was pasted.`, {
    hint: t`Run comanda login again and paste the address that the browser ends at.`,
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

/**
 * Asks on the terminal for the address that the browser ended at. `problem` says what was wrong with the line
 * before. `undefined` where there is nobody to ask any more (end of input). Rejects when the signal is aborted.
 */
export type RedirectPrompt = (
  problem: string | undefined,
  signal: AbortSignal,
) => Promise<string | undefined>;

/** Asks until the answer belongs to this sign-in; `undefined` where the input ended before. */
export async function askForRedirect(
  prompt: RedirectPrompt,
  address: RedirectAddress,
  pending: PendingCallback,
  signal: AbortSignal,
): Promise<Callback | undefined> {
  let problem: string | undefined;
  for (;;) {
    const line = await prompt(problem, signal);
    if (line === undefined) return undefined;
    const judged = judgePasted(line, address, pending);
    if (judged.kind !== "none") return judged;
    problem = judged.problem;
  }
}

const problems = {
  wrong_state: "That address belongs to another sign-in.",
  wrong_address: "That address is not the redirect address.",
  repeated: "That address has a parameter twice.",
  incomplete: "That address has neither a code nor an error.",
} as const;

/** Takes the whole address, or its query alone, by the same rules as a request of the browser's. */
export function judgePasted(
  line: string,
  address: RedirectAddress,
  pending: PendingCallback,
): Callback | { readonly kind: "none"; readonly problem: string } {
  const query = queryOf(unquoted(line.trim()), address);
  if (query === undefined) return { kind: "none", problem: translated(problems.wrong_address) };
  const judged = judgeParameters(new URLSearchParams(query), pending);
  return judged.kind === "none" ? { kind: "none", problem: translated(problems[judged.reason]) } : judged;
}

function queryOf(pasted: string, address: RedirectAddress): string | undefined {
  const [beforeQuery = ""] = pasted.split(/[?#]/, 1);
  if (beforeQuery.includes("=") || pasted.startsWith("?")) return pasted.split("#", 1)[0];
  // Browsers hide the scheme in the address bar, and some copy it that way.
  const { protocol } = new URL(address.uri);
  const complete = beforeQuery.includes("://") || beforeQuery.toLowerCase().startsWith(protocol);
  const whole = complete ? pasted : `${protocol}//${pasted}`;
  if (!URL.canParse(whole)) return undefined;
  const url = new URL(whole);
  return baseOf(url) === address.base ? url.search : undefined;
}

function unquoted(text: string): string {
  return /^(["'`<]).*["'`>]$/.test(text) ? text.slice(1, -1) : text;
}
