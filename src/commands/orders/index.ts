import type { Command } from "commander";

import type { Context } from "../context.js";
import { group } from "../leaf.js";

import { cancelCommand } from "./cancel.js";
import { deliverCommand } from "./deliver.js";
import { dispatchCommand } from "./dispatch.js";
import { finalizeCommand } from "./finalize.js";

export function ordersCommand(context: Context): Command {
  return group("orders", "change the status of orders", [
    dispatchCommand(context),
    deliverCommand(context),
    finalizeCommand(context),
    cancelCommand(context),
  ]);
}
