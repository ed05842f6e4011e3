import type { Command } from "commander";

import type { Context } from "../context.js";

import { changeStatusCommand } from "./change-status.js";

export function finalizeCommand(context: Context): Command {
  return changeStatusCommand(context, {
    action: "finalize",
    summary: "finalize orders",
    description: "A finalized order can't be changed any more.",
    examples: [
      "orders finalize 4711",
      "orders finalize 4711 4712 4713",
      "orders finalize - --json < ids.txt",
    ],
  });
}
