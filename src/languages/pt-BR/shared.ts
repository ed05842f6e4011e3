/** Suggestions. */
import type { Catalogue } from "../../shared/language.js";

export const shared: Catalogue = {
  ' Did you mean "{0}"?': ' Você quis dizer "{0}"?',
};
