/** Fits a table into the width of a terminal. */
import stringWidth from "string-width";

export interface LayoutColumn {
  readonly heading: string;
  readonly cells: readonly string[];
  /** A number is never broken into two lines. */
  readonly isNumeric: boolean;
  /** May words be cut where nothing else helps? */
  readonly mayShorten: boolean;
}

export type Layout =
  /** Each column is as wide as its widest cell. */
  | { readonly kind: "lines" }
  | {
      readonly kind: "wrapped";
      /** The terminal's columns for each column of the table. */
      readonly widths: readonly number[];
    }
  | { readonly kind: "blocks" };

export const defaultGap = 2;
/** Below this, a row that doesn't fit becomes a block: two columns of wrapped words are no easier to read. */
export const minTableWidth = 50;
const minShortenedWidth = 8;

/**
 * Keeps lines whole where they fit. Else it wraps them between words, then cuts words where a column allows it, then makes
 * a block of lines of each row.
 *
 * @param width columns of the terminal; absent for no limit
 * @param gap blanks between two columns
 */
export function layOut(
  columns: readonly LayoutColumn[],
  width: number | undefined,
  gap = defaultGap,
): Layout {
  if (width === undefined) return { kind: "lines" };
  if (fits(columns, width, gap)) return { kind: "lines" };
  const room = roomOf(columns, width, gap);
  const naturalWidths = columns.map(naturalWidth);
  if (width < minTableWidth) return { kind: "blocks" };
  const wrappedWidths = columns.map(wrappedWidth);
  if (sum(wrappedWidths) <= room)
    return { kind: "wrapped", widths: shrinkColumns(naturalWidths, wrappedWidths, room) };
  const shortenedWidths = wrappedWidths.map((least, index) =>
    columns[index]?.mayShorten
      ? Math.min(least, Math.max(minShortenedWidth, wordWidth(columns[index].heading)))
      : least,
  );
  if (sum(shortenedWidths) > room) return { kind: "blocks" };
  return { kind: "wrapped", widths: shrinkColumns(wrappedWidths, shortenedWidths, room) };
}

/** Do all columns fit without wrapping? */
export function fits(columns: readonly LayoutColumn[], width: number | undefined, gap = defaultGap): boolean {
  return width === undefined || sum(columns.map(naturalWidth)) <= roomOf(columns, width, gap);
}

function roomOf(columns: readonly LayoutColumn[], width: number, gap: number): number {
  return width - gap * (columns.length - 1);
}

/** The widest columns shrink first, each down to its least width at most. */
function shrinkColumns(
  natural: readonly number[],
  least: readonly number[],
  room: number,
): readonly number[] {
  const widths = [...natural];
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
  return maxWidth([heading, ...cells]);
}

/** Lines are wrapped between words alone, so that neither a heading nor an id is broken. */
function wrappedWidth({ heading, cells, isNumeric }: LayoutColumn): number {
  return Math.max(wordWidth(heading), isNumeric ? maxWidth(cells) : maxWidth(cells.flatMap(wordsOf)));
}

function wordWidth(text: string): number {
  return maxWidth(wordsOf(text));
}

function wordsOf(text: string): readonly string[] {
  return text.split(" ");
}

export function maxWidth(texts: readonly string[]): number {
  return texts.reduce((most, text) => Math.max(most, terminalWidth(text)), 0);
}

/** Most texts are ASCII, whose width is known without the slower `stringWidth`. */
export function terminalWidth(text: string): number {
  return /^[ -~]*$/.test(text) ? text.length : stringWidth(text);
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, value) => total + value, 0);
}
