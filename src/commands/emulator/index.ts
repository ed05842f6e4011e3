/** `comanda emulator` runs the whole service on this machine. */
import type { CommandGroup } from "../../toolkit/command.js";

import { exec } from "./exec.js";
import { readings } from "./readings.js";
import { start } from "./start.js";

export const emulator: CommandGroup = {
  name: "emulator",
  summary: "the whole service on this machine, to try things on",
  members: [start, exec, readings],
};
