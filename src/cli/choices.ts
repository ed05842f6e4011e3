/** Finds the choices that a person's text may mean. */
import { isNamed, mayMean } from "../languages/plain-words.js";

export interface Choice {
  /** The choice with an empty value stands apart from the others ("another one"), so it is always offered. */
  readonly value: string;
  /** The text that is shown. */
  readonly name: string;
}

/**
 * Gives the choice whose value or name is the text; else the choices whose names have a word for each word of the text
 * that begins with it, whatever its case and accents. An empty text may mean every choice.
 */
export function matchingChoices(text: string, choices: readonly Choice[]): readonly Choice[] {
  if (text.trim() === "") return choices;
  const exactMatches = choices.filter(({ value, name }) => value === text.trim() || isNamed(text, name));
  if (exactMatches.length > 0) return exactMatches;
  return choices.filter(({ value, name }) => value === "" || mayMean(text, name));
}

/** As {@link matchingChoices}, but the choice with an empty value only where the text is its name. */
export function namedChoices(text: string, choices: readonly Choice[]): readonly Choice[] {
  return matchingChoices(text, choices).filter(({ value, name }) => value !== "" || isNamed(text, name));
}
