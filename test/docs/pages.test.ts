/** Checks the links and exit codes in the documents. test/acceptance/readme.test.ts runs the command lines of the README. */
import { existsSync, readdirSync, readFileSync } from "node:fs";

import { expect, test } from "vitest";

import { exitCodeOf } from "../../src/base/errors.js";

const page = (name: string) => readFileSync(name, "utf8");
const all = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, found = ""]) => found);

test.each(["README.md", "LEIAME.md"])("%s has at most 1,100 words without its code blocks", (name) => {
  const prose = page(name).replaceAll(/^```.*?^```/gms, "");
  expect(prose.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length).toBeLessThanOrEqual(1_100);
});

test.each(["README.md", "LEIAME.md"])("Every link of %s leads to a heading or a file", (name) => {
  const anchorOf = (title: string) =>
    title
      .toLowerCase()
      .replaceAll(/[^\w -]/g, "")
      .replaceAll(" ", "-");
  const headings = all(page(name), /^#+ (.*)$/gm).map((title) => `#${anchorOf(title)}`);
  const exists = (link: string) => (link.startsWith("#") ? headings.includes(link) : existsSync(link));
  expect(all(page(name), /\]\(([^)]+)\)/g).filter((link) => !exists(link))).toEqual([]);
});

test.each(readdirSync("src/cli/help").filter((name) => name.endsWith(".md")))(
  "comanda help breaks no line of %s on a terminal of 80 columns",
  (name) => {
    const lines = page(`src/cli/help/${name}`).split("\n");
    expect(lines.filter((line) => line.length > 80)).toEqual([]);
  },
);

test("the topic exit-codes lists every exit code once, in order", () => {
  const listed = all(page("src/cli/help/exit-codes.md"), /^ {2,4}(\d+) /gm).map(Number);
  const codes = new Set([0, ...Object.values(exitCodeOf)]);
  expect(listed).toEqual([...codes].sort((a, b) => a - b));
});
