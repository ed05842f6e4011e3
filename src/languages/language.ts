/**
 * Texts for people come in their language. English stands in the code and is the key of each translation. A library's
 * messages are always English, as nobody sets a language there.
 *
 * All modules of a process share the one language: only its edge (`src/cli`) sets it.
 */

export const languages = ["en", "pt-BR"] as const;
export type Language = (typeof languages)[number];

/** Translations are listed by their English text. `{0}` is the first value in it, `{1}` the second. */
export type Catalogue = Readonly<Record<string, string>>;

type Value = string | number | boolean | null;

export interface Words {
  readonly language: Language;
  readonly t: (parts: TemplateStringsArray, ...values: readonly Value[]) => string;
  readonly translated: (text: string) => string;
}

/** Gives the words of one language, for a process whose readers have several, such as the emulator's pages. */
export function wordsOf(language: Language, catalogue: Catalogue = {}): Words {
  const translation = (english: string) =>
    Object.hasOwn(catalogue, english) ? catalogue[english] : undefined;
  return {
    language,
    t: (parts, ...values) => {
      const template = language === "en" ? undefined : translation(messageKey(parts));
      if (template === undefined) return fillIn(parts, values);
      return template.replaceAll(/\{(\d+)\}/g, (_, index) => String(values[Number(index)]));
    },
    translated: (text) => translation(text) ?? text,
  };
}

/** Loads the words of a language: who reads English loads no translations. */
export async function wordsIn(language: Language): Promise<Words> {
  if (language === "en") return wordsOf(language);
  const { default: catalogue } = await import("./pt-BR.json", { with: { type: "json" } });
  return wordsOf(language, catalogue);
}

let current = wordsOf("en");

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
export function t(parts: TemplateStringsArray, ...values: readonly Value[]): string {
  return current.t(parts, ...values);
}

/**
 * Translates a text without values that stands in the code as data, such as the description of an option. The data
 * itself stays English; the code that shows it calls this.
 */
export function translated(text: string): string {
  return current.translated(text);
}

/**
 * Picks one of two whole sentences, as `t` makes them: languages don't glue sentences together in the same places.
 */
export function plural(count: number, forms: { readonly one: string; readonly other: string }): string {
  return count === 1 ? forms.one : forms.other;
}

/** Makes the first letter a capital, as a sentence or a heading begins. */
export function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Makes the catalogue's key for a template of these parts. */
function messageKey(parts: readonly string[]): string {
  return parts.map((part, index) => (index === 0 ? part : `{${index - 1}}${part}`)).join("");
}

function fillIn(parts: readonly string[], values: readonly Value[]): string {
  return parts.map((part, index) => (index === 0 ? part : `${String(values[index - 1])}${part}`)).join("");
}
