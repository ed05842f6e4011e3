import type { Command } from "commander";

import type { Context } from "../context.js";
import { leaf, perform } from "../leaf.js";

export function useStoreCommand(context: Context): Command {
  const command = leaf({
    usage: "use <alias>",
    summary: "choose the store that commands work at without --store",
    examples: ["stores use centro"],
  });
  return perform(command, context, async (invocation, [alias = ""]) => {
    const [{ openState }, { knownSession }] = await Promise.all([
      import("../state.js"),
      import("../choose-store.js"),
    ]);
    const { sessions, settings } = openState(invocation);
    const { store, environment } = await knownSession(sessions, alias);
    await settings.update((current) => ({ ...current, default_store: store }));
    const { output } = invocation;
    if (output.json) output.value({ store, environment: environment.name, default: true });
    else output.sentence(`Commands work at ${store} (${environment.name}) from now on.`);
  });
}
