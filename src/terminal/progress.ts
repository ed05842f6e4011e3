/** A progress bar on stderr, for a terminal alone. */
import type { OutputStream } from "./output.js";

const redrawMs = 100;
const barWidth = 30;

export interface Progress {
  /** `note` is comanda's own text. */
  update(done: number, note?: string): void;
  /** Takes the bar away, so that what follows starts on a clean line. */
  end(): void;
}

const none: Progress = { update: () => undefined, end: () => undefined };

/** Draws at most ten times a second; draws nothing where `stream` isn't a terminal. */
export function startProgress(
  stream: OutputStream,
  { total, label, now }: { total: number; label: string; now: () => number },
): Progress {
  if (stream.isTTY !== true) return none;
  let drawnAt = Number.NEGATIVE_INFINITY;
  let drawn = false;
  return {
    update: (done, note = "") => {
      if (now() - drawnAt < redrawMs && done < total) return;
      drawnAt = now();
      drawn = true;
      stream.write(`\r\u001b[2K${progressLine({ done, total, label, note, width: stream.columns ?? 80 })}`);
    },
    end: () => {
      if (drawn) stream.write("\r\u001b[2K");
    },
  };
}

/** @internal */
export function progressLine(state: {
  done: number;
  total: number;
  label: string;
  note: string;
  width: number;
}): string {
  const { done, total, label, note, width } = state;
  const filled = total === 0 ? barWidth : Math.floor((Math.min(done, total) / total) * barWidth);
  const bar = "█".repeat(filled) + "░".repeat(barWidth - filled);
  return [label, bar, `${done}/${total}`, note]
    .filter(Boolean)
    .join(" ")
    .slice(0, Math.max(width - 1, 1));
}
