import type { Command } from "commander";

import type { Context } from "../context.js";
import { group } from "../leaf.js";

import { listStoresCommand } from "./list.js";
import { removeStoreCommand } from "./remove.js";
import { renameStoreCommand } from "./rename.js";
import { setStoreCommand } from "./set.js";
import { useStoreCommand } from "./use.js";

export function storesCommand(context: Context): Command {
  return group("stores", "the stores that this machine knows", [
    listStoresCommand(context),
    useStoreCommand(context),
    setStoreCommand(context),
    renameStoreCommand(context),
    removeStoreCommand(context),
  ]);
}
