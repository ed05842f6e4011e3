/** Checks the links and exit codes in the documents. test/acceptance/readme.test.ts runs the command lines of the README. */
import { existsSync, readdirSync, readFileSync } from "node:fs";

import { expect, test } from "vitest";

import { exitCodeOf, type ErrorCode } from "../../src/base/errors.js";

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

const topics = readdirSync("src/cli/help").filter((name) => name.endsWith(".md"));

test.each(topics)("comanda help breaks no line of %s on a terminal of 80 columns", (name) => {
  const lines = page(`src/cli/help/${name}`).split("\n");
  expect(lines.filter((line) => line.length > 80)).toEqual([]);
});

test("the topic exit-codes lists every exit code once, in order, each with its error codes", () => {
  const [, ...entries] = page("src/cli/help/exit-codes.md").split(/^ {2,4}(?=\d+ )/m);
  const listed = entries.map((entry) => {
    const [, codes = ""] = /\[([^\]]+)\]/.exec(entry) ?? [];
    return { exitCode: Number.parseInt(entry), codes: codes.match(/\w+/g)?.sort() ?? [] };
  });
  const pairs = Object.entries(exitCodeOf);
  const exitCodes = [...new Set([0, ...Object.values(exitCodeOf)])].sort((one, other) => one - other);
  const codesOf = (exitCode: number) => pairs.flatMap(([code, exit]) => (exit === exitCode ? code : []));
  expect(listed).toEqual(exitCodes.map((exitCode) => ({ exitCode, codes: codesOf(exitCode).sort() })));
});

/** The errors whose exit codes the topics name, in order. */
const namedErrors: Readonly<Record<string, readonly ErrorCode[]>> = {
  "cron.md": ["lock_timeout"],
  "figures.md": ["not_found", "invalid_input", "alert_holds"],
  "files.md": ["state_unusable"],
  "history.md": ["lock_timeout", "state_unusable"],
  "operation.md": ["check_failed", "alert_holds", "status_conflict"],
  "postgres.md": ["state_unusable", "unreachable", "unreachable"],
  "sign-in.md": ["not_signed_in"],
  "statuses.md": ["status_conflict"],
};

test.each(topics)("each exit code in %s is that of its error", (name) => {
  const named = all(page(`src/cli/help/${name}`), /\bexits?(?:\s+with)?\s+code(?:\s+is)?\s+(\d+)/g).map(
    Number,
  );
  expect(named).toEqual((namedErrors[name] ?? []).map((code) => exitCodeOf[code]));
});
