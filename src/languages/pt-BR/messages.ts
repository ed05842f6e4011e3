/** What comanda says while it works: every command in Portuguese loads it, and the help's texts only where help is shown. */
import type { Catalogue } from "../language.js";

import { auth } from "./auth.js";
import { chain } from "./chain.js";
import { cli } from "./cli.js";
import { client } from "./client.js";
import { commands } from "./commands.js";
import { readings } from "./readings.js";
import { sales } from "./sales.js";
import { shared } from "./shared.js";
import { state } from "./state.js";
import { terminal } from "./terminal.js";

/** Each area of `src` has a file of its own. */
export const messages: Catalogue = {
  ...auth,
  ...chain,
  ...cli,
  ...client,
  ...commands,
  ...readings,
  ...sales,
  ...shared,
  ...state,
  ...terminal,
};
