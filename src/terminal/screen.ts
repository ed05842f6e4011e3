/** The whole terminal as one screen that is drawn anew: what was there before comes back when it is closed. */
const hideCursor = "\u001b[?25l";
const toAlternateScreen = "\u001b[?1049h\u001b[?25l";
const backFromIt = "\u001b[?25h\u001b[?1049l";
const eraseAll = "\u001b[2J";

export interface ScreenSize {
  readonly columns: number;
  readonly rows: number;
}

/** Where the cursor stands. Both count from 1. */
export interface Cursor {
  readonly row: number;
  readonly column: number;
}

export interface DrawOptions {
  /** All lines: somebody else may have written there. */
  readonly anew?: boolean;
  /** Absent: it isn't shown. */
  readonly cursor?: Cursor | undefined;
}

export class Screen {
  readonly #write: (text: string) => void;
  #lines: readonly string[] = [];
  #size = "";
  #cursor = "";
  #isOpen = false;

  /** @param write to the terminal, as it is */
  constructor(write: (text: string) => void) {
    this.#write = write;
  }

  open(): void {
    this.#isOpen = true;
    this.#write(toAlternateScreen);
  }

  /**
   * Only lines that have changed are written, so that nothing flickers.
   *
   * @param lines each fits the width, and all of them the height
   */
  draw(
    lines: readonly string[],
    { columns, rows }: ScreenSize,
    { anew = false, cursor }: DrawOptions = {},
  ): void {
    if (!this.#isOpen) return;
    const size = `${columns} ${rows}`;
    const isAnew = anew || size !== this.#size;
    const before = isAnew ? [] : this.#lines;
    const length = Math.max(lines.length, before.length);
    const changed = Array.from({ length }, (_, index) => index).filter(
      (index) => (lines[index] ?? "") !== before[index],
    );
    const text = changed.map((index) => `\u001b[${index + 1};1H\u001b[2K${lines[index] ?? ""}`).join("");
    const place = cursor ? `\u001b[${cursor.row};${cursor.column}H\u001b[?25h` : "";
    const isSame = !isAnew && text === "" && place === this.#cursor;
    this.#lines = lines;
    this.#size = size;
    this.#cursor = place;
    if (!isSame) this.#write(`${cursor ? hideCursor : ""}${isAnew ? eraseAll : ""}${text}${place}`);
  }

  /** More than once does no harm. */
  close(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.#write(backFromIt);
  }
}

/** A terminal's keys. */
export interface Keyboard {
  setRawMode?(on: boolean): unknown;
  on(event: "data", listener: (chunk: unknown) => void): unknown;
  off(event: "data", listener: (chunk: unknown) => void): unknown;
  resume(): unknown;
  pause(): unknown;
}

export type Key = "q" | "Ctrl-C" | "Ctrl-Z";

/**
 * Each key as it is pressed, without Enter. Ctrl-C and Ctrl-Z are no signals then.
 *
 * @returns gives the keyboard back
 */
export function listenForKeys(keyboard: Keyboard, onKey: (key: Key) => void): () => void {
  const listener = (chunk: unknown) => {
    const typed = String(chunk);
    if (typed.includes("\u0003")) onKey("Ctrl-C");
    else if (typed.includes("\u001a")) onKey("Ctrl-Z");
    else if (typed.toLowerCase() === "q") onKey("q");
  };
  keyboard.setRawMode?.(true);
  keyboard.on("data", listener);
  keyboard.resume();
  return () => {
    keyboard.off("data", listener);
    keyboard.setRawMode?.(false);
    keyboard.pause();
  };
}
