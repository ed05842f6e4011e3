/** Brazilian Portuguese, as the people of a shop speak it. `test/languages` finds what is missing here. */
import type { Catalogue } from "../../shared/language.js";

import { help } from "./help.js";

export const portuguese: Catalogue = { ...help };
