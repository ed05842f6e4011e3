/** Breaks texts between words: a terminal would break them inside of one. */
import { stripVTControlCharacters } from "node:util";

/** A command to type has a line of its own, so that it can be copied: `Sign in: comanda login …`. */
const commandPattern = /(?<=: )comanda [a-z].*$/;

/**
 * @param line blanks at its beginning, and a label with two blanks behind it, stand free before what is wrapped
 * @param width columns of the terminal; absent without one
 */
export function wrapWords(line: string, width: number | undefined): string {
  if (width === undefined || widthOf(line) <= width) return line;
  const [command] = commandPattern.exec(line) ?? [];
  if (command === undefined) return narrowed([line], width).join("\n");
  const sentence = narrowed([line.slice(0, -command.length).trimEnd()], width);
  return [...sentence, " ".repeat(indentOf(line)) + command].join("\n");
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

/**
 * Helps are laid out for 80 columns. Where a terminal is narrower they are laid out again, under the same columns where
 * there is room for them.
 *
 * @param width columns of the terminal; absent without one
 */
export function narrowHelp(text: string, width: number | undefined): string {
  if (width === undefined) return text;
  const entries: [string, ...string[]][] = [];
  for (const line of text.split("\n")) {
    const entry = entries.at(-1);
    if (entry && continues(entry, line)) entry.push(line);
    else entries.push([line]);
  }
  return entries
    .flatMap((entry) => (entry.every((line) => line.length <= width) ? entry : narrowed(entry, width)))
    .join("\n");
}

/** A line goes on where it begins below a word of an entry, or, in a paragraph, where its first word had no room before. */
function continues([first, ...rest]: readonly [string, ...string[]], line: string): boolean {
  const last = rest.at(-1) ?? first;
  const indent = indentOf(line);
  if (line.trim() === "" || last.trim() === "") return false;
  if (rest.length > 0 && indent !== indentOf(last)) return false;
  if (indent === 0) return indentOf(first) === 0 && `${last} ${line.split(" ")[0] ?? ""}`.length > 80;
  return indent > indentOf(first) && first[indent - 1] === " " && /\S/.test(first[indent] ?? "");
}

function narrowed([first, ...rest]: readonly [string, ...string[]], width: number): readonly string[] {
  const indent = indentOf(first);
  const isCommand = first.startsWith("$ ", indent);
  // What is explained stands two blanks before its explanation.
  const column = isCommand ? indent : /^ *\S.*? {2,}(?=[^-\s])/.exec(first)?.[0].length;
  const hang = rest[0] === undefined ? (column ?? indent) : indentOf(rest[0]);
  const words = [first.slice(hang), ...rest].join(" ").trim().split(/ +/);
  const fill = (parts: readonly string[], start: string, below: string, room = width) =>
    linesOfWords(parts, (line) => below.length + widthOf(line) <= room).map(
      (line, index) => (index === 0 ? start : below) + line,
    );
  const below = " ".repeat(indent + 4);
  if (isCommand) {
    // A shell takes the lines as one, since all but the last end with a backslash.
    const lines = fill(words, " ".repeat(indent), below, width - 2);
    return lines.map((line, index) => (index < lines.length - 1 ? `${line} \\` : line));
  }
  if (hang === indent || (hang <= width / 2 && words.every((word) => hang + widthOf(word) <= width)))
    return fill(words, first.slice(0, hang), " ".repeat(hang));
  const term = first.slice(indent, hang).trim().split(/ +/);
  return [...fill(term, " ".repeat(indent), below), ...fill(words, below, below)];
}

function indentOf(line: string): number {
  return line.length - line.trimStart().length;
}
