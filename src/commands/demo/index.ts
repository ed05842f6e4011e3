import type { Command } from "commander";

import type { Context } from "../context.js";
import { leaf, perform } from "../leaf.js";

export function demoCommand(context: Context): Command {
  const command = leaf({
    usage: "demo",
    summary: "a guided tour on the emulator; it leaves nothing behind",
    description:
      "Starts the emulator, signs in at a store and takes orders through their life, showing each command line " +
      "with its output. Your own stores and settings are not touched.",
    examples: ["demo", "demo --browser"],
  }).option("--browser", "sign in yourself, in the browser");
  return perform(command, context, async (invocation) => {
    const { runDemo } = await import("./run-demo.js");
    await runDemo(invocation, command.opts<{ browser?: boolean }>().browser ?? false);
  });
}
