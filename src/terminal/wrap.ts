/** Sentences in the width of a terminal, which by itself would break them inside of a word. */
import { stripVTControlCharacters } from "node:util";

/** What is to be typed stays on a line of its own, whole, so that it can be copied: `Sign in: comanda login …`. */
const typed = /(?<=: )comanda [a-z].*$/;

/**
 * @param line one line; the blanks that it begins with stand before each part of it
 * @param width of the terminal; absent where it is none, and a line may be as long as it is
 */
export function wrapWords(line: string, width: number | undefined): string {
  if (width === undefined || widthOf(line) <= width) return line;
  const [indent = ""] = /^ */.exec(line) ?? [];
  const [command] = typed.exec(line) ?? [];
  const sentence = line.slice(indent.length, command === undefined ? undefined : -command.length).trimEnd();
  const parts = linesOfWords(sentence.split(" "), (part) => widthOf(indent + part) <= width);
  if (command !== undefined) parts.push(command);
  return parts.map((part) => indent + part).join("\n");
}

/**
 * As many words in each line as fit.
 *
 * @param fits is not asked of a word alone: it stands on its line, whole
 * @param between two words of a line
 */
export function linesOfWords(
  words: readonly string[],
  fits: (line: string) => boolean,
  between = " ",
): string[] {
  const lines = [""];
  for (const word of words) {
    const last = lines.at(-1) ?? "";
    const longer = last === "" ? word : `${last}${between}${word}`;
    if (last === "" || fits(longer)) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines;
}

/** Counts a terminal's columns. comanda's own sentences have no letters that are two columns wide. */
function widthOf(text: string): number {
  return Array.from(stripVTControlCharacters(text)).length;
}
