/** Gives a command the whole terminal, and restores it however the command ends, and while it is suspended. */
import { everyInterval } from "../../shared/clock.js";
import { Screen, type ScreenSize } from "../../terminal/screen.js";
import { variable } from "../../toolkit/context.js";
import type { Machine } from "../../toolkit/machine.js";

import type { Picture } from "./picture.js";

/** May the whole screen be drawn? Lines of `--debug` would break it. */
export function fillsScreen({ context, output, debug }: Machine): boolean {
  const isTerminal = output.columns !== undefined && !output.json;
  return isTerminal && !output.plain && variable(context, "TERM") !== "dumb" && debug === undefined;
}

export interface ScreenUser {
  picture(size: ScreenSize): Picture;
  /**
   * Takes the keyboard.
   *
   * @returns gives it back
   */
  listen(): () => void;
}

export interface FullScreen {
  /** @param redrawAll draws unchanged lines, too */
  draw(redrawAll?: boolean): void;
  /** Stops the program as Ctrl-Z does, and resolves when it continues. */
  suspend(): Promise<void>;
  /** @returns writes the texts that were held back meanwhile */
  close(): () => void;
}

const redrawMs = 1_000;

/** The screen is drawn each second, so that times on it are right while a call is on its way. */
export function openFullScreen({ context, output }: Machine, user: ScreenUser): FullScreen {
  const screen = new Screen((text) => output.text(text));
  const draw = (redrawAll = false) => {
    const size = { columns: output.columns ?? 80, rows: output.rows ?? 24 };
    const { lines, cursor } = user.picture(size);
    screen.draw(lines, size, { redrawAll, cursor });
  };
  const onResize = () => draw();
  let endKeys: (() => void) | undefined;
  let isClosed = false;
  const open = () => {
    screen.open();
    if (context.stdin.isTTY === true) endKeys = user.listen();
  };
  const restore = () => {
    screen.close();
    endKeys?.();
    endKeys = undefined;
  };
  /** Another program has written on the terminal meanwhile. */
  const reopen = () => {
    if (isClosed) return;
    restore();
    open();
    draw(true);
  };
  const writeHeldTexts = output.holdBack();
  const removeExitWork = context.atExit(restore);
  const stopListeningForContinue = context.onContinued(reopen);
  open();
  context.stdout.stream.on("resize", onResize);
  const endRedrawing = (context.clock.every ?? everyInterval)(redrawMs, draw);
  return {
    draw,
    async suspend() {
      if (!context.suspend) return;
      restore();
      await context.suspend();
      reopen();
    },
    close() {
      isClosed = true;
      endRedrawing();
      stopListeningForContinue();
      context.stdout.stream.off("resize", onResize);
      restore();
      removeExitWork();
      return writeHeldTexts;
    },
  };
}
