import { expect } from "vitest";

/** Matches a text that contains this one, within an expected object. */
export function containing(text: string): string {
  return expect.stringContaining(text) as string;
}

/** Matches a text with a pattern, within an expected object. */
export function matching(pattern: RegExp | string): string {
  return expect.stringMatching(pattern) as string;
}
