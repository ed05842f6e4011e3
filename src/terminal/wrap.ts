/** Wraps sentences to the width of a terminal, which would break them inside a word. */
import { stripVTControlCharacters } from "node:util";

/** A command to type has a line of its own, so that it can be copied: `Sign in: comanda login …`. */
const commandPattern = /(?<=: )comanda [a-z].*$/;

/**
 * @param line the blanks at its beginning stand before each part of it
 * @param width columns of the terminal; absent without one
 */
export function wrapWords(line: string, width: number | undefined): string {
  if (width === undefined || widthOf(line) <= width) return line;
  const [indent = ""] = /^ */.exec(line) ?? [];
  const [command] = commandPattern.exec(line) ?? [];
  const sentence = line.slice(indent.length, command === undefined ? undefined : -command.length).trimEnd();
  const parts = linesOfWords(sentence.split(" "), (part) => widthOf(indent + part) <= width);
  if (command !== undefined) parts.push(command);
  return parts.map((part) => indent + part).join("\n");
}

/**
 * Puts as many words on each line as fit.
 *
 * @param fits isn't called for a single word, which is never broken
 * @param separator stands between two words
 */
export function linesOfWords(
  words: readonly string[],
  fits: (line: string) => boolean,
  separator = " ",
): string[] {
  const lines = [""];
  for (const word of words) {
    const last = lines.at(-1) ?? "";
    const extended = last === "" ? word : `${last}${separator}${word}`;
    if (last === "" || fits(extended)) lines[lines.length - 1] = extended;
    else lines.push(word);
  }
  return lines;
}

/** Counts characters as columns, since comanda's own sentences have no letters that are two columns wide. */
function widthOf(text: string): number {
  return Array.from(stripVTControlCharacters(text)).length;
}
