/** What every room needs and no room owns: texts that may be JSON, words that may be slips, values that are made once. */
import { t } from "../languages/language.js";

/** Reads JSON, also behind a byte order mark (RFC 8259, section 8.1); `undefined` where the text is none. */
export function parseJson(text: string): unknown {
  // Most answers to a status change are empty, and an exception for each would cost a long run the most time.
  if (text === "") return undefined;
  try {
    return JSON.parse(text.startsWith("\uFEFF") ? text.slice(1) : text);
  } catch {
    return undefined;
  }
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/**
 * Returns an order's id in its one form, digits without leading zeros: section 2.1 has an integer, section 4 a text in the
 * path. `undefined` if the value isn't an id.
 */
export function parseOrderId(id: unknown): string | undefined {
  const isId = typeof id === "string" ? /^\d+$/.test(id) : Number.isSafeInteger(id) && Number(id) >= 0;
  return isId ? String(id).replace(/^0+(?=\d)/, "") : undefined;
}

/**
 * Makes a value when it is first needed, and keeps it. A schema of many fields costs a start more than most commands'
 * own work, and few commands need many of them.
 */
/* @__NO_SIDE_EFFECTS__ */
export function once<Value>(make: () => Value): () => Value {
  let kept: { readonly value: Value } | undefined;
  return () => (kept ??= { value: make() }).value;
}

/** Groups the items by their keys; items and groups keep their order. */
export function groupBy<Item, Key>(items: Iterable<Item>, keyOf: (item: Item) => Key): Map<Key, Item[]> {
  const groups = new Map<Key, Item[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group) group.push(item);
    else groups.set(key, [item]);
  }
  return groups;
}

/**
 * Is it this machine's own: 127.0.0.0/8, ::1 or `localhost` itself (RFC 8252, section 8.3)? The resolver decides whether
 * `localhost.` and `x.localhost` lead to this machine, and no rule of safety may depend on that.
 *
 * @param hostname is in the form of `URL.hostname`: lower case, IPv6 in brackets (accepted without them, too)
 */
export function isLoopbackHost(hostname: string): boolean {
  return /^(?:localhost|\[::1\]|::1|127(?:\.(?:\d|[1-9]\d|1\d\d|2[0-4]\d|25[0-5])){3})$/i.test(hostname);
}

/**
 * Finds the candidate that was most likely meant, ignoring case: the one that has most of the word's letters in their order, where
 * up to two in between are skipped. `undefined` where less than two thirds of both words' letters are the same.
 */
export function nearest(word: string, candidates: Iterable<string>): string | undefined {
  const typed = word.toLowerCase();
  let best: string | undefined;
  let most = 0.66;
  for (const candidate of candidates) {
    const name = candidate.toLowerCase();
    let [shared, at] = [0, 0];
    for (const letter of typed) {
      const skipped = name.slice(at, at + 3).indexOf(letter);
      if (skipped < 0) continue;
      shared += 1;
      at += skipped + 1;
    }
    const share = (2 * shared) / (typed.length + name.length);
    if (share > most) [best, most] = [candidate, share];
  }
  return best;
}

/** Makes ` Did you mean "closed"?`, or an empty text. A name that holds the word's stem will do, as that of a driver does. */
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

/** Tells after an object's name that it has no such fields. The second line lists the names that there are. */
export function unknownNames(unknown: readonly string[], names: readonly string[]): string {
  const sentences = unknown.map((name) => t`has no field "${name}".` + suggestion(name, names));
  return `${sentences.join(t` It `)}\n${t`It has ${names.join(", ")}.`}`;
}
