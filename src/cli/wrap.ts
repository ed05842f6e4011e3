/** Breaks texts between words: a terminal would break them inside of one. */
import { stripVTControlCharacters } from "node:util";

/**
 * @param line blanks at its beginning, and a label with two blanks behind it, stand free before what is wrapped
 * @param width columns of the terminal; absent without one
 */
export function wrapWords(line: string, width: number | undefined): string {
  if (width === undefined || widthOf(line) <= width) return line;
  const [indent = ""] = /^ */.exec(line) ?? [];
  const below = " ".repeat(Math.min(indent.length, width / 4));
  // A command to type has a line of its own, so that it can be copied: `Sign in: comanda login …`.
  const [command] = /(?<=: )comanda [a-z].*$/.exec(line) ?? [];
  if (command !== undefined)
    return `${wrapWords(line.slice(0, -command.length).trimEnd(), width)}\n${below}${command}`;
  const [label = indent] = /^ *\S.*? {2,}(?=[^-\s])/.exec(line) ?? [];
  const start = label.length <= width / 2 ? label : below;
  const lines: string[] = [];
  for (const word of line.slice(start.length).trim().split(/ +/)) {
    const last = lines.at(-1);
    if (last === undefined) lines.push(start + word);
    else if (widthOf(`${last} ${word}`) <= width) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(" ".repeat(start.length) + word);
  }
  return lines.join("\n");
}

/** Counts characters as columns, since comanda's own sentences have no letters that are two columns wide. */
function widthOf(text: string): number {
  return Array.from(stripVTControlCharacters(text)).length;
}
