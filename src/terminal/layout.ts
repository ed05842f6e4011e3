/** How a table finds its place in the width of a terminal. */
import stringWidth from "string-width";

export interface LayoutColumn {
  readonly heading: string;
  /** The texts that are shown. */
  readonly cells: readonly string[];
  /** A number is never broken into two lines. */
  readonly isNumeric: boolean;
  /** May its words be cut where nothing else helps? */
  readonly mayShorten: boolean;
}

export type Layout =
  | {
      readonly kind: "lines";
      /** Columns of the terminal for each column of the table; absent where each is as wide as its widest cell. */
      readonly widths?: readonly number[];
    }
  | { readonly kind: "blocks" };

/** Blanks between two columns. */
export const usualGap = 2;
/** Below this, a row that doesn't fit becomes a block: two columns of wrapped words are no easier to read. */
export const narrowest = 50;
/** A shortened column keeps so many characters at least. */
const leastShortened = 8;

/**
 * @param width of the terminal; absent for no limit
 * @param gap blanks between two columns
 * @returns lines as they are where they fit; then wrapped between words; then with words cut where a column allows it;
 *   then a block of lines for each row
 */
export function layOut(columns: readonly LayoutColumn[], width: number | undefined, gap = usualGap): Layout {
  if (width === undefined) return { kind: "lines" };
  if (fits(columns, width, gap)) return { kind: "lines" };
  const room = roomOf(columns, width, gap);
  const natural = columns.map(naturalWidth);
  if (width < narrowest) return { kind: "blocks" };
  const wrapped = columns.map(wrappedWidth);
  if (sum(wrapped) <= room) return { kind: "lines", widths: share(natural, wrapped, room) };
  const shortened = wrapped.map((least, index) =>
    columns[index]?.mayShorten
      ? Math.min(least, Math.max(leastShortened, wordWidth(columns[index].heading)))
      : least,
  );
  if (sum(shortened) > room) return { kind: "blocks" };
  return { kind: "lines", widths: share(wrapped, shortened, room) };
}

/** Is there place for all columns as wide as they are? */
export function fits(columns: readonly LayoutColumn[], width: number | undefined, gap = usualGap): boolean {
  return width === undefined || sum(columns.map(naturalWidth)) <= roomOf(columns, width, gap);
}

function roomOf(columns: readonly LayoutColumn[], width: number, gap: number): number {
  return width - gap * (columns.length - 1);
}

/** The widest columns give first, until all have their place; none gives more than it can. */
function share(wanted: readonly number[], least: readonly number[], room: number): readonly number[] {
  const widths = [...wanted];
  for (let over = sum(widths) - room; over > 0; over -= 1) {
    let widest = -1;
    for (const [index, width] of widths.entries()) {
      if (width > (least[index] ?? 0) && width > (widths[widest] ?? 0)) widest = index;
    }
    widths[widest] = (widths[widest] ?? 0) - 1;
  }
  return widths;
}

function naturalWidth({ heading, cells }: LayoutColumn): number {
  return widest([heading, ...cells]);
}

/** Between words alone: a heading is never torn, nor an id. */
function wrappedWidth({ heading, cells, isNumeric }: LayoutColumn): number {
  return Math.max(wordWidth(heading), isNumeric ? widest(cells) : widest(cells.flatMap(wordsOf)));
}

function wordWidth(text: string): number {
  return widest(wordsOf(text));
}

function wordsOf(text: string): readonly string[] {
  return text.split(" ");
}

export function widest(texts: readonly string[]): number {
  return texts.reduce((most, text) => Math.max(most, terminalWidth(text)), 0);
}

/** The columns of a terminal that a text takes. Most texts are ASCII, which is quickly told. */
export function terminalWidth(text: string): number {
  return /^[ -~]*$/.test(text) ? text.length : stringWidth(text);
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, value) => total + value, 0);
}
