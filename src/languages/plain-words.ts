/** People type words with accents or without, in capitals or not. */

/** Drops accents and capitals, and makes blanks hyphens, so that words typed in either way are equal. */
export function plainWords(text: string): string {
  return text.trim().toLowerCase().normalize("NFD").replaceAll(/\p{M}/gu, "").replaceAll(/\s+/g, "-");
}

/** Checks that each typed word begins a word of the name. An empty text fits every name. */
export function mayMean(typed: string, name: string): boolean {
  const words = lettersOf(name);
  return lettersOf(typed).every((start) => words.some((word) => word.startsWith(start)));
}

/** Checks that the typed text is the whole name, but for what stands between its words. */
export function isNamed(typed: string, name: string): boolean {
  return lettersOf(typed).join(" ") === lettersOf(name).join(" ");
}

function lettersOf(text: string): readonly string[] {
  return plainWords(text)
    .split(/[^\p{L}\p{Nd}]+/u)
    .filter((word) => word !== "");
}
