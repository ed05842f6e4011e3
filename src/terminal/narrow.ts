/** Helps are laid out when comanda is built, for 80 columns. In fewer they are laid out anew, for no word to be cut. */
import { linesOfWords } from "./wrap.js";

const laidOutFor = 80;

/** @param width of the terminal; absent where it is none */
export function narrowed(text: string, width: number | undefined): string {
  if (width === undefined) return text;
  return groupsOf(text.split("\n"))
    .flatMap((group) => (group.every((line) => line.length <= width) ? group : anew(group, width)))
    .join("\n");
}

/** A line, with those that go on with what it says. */
function groupsOf(lines: readonly string[]): readonly (readonly string[])[] {
  const groups: [string, ...string[]][] = [];
  for (const line of lines) {
    const group = groups.at(-1);
    if (group && goesOn(group, line)) group.push(line);
    else groups.push([line]);
  }
  return groups;
}

function goesOn(group: readonly [string, ...string[]], next: string): boolean {
  const [first] = group;
  const last = group.at(-1) ?? first;
  const word = /\S+/.exec(next)?.[0];
  if (word === undefined || last.trim() === "") return false;
  const indent = indentOf(next);
  if (group.length > 1) return indent === indentOf(last) && (indent > 0 || isFull(last, word));
  if (indent === 0) return indentOf(first) === 0 && isFull(last, word);
  // It begins below a word of the line before.
  return indent > indentOf(first) && first[indent - 1] === " " && /\S/.test(first[indent] ?? "");
}

/** A paragraph goes on where the next word had no place. */
function isFull(line: string, nextWord: string): boolean {
  return line.length + 1 + nextWord.length > laidOutFor;
}

function anew(group: readonly string[], width: number): readonly string[] {
  const [first = "", second] = group;
  const indent = indentOf(first);
  // A list of options has no term that they explain.
  const gap = /^ *(?:[^-\s].*? {2,}(?=\S)|-.*? {2,}(?=[^-\s]))/.exec(first)?.[0].length;
  const hang = second === undefined ? (gap ?? indent) : indentOf(second);
  if (gap === undefined && first.trimStart().startsWith("$ ")) return typed(first, width);
  const term = first.slice(indent, hang).trimEnd();
  const said = [first.slice(hang), ...group.slice(1).map((line) => line.trim())];
  const rest = said.join(said.some((part) => / {2,}/.test(part)) ? "  " : " ");
  const start = first.slice(0, hang);
  const hasRoom = rest.split(" ").every((word) => word.length <= width - hang);
  if (hang <= width / 2 && hasRoom) return filled(rest, start, " ".repeat(hang), width);
  const below = " ".repeat(indent + 4);
  return [...filled(term, " ".repeat(indent), below, width), ...filled(rest, below, below, width)];
}

/** What a shell takes as one line. */
function typed(line: string, width: number): readonly string[] {
  const lines = filled(line.trim(), " ".repeat(indentOf(line)), " ".repeat(indentOf(line) + 4), width - 2);
  return lines.map((part, index) => (index < lines.length - 1 ? `${part} \\` : part));
}

/** Names that two blanks part stay whole: `--format <format>  --json`. */
function filled(text: string, start: string, below: string, width: number): readonly string[] {
  const between = / {2,}/.test(text) ? "  " : " ";
  const room = width - below.length;
  const names = text.split(between === " " ? " " : / {2,}/);
  const words = names.flatMap((name) => (name.length > room ? name.split(" ") : [name]));
  const lines = linesOfWords(words, (line) => line.length <= room, between);
  return lines.map((line, index) => `${index === 0 ? start : below}${line}`);
}

function indentOf(line: string): number {
  return line.length - line.trimStart().length;
}
