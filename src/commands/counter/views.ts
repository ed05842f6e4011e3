/** Shows looks: at a terminal on a whole screen, with a line to type at the counter; elsewhere as lines, or as JSON. */
import { steadyNow } from "../../shared/clock.js";
import { ComandaError } from "../../shared/errors.js";
import { t } from "../../shared/language.js";
import type { Machine } from "../../toolkit/machine.js";

import { lineOf, type Board } from "./board.js";
import { notSentText, outcomeText } from "./changes.js";
import { completeLine } from "./completion.js";
import { Counter, type CounterOptions, type Message } from "./counter.js";
import { fillsScreen, openFullScreen } from "./full-screen.js";
import { drawBoards } from "./panels.js";
import { counterPicture, countsNote, watchPicture } from "./picture.js";
import { TypedLine } from "./typed-line.js";

export interface View {
  /** Aborted when the person leaves, and with the machine's signal. */
  readonly signal: AbortSignal;
  /** Has the person left, so that the command ends well? */
  readonly hasLeft: boolean;
  /** @param nextAt the time of the next look, in milliseconds since the epoch; absent after the last */
  show(boards: readonly Board[], nextAt: number | undefined): void;
  /** Resolves when all changes that went out are settled. */
  close(): Promise<void>;
}

/** These lines stay on the terminal. */
export function linesOf(boards: readonly Board[], { context, output }: Machine): string {
  const drawing = { columns: output.columns ?? 80, style: output.view.style, now: context.clock.now() };
  return drawBoards(boards, drawing, 1)
    .map((line) => `${line}\n`)
    .join("");
}

/** @param typing absent where the figures stand alone */
export async function openView(machine: Machine, typing: CounterOptions | undefined): Promise<View> {
  const { context, output } = machine;
  if (fillsScreen(machine)) return openScreen(machine, typing);
  const isData = output.json || output.columns === undefined;
  if (!isData) output.notice(countsNote());
  return {
    ...{ signal: context.signal, hasLeft: false, close: () => Promise.resolve() },
    show(boards) {
      if (isData) output.jsonLine(lineOf(boards, context.clock.now()));
      else output.text(`${linesOf(boards, machine)}\n`);
    },
  };
}

const mostCandidates = 30;

async function openScreen(machine: Machine, typing: CounterOptions | undefined): Promise<View> {
  const { context, output } = machine;
  const { clock, stdin } = context;
  const left = new AbortController();
  let hasLeft = false;
  let isClosed = false;
  let boards: readonly Board[] = [];
  let nextAt: number | undefined;
  let message: Message | undefined;

  const counter =
    typing &&
    (await Counter.open(machine, typing, {
      redraw: () => screen.draw(),
      say(next) {
        message = next;
        if (isClosed) output.notice(next.text);
        else screen.draw();
      },
      onSettled(outcome) {
        if (isClosed) output.notice(outcomeText(outcome));
      },
    }));

  const leave = (byChoice: boolean) => {
    hasLeft = byChoice;
    left.abort(new ComandaError("interrupted", t`Interrupted.`));
  };
  let queue = Promise.resolve();
  const take = (text: string) => {
    // Lines are read one after the other, since a line may have to look up a driver.
    queue = queue.then(async () => {
      // A person may press Enter after u, and the message has to stay.
      if (text.trim() !== "") message = undefined;
      const result = await counter?.take(text);
      if (result?.kind === "leave") leave(true);
      if (result?.kind === "unclear") line.write(result.line);
      screen.draw();
    });
  };
  const line = new TypedLine(stdin, {
    onLine: take,
    onLeave: leave,
    /** q and u act without Enter; without a counter nothing else is typed. */
    onKey() {
      const key = line.text.toLowerCase();
      if (counter?.isAsking !== true && (key === "q" || (counter && key === "u"))) {
        line.replace("");
        if (counter) take(key);
        else leave(true);
      } else if (!counter && key !== "") line.replace("");
      screen.draw();
    },
    onTab(text) {
      if (!counter || counter.isAsking) return;
      const { line: completed, candidates } = completeLine(text, counter.completionData);
      message = candidates.length > 0 ? { text: candidates.slice(0, mostCandidates).join("  ") } : undefined;
      line.replace(completed);
      screen.draw();
    },
    onSuspend() {
      counter?.setAside();
      void screen.suspend();
    },
  });
  const screen = openFullScreen(machine, {
    picture(size) {
      const drawing = { ...size, style: output.view.style, now: clock.now(), steady: steadyNow(clock) };
      if (!counter) return watchPicture(boards, nextAt, drawing);
      const typed = { line: line.text, cursor: line.cursor, message };
      return counterPicture({ boards, entries: counter.entries, ...typed }, drawing);
    },
    listen: () => line.listen(),
  });
  return {
    signal: AbortSignal.any([context.signal, left.signal]),
    get hasLeft() {
      return hasLeft;
    },
    show(nextBoards, next) {
      boards = nextBoards;
      nextAt = next;
      screen.draw(true);
    },
    async close() {
      isClosed = true;
      const notSent = counter?.leave() ?? [];
      const writeHeldTexts = screen.close();
      if (hasLeft || (!counter && nextAt === undefined)) output.text(linesOf(boards, machine));
      writeHeldTexts();
      if (notSent.length > 0) output.notice(notSentText(notSent));
      await counter?.idle();
    },
  };
}
