/** Text in a given number of terminal columns. */
import stringWidth from "string-width";

/** Whatever would end a line, move the cursor or turn the direction of what follows. */
const disruptive = /[\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/gu;

export function flatten(text: string): string {
  return text.replaceAll(disruptive, "\uFFFD");
}

/**
 * The text in at most `width` columns, cut between characters as people see them, with the ellipsis for what
 * is missing. A wide character that doesn't fit is left out.
 */
export function cutToWidth(text: string, width: number, ellipsis: string): string {
  if (stringWidth(text) <= width) return text;
  const room = width - stringWidth(ellipsis);
  if (room < 0) return "";
  const kept: string[] = [];
  let used = 0;
  for (const { segment } of new Intl.Segmenter().segment(text)) {
    used += stringWidth(segment);
    if (used > room) break;
    kept.push(segment);
  }
  // Characters can be wider together than one by one.
  while (stringWidth(kept.join("")) > room) kept.pop();
  return kept.join("") + ellipsis;
}
