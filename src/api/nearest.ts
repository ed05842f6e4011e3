/** A slip of the fingers gets a suggestion. */
import { t } from "../languages/language.js";

/** Counts the single-character edits (insert, delete, replace, swap of neighbours) that turn one word into the other. */
function editDistance(from: string, to: string): number {
  let before: number[] = [];
  let row = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (let at = 1; at <= from.length; at += 1) {
    const next = [at];
    for (let column = 1; column <= to.length; column += 1) {
      const isSame = from[at - 1] === to[column - 1];
      const isSwapped = from[at - 1] === to[column - 2] && from[at - 2] === to[column - 1];
      next[column] = Math.min(
        (row[column - 1] ?? 0) + Number(!isSame),
        (row[column] ?? 0) + 1,
        (next[column - 1] ?? 0) + 1,
        isSwapped ? (before[column - 2] ?? Infinity) + 1 : Infinity,
      );
    }
    [before, row] = [row, next];
  }
  return row[to.length] ?? 0;
}

/**
 * Finds the candidate that was most likely meant, ignoring case; `undefined` where none is near: more than a third of the
 * word's letters (and more than one) would have to change.
 */
export function nearest(word: string, candidates: Iterable<string>): string | undefined {
  // A word longer than any name is no slip, and would only cost time.
  if (word.length > 64) return undefined;
  const typed = word.toLowerCase();
  let limit = Math.max(1, Math.floor(typed.length / 3));
  let best: string | undefined;
  for (const candidate of candidates) {
    const distance = editDistance(typed, candidate.toLowerCase());
    if (distance > limit || (best !== undefined && distance === limit)) continue;
    [best, limit] = [candidate, distance];
  }
  return best;
}

/**
 * Makes ` Did you mean "closed"?`, or an empty text. A name that holds the word's stem will do, as `maxRetries` does that of
 * `maxRetry`.
 */
export function suggestion(word: string, candidates: Iterable<string>): string {
  const names = [...candidates];
  const stem = word.toLowerCase().slice(0, Math.ceil(word.length * 0.75));
  const related = stem.length < 3 ? undefined : names.find((name) => name.toLowerCase().includes(stem));
  const candidate = nearest(word, names) ?? related;
  return candidate === undefined ? "" : t` Did you mean "${candidate}"?`;
}

/** Says that a value must be one of these. */
export function mustBeOneOf(values: readonly string[], value: unknown): string {
  const question = typeof value === "string" ? suggestion(value, values) : "";
  return t`must be one of ${values.join(", ")}` + (question && `.${question}`);
}

/**
 * Tells that an object has no such fields or options; the text goes after the object's name. Dropping a slip silently would
 * change what a call does. The second line lists the names that there are.
 */
export function unknownNames(
  kind: "field" | "option",
  unknown: readonly string[],
  names: readonly string[],
): string {
  // More than three of them would tell no more.
  const sentences = unknown.slice(0, 3).map((name) => {
    const text = kind === "field" ? t`has no field "${name}".` : t`has no option "${name}".`;
    return text + suggestion(name, names);
  });
  return `${sentences.join(t` It `)}\n${t`It has ${names.join(", ")}.`}`;
}
