/** `comanda env` lists and changes the environments of the service. */
import { variable } from "../base/basics.js";
import { localDefaults } from "../base/defaults.js";
import { ComandaError } from "../base/errors.js";
import type { Command } from "../cli/command.js";
import type { Context } from "../cli/context.js";
import type { Column } from "../cli/records.js";
import { t } from "../languages/language.js";
import {
  listEnvironments,
  localEnvironment,
  parseEnvironment,
  withEnvironment,
  withoutEnvironment,
  type EnvironmentListing,
} from "../state/settings.js";

export default function environments(group: Command): void {
  group
    .command("set <name>")
    .about(
      "set an environment's addresses and the app's client id",
      "Both addresses must belong to the same environment of the service. `sandbox` and `production` are the service's own names; for any other environment, choose a name.",
      "API keys require only --base-url. To sign in, also set --auth-url and --client-id.",
    )
    .option("--base-url <url>", "API address; may include a path")
    .option("--auth-url <url>", "portal page where the owner allows the app")
    .option("--client-id <id>", "client id registered with the service")
    .option("--redirect-uri <uri>", "registered URI", localDefaults.redirectUri)
    .examples(
      "env set sandbox --base-url https://api.sandbox.example --auth-url https://portal.sandbox.example/authorize --client-id my-app",
      "env set sandbox --base-url https://api.sandbox.example",
    )
    .does(set);
  group
    .command("list")
    .about("list the environments and their addresses")
    .takes("format")
    .examples("env list", "env list --json")
    .does(async ({ output, workspace }) => {
      const { settings } = await workspace.state();
      await output.records(columns, listEnvironments(await settings.read()));
    });
  group
    .command("remove <name>")
    .about(
      "remove an environment",
      "Signed-in stores have their own copy of the addresses and continue to work.",
    )
    .examples("env remove sandbox")
    .does(async ({ output, workspace }, _, [name = ""]) => {
      const { settings } = await workspace.state();
      await settings.update((current) => withoutEnvironment(current, name));
      const isLocal = name === localEnvironment.name;
      const sentence = isLocal
        ? t`${name} has its built-in addresses again.`
        : t`Environment ${name} removed.`;
      output.done({ name, removed: true }, sentence);
    });
}

interface SetOptions {
  readonly baseUrl?: string;
  readonly authUrl?: string;
  readonly clientId?: string;
  readonly redirectUri: string;
}

async function set(context: Context, options: SetOptions, [name = ""]: readonly string[]): Promise<void> {
  const { output } = context;
  const { baseUrl = "", authUrl, clientId } = options;
  const isForKeys = authUrl === undefined && clientId === undefined;
  const signIn = isForKeys ? {} : { "--auth-url": authUrl, "--client-id": clientId };
  for (const [flag, value] of Object.entries({ "--base-url": baseUrl, ...signIn }))
    if (!value)
      throw new ComandaError("usage", t`${flag} is missing.`, {
        hint: t`Run ${"comanda env set"} --help for usage.`,
      });
  const environment = parseEnvironment({
    name,
    base_url: baseUrl,
    auth_url: authUrl,
    client_id: clientId,
    redirect_uri: options.redirectUri,
    // For tests.
    allow_insecure: variable(context, "COMANDA_ALLOW_INSECURE") === "1",
  });
  const { settings } = await context.workspace.state();
  const changed = await settings.update((current) => withEnvironment(current, environment));
  output.done(
    { ...listEnvironments(changed).find((each) => each.name === name) },
    isForKeys
      ? t`The environment ${name} is set up. To save a store's API key: comanda login --api-key --store <alias> --env ${name}`
      : t`The environment ${name} is set up. To sign in to a store: comanda login --store <alias> --env ${name}`,
  );
}

const columns: readonly Column<EnvironmentListing>[] = [
  { heading: "Environment", name: "name" },
  { heading: "Base URL", name: "base_url", text: ({ base_url: url }) => url ?? t`not set` },
  { heading: "Auth URL", name: "auth_url" },
  { heading: "Client id", name: "client_id" },
  { heading: "Redirect URI", name: "redirect_uri" },
  { name: "allow_insecure" },
  { name: "source" },
];
