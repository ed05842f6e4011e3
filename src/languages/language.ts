/**
 * Texts for people come in their language. English stands in the code and is the key of each translation. A library's
 * messages are always English, as nobody sets a language there.
 *
 * All modules of a process share the one language: only its edge (`src/cli`) sets it.
 */

export const languages = ["en", "pt-BR"] as const;
export type Language = (typeof languages)[number];

export interface Words {
  readonly language: Language;
  /** Translations by their English text. `{0}` is the first value in it, `{1}` the second. */
  readonly catalogue: Readonly<Record<string, string>>;
}

/** Loads the words of a language: who reads English loads no translations. */
export async function wordsIn(language: Language): Promise<Words> {
  if (language === "en") return english;
  const { default: catalogue } = await import("./pt-BR.json", { with: { type: "json" } });
  return { language, catalogue };
}

export const english: Words = { language: "en", catalogue: {} };

let current = english;

/** Sets the language of everything that `t` and `translated` make into text from now on. */
export async function useLanguage(language: Language): Promise<void> {
  current = await wordsIn(language);
}

/** Makes a text in another language than the process's, such as a page for others to read. Nothing in it may wait. */
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

/**
 * Makes a sentence with values in it: ``t`There is no store "${name}".` `` Call it only inside a function, as the
 * language isn't known while modules load.
 */
export function t(
  parts: TemplateStringsArray,
  ...values: readonly (string | number | boolean | null)[]
): string {
  let english = parts[0] ?? "";
  for (let index = 1; index < parts.length; index += 1) english += `{${index - 1}}${parts[index] ?? ""}`;
  return translated(english).replaceAll(/\{(\d+)\}/g, (_, index) => String(values[Number(index)]));
}

/**
 * Translates a text without values that stands in the code as data, such as the description of an option. The data
 * itself stays English; the code that shows it calls this.
 */
export function translated(text: string): string {
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
