/** Draws bars for a terminal as text, in lines of a given width. */
import stringWidth from "string-width";

import { cutToWidth, flatten } from "./text.js";

export interface Bar {
  readonly label: string;
  /** A negative or missing value counts as 0. */
  readonly value: number;
  /** This text stands behind the bar, for example the amount in the reader's locale. */
  readonly text: string;
}

const eighths = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];
const ellipsis = "…";
/** A text such as `13/11/2026 sex.` takes this many columns. */
const dayWidth = 15;

/**
 * Draws one line for each bar: label, bar, text. The longest bar fills what label and text leave of the width; a
 * value above 0 always shows. Labels are cut to a third of the width, or to 15 columns (a day and its weekday) where
 * that leaves the bar as much. A text is never cut as long as it fits at all: half a number is worse than a shorter
 * bar. Control characters in labels and texts become U+FFFD, so that one bar stays one line; the caller escapes them
 * legibly.
 *
 * @param width columns of the terminal; no line is wider
 */
export function barChart(bars: readonly Bar[], width: number): readonly string[] {
  const texts = bars.map(({ text }) => cutToWidth(flatten(text), width, ellipsis));
  const textWidth = widest(texts);
  const third = Math.floor(width / 3);
  const preferredWidth = width - textWidth >= 2 * dayWidth ? Math.max(third, dayWidth) : third;
  const limit = Math.max(0, Math.min(preferredWidth, width - textWidth - 3));
  const labels = bars.map(({ label }) => cutToWidth(flatten(label), limit, ellipsis));
  const labelWidth = widest(labels);
  const room = Math.max(0, width - textWidth - 1 - (labelWidth > 0 ? labelWidth + 1 : 0));
  const values = bars.map(({ value }) => (Number.isFinite(value) && value > 0 ? value : 0));
  const highest = values.reduce((most, value) => Math.max(most, value), 0);
  return values.map((value, index) => {
    // A share too small for a number would vanish.
    const share = value === 0 ? 0 : Math.max(Number.MIN_VALUE, value / highest);
    const columns = [
      padEnd(labels[index] ?? "", labelWidth),
      padEnd(blocks(share, room), room),
      padStart(texts[index] ?? "", textWidth),
    ];
    // A label may be made of accents alone, which take no column.
    return columns
      .filter((column) => stringWidth(column) > 0)
      .join(" ")
      .trimEnd();
  });
}

function blocks(share: number, room: number): string {
  const parts = share === 0 ? 0 : Math.min(room * 8, Math.max(1, Math.round(share * room * 8)));
  return "█".repeat(Math.floor(parts / 8)) + (eighths[parts % 8] ?? "");
}

function widest(texts: readonly string[]): number {
  return texts.reduce((most, text) => Math.max(most, stringWidth(text)), 0);
}

function padEnd(text: string, width: number): string {
  return text + " ".repeat(Math.max(0, width - stringWidth(text)));
}

function padStart(text: string, width: number): string {
  return " ".repeat(Math.max(0, width - stringWidth(text))) + text;
}
