/**
 * What people read, in their language. English stands in the code and is the key of each translation; a library's
 * messages are always English, as nobody sets a language there.
 *
 * The language is the one setting that a process has for all its modules: only its edge (`src/cli`) sets it.
 */

export const languages = ["en", "pt-BR"] as const;
export type Language = (typeof languages)[number];

/** Translations by their English text. `{0}` is the first value in it, `{1}` the second. */
export type Catalogue = Readonly<Record<string, string>>;

type Value = string | number | boolean | null;

/** What is said in one language. */
export interface Words {
  readonly language: Language;
  readonly t: (parts: TemplateStringsArray, ...values: readonly Value[]) => string;
  readonly translated: (text: string) => string;
}

/** For whoever answers readers of several languages in one process, as the emulator's pages do. */
export function wordsOf(language: Language, catalogue: Catalogue = {}): Words {
  const translation = (key: string) => (Object.hasOwn(catalogue, key) ? catalogue[key] : undefined);
  return {
    language,
    t: (parts, ...values) => {
      const translated = language === "en" ? undefined : translation(messageKey(parts));
      if (translated === undefined) return filled(parts, values);
      return translated.replaceAll(/\{(\d+)\}/g, (_, index) => String(values[Number(index)]));
    },
    translated: (text) => translation(text) ?? text,
  };
}

let current = wordsOf("en");

/** Everything that `t` and `translated` make into text from now on is in this language. */
export function setLanguage(language: Language, catalogue: Catalogue = {}): void {
  current = wordsOf(language, catalogue);
}

export function currentLanguage(): Language {
  return current.language;
}

/**
 * A sentence with values in it: ``t`There is no store "${name}".` `` Only inside a function, as the language isn't known
 * while modules load.
 */
export function t(parts: TemplateStringsArray, ...values: readonly Value[]): string {
  return current.t(parts, ...values);
}

/**
 * A text without values that stands in the code as data, such as the description of an option. Whatever shows it
 * translates it: the data itself is English.
 */
export function translated(text: string): string {
  return current.translated(text);
}

/** Both forms are whole sentences, as `t` makes them; none is glued together. */
export function plural(count: number, forms: { readonly one: string; readonly other: string }): string {
  return count === 1 ? forms.one : forms.other;
}

/** Makes the first letter a capital, as a sentence or a heading begins. */
export function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** What stands in the catalogue for a template of these parts. */
function messageKey(parts: readonly string[]): string {
  return parts.map((part, index) => (index === 0 ? part : `{${index - 1}}${part}`)).join("");
}

function filled(parts: readonly string[], values: readonly Value[]): string {
  return parts.map((part, index) => (index === 0 ? part : `${String(values[index - 1])}${part}`)).join("");
}
