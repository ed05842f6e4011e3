/**
 * `--help` prints one screen: the whole help where it fits; else a line for each option; else the options' names by their
 * groups. `comanda help <command>` always prints the whole help.
 */
import type { Option } from "commander";

import { t, translated } from "../languages/language.js";
import { linesOfWords } from "./wrap.js";

export interface ScreenParts {
  /** The text of `comanda help <command>`. */
  readonly whole: string;
  /** The words of the command, for example `orders cancel`. */
  readonly words: string;
  readonly usage: string;
  readonly summary: string;
  /** The commands of a group. */
  readonly members: readonly { readonly name: string; readonly summary: string }[];
  /** The command's own options, without `--help`. */
  readonly options: readonly Option[];
  /** Few people need these options, so the screen only names them. */
  readonly rare: ReadonlySet<Option>;
  /** The options of all commands that this page lists. */
  readonly globals: readonly Option[];
  /** Command lines without the leading `comanda`. */
  readonly examples: readonly string[];
}

const columns = 80;
/** A terminal of 24 lines needs one for the next command. */
const rows = 23;

export function helpScreen(parts: ScreenParts): string {
  const counts = parts.examples.map((_, index) => parts.examples.length - index);
  const briefs = [describedOptions(parts), namedOptions(parts)].flatMap((options) =>
    counts.map((count) => briefHelp(parts, options, count)),
  );
  return [parts.whole, ...briefs].find((text) => heightOf(text) <= rows) ?? parts.whole;
}

function heightOf(text: string): number {
  const lines = text.trimEnd().split("\n");
  return lines.reduce((height, line) => height + Math.max(1, Math.ceil(line.length / columns)), 0);
}

function briefHelp(
  { words, usage, summary, members, examples }: ScreenParts,
  options: readonly string[],
  exampleCount: number,
): string {
  return [
    `${translated("Usage:")} ${usage}`,
    "",
    summary,
    "",
    ...membersOf(members),
    ...options,
    "",
    translated("Examples:"),
    ...examples.slice(0, exampleCount).map((line) => `  $ comanda ${line}`),
    "",
    t`More: comanda help ${words}, comanda help options`,
    "",
  ].join("\n");
}

function membersOf(members: ScreenParts["members"]): readonly string[] {
  if (members.length === 0) return [];
  const width = Math.max(...members.map(({ name }) => name.length));
  const lines = members.flatMap(({ name, summary }) =>
    wrapUnder(`  ${name.padEnd(width)}  `, firstClause(summary).split(" ")),
  );
  return [translated("Commands:"), ...lines, ""];
}

/** The command's own options have the first clause of their descriptions; rare ones and those of all commands only names. */
function describedOptions({ words, options, rare, globals }: ScreenParts): readonly string[] {
  const usual = options.filter((option) => !rare.has(option));
  const width = Math.max(...flagsOf(usual).map((flags) => flags.length), 0);
  return [
    ...(usual.length > 0 ? [translated("Options:")] : []),
    ...usual.flatMap(({ flags, description }) =>
      wrapUnder(`  ${flags.padEnd(width)}  `, firstClause(description).split(" ")),
    ),
    ...wrapUnder("  ", flagsOf(globals), "  "),
    ...(rare.size > 0
      ? [
          "",
          t`For scripts and long lists (comanda help ${words}):`,
          ...wrapUnder("  ", flagsOf([...rare]), "  "),
        ]
      : []),
  ];
}

function namedOptions({ options, globals }: ScreenParts): readonly string[] {
  const groups = new Map<string, Option[]>();
  for (const option of options) {
    const title = translated(option.helpGroupHeading ?? "Options:");
    groups.set(title, [...(groups.get(title) ?? []), option]);
  }
  const all: readonly (readonly [string, readonly Option[]])[] = [...groups, ["", globals]];
  const width = Math.max(...all.map(([title]) => title.length));
  return all.flatMap(([title, members]) => wrapUnder(`${title.padEnd(width)}  `, flagsOf(members), "  "));
}

function flagsOf(options: readonly Option[]): readonly string[] {
  return options.map(({ flags }) => flags);
}

/** @param start of the first line; the others begin below its end */
function wrapUnder(start: string, words: readonly string[], between = " "): readonly string[] {
  if (words.length === 0) return [];
  const lines = linesOfWords(words, (line) => start.length + line.length <= columns, between);
  return lines.map((line, index) => `${index === 0 ? start : " ".repeat(start.length)}${line}`);
}

/** Keeps a condition such as `with --format csv:` with its clause. */
export function firstClause(description: string): string {
  const [condition = ""] = /^(?:with|com) --[^:]*: /.exec(description) ?? [];
  const [clause = ""] = description.slice(condition.length).split(/[.;:(]/);
  return `${condition}${clause.trim()}`;
}
