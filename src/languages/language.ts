/**
 * Texts for people come in their language: English stands in the code and is the key of each translation. All modules of a process
 * share the one language. Only its edge (`src/cli`) sets it, so a library's messages are always English.
 */
import type portuguese from "./pt-BR.json";

export type Language = "en" | "pt-BR";

/** A text that has a translation. */
export type Word = keyof typeof portuguese;

export interface Words {
  readonly language: Language;
  /** Translations by their English text. `{0}` is the first value in it, `{1}` the second. */
  readonly catalogue: Readonly<Record<string, string>>;
}

export const english: Words = { language: "en", catalogue: {} };

let current = english;

/** Who reads English loads no translations. */
export async function wordsIn(language: Language): Promise<Words> {
  if (language === "en") return english;
  const { default: catalogue } = await import("./pt-BR.json", { with: { type: "json" } });
  return { language, catalogue };
}

/** Sets the language of everything that `t` and `translated` make into text from now on. */
export async function useLanguage(language: Language): Promise<void> {
  current = language === "en" ? english : await wordsIn(language);
}

/** Makes a text in another language than the process's, such as a page for others. Nothing in it may wait. */
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

/** Makes a sentence with values in it. Call it only inside a function, as the language isn't known while modules load. */
export function t(
  parts: TemplateStringsArray,
  ...values: readonly (string | number | boolean | null)[]
): string {
  let key = parts[0] ?? "";
  for (let index = 1; index < parts.length; index += 1) key += `{${index - 1}}${parts[index] ?? ""}`;
  // Every second piece is the number of a value.
  const pieces = translated(key).split(/\{(\d+)\}/);
  for (let index = 1; index < pieces.length; index += 2)
    pieces[index] = String(values[Number(pieces[index])]);
  return pieces.join("");
}

/**
 * Translates a text without values that stands in the code as data, where it is shown: the data itself stays English. A member of a
 * list needs a translation to compile; any other text without one is shown as it is.
 */
export function translated<Text extends string>(text: string extends Text ? Text : Text & Word): string {
  return (Object.hasOwn(current.catalogue, text) ? current.catalogue[text] : undefined) ?? text;
}

/** Picks one of two whole sentences: languages don't glue sentences together in the same places. */
export function plural(count: number, forms: { readonly one: string; readonly other: string }): string {
  return count === 1 ? forms.one : forms.other;
}

/** Makes the first letter a capital, as a sentence or a heading begins. */
export function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Drops accents and capitals, and makes blanks hyphens, so that words typed in either way are equal. */
export function plainWords(text: string): string {
  return text.trim().toLowerCase().normalize("NFD").replaceAll(/\p{M}/gu, "").replaceAll(/\s+/g, "-");
}

/** Writes a day as the reader does: `2026-11-20`, `20/11/2026`. */
export function shownDate(date: string): string {
  return current.language === "pt-BR" ? date.split("-").reverse().join("/") : date;
}
