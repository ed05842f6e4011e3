/** The whole terminal for one command, which gives it back however it ends, and while it is set aside. */
import { everyInterval } from "../../shared/clock.js";
import { Screen, type Cursor, type ScreenSize } from "../../terminal/screen.js";
import { variable } from "../../toolkit/context.js";
import type { Machine } from "../../toolkit/machine.js";

/** May the whole screen be drawn? Not beside lines of `--debug`, which would tear it. */
export function fillsScreen({ context, output, debug }: Machine): boolean {
  const isTerminal = output.columns !== undefined && !output.json;
  return isTerminal && !output.plain && variable(context, "TERM") !== "dumb" && debug === undefined;
}

export interface ScreenUser {
  picture(size: ScreenSize): { readonly lines: readonly string[]; readonly cursor?: Cursor };
  /** Takes the keyboard. @returns gives it back */
  listen(): () => void;
}

export interface FullScreen {
  /** @param anew all of it */
  draw(anew?: boolean): void;
  /** Stops the program as Ctrl-Z does, until it is gone on with. */
  suspend(): Promise<void>;
  /** @returns says what was kept back meanwhile */
  close(): () => void;
}

const redrawMs = 1_000;

/** Drawn anew each second, so that what tells of time is true also while a call is on its way. */
export function openFullScreen({ context, output }: Machine, user: ScreenUser): FullScreen {
  const screen = new Screen((text) => {
    output.text(text);
  });
  const draw = (redrawAll = false) => {
    const size = { columns: output.columns ?? 80, rows: output.rows ?? 24 };
    const { lines, cursor } = user.picture(size);
    screen.draw(lines, size, { redrawAll, cursor });
  };
  const onResize = () => {
    draw();
  };
  let endKeys: () => void = () => undefined;
  let isClosed = false;
  const take = () => {
    screen.open();
    if (context.stdin.isTTY === true) endKeys = user.listen();
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
  const tellHeldBack = output.holdBack();
  const forgetExit = context.atExit(restore);
  const forgetContinued = context.onContinued(takeAgain);
  take();
  context.stdout.stream.on("resize", onResize);
  const endRedrawing = (context.clock.every ?? everyInterval)(redrawMs, draw);
  return {
    draw,
    async suspend() {
      if (!context.suspend) return;
      restore();
      await context.suspend();
      takeAgain();
    },
    close() {
      isClosed = true;
      endRedrawing();
      forgetContinued();
      context.stdout.stream.off("resize", onResize);
      restore();
      forgetExit();
      return tellHeldBack;
    },
  };
}
