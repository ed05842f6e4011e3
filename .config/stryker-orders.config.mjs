// @ts-check
/** `npm run test:mutations:orders`: changes the rules of a list of orders, whose tests run commands. */
import process from "node:process";

import rules from "./stryker.config.mjs";

// vitest.mutations.config.ts reads it in the processes that Stryker starts.
process.env["COMANDA_MUTATIONS"] = "commands";

export default { ...rules, mutate: ["src/core/orders.ts"] };
