/**
 * What people read, in their language. English stands in the code and is the key of each translation; a library's
 * messages are always English, as nobody sets a language there.
 *
 * The language is the one setting that a process has for all its modules: only its edge (`src/cli`) sets it.
 */

export const languages = ["en", "pt-BR"] as const;
export type Language = (typeof languages)[number];

/** From an English text to its translation. `{0}` is the first value in it, `{1}` the second. */
export type Catalogue = Readonly<Record<string, string>>;

const english: { readonly language: Language; readonly catalogue: Catalogue } = {
  language: "en",
  catalogue: {},
};
let current = english;

/** Everything that is made into text from now on is in this language. */
export function setLanguage(language: Language, catalogue: Catalogue = {}): void {
  current = { language, catalogue };
}

export function currentLanguage(): Language {
  return current.language;
}

type Value = string | number | boolean | null;

/**
 * A sentence with values in it: ``t`There is no store "${name}".` `` Only inside a function, as the language isn't known
 * while modules load.
 */
export function t(parts: TemplateStringsArray, ...values: readonly Value[]): string {
  if (current === english || current.language === "en") return filled(parts, values);
  const translation = translationOf(messageKey(parts));
  if (translation === undefined) return filled(parts, values);
  return translation.replaceAll(/\{(\d+)\}/g, (_, index) => String(values[Number(index)]));
}

/**
 * A text without values that stands in the code as data, such as the description of an option. Whatever shows it
 * translates it: the data itself is English.
 */
export function translated(text: string): string {
  return translationOf(text) ?? text;
}

/** Both forms are whole sentences, as `t` makes them; none is glued together. */
export function plural(count: number, forms: { readonly one: string; readonly other: string }): string {
  return count === 1 ? forms.one : forms.other;
}

/** What stands in the catalogue for a template of these parts. */
function messageKey(parts: readonly string[]): string {
  return parts.map((part, index) => (index === 0 ? part : `{${index - 1}}${part}`)).join("");
}

function filled(parts: readonly string[], values: readonly Value[]): string {
  return parts.map((part, index) => (index === 0 ? part : `${String(values[index - 1])}${part}`)).join("");
}

function translationOf(key: string): string | undefined {
  return Object.hasOwn(current.catalogue, key) ? current.catalogue[key] : undefined;
}
