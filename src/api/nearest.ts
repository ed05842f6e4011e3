/** A slip of the fingers gets a suggestion. */
import { t } from "../languages/language.js";

/**
 * Counts the single-character edits (insert, delete, replace, swap of neighbours) that turn one word into the other.
 */
function editDistance(from: string, to: string): number {
  const [source, target] = [Array.from(from), Array.from(to)];
  const rows = [Array.from({ length: target.length + 1 }, (_, column) => column)];
  const at = (row: number, column: number) => rows[row]?.[column] ?? Infinity;
  for (const [row, letter] of source.entries()) {
    rows.push([row + 1]);
    for (const [column, other] of target.entries()) {
      const isSwapped = letter === target[column - 1] && source[row - 1] === other;
      const changed = [
        at(row, column) + Number(letter !== other),
        at(row, column + 1) + 1,
        at(row + 1, column) + 1,
      ];
      rows[row + 1]?.push(Math.min(...changed, isSwapped ? at(row - 1, column - 1) + 1 : Infinity));
    }
  }
  return at(source.length, target.length);
}

/**
 * Finds the candidate that was most likely meant, ignoring case: a near one, or the only one that begins with the
 * word and a hyphen, as `pt-BR` does with `pt`. It gives `undefined` where none is near: more than a third of the
 * word's letters (and more than one) would have to change.
 */
export function nearest(word: string, candidates: Iterable<string>): string | undefined {
  // A word longer than any name is no slip, and would only cost time.
  if (word.length > 64) return undefined;
  const list = [...candidates];
  const typed = word.toLowerCase();
  const continuations = list.filter((candidate) => candidate.toLowerCase().startsWith(`${typed}-`));
  if (continuations.length === 1) return continuations[0];
  let limit = Math.max(1, Math.floor(typed.length / 3));
  let best: string | undefined;
  for (const candidate of list) {
    const distance = editDistance(typed, candidate.toLowerCase());
    if (distance > limit || (best !== undefined && distance === limit)) continue;
    [best, limit] = [candidate, distance];
  }
  return best;
}

/** Makes `Did you mean "closed"?` with a space before it, or an empty text. */
export function suggestion(word: string, candidates: Iterable<string>): string {
  const candidate = nearest(word, candidates);
  return candidate === undefined ? "" : t` Did you mean "${candidate}"?`;
}

/** Makes a suggestion like {@link suggestion}, but also finds a name that the word is a piece of, or shortens. */
export function nameSuggestion(name: string, names: readonly string[]): string {
  const candidate = nearest(name, names) ?? related(name, names);
  return candidate === undefined ? "" : t` Did you mean "${candidate}"?`;
}

/** Says that a value must be one of these, in English, for what programs read. */
export function mustBeOneOf(values: readonly string[], value: unknown): string {
  const candidate = typeof value === "string" ? nearest(value, values) : undefined;
  const list = `must be one of ${values.join(", ")}`;
  return candidate === undefined ? list : `${list}. Did you mean "${candidate}"?`;
}

/**
 * Tells that an object has no such fields or options; the text goes after the object's name, in English. Dropping a
 * slip silently would change what a call does. The second line lists the names that there are.
 */
export function unknownNames(
  kind: "field" | "option",
  unknown: readonly string[],
  names: readonly string[],
): string {
  // More than three of them would tell no more.
  const sentences = unknown.slice(0, 3).map((name) => {
    const candidate = nearest(name, names) ?? related(name, names);
    return `has no ${kind} "${name}".${candidate === undefined ? "" : ` Did you mean "${candidate}"?`}`;
  });
  return `${sentences.join(" It ")}\nIt has ${names.join(", ")}.`;
}

/**
 * Finds a candidate that holds the name's stem, as `maxRetries` does that of `maxRetry`; or that the name shortens, as `qty`
 * does `quantity`: it begins as the name does, and holds all its letters in their order.
 */
function related(name: string, candidates: readonly string[]): string | undefined {
  const typed = name.toLowerCase();
  const stem = typed.slice(0, Math.ceil(typed.length * 0.75));
  if (stem.length < 3) return undefined;
  const shortens = (word: string) => {
    let at = 0;
    for (const letter of word) if (letter === typed[at]) at += 1;
    return at === typed.length && word.startsWith(typed.charAt(0));
  };
  return (
    candidates.find((candidate) => candidate.toLowerCase().includes(stem)) ??
    candidates.find((candidate) => shortens(candidate.toLowerCase()))
  );
}
