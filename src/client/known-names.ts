/** A name that nobody knows is refused, not dropped: a slip would otherwise change what a call does without a word. */
import { nearest } from "../shared/nearest.js";

export interface UnknownNames {
  readonly message: string;
  readonly hint: string;
}

/**
 * What is wrong with the names of an object: its own, as a spread would take them. A name whose value is `undefined`
 * counts as well, since another time it will have one.
 *
 * @param owner begins the message, for example `filters`
 * @param kind `field` or `option`
 */
export function unknownNames(
  owner: string,
  kind: string,
  { given, known }: { given: object; known: Iterable<string> },
): UnknownNames | undefined {
  const names = [...known];
  const unknown = Object.keys(given).filter((name) => !names.includes(name));
  if (unknown.length === 0) return undefined;
  // More of them say no more.
  const message = unknown
    .slice(0, 3)
    .map((name) => {
      const meant = nearest(name, names) ?? related(name, names);
      return `${owner} has no ${kind} "${name}".${meant === undefined ? "" : ` Did you mean "${meant}"?`}`;
    })
    .join(" ");
  return { message, hint: `It has ${names.join(", ")}.` };
}

/** One that holds the name's stem, as `maxRetries` does that of `maxRetry`, and `cancellation_reason` that of `reason`. */
function related(name: string, candidates: readonly string[]): string | undefined {
  const stem = name.toLowerCase().slice(0, Math.ceil(name.length * 0.75));
  return stem.length < 3 ? undefined : candidates.find((candidate) => candidate.toLowerCase().includes(stem));
}

/** The names of a type's fields; the compiler holds them to the type. */
export function namesOf<Type>(names: Readonly<Record<keyof Type, true>>): readonly string[] {
  return Object.keys(names);
}
