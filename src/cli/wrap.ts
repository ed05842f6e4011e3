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

const usualWidth = 80;

/** @param width columns of the terminal; absent without one */
export function narrowHelp(text: string, width: number | undefined): string {
  if (width === undefined) return text;
  return groupsOf(text.split("\n"))
    .flatMap((group) => (group.every((line) => line.length <= width) ? group : reflow(group, width)))
    .join("\n");
}

/** A group is a line with the lines that continue its text. */
function groupsOf(lines: readonly string[]): readonly (readonly string[])[] {
  const groups: [string, ...string[]][] = [];
  for (const line of lines) {
    const group = groups.at(-1);
    if (group && belongsTo(group, line)) group.push(line);
    else groups.push([line]);
  }
  return groups;
}

function belongsTo(group: readonly [string, ...string[]], next: string): boolean {
  const [first] = group;
  const last = group.at(-1) ?? first;
  const word = /\S+/.exec(next)?.[0];
  if (word === undefined || last.trim() === "") return false;
  const indent = indentOf(next);
  if (group.length > 1) return indent === indentOf(last) && (indent > 0 || isFull(last, word));
  if (indent === 0) return indentOf(first) === 0 && isFull(last, word);
  // The line continues the text where it begins below a word of the first line.
  return indent > indentOf(first) && first[indent - 1] === " " && /\S/.test(first[indent] ?? "");
}

/** A paragraph continues where the next word had no room on the line before. */
function isFull(line: string, nextWord: string): boolean {
  return line.length + 1 + nextWord.length > usualWidth;
}

function reflow(group: readonly string[], width: number): readonly string[] {
  const [first = "", second] = group;
  const indent = indentOf(first);
  // A list of options has no term in front of it.
  const gap = /^ *(?:[^-\s].*? {2,}(?=\S)|-.*? {2,}(?=[^-\s]))/.exec(first)?.[0].length;
  const hang = second === undefined ? (gap ?? indent) : indentOf(second);
  if (gap === undefined && first.trimStart().startsWith("$ ")) return commandLines(first, width);
  const term = first.slice(indent, hang).trimEnd();
  const texts = [first.slice(hang), ...group.slice(1).map((line) => line.trim())];
  const rest = texts.join(texts.some((part) => / {2,}/.test(part)) ? "  " : " ");
  const start = first.slice(0, hang);
  const hasRoom = rest.split(" ").every((word) => word.length <= width - hang);
  if (hang <= width / 2 && hasRoom) return fillLines(rest, start, " ".repeat(hang), width);
  const below = " ".repeat(indent + 4);
  return [...fillLines(term, " ".repeat(indent), below, width), ...fillLines(rest, below, below, width)];
}

/** A shell takes the lines as one, since all but the last end with a backslash. */
function commandLines(line: string, width: number): readonly string[] {
  const lines = fillLines(line.trim(), " ".repeat(indentOf(line)), " ".repeat(indentOf(line) + 4), width - 2);
  return lines.map((part, index) => (index < lines.length - 1 ? `${part} \\` : part));
}

/** A name with blanks stays whole where two blanks stand between names: `--format <format>  --json`. */
function fillLines(text: string, start: string, below: string, width: number): readonly string[] {
  const separator = / {2,}/.test(text) ? "  " : " ";
  const room = width - below.length;
  const names = text.split(separator === " " ? " " : / {2,}/);
  const words = names.flatMap((name) => (name.length > room ? name.split(" ") : [name]));
  const lines = linesOfWords(words, (line) => line.length <= room, separator);
  return lines.map((line, index) => `${index === 0 ? start : below}${line}`);
}

function indentOf(line: string): number {
  return line.length - line.trimStart().length;
}
