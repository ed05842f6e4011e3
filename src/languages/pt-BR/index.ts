/** Brazilian Portuguese, as the people of a shop speak it. `test/languages` finds what is missing here. */
import type { Catalogue } from "../language.js";

import { help } from "./help.js";
import { messages } from "./messages.js";

/** All translations. */
export const portuguese: Catalogue = { ...messages, ...help };
