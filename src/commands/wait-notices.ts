/** Says why nothing happens while calls wait, once for all calls that wait together. */
import type { CallObserver, WaitNotice } from "../client/observer.js";
import { steadyNow } from "../client/clock.js";
import { t } from "../languages/language.js";

import type { Context } from "../cli/context.js";
import type { Output } from "../cli/output.js";

const redrawMs = 1_000;
/** Nobody wonders before. */
const slowMs = 2_000;

/** Says at a terminal which answer is awaited, where it takes long. */
export function slowCalls({ status }: Output): CallObserver {
  let shown: number | undefined;
  const timers = new Map<number, NodeJS.Timeout>();
  return {
    sends({ number, method, path }) {
      if (!status.isShown) return;
      const say = () => {
        shown = number;
        status.show("wait", t`Waiting for the answer to ${method} ${path}`);
      };
      timers.set(number, setTimeout(say, slowMs).unref());
    },
    attempted({ number }) {
      clearTimeout(timers.get(number));
      timers.delete(number);
      if (shown === number) status.show("wait", undefined);
    },
  };
}

/**
 * A terminal gets a line that counts down and is erased when the wait is over; elsewhere each wait gets a line. A service
 * that can't be reached gets a line of its own, since that may matter afterwards.
 */
export function waitNotices({ clock, signal, output }: Pick<Context, "clock" | "signal" | "output">) {
  let endsAt = Number.NEGATIVE_INFINITY;

  async function countDown(reason: LimitReason, until: string): Promise<void> {
    for (let left = endsAt - steadyNow(clock); left > 0; left = endsAt - steadyNow(clock)) {
      output.status.show("wait", countdownText(reason, left, until));
      // An interrupt ends the wait, and with it the countdown.
      await clock.sleep(Math.min(redrawMs, left), signal).catch(() => undefined);
      if (signal.aborted) break;
    }
    output.status.show("wait", undefined);
  }

  return ({ reason, ms }: WaitNotice): void => {
    if (steadyNow(clock) < endsAt) return;
    endsAt = steadyNow(clock) + ms;
    if (reason === "no_answer")
      output.notice(t`The service can't be reached or is failing. Trying again in ${secondsOf(ms)} s.`);
    else if (output.status.isShown) void countDown(reason, clockTime(clock.now() + ms));
    else output.notice(waitText(reason, ms, clockTime(clock.now() + ms)));
  };
}

type LimitReason = Exclude<WaitNotice["reason"], "no_answer">;

function waitText(reason: LimitReason, ms: number, until: string): string {
  return t`${limitText(reason)} Waiting ${secondsOf(ms)} s, until ${until}; --max-wait sets the longest wait.`;
}

/** The text has to fit 80 columns. */
function countdownText(reason: LimitReason, ms: number, until: string): string {
  return t`${limitText(reason)} ${minutesAndSeconds(secondsOf(ms))} to wait, until ${until}.`;
}

function limitText(reason: LimitReason): string {
  return reason === "rate_limit"
    ? t`The service's rate limit is reached.`
    : t`The service asks to slow down.`;
}

function secondsOf(ms: number): number {
  return Math.max(1, Math.ceil(ms / 1000));
}

/** `2:05`, as a kitchen timer has it. */
function minutesAndSeconds(seconds: number): string {
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

function clockTime(ms: number): string {
  return new Date(ms).toTimeString().slice(0, 8);
}
