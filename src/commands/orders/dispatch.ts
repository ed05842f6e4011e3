import type { Command } from "commander";

import type { Context } from "../context.js";

import { changeStatusCommand } from "./change-status.js";

export function dispatchCommand(context: Context): Command {
  return changeStatusCommand(context, {
    action: "dispatch",
    summary: "send orders on their way, or have them wait for pickup",
    description: "Delivery orders go out for delivery; takeout and onsite orders wait for pickup.",
    examples: [
      "orders dispatch 4711",
      "orders dispatch 4711 4712 4713",
      "orders dispatch - --json < ids.txt",
    ],
  });
}
