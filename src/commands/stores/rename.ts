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
    const [{ openState }, { knownSession }, { parseStoreAlias }] = await Promise.all([
      import("../state.js"),
      import("../choose-store.js"),
      import("../../state/store-alias.js"),
    ]);
    const { sessions, settings } = openState(invocation);
    const alias = parseStoreAlias(to);
    const { store } = await knownSession(sessions, from);
    await sessions.rename(store, alias);
    if (settings.read().default_store === store) {
      await settings.update((current) => ({ ...current, default_store: alias }));
    }
    const { output } = invocation;
    if (output.json) output.value({ store: alias, renamed_from: store });
    else output.sentence(`${store} is called ${alias} from now on.`);
  });
}
