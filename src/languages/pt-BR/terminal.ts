/** What stands around every text. */
import type { Catalogue } from "../../shared/language.js";

export const terminal: Catalogue = {
  "  The service said: {0}": "  O serviço disse: {0}",
  "error:": "erro:",
  "nothing more": "nada mais",
  ", code {0}": ", código {0}",
  "warning:": "aviso:",
  "(y/N)": "(s/N)",
};
