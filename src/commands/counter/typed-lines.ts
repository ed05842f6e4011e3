/** The counter without a screen takes lines from a program, a screen reader's user or a simple terminal. */
import { createInterface } from "node:readline";

import { t } from "../../shared/language.js";
import type { Machine } from "../../toolkit/machine.js";
import { withServiceCode } from "../../toolkit/outcomes.js";

import { notSentText, outcomeText } from "./changes.js";
import { Counter, type CounterOptions } from "./counter.js";
import { keysText } from "./picture.js";

export interface TypedLines {
  readonly kind: "lines";
  /** Changes, and lines that could not be read. */
  readonly count: number;
  readonly notDone: number;
}

/** @param look shows the figures; absent where no person types */
export async function takeLines(
  machine: Machine,
  options: CounterOptions,
  look: (() => Promise<void>) | undefined,
): Promise<TypedLines> {
  const { context, output } = machine;
  const { stdin, signal } = context;
  let [count, notDone] = [0, 0];
  const counter = await Counter.open(machine, options, {
    redraw: () => undefined,
    say: ({ text }) => output.notice(text),
    onSettled(outcome) {
      count += 1;
      if (outcome.outcome !== "done") notDone += 1;
      if (output.json) output.jsonLine(withServiceCode(outcome));
      else output.words(outcomeText(outcome));
    },
  });
  if (look) {
    output.notice([keysText(), t`An empty line shows the figures.`].join(" "));
    await look();
  }
  const lines = createInterface({ input: stdin, terminal: false, signal });
  let hasLeft = look !== undefined;
  for await (const line of lines) {
    const { kind } = await counter.take(line);
    hasLeft = kind === "leave" || look !== undefined;
    if (kind === "leave") break;
    if (kind === "nothing") await look?.();
    if (kind === "unclear" && look === undefined) [count, notDone] = [count + 1, notDone + 1];
  }
  // All changes of a list are sent at its end, but a person who leaves takes back the waiting ones.
  if (!hasLeft && !signal.aborted) await Promise.race([counter.idle(), aborted(signal)]);
  const notSent = counter.leave();
  if (notSent.length > 0) output.notice(notSentText(notSent));
  await counter.idle();
  return { kind: "lines", count: count + notSent.length, notDone: notDone + notSent.length };
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
}
