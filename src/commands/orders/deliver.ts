import type { Command } from "commander";

import type { Context } from "../context.js";

import { changeStatusCommand } from "./change-status.js";

export function deliverCommand(context: Context): Command {
  return changeStatusCommand(context, {
    action: "deliver",
    summary: "mark delivery orders as delivered",
    description: "Only delivery orders that are out for delivery can be delivered.",
    examples: ["orders deliver 4711", "orders deliver 4711 4712 4713", "orders deliver - --json < ids.txt"],
  });
}
