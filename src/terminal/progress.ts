/** The one line of a terminal that is drawn anew: a progress bar, or how long a wait still takes. */
/** The two streams that a program writes to, as much of them as comanda needs. */
export interface OutputStream {
  write(text: string | Uint8Array): unknown;
  readonly isTTY?: boolean | undefined;
  /** Width in characters; absent where it isn't a terminal. */
  readonly columns?: number | undefined;
  /** Height in lines; absent where it isn't a terminal. */
  readonly rows?: number | undefined;
}

const eraseLine = "\r\u001b[2K";

/** Whatever else is written hides it first, so that it starts on a clean line. */
export class StatusLine {
  readonly #stream: OutputStream;
  readonly #texts: { bar?: string | undefined; wait?: string | undefined } = {};
  #drawn = "";

  /** @param stream nothing is drawn where it isn't a terminal */
  constructor(stream: OutputStream) {
    this.#stream = stream;
  }

  get isShown(): boolean {
    return this.#stream.isTTY === true;
  }

  get width(): number {
    return this.#stream.columns ?? 80;
  }

  /** A wait stands in the place of the bar. `text` is comanda's own; without it, the part is taken away. */
  show(part: "bar" | "wait", text: string | undefined): void {
    this.#texts[part] = text;
    const shown = (this.#texts.wait ?? this.#texts.bar ?? "").slice(0, Math.max(this.width - 1, 1));
    if (shown === "") this.hide();
    else if (this.isShown && shown !== this.#drawn) {
      this.#stream.write(`${eraseLine}${shown}`);
      this.#drawn = shown;
    }
  }

  /** Until something is shown again. */
  hide(): void {
    if (this.#drawn === "") return;
    this.#stream.write(eraseLine);
    this.#drawn = "";
  }
}

const redrawMs = 100;
const barWidth = 30;

export interface Progress {
  /** `note` is comanda's own text. */
  update(done: number, note?: string): void;
  /** Takes the bar away, so that what follows starts on a clean line. */
  end(): void;
}

const none: Progress = { update: () => undefined, end: () => undefined };

/** Draws at most ten times a second; draws nothing where there is no terminal. */
export function startProgress(
  line: StatusLine,
  { total, label, now }: { total: number; label: string; now: () => number },
): Progress {
  if (!line.isShown) return none;
  let drawnAt = Number.NEGATIVE_INFINITY;
  return {
    update: (done, note = "") => {
      if (now() - drawnAt < redrawMs && done < total) return;
      drawnAt = now();
      line.show("bar", progressLine({ done, total, label, note, width: line.width }));
    },
    end: () => line.show("bar", undefined),
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
