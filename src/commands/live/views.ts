/** The three ways in which looks are shown: a screen, blocks of lines, lines of JSON. */
import { everyInterval } from "../../shared/clock.js";
import { ComandaError } from "../../shared/errors.js";
import { t } from "../../shared/language.js";
import { listenForKeys, Screen, type Key } from "../../terminal/screen.js";
import { variable } from "../../toolkit/context.js";
import type { Machine } from "../../toolkit/machine.js";

import { lineOf, type Board } from "./board.js";
import { sideBySide, stacked, wrapped } from "./panels.js";

export interface View {
  /** Aborted when the person leaves, and as the machine's own. */
  readonly signal: AbortSignal;
  /** Has the person left, so that all is done? */
  readonly left: boolean;
  /** @param nextAt when the next look begins, milliseconds since the epoch; absent after the last */
  show(boards: readonly Board[], nextAt: number | undefined): void;
  close(): void;
}

/** May the whole screen be drawn? Not beside lines of `--debug`, which would tear it. */
export function fillsScreen({ context, output, debug }: Machine): boolean {
  const isTerminal = output.columns !== undefined && !output.json;
  return isTerminal && !output.plain && variable(context, "TERM") !== "dumb" && debug === undefined;
}

/** @param note what is to be said of the pace */
export function openView(machine: Machine, note: string | undefined): View {
  const { context, output } = machine;
  if (output.json || output.columns === undefined) {
    if (note !== undefined) output.notice(note);
    return plainView(machine, (boards) => {
      output.jsonLine(lineOf(boards, context.clock.now()));
    });
  }
  if (fillsScreen(machine)) return screenView(machine, note);
  output.notice([countsNote(), note].filter(Boolean).join(" "));
  return plainView(machine, (boards) => {
    output.text(`${linesOf(boards, machine)}\n`);
  });
}

/** A block of lines, as it stays on the terminal. */
function linesOf(boards: readonly Board[], { context, output }: Machine): string {
  const { style } = output.view;
  const lines = stacked(boards, { columns: output.columns ?? 80, style, now: context.clock.now() });
  return lines.map((line) => `${line}\n`).join("");
}

function plainView({ context: { signal } }: Machine, show: View["show"]): View {
  return { signal, left: false, show, close: () => undefined };
}

const redrawMs = 1_000;

/** Drawn anew each second, so that the age of the figures is true also while a call is on its way. */
function screenView(machine: Machine, note: string | undefined): View {
  const { context, output } = machine;
  const { clock, stdin, stdout } = context;
  const screen = new Screen((text) => {
    output.text(text);
  });
  const controller = new AbortController();
  let left = false;
  let shown: Shown = { boards: [], nextAt: undefined };
  const draw = (anew = false) => {
    const size = { columns: output.columns ?? 80, rows: output.rows ?? 24 };
    screen.draw(
      screenLines(shown, { ...size, style: output.view.style, now: clock.now(), note }),
      size,
      anew,
    );
  };
  const onResize = () => {
    draw();
  };
  const onKey = (key: Key) => {
    if (key === "Ctrl-Z") {
      void suspend();
      return;
    }
    left = key === "q";
    controller.abort(new ComandaError("interrupted", t`Interrupted.`));
  };
  let endKeys: () => void = () => undefined;
  let isClosed = false;
  const take = () => {
    screen.open();
    if (stdin.isTTY === true) endKeys = listenForKeys(stdin, onKey);
  };
  const restore = () => {
    screen.close();
    endKeys();
    endKeys = () => undefined;
  };
  /** Whoever had the terminal meanwhile has left their own there. */
  const takeAgain = () => {
    if (isClosed) return;
    restore();
    take();
    draw(true);
  };
  const suspend = async () => {
    if (!context.suspend) return;
    restore();
    await context.suspend();
    takeAgain();
  };
  const tellHeldBack = output.holdBack();
  const forgetExit = context.atExit(restore);
  const forgetContinued = context.onContinued(takeAgain);
  take();
  stdout.stream.on("resize", onResize);
  const endRedrawing = (clock.every ?? everyInterval)(redrawMs, draw);
  return {
    signal: AbortSignal.any([context.signal, controller.signal]),
    get left() {
      return left;
    },
    show(boards, nextAt) {
      shown = { boards, nextAt };
      draw(true);
    },
    close() {
      isClosed = true;
      endRedrawing();
      forgetContinued();
      stdout.stream.off("resize", onResize);
      restore();
      forgetExit();
      if (left || shown.nextAt === undefined) output.text(linesOf(shown.boards, machine));
      tellHeldBack();
    },
  };
}

interface Shown {
  readonly boards: readonly Board[];
  readonly nextAt: number | undefined;
}

interface ScreenDrawing {
  readonly columns: number;
  readonly rows: number;
  readonly style: Machine["output"]["view"]["style"];
  readonly now: number;
  readonly note: string | undefined;
}

/** The panels at the top, what goes for all of them at the bottom; what doesn't fit is said to be there. */
function screenLines({ boards, nextAt }: Shown, drawing: ScreenDrawing): readonly string[] {
  const { columns, rows, style, now, note } = drawing;
  const sentences = [nextText(nextAt, now), countsNote(), ...(note === undefined ? [] : [note])];
  const footer = [
    "",
    ...sentences.flatMap((text) => wrapped(text, columns)).map((line) => style.dim(line)),
  ].slice(-rows + 1);
  const body = sideBySide(boards, drawing);
  const room = rows - footer.length;
  if (body.length <= room) return [...body, ...footer];
  const kept = body.slice(0, Math.max(0, room - 1));
  const more = wrapped(t`… ${body.length - kept.length} more lines: make the window taller.`, columns);
  return [...kept, ...more.slice(0, 1), ...footer].slice(0, rows);
}

function nextText(nextAt: number | undefined, now: number): string {
  if (nextAt === undefined) return t`q ends.`;
  const seconds = Math.ceil((nextAt - now) / 1_000);
  return seconds > 0 ? t`Next look in ${seconds} s. q ends.` : t`Looking … q ends.`;
}

function countsNote(): string {
  return t`Counts, not orders: the API shows no list of orders.`;
}
