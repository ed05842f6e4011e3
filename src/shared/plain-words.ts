/** Words as people type them: with accents or without, in capitals or not. */

/** Blind to accents and capitals; a blank is as good as a hyphen. */
export function plainWords(text: string): string {
  return text.trim().toLowerCase().normalize("NFD").replaceAll(/\p{M}/gu, "").replaceAll(/\s+/g, "-");
}
