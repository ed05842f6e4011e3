import type { Command } from "commander";

import type { Context } from "../context.js";
import { group } from "../leaf.js";

import { clearCacheCommand } from "./clear.js";

export function cacheCommand(context: Context): Command {
  return group("cache", "sales figures that are kept on this machine", [clearCacheCommand(context)]);
}
