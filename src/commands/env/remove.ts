import type { Command } from "commander";

import type { Context } from "../context.js";
import { leaf, perform } from "../leaf.js";

export function removeEnvironmentCommand(context: Context): Command {
  const command = leaf({
    usage: "remove <name>",
    summary: "forget an environment's addresses",
    description: "Stores that are signed in there keep their own copy of the addresses and go on working.",
    examples: ["env remove sandbox"],
  });
  return perform(command, context, async (invocation, [name = ""]) => {
    const [{ openState }, { withoutEnvironment }] = await Promise.all([
      import("../state.js"),
      import("../../state/environments.js"),
    ]);
    await openState(invocation).settings.update((current) => withoutEnvironment(current, name));
    const { output } = invocation;
    if (output.json) output.value({ name, removed: true });
    else output.sentence(`The environment ${name} is forgotten.`);
  });
}
