import type { Command } from "commander";

import type { EnvironmentListing } from "../../state/environments.js";
import type { Column } from "../../terminal/index.js";
import type { Context } from "../context.js";
import { leaf, perform } from "../leaf.js";

export function listEnvironmentsCommand(context: Context): Command {
  const command = leaf({
    usage: "list",
    summary: "list the environments and their addresses",
    takes: ["format"],
    examples: ["env list", "env list --json"],
  });
  return perform(command, context, async (invocation) => {
    const [{ openState }, { listEnvironments }] = await Promise.all([
      import("../state.js"),
      import("../../state/environments.js"),
    ]);
    const environments = listEnvironments(openState(invocation).settings.read());
    await invocation.output.records(columns, environments);
  });
}

const unset = "not set: see comanda env set --help";

const columns: readonly Column<EnvironmentListing>[] = [
  { heading: "Name", name: "name", cell: ({ name }) => name },
  { heading: "Base URL", name: "base_url", cell: ({ base_url: url }) => url ?? unset },
  { heading: "Auth URL", name: "auth_url", cell: ({ auth_url: url }) => url },
  { heading: "Client id", name: "client_id", cell: ({ client_id: id }) => id },
  { heading: "Redirect URI", name: "redirect_uri", cell: ({ redirect_uri: uri }) => uri },
];
