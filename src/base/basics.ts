/** Small helpers for every layer: JSON, order ids, values that are created once, suggestions for names, and causes of file errors. */
import { plural, t, translated, type Word } from "../languages/language.js";
import { systemErrorCode } from "./errors.js";

/** Parses JSON, also after a byte order mark (RFC 8259, section 8.1); `undefined` if it isn't valid. */
export function parseJson(text: string): unknown {
  // Most responses to a status change are empty, and exceptions are slow.
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

/** Returns an order's id as digits without leading zeros (section 2.1: an integer, section 4: a text); `undefined` if it isn't one. */
export function parseOrderId(id: unknown): string | undefined {
  const isId = typeof id === "string" ? /^\d+$/.test(id) : Number.isSafeInteger(id) && Number(id) >= 0;
  return isId ? String(id).replace(/^0+(?=\d)/, "") : undefined;
}

/** Reads an environment variable. An empty one counts as unset. */
export function variable(
  { env }: { readonly env: Readonly<Record<string, string | undefined>> },
  name: string,
): string | undefined {
  return env[name] === "" ? undefined : env[name];
}

/** Returns a function that creates a value at its first call. Large schemas would slow down the start of commands without them. */
/* @__NO_SIDE_EFFECTS__ */
export function once<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | undefined;
  return () => (made ??= { value: make() }).value;
}

/**
 * Returns whether a host, as in `URL.hostname` or IPv6 without brackets, is this machine (RFC 8252, section 8.3). `x.localhost` depends on
 * the resolver, and may lead elsewhere.
 */
export function isLoopbackHost(hostname: string): boolean {
  return /^(?:localhost|\[::1\]|::1|127(?:\.(?:\d|[1-9]\d|1\d\d|2[0-4]\d|25[0-5])){3})$/i.test(hostname);
}

/**
 * Returns the candidate that shares the most letters with the word in the same order, ignoring case and skipping at most two letters at
 * a time; `undefined` if less than two thirds of both words' letters are shared.
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

/** Returns ` Did you mean "closed"?` or an empty text. A name that contains the word also counts, such as `cancellation_reason`. */
export function suggestion(word: string, candidates: Iterable<string>): string {
  const names = [...candidates];
  const candidate = nearest(word, names) ?? names.find((name) => word.length > 2 && name.includes(word));
  return candidate === undefined ? "" : ` ${t`Did you mean ${`"${candidate}"`}?`}`;
}

/** Returns the values that an input accepts, to follow "Use" or "must be". */
export function alternatives(values: readonly string[]): string {
  return values.length > 2 ? t`one of ${values.join(", ")}` : values.join(t` or `);
}

/** Returns what a value must be, to follow its name. */
export function mustBeOneOf(values: readonly string[], value: unknown): string {
  const question = typeof value === "string" ? suggestion(value, values) : "";
  return t`must be ${alternatives(values)}` + (question && `.${question}`);
}

/** Returns the names that an object doesn't have, to follow its name. The second line lists those that it has. */
export function unknownNames(unknown: readonly string[], names: readonly string[]): string {
  const questions = unknown
    .map((name) => {
      const question = suggestion(name, names);
      return question && unknown.length > 1 ? ` "${name}":${question}` : question;
    })
    .join("");
  const listed = unknown.join('", "');
  const lacks = plural(unknown.length, {
    one: t`has no field "${listed}".`,
    other: t`has no fields "${listed}".`,
  });
  return `${lacks}${questions}\n${t`Use ${alternatives(names)}.`}`;
}

const fileErrors: Readonly<Record<string, Word>> = {
  ENOSPC: "there is no space left",
  EDQUOT: "there is no space left",
  EMFILE: "too many files are open (ulimit -n)",
  ENFILE: "too many files are open (ulimit -n)",
  EFBIG: "the file size limit (ulimit -f) is reached",
  EACCES: "permission denied",
  EPERM: "permission denied",
  ENOENT: "the file or folder doesn't exist",
  EISDIR: "it is a folder",
  ELOOP: "it is a symbolic link",
  EIO: "the disk reports an error (EIO)",
  EROFS: "the file system is read-only",
};

/** Returns why a file can't be read or written, as the end of a sentence. */
export function fileErrorReason(error: unknown): string {
  const known = fileErrors[systemErrorCode(error) ?? ""];
  if (known) return translated(known);
  return error instanceof Error ? error.message.replace(/, \w+ '.*$/, "") : t`unknown error`;
}
