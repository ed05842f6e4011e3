/** Draws the line of a terminal that changes: a progress bar, or the time that a wait still takes. */

/** The part of stdout and stderr that comanda needs. */
export interface OutputStream {
  write(text: string | Uint8Array): unknown;
  readonly isTTY?: boolean | undefined;
  /** Width in characters; absent where it isn't a terminal. */
  readonly columns?: number | undefined;
}

const eraseLine = "\r\u001b[2K";

/** Every other text hides the status line first, so that it starts on a clean line. */
export class StatusLine {
  readonly #texts: { bar?: string | undefined; wait?: string | undefined } = {};
  #drawn = "";

  /** @param stream nothing is drawn where it isn't a terminal */
  constructor(private readonly stream: OutputStream) {}

  get isShown(): boolean {
    return this.stream.isTTY === true;
  }

  /** A wait replaces the bar. `text` must be comanda's own; without it, the part is removed. */
  show(part: "bar" | "wait", text: string | undefined): void {
    this.#texts[part] = text;
    const room = Math.max((this.stream.columns ?? 80) - 1, 1);
    const visibleText = (this.#texts.wait ?? this.#texts.bar ?? "").slice(0, room);
    if (visibleText === "") this.hide();
    else if (this.isShown && visibleText !== this.#drawn) {
      this.stream.write(`${eraseLine}${visibleText}`);
      this.#drawn = visibleText;
    }
  }

  /** Hides the line until a part is shown again. */
  hide(): void {
    if (this.#drawn === "") return;
    this.stream.write(eraseLine);
    this.#drawn = "";
  }
}

const redrawMs = 100;
const barWidth = 30;

export interface Progress {
  /** `note` must be comanda's own text. */
  update(done: number, note?: string): void;
  /** Removes the bar, so that the next text starts on a clean line. */
  end(): void;
}

/** Draws at most ten times a second. */
export function startProgress(
  line: StatusLine,
  { total, label, now }: { total: number; label: string; now: () => number },
): Progress {
  let drawnAt = Number.NEGATIVE_INFINITY;
  return {
    update: (done, note = "") => {
      if (now() - drawnAt < redrawMs && done < total) return;
      drawnAt = now();
      const filled = total === 0 ? barWidth : Math.floor((Math.min(done, total) / total) * barWidth);
      const bar = "█".repeat(filled).padEnd(barWidth, "░");
      line.show("bar", [label, bar, `${done}/${total}`, note].filter(Boolean).join(" "));
    },
    end: () => line.show("bar", undefined),
  };
}
