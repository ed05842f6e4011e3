/**
 * Translates texts for users. The English text in the code is the key of its translation. All modules of a process share one
 * language, which only `src/cli` sets, so the library's messages are always English.
 */
import type portuguese from "./pt-BR.json";

export type Language = "en" | "pt-BR";

/** A text that has a translation. */
export type Word = keyof typeof portuguese;

export interface Words {
  readonly language: Language;
  /** Translations by their English text, in which `{0}` is the first value, `{1}` the second. */
  readonly catalogue: Readonly<Record<string, string>>;
}

export const english: Words = { language: "en", catalogue: {} };

let current = english;

/** Loads the texts of a language. English requires no file. */
export async function wordsIn(language: Language): Promise<Words> {
  if (language === "en") return english;
  const { default: catalogue } = await import("./pt-BR.json", { with: { type: "json" } });
  return { language, catalogue };
}

/** Sets the language of all later calls of `t` and `translated`. */
export async function useLanguage(language: Language): Promise<void> {
  current = language === "en" ? english : await wordsIn(language);
}

/** Calls `make` in another language than the process's, such as for a report. `make` must be synchronous. */
export function inLanguage<Text>(words: Words, make: () => Text): Text {
  const own = current;
  current = words;
  try {
    return make();
  } finally {
    current = own;
  }
}

export function currentLanguage(): Language {
  return current.language;
}

/** Returns a translated sentence with its values. Call it only inside a function: the language isn't set while modules load. */
export function t(
  parts: TemplateStringsArray,
  ...values: readonly (string | number | boolean | null)[]
): string {
  let key = parts[0] ?? "";
  for (let index = 1; index < parts.length; index += 1) key += `{${index - 1}}${parts[index] ?? ""}`;
  return translated(key).replaceAll(/\{(\d+)\}/g, (_, place) => String(values[Number(place)]));
}

/**
 * Translates English data, such as a value of a list, when it is shown. A member of a list must have a translation to compile; any
 * other text without a translation is returned as it is.
 */
export function translated(text: Word): string;
export function translated<Text extends string>(text: string extends Text ? Text : never): string;
export function translated(text: string): string {
  return (Object.hasOwn(current.catalogue, text) ? current.catalogue[text] : undefined) ?? text;
}

/** Returns one of two whole sentences, because languages inflect different parts of a sentence. */
export function plural(count: number, forms: { readonly one: string; readonly other: string }): string {
  return count === 1 ? forms.one : forms.other;
}

/** Returns the text with a capital first letter, for the start of a sentence or heading. */
export function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Returns a sentence as the continuation of another one. Abbreviations such as HTTP stay as they are. */
export function continued(sentence: string): string {
  return sentence.replace(/^\p{Lu}(?!\p{Lu})/u, (letter) => letter.toLowerCase());
}

/** Returns a text in lower case without accents and with hyphens for blanks, to compare words regardless of their spelling. */
export function plainWords(text: string): string {
  return text.trim().toLowerCase().normalize("NFD").replaceAll(/\p{M}/gu, "").replaceAll(/\s+/g, "-");
}

/** Formats a date in the reader's language: `2026-11-20`, `20/11/2026`. */
export function shownDate(date: string): string {
  return current.language === "pt-BR" ? date.split("-").reverse().join("/") : date;
}

/** Formats the first and last day of a period: `2026-11-16 to 2026-11-22`, or one date. */
export function shownDays({ first, last }: { readonly first: string; readonly last: string }): string {
  return first === last ? shownDate(first) : t`${shownDate(first)} to ${shownDate(last)}`;
}
