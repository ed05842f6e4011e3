import type { Command } from "commander";

import type { Context } from "../context.js";

import { changeStatusCommand } from "./change-status.js";

export function cancelCommand(context: Context): Command {
  return changeStatusCommand(context, {
    action: "cancel",
    summary: "cancel orders",
    description: "A canceled order can't be changed any more. Canceling several asks first, or takes --yes.",
    examples: [
      'orders cancel 4711 --reason "The kitchen is closed"',
      "orders cancel 4711 4712 --yes",
      "orders cancel - --yes --json < ids.txt",
    ],
  });
}
