/** How wide a text will about be where nothing can be measured: the reader's fonts are not known here. */
import stringWidth from "string-width";

/** On the wide side for the usual sans-serif fonts, as a share of the font's size. */
const shares = [
  { of: /^[MWmw@%…—]$/u, share: 1.02 },
  { of: /^[\p{Lu}\p{N}$€£]$/u, share: 0.74 },
] as const;
const usualShare = 0.64;
const wideShare = 1.4;

/** Pixels. */
export function widthOf(text: string, fontSize: number): number {
  let width = 0;
  for (const { segment } of new Intl.Segmenter().segment(text)) width += shareOf(segment) * fontSize;
  return Math.ceil(width);
}

/** The text, or as much of its beginning as fits into so many pixels with an ellipsis behind it. */
export function fitText(text: string, pixels: number, fontSize: number): string {
  if (widthOf(text, fontSize) <= pixels) return text;
  const ellipsis = "…";
  let room = pixels - widthOf(ellipsis, fontSize);
  let kept = "";
  for (const { segment } of new Intl.Segmenter().segment(text)) {
    room -= shareOf(segment) * fontSize;
    if (room < 0) break;
    kept += segment;
  }
  return kept.trimEnd() + ellipsis;
}

function shareOf(character: string): number {
  if (stringWidth(character) >= 2) return wideShare;
  return shares.find(({ of }) => of.test(character))?.share ?? usualShare;
}
