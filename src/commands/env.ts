/** `comanda env` shows and changes the environments of the service that this machine knows. */
import { parseEnvironment } from "../state/environments.js";
import {
  listEnvironments,
  withEnvironment,
  withoutEnvironment,
  type EnvironmentListing,
} from "../state/environments.js";
import type { Environment } from "../state/sessions.js";
import type { Column } from "../cli/column.js";

import { choiceOf } from "../toolkit/asking.js";
import { withAnswers } from "../toolkit/command-line.js";
import type { Command, CommandGroup } from "../toolkit/command.js";
import { t } from "../languages/language.js";

interface SetResult {
  readonly environment: Environment;
  /** These stores are signed in at the environment's earlier address, and keep it. */
  readonly storesAtOldAddress: readonly string[];
}

export const set: Command<Environment, SetResult> = {
  description: {
    usage: "set <name>",
    summary: "set the addresses of an environment and how this app is registered there",
    description:
      "The two addresses belong together: always take both from the same environment of the service. " +
      "`sandbox` and `production` are the service's own; any other name is yours.",
    options: [
      { flags: "--base-url <url>", description: "the API host; may carry a path", required: true },
      {
        flags: "--auth-url <url>",
        description: "the portal page that asks the store's owner",
        required: true,
      },
      { flags: "--client-id <id>", description: "the public id of the app", required: true },
      {
        flags: "--redirect-uri <uri>",
        description: "as registered for the app (default: http://127.0.0.1:8765/callback)",
      },
      {
        flags: "--allow-insecure",
        description:
          "let both addresses be another machine's by http: for an emulator in a container; whoever is on the way reads all",
      },
    ],
    examples: [
      "env set sandbox --base-url https://api.sandbox.example --auth-url https://portal.sandbox.example/authorize --client-id my-app",
    ],
  },
  parse: (line) =>
    parseEnvironment({
      name: line.words[0] ?? "",
      base_url: line.text("--base-url") ?? "",
      auth_url: line.text("--auth-url") ?? "",
      client_id: line.text("--client-id") ?? "",
      redirect_uri: line.text("--redirect-uri"),
      allow_insecure: line.flag("--allow-insecure"),
    }),
  async run(machine, environment) {
    const { settings, sessions } = await machine.state();
    await settings.update((current) => withEnvironment(current, environment));
    const elsewhere = (await sessions.list()).filter(
      (session) =>
        "environment" in session &&
        session.environment.name === environment.name &&
        session.environment.base_url !== environment.base_url,
    );
    return { environment, storesAtOldAddress: elsewhere.map(({ store }) => store) };
  },
  present({ environment, storesAtOldAddress }, output) {
    const { name } = environment;
    if (output.json) output.value(environment);
    else {
      output.sentence(
        t`The environment ${name} is set. Sign in there: comanda login --store <alias> --env ${name}`,
      );
    }
    if (storesAtOldAddress.length > 0) {
      output.warn(
        t`Signed in with the address before, and still using it: ${storesAtOldAddress.join(", ")}. To move, sign out and in again.`,
      );
    }
  },
};

export const list: Command<Record<string, never>, readonly EnvironmentListing[]> = {
  description: {
    usage: "list",
    summary: "list the environments and their addresses",
    takes: ["format"],
    examples: ["env list", "env list --json"],
  },
  parse: () => ({}),
  run: async (machine) => listEnvironments(await (await machine.state()).settings.read()),
  present: (environments, output) => output.records(columns, environments),
};

const unset = "not set: see comanda env set --help";

const columns: readonly Column<EnvironmentListing>[] = [
  { heading: "Name", name: "name", cell: ({ name }) => name },
  { heading: "Base URL", name: "base_url", cell: ({ base_url: url }) => url ?? unset, isWord: true },
  { heading: "Auth URL", name: "auth_url", cell: ({ auth_url: url }) => url },
  { heading: "Client id", name: "client_id", cell: ({ client_id: id }) => id },
  { heading: "Redirect URI", name: "redirect_uri", cell: ({ redirect_uri: uri }) => uri },
];

export const remove: Command<{ readonly name: string }, { readonly name: string }> = {
  description: {
    usage: "remove <name>",
    summary: "forget an environment's addresses",
    description: "Stores that are signed in there keep their own copy of the addresses and go on working.",
    examples: ["env remove sandbox"],
  },
  async ask(machine, line) {
    if (line.words.length > 0) return line;
    const names = Object.keys((await (await machine.state()).settings.read()).environments);
    if (names.length === 0) return line;
    return withAnswers(line, { words: [await machine.choose(t`Which environment?`, names.map(choiceOf))] });
  },
  parse: ({ words: [name = ""] }) => ({ name }),
  async run(machine, { name }) {
    const { settings } = await machine.state();
    await settings.update((current) => withoutEnvironment(current, name));
    return { name };
  },
  present({ name }, output) {
    if (output.json) output.value({ name, removed: true });
    else output.sentence(t`The environment ${name} is forgotten.`);
  },
};

export const environments: CommandGroup = {
  name: "env",
  summary: "the environments of the service that this machine knows",
  members: [set, list, remove],
};
