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
    `.TH ${escaped(name.toUpperCase())} ${section} "" "comanda ${escaped(version)}" "comanda"`,
    // Neither hyphens nor wider spaces where a command line is broken.
    ".nh",
    ".ad l",
    heading(t`Name`),
    `${escaped(name)} \\- ${escaped(summary)}`,
    ...(usage === undefined ? [] : [heading(t`Synopsis`), `.B ${escaped(usage)}`]),
    heading(t`Description`),
    ...paragraphs.flatMap((paragraph, index) => [...(index > 0 ? [".PP"] : []), textLine(paragraph)]),
    // The lines are as wide as a terminal, which leaves no room for an indentation.
    ...(verbatim === undefined ? [] : [".in 0", ...asIs(verbatim.split("\n")), ".in"]),
    ...lists.flatMap(({ title, items }) => [heading(title), ...items.flatMap(tagged)]),
    ...(examples.length === 0 ? [] : [heading(t`Examples`), ...asIs(examples)]),
    heading(t`See also`),
    seeAlso.map((other) => reference(other, pages)).join(",\n"),
    "",
  ].join("\n");
}

function heading(title: string): string {
  return `.SH ${escaped(title.toUpperCase())}`;
}

function tagged({ term, text }: Item): readonly string[] {
  return [".TP", `.B ${escaped(term)}`, textLine(text)];
}

function asIs(lines: readonly string[]): readonly string[] {
  return [".nf", ...lines.map(textLine), ".fi"];
}

function reference(name: string, pages: readonly Page[]): string {
  const section = pages.find((page) => page.name === name)?.section ?? 1;
  return `\\fB${escaped(name)}\\fR(${section})`;
}

/** Escapes the start of a line, where `.` and `'` would begin a request of roff. */
function textLine(text: string): string {
  return text === "" ? "\\&" : escaped(text).replace(/^(?=\.|\\\(aq)/, "\\&");
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
function escaped(text: string): string {
  return text.replaceAll(/[\\'`^~"-]|[^\x20-\x7e]/gu, (character) => {
    const code = character.codePointAt(0) ?? 0;
    return special[character] ?? `\\[u${code.toString(16).toUpperCase().padStart(4, "0")}]`;
  });
}
