/** The counter at a terminal shows the figures above a line to type. */
import { createInterface, type Interface } from "node:readline";
import { Writable } from "node:stream";

import { steadyNow } from "../../shared/clock.js";
import { ComandaError } from "../../shared/errors.js";
import { t } from "../../shared/language.js";
import type { Machine } from "../../toolkit/machine.js";

import type { Board } from "./board.js";
import { completeLine } from "./complete-line.js";
import { Counter, notSentText, outcomeText, type CounterOptions } from "./counter.js";
import { openFullScreen } from "./full-screen.js";
import { counterPicture, type Message } from "./picture.js";
import { linesOf, type View } from "./views.js";

export interface CounterView extends View {
  /** Resolves when all changes that went out are settled. */
  ended(): Promise<void>;
}

export async function openCounterView(machine: Machine, options: CounterOptions): Promise<CounterView> {
  const { context, output } = machine;
  const { clock, stdin } = context;
  const controller = new AbortController();
  let hasLeft = false;
  let isClosed = false;
  let boards: readonly Board[] = [];
  let message: Message | undefined;
  let lines: Interface | undefined;
  /** The line that was typed before the program was suspended. */
  let suspendedLine = "";

  const counter = await Counter.open(machine, options, {
    redraw: () => screen.draw(),
    say(next) {
      message = next;
      if (isClosed) output.notice(next.text);
      else screen.draw();
    },
    onSettled(outcome) {
      if (isClosed) output.notice(outcomeText(outcome));
    },
  });

  const leave = (byChoice: boolean) => {
    hasLeft = byChoice;
    controller.abort(new ComandaError("interrupted", t`Interrupted.`));
  };
  let queue = Promise.resolve();
  const take = (line: string) => {
    // Lines are read one after the other, since a line may have to look up a driver.
    queue = queue.then(async () => {
      // A person may press Enter after u, and the message has to stay.
      if (line.trim() !== "") message = undefined;
      const result = await counter.take(line);
      if (result.kind === "leave") leave(true);
      if (result.kind === "unclear") lines?.write(result.line);
      screen.draw();
    });
  };
  const setLine = (text: string) => {
    lines?.write(null, { ctrl: true, name: "e" });
    lines?.write(null, { ctrl: true, name: "u" });
    lines?.write(text);
  };
  const complete = (line: string) => {
    if (counter.isAsking) return;
    const { line: completedLine, candidates } = completeLine(line, counter.completionData);
    message = candidates.length > 0 ? { text: candidates.slice(0, mostCandidates).join("  ") } : undefined;
    setLine(completedLine);
    screen.draw();
  };
  const onKey = () => {
    const line = lines?.line.toLowerCase();
    if (!counter.isAsking && (line === "q" || line === "u")) {
      setLine("");
      take(line);
    }
    screen.draw();
  };
  const listen = () => {
    const reading = createInterface({
      input: stdin,
      // The screen shows the line, so readline must not.
      output: new Writable({ write: (_chunk, _encoding, done) => done() }),
      terminal: true,
      completer: (line: string, give: (error: null, result: [string[], string]) => void) => {
        give(null, [[], line]);
        setImmediate(complete, line);
      },
    });
    lines = reading;
    reading.on("line", take);
    reading.on("SIGINT", () => leave(false));
    reading.on("SIGTSTP", () => {
      counter.setAside();
      void screen.suspend();
    });
    // Ctrl-D or a lost connection ends the input.
    const onEnd = () => leave(true);
    reading.on("close", onEnd);
    stdin.on("keypress", onKey);
    if (suspendedLine !== "") reading.write(suspendedLine);
    return () => {
      suspendedLine = reading.line;
      reading.off("close", onEnd);
      stdin.off("keypress", onKey);
      reading.close();
      lines = undefined;
    };
  };

  const screen = openFullScreen(machine, {
    picture: (size) =>
      counterPicture(
        { boards, entries: counter.entries, line: lines?.line ?? "", cursor: lines?.cursor ?? 0, message },
        { ...size, style: output.view.style, now: clock.now(), steady: steadyNow(clock) },
      ),
    listen,
  });
  return {
    signal: AbortSignal.any([context.signal, controller.signal]),
    get hasLeft() {
      return hasLeft;
    },
    show(nextBoards) {
      boards = nextBoards;
      screen.draw(true);
    },
    close() {
      isClosed = true;
      const notSent = counter.leave();
      const tellHeldBack = screen.close();
      if (hasLeft) output.text(linesOf(boards, machine));
      tellHeldBack();
      if (notSent.length > 0) output.notice(notSentText(notSent));
    },
    ended: () => counter.idle(),
  };
}

const mostCandidates = 30;
