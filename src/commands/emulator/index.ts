import type { Command } from "commander";

import type { Context } from "../context.js";
import { group } from "../leaf.js";

import { execEmulatorCommand } from "./exec.js";
import { startEmulatorCommand } from "./start.js";

export function emulatorCommand(context: Context): Command {
  return group("emulator", "the whole service on this machine, to try things on", [
    startEmulatorCommand(context),
    execEmulatorCommand(context),
  ]);
}
