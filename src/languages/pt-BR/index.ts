/** Brazilian Portuguese, as the people of a shop speak it. `test/languages` finds what is missing here. */
import type { Catalogue } from "../../shared/language.js";

import { auth } from "./auth.js";
import { chain } from "./chain.js";
import { cli } from "./cli.js";
import { client } from "./client.js";
import { commands } from "./commands.js";
import { help } from "./help.js";
import { readings } from "./readings.js";
import { sales } from "./sales.js";
import { shared } from "./shared.js";
import { state } from "./state.js";
import { terminal } from "./terminal.js";

/** All translations. Each area of `src` has a file of its own. */
export const portuguese: Catalogue = {
  ...auth,
  ...chain,
  ...cli,
  ...client,
  ...commands,
  ...help,
  ...readings,
  ...sales,
  ...shared,
  ...state,
  ...terminal,
};
