import type { Command } from "commander";

import type { Context } from "../context.js";
import { group } from "../leaf.js";

import { listEnvironmentsCommand } from "./list.js";
import { removeEnvironmentCommand } from "./remove.js";
import { setEnvironmentCommand } from "./set.js";

export function environmentCommand(context: Context): Command {
  return group("env", "the environments of the service that this machine knows", [
    setEnvironmentCommand(context),
    listEnvironmentsCommand(context),
    removeEnvironmentCommand(context),
  ]);
}
