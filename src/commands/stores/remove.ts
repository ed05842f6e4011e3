import type { Command } from "commander";

import { canAsk, type Context } from "../context.js";
import { leaf, perform, type Invocation } from "../leaf.js";

export function removeStoreCommand(context: Context): Command {
  const command = leaf({
    usage: "remove <alias>",
    summary: "forget a store without telling the service",
    description:
      "Its tokens stay valid at the service until they expire; `comanda logout` revokes them first. " +
      "It also takes away a session file that can't be read any more.",
    examples: ["stores remove centro --yes"],
  }).option("-y, --yes", "without asking");
  return perform(command, context, (invocation, [alias = ""]) =>
    removeStore(invocation, alias, command.opts<{ yes?: boolean }>().yes ?? false),
  );
}

async function removeStore(invocation: Invocation, given: string, yes: boolean): Promise<void> {
  const { context, globals, output } = invocation;
  const [{ openState }, { unknownStore }, { parseStoreAlias }, { withoutStore }] = await Promise.all([
    import("../state.js"),
    import("../choose-store.js"),
    import("../../state/store-alias.js"),
    import("../../state/store-settings.js"),
  ]);
  const { sessions, settings } = openState(invocation);
  const alias = parseStoreAlias(given);
  if (!yes && canAsk(context, globals)) {
    const { askYesNo } = await import("../../terminal/prompt.js");
    const sure = await askYesNo(`Forget the store ${alias} on this machine?`, {
      ...{ input: context.stdin, output: context.stderr.stream, signal: context.signal },
    });
    if (!sure) {
      output.notice("Nothing was removed.");
      return;
    }
  }
  if (!(await sessions.remove(alias))) throw await unknownStore(sessions, alias);
  await settings.update((current) => withoutStore(current, alias));
  if (output.json) output.value({ store: alias, removed: true });
  else output.sentence(`${alias} is forgotten on this machine.`);
}
