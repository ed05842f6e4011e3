/** Writes a page of the manual in the plain macros of man(7), which groff and mandoc both know. */
import { t } from "../../shared/language.js";

import type { Item, Page } from "./pages.js";

/**
 * @param pages has the sections of the pages that this page refers to
 * @param version comanda's
 */
export function manualPage(page: Page, pages: readonly Page[], version: string): string {
  const { name, section, summary, usage, paragraphs, verbatim, lists, examples, seeAlso } = page;
  return [
    `.TH ${escapeRoff(name.toUpperCase())} ${section} "" "comanda ${escapeRoff(version)}" "comanda"`,
    // Neither hyphens nor wider spaces where a command line is broken.
    ".nh",
    ".ad l",
    heading(t`Name`),
    `${escapeRoff(name)} \\- ${escapeRoff(summary)}`,
    ...(usage === undefined ? [] : [heading(t`Synopsis`), `.B ${escapeRoff(usage)}`]),
    heading(t`Description`),
    ...paragraphs.flatMap((paragraph, index) => [...(index > 0 ? [".PP"] : []), textLine(paragraph)]),
    // The lines are as wide as a terminal, which leaves no room for an indentation.
    ...(verbatim === undefined ? [] : [".in 0", ...verbatimLines(verbatim.split("\n")), ".in"]),
    ...lists.flatMap(({ title, items }) => [heading(title), ...items.flatMap(itemLines)]),
    ...(examples.length === 0 ? [] : [heading(t`Examples`), ...verbatimLines(examples)]),
    heading(t`See also`),
    seeAlso.map((other) => reference(other, pages)).join(",\n"),
    "",
  ].join("\n");
}

function heading(title: string): string {
  return `.SH ${escapeRoff(title.toUpperCase())}`;
}

function itemLines({ term, text }: Item): readonly string[] {
  return [".TP", `.B ${escapeRoff(term)}`, textLine(text)];
}

function verbatimLines(lines: readonly string[]): readonly string[] {
  return [".nf", ...lines.map(textLine), ".fi"];
}

function reference(name: string, pages: readonly Page[]): string {
  const section = pages.find((page) => page.name === name)?.section ?? 1;
  return `\\fB${escapeRoff(name)}\\fR(${section})`;
}

/** Escapes the start of a line, where `.` and `'` would begin a request of roff. */
function textLine(text: string): string {
  return text === "" ? "\\&" : escapeRoff(text).replace(/^(?=\.|\\\(aq)/, "\\&");
}

const special: Readonly<Record<string, string>> = {
  "\\": "\\e",
  // A plain "-" may be shown as a hyphen, which no shell takes for an option.
  "-": "\\-",
  "'": "\\(aq",
  "`": "\\(ga",
  "^": "\\(ha",
  "~": "\\(ti",
  '"': "\\(dq",
};

/** Every character then stands for itself, also in a macro's arguments; one that isn't ASCII is written by its number. */
function escapeRoff(text: string): string {
  return text.replaceAll(/[\\'`^~"-]|[^\x20-\x7e]/gu, (character) => {
    const code = character.codePointAt(0) ?? 0;
    return special[character] ?? `\\[u${code.toString(16).toUpperCase().padStart(4, "0")}]`;
  });
}
