/** Finds the choices that a person's text may mean. */
import { isNamed, mayMean } from "../languages/plain-words.js";

export interface Choice {
  /** The choice with an empty value stands apart from the others ("another one"). */
  readonly value: string;
  /** The text that is shown. */
  readonly name: string;
}

/**
 * Gives the choice whose value or name is the text; else the choices whose names have a word for each word of the text
 * that begins with it, whatever its case and accents, but for the one with an empty value.
 */
export function namedChoices(text: string, choices: readonly Choice[]): readonly Choice[] {
  if (text.trim() === "") return [];
  const exact = choices.filter(({ value, name }) => value === text.trim() || isNamed(text, name));
  return exact.length > 0 ? exact : choices.filter(({ value, name }) => value !== "" && mayMean(text, name));
}
