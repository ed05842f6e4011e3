/** Gives a page the language of its reader. */
import type { Context } from "hono";
import { accepts } from "hono/accepts";
import { createContext, useContext } from "hono/jsx";

import { emulator as portuguese } from "../../languages/pt-BR/emulator.js";
import { textDigest } from "../../languages/text-digest.js";
import { type Language, languages, type Words, wordsOf } from "../../shared/language.js";

const words: Readonly<Record<Language, Words>> = {
  en: wordsOf("en"),
  "pt-BR": wordsOf("pt-BR", portuguese, textDigest),
};

/** Picks the language that the browser likes best of those that the pages speak; English where it names neither. */
export function readerWords(c: Context): Words {
  const language = accepts(c, {
    header: "Accept-Language",
    supports: [...languages],
    default: "en",
    match: (accepted, { default: otherwise }) =>
      accepted
        .filter(({ q }) => q > 0)
        .map(({ type }) => spoken(type))
        .find((language) => language !== undefined) ?? otherwise,
  });
  return words[spoken(language) ?? "en"];
}

/** Gives the language of a tag such as `pt`, `pt-PT`, `en-GB`. */
function spoken(tag: string): Language | undefined {
  const [word = ""] = tag.toLowerCase().split("-");
  return languages.find((language) => language.slice(0, 2) === word);
}

const PageWords = createContext(words.en);

/** A page is written inside of this context. */
export const Speaking = PageWords.Provider;

/** Gives the words of the page that is being written: ``const { t } = usePageWords()``. */
export function usePageWords(): Words {
  return useContext(PageWords);
}
