/** Suggestions. */
import type { Catalogue } from "../../shared/language.js";

export const shared: Catalogue = {
  ' Did you mean "{0}"?': ' Você quis dizer "{0}"?',
  'has no {0} "{1}".{2}': 'não tem {0} "{1}".{2}',
  "{0}\nIt has {1}.": "{0}\nTem: {1}.",
};
