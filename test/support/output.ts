/** Reads what a program printed, and matches parts of it. */
import { expect } from "vitest";

/** Matches a text that contains this one, within an expected object. */
export function containing(text: string): string {
  return expect.stringContaining(text) as string;
}

/** Matches a text with a pattern, within an expected object. */
export function matching(pattern: RegExp | string): string {
  return expect.stringMatching(pattern) as string;
}

/** Parses JSON. */
export function parseJson(text: string): unknown {
  return JSON.parse(text);
}

/** Parses one value per line. */
export function parseJsonLines(text: string): unknown[] {
  return text.split("\n").filter(Boolean).map(parseJson);
}

/** Returns the error of a command with `--json`, which is its last line. */
export const errorOf = (stderr: string): unknown => parseJson(stderr.trimEnd().split("\n").at(-1) ?? "");
