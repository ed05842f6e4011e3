/** Cuts text to a given number of terminal columns. */
import stringWidth from "string-width";

/** These characters would end a line, move the cursor or turn the direction of the text behind them. */
const disruptive = /[\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/gu;

export function flatten(text: string): string {
  return text.replaceAll(disruptive, "\uFFFD");
}

/**
 * Cuts the text to at most `width` columns, between characters as people see them, with the ellipsis for what is
 * missing. A wide character that doesn't fit is left out.
 */
export function cutToWidth(text: string, width: number, ellipsis: string): string {
  if (stringWidth(text) <= width) return text;
  const room = width - stringWidth(ellipsis);
  if (room < 0) return "";
  const segments: string[] = [];
  let used = 0;
  for (const { segment } of new Intl.Segmenter().segment(text)) {
    used += stringWidth(segment);
    if (used > room) break;
    segments.push(segment);
  }
  // Characters can be wider together than one by one.
  while (stringWidth(segments.join("")) > room) segments.pop();
  return segments.join("") + ellipsis;
}
