/** What a person may choose from, and what is meant by what is typed. */
import { isNamed, mayMean } from "../shared/plain-words.js";

export interface Choice {
  /** An empty one is something else than all the others: it is always there. */
  readonly value: string;
  /** What is shown of it. */
  readonly name: string;
}

/**
 * The one whose value or name was typed; else those each of whose typed words begins one of the name's, whatever their
 * case and accents, and all where nothing is typed.
 */
export function meantBy(typed: string, choices: readonly Choice[]): readonly Choice[] {
  if (typed.trim() === "") return choices;
  const whole = choices.filter(({ value, name }) => value === typed.trim() || isNamed(typed, name));
  if (whole.length > 0) return whole;
  return choices.filter(({ value, name }) => value === "" || mayMean(typed, name));
}

/** As {@link meantBy}, without what is something else than all the others, unless that is named itself. */
export function onesNamed(typed: string, choices: readonly Choice[]): readonly Choice[] {
  return meantBy(typed, choices).filter(({ value, name }) => value !== "" || isNamed(typed, name));
}
