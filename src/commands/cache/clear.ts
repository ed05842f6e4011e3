import type { Command } from "commander";

import type { Context } from "../context.js";
import { leaf, perform } from "../leaf.js";

export function clearCacheCommand(context: Context): Command {
  const command = leaf({
    usage: "clear",
    summary: "forget the sales figures that are kept on this machine",
    description: "They are asked for anew when they are needed again. Sessions and settings stay.",
    examples: ["cache clear"],
  });
  return perform(command, context, async (invocation) => {
    const [{ openState }, { clearFiguresCache }] = await Promise.all([
      import("../state.js"),
      import("../../state/figures-cache.js"),
    ]);
    const removed = clearFiguresCache(openState(invocation).folder);
    const { output } = invocation;
    if (output.json) output.value({ removed });
    else output.sentence(removed === 1 ? "1 answer was forgotten." : `${removed} answers were forgotten.`);
  });
}
