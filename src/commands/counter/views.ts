/** Looks are shown on a screen, as blocks of lines, or as lines of JSON. */
import { ComandaError } from "../../shared/errors.js";
import { t } from "../../shared/language.js";
import { listenForKeys, type Key } from "../../terminal/screen.js";
import type { Machine } from "../../toolkit/machine.js";

import { lineOf, type Board } from "./board.js";
import { fillsScreen, openFullScreen } from "./full-screen.js";
import { sideBySide, stackBoards, wrapSentence } from "./panels.js";

export interface View {
  /** Aborted when the person leaves, and with the machine's signal. */
  readonly signal: AbortSignal;
  /** Has the person left, so that the command ends well? */
  readonly hasLeft: boolean;
  /** @param nextAt the time of the next look, in milliseconds since the epoch; absent after the last */
  show(boards: readonly Board[], nextAt: number | undefined): void;
  close(): void;
}

/** @param note a sentence about the pace */
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

/** These lines stay on the terminal. */
export function linesOf(boards: readonly Board[], { context, output }: Machine): string {
  const { style } = output.view;
  const lines = stackBoards(boards, { columns: output.columns ?? 80, style, now: context.clock.now() });
  return lines.map((line) => `${line}\n`).join("");
}

function plainView({ context: { signal } }: Machine, show: View["show"]): View {
  return { signal, hasLeft: false, show, close: () => undefined };
}

function screenView(machine: Machine, note: string | undefined): View {
  const { context, output } = machine;
  const { clock, stdin } = context;
  const controller = new AbortController();
  let hasLeft = false;
  let shownLook: ShownLook = { boards: [], nextAt: undefined };
  const onKey = (key: Key) => {
    if (key === "Ctrl-Z") {
      void screen.suspend();
      return;
    }
    hasLeft = key === "q";
    controller.abort(new ComandaError("interrupted", t`Interrupted.`));
  };
  const screen = openFullScreen(machine, {
    picture: (size) => ({
      lines: screenLines(shownLook, { ...size, style: output.view.style, now: clock.now(), note }),
    }),
    listen: () => listenForKeys(stdin, onKey),
  });
  return {
    signal: AbortSignal.any([context.signal, controller.signal]),
    get hasLeft() {
      return hasLeft;
    },
    show(boards, nextAt) {
      shownLook = { boards, nextAt };
      screen.draw(true);
    },
    close() {
      const tellHeldBack = screen.close();
      if (hasLeft || shownLook.nextAt === undefined) output.text(linesOf(shownLook.boards, machine));
      tellHeldBack();
    },
  };
}

interface ShownLook {
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

/** Panels stand at the top and sentences about all of them at the bottom; a line counts the lines that don't fit. */
function screenLines({ boards, nextAt }: ShownLook, drawing: ScreenDrawing): readonly string[] {
  const { columns, rows, style, now, note } = drawing;
  const sentences = [nextText(nextAt, now), countsNote(), ...(note === undefined ? [] : [note])];
  const footer = [
    "",
    ...sentences.flatMap((text) => wrapSentence(text, columns)).map((line) => style.dim(line)),
  ].slice(-rows + 1);
  const body = sideBySide(boards, drawing);
  const room = rows - footer.length;
  if (body.length <= room) return [...body, ...footer];
  const visibleLines = body.slice(0, Math.max(0, room - 1));
  const more = wrapSentence(
    t`… ${body.length - visibleLines.length} more lines: make the window taller.`,
    columns,
  );
  return [...visibleLines, ...more.slice(0, 1), ...footer].slice(0, rows);
}

function nextText(nextAt: number | undefined, now: number): string {
  if (nextAt === undefined) return t`q ends.`;
  const seconds = Math.ceil((nextAt - now) / 1_000);
  return seconds > 0 ? t`Next look in ${seconds} s. q ends.` : t`Looking … q ends.`;
}

function countsNote(): string {
  return t`Counts, not orders: the API shows no list of orders.`;
}
