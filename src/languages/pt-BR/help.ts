/** Help: what the commands and their options are for. */
import type { Catalogue } from "../../shared/language.js";

export const help: Catalogue = {
  "Usage:": "Uso:",
};
