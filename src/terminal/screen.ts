/** Uses the whole terminal as one screen; closing it restores the earlier content. */
const hideCursor = "\u001b[?25l";
const enterAlternateScreen = "\u001b[?1049h\u001b[?25l";
const leaveAlternateScreen = "\u001b[?25h\u001b[?1049l";
const eraseAll = "\u001b[2J";

export interface ScreenSize {
  readonly columns: number;
  readonly rows: number;
}

/** Row and column count from 1. */
export interface Cursor {
  readonly row: number;
  readonly column: number;
}

export interface DrawOptions {
  /** Draws unchanged lines, too, since another program may have written on the screen. */
  readonly redrawAll?: boolean;
  /** Absent to hide it. */
  readonly cursor?: Cursor | undefined;
}

export class Screen {
  readonly #write: (text: string) => void;
  #lines: readonly string[] = [];
  #size = "";
  #cursor = "";
  #isOpen = false;

  /** @param write writes to the terminal without a change of the text */
  constructor(write: (text: string) => void) {
    this.#write = write;
  }

  open(): void {
    this.#isOpen = true;
    this.#write(enterAlternateScreen);
  }

  /**
   * Writes only lines that have changed, so that nothing flickers.
   *
   * @param lines have to fit the width and the height
   */
  draw(
    lines: readonly string[],
    { columns, rows }: ScreenSize,
    { redrawAll = false, cursor }: DrawOptions = {},
  ): void {
    if (!this.#isOpen) return;
    const size = `${columns} ${rows}`;
    const isFullRedraw = redrawAll || size !== this.#size;
    const before = isFullRedraw ? [] : this.#lines;
    const length = Math.max(lines.length, before.length);
    const changedLines = Array.from({ length }, (_, index) => index).filter(
      (index) => (lines[index] ?? "") !== before[index],
    );
    const text = changedLines.map((index) => `\u001b[${index + 1};1H\u001b[2K${lines[index] ?? ""}`).join("");
    const place = cursor ? `\u001b[${cursor.row};${cursor.column}H\u001b[?25h` : "";
    const isSame = !isFullRedraw && text === "" && place === this.#cursor;
    this.#lines = lines;
    this.#size = size;
    this.#cursor = place;
    if (!isSame) this.#write(`${cursor ? hideCursor : ""}${isFullRedraw ? eraseAll : ""}${text}${place}`);
  }

  /** A second call does no harm. */
  close(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.#write(leaveAlternateScreen);
  }
}
