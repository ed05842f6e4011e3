import type { Command } from "commander";

import type { Context } from "../context.js";
import { group } from "../leaf.js";

import { assignDriverCommand } from "./assign.js";

export function driverCommand(context: Context): Command {
  return group("driver", "assign the drivers of delivery orders", [assignDriverCommand(context)]);
}
