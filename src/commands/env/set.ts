import type { Command } from "commander";

import type { Context } from "../context.js";
import { leaf, perform, type Invocation } from "../leaf.js";

interface SetOptions {
  readonly baseUrl: string;
  readonly authUrl: string;
  readonly clientId: string;
  readonly redirectUri?: string;
}

export function setEnvironmentCommand(context: Context): Command {
  const command = leaf({
    usage: "set <name>",
    summary: "set the addresses of an environment and how this app is registered there",
    description:
      "The two addresses belong together: always take both from the same environment of the service. " +
      "`sandbox` and `production` are the service's own; any other name is yours.",
    examples: [
      "env set sandbox --base-url https://api.sandbox.example --auth-url https://portal.sandbox.example/authorize --client-id my-app",
    ],
  })
    .requiredOption("--base-url <url>", "the API host; may carry a path")
    .requiredOption("--auth-url <url>", "the portal page that asks the store's owner")
    .requiredOption("--client-id <id>", "the public id of the app")
    .option("--redirect-uri <uri>", "as registered for the app (default: http://127.0.0.1:8765/callback)");
  return perform(command, context, (invocation, [name = ""]) =>
    setEnvironment(invocation, name, command.opts<SetOptions>()),
  );
}

async function setEnvironment(invocation: Invocation, name: string, options: SetOptions): Promise<void> {
  const [{ openState }, { parseEnvironment }, { withEnvironment }] = await Promise.all([
    import("../state.js"),
    import("../../state/environment-input.js"),
    import("../../state/environments.js"),
  ]);
  const { settings, sessions } = openState(invocation);
  const { output } = invocation;
  const environment = parseEnvironment({
    ...{ name, base_url: options.baseUrl, auth_url: options.authUrl, client_id: options.clientId },
    ...(options.redirectUri !== undefined && { redirect_uri: options.redirectUri }),
  });
  await settings.update((current) => withEnvironment(current, environment));
  if (output.json) output.value(environment);
  else
    output.sentence(
      `The environment ${name} is set. Sign in there: comanda login --store <alias> --env ${name}`,
    );

  const elsewhere = (await sessions.list()).filter(
    (session) =>
      "environment" in session &&
      session.environment.name === environment.name &&
      session.environment.base_url !== environment.base_url,
  );
  if (elsewhere.length > 0) {
    const stores = elsewhere.map(({ store }) => store).join(", ");
    output.warn(
      `Signed in with the address before, and still using it: ${stores}. To move, sign out and in again.`,
    );
  }
}
