import type { Command } from "commander";

import type { Context } from "../context.js";
import { leaf, perform } from "../leaf.js";

export function renameStoreCommand(context: Context): Command {
  const command = leaf({
    usage: "rename <alias> <new-alias>",
    summary: "give a store another alias",
    examples: ["stores rename centro downtown"],
  });
  return perform(command, context, async (invocation, [from = "", to = ""]) => {
    const [{ openState }, { knownSession }, { parseStoreAlias }, { withStoreRenamed }] = await Promise.all([
      import("../state.js"),
      import("../choose-store.js"),
      import("../../state/store-alias.js"),
      import("../../state/store-settings.js"),
    ]);
    const { sessions, settings } = openState(invocation);
    const alias = parseStoreAlias(to);
    const { store } = await knownSession(sessions, from);
    await sessions.rename(store, alias);
    await settings.update((current) => withStoreRenamed(current, store, alias));
    const { output } = invocation;
    if (output.json) output.value({ store: alias, renamed_from: store });
    else output.sentence(`${store} is called ${alias} from now on.`);
  });
}
