import type { Command } from "commander";

import { ComandaError } from "../shared/errors.js";
import type { KeyKind } from "../auth/api-key.js";
import type { Environment, Session } from "../state/sessions/session.js";

import { canAsk, variable, type Context } from "./context.js";
import { leaf, perform, type Invocation } from "./leaf.js";
import { reportOf } from "./session-state.js";
import type { State } from "./state.js";

interface LoginOptions {
  readonly env?: string;
  readonly browser: boolean;
  readonly apiKey?: boolean;
  readonly partnerKey?: boolean;
}

export function loginCommand(context: Context): Command {
  const command = leaf({
    usage: "login",
    summary: "sign in at a store, or store its API key",
    description:
      "The store's owner allows the app in the browser.\n\n" +
      "With --api-key the store's key is read from a prompt, or from stdin where that isn't a terminal; with " +
      "--partner-key the partner key, which goes along with it where the service asks for both.",
    takes: ["store"],
    examples: [
      "login --store centro --env local",
      "login --store centro --env production --no-browser",
      "login --api-key --store centro --env local < key.txt",
      "login --partner-key --store centro --env local < key.txt",
    ],
  })
    .option("--env <name>", "the environment to sign in at")
    .option("--no-browser", "only show the address to open")
    .option("--api-key", "store the API key that the store portal shows")
    .option("--partner-key", "store the partner key, for: comanda api --auth partner")
    .option("--timeout <duration>", "longest wait for the owner (default: 5m)");
  return perform(command, context, (invocation) => login(invocation, command.opts<LoginOptions>()));
}

async function login(invocation: Invocation, options: LoginOptions): Promise<void> {
  const { context, output } = invocation;
  const { openState } = await import("./state.js");
  const state = openState(invocation);
  const { store, environment } = await chooseTarget(invocation, options, state);
  const kind = keyKind(options);
  const session = kind
    ? await storeKey(invocation, state, { store, environment, kind })
    : await signInAtStore(invocation, options, state, store, environment);

  if (output.json) output.value(reportOf(session, context.clock.now()));
  else if (kind) output.sentence(`The ${keyNames[kind]} of ${store} (${environment.name}) is stored.`);
  else output.sentence(`Signed in at ${store} (${environment.name})${scopesOf(session)}.`);
  await makeDefault(invocation, state, store);
}

/** A second store never takes over what scripts do without --store. */
async function makeDefault(
  { output }: Invocation,
  { sessions, settings }: State,
  store: string,
): Promise<void> {
  if (settings.read().default_store !== undefined || (await sessions.list()).length !== 1) return;
  try {
    await settings.update((current) => ({ ...current, default_store: store }));
    output.notice(`Commands work at ${store} without --store from now on.`);
  } catch (error) {
    // The sign-in is stored: what is missing is comfort.
    if (!(error instanceof ComandaError)) throw error;
    output.warn(`${error.message} Commands need --store ${store}.`);
  }
}

function scopesOf({ tokens }: Session): string {
  const scopes = tokens?.scopes ?? [];
  return scopes.length === 0 ? "" : `, allowed: ${scopes.join(", ")}`;
}

/** A store that is known already is signed in again where it was. */
async function chooseTarget(
  { context, globals }: Invocation,
  { env }: LoginOptions,
  { sessions, settings }: State,
): Promise<{ store: string; environment: Environment }> {
  const [{ oneStoreFlag }, { parseStoreAlias }, { listEnvironments, resolveEnvironment }] = await Promise.all(
    [
      import("./choose-store.js"),
      import("../state/sessions/store-alias.js"),
      import("../state/settings/environments.js"),
    ],
  );
  const known = settings.read();
  const named = oneStoreFlag({ globals }) ?? variable(context, "COMANDA_STORE") ?? known.default_store;
  if (named === undefined) {
    throw new ComandaError("usage", "Which store? Give it a short name of your choice with --store.", {
      hint: "For example: comanda login --store centro --env production",
    });
  }
  const store = parseStoreAlias(named);
  const before = await sessions.read(store);
  const name = env ?? variable(context, "COMANDA_ENV") ?? before?.environment.name;
  if (name === undefined) {
    throw new ComandaError("usage", "Which environment? Name it with --env.", {
      hint: `There are: ${listEnvironments(known)
        .map((listing) => listing.name)
        .join(", ")}. See: comanda env list`,
    });
  }
  return { store: before?.store ?? store, environment: resolveEnvironment(known, name) };
}

async function signInAtStore(
  { context, globals, output }: Invocation,
  { browser }: LoginOptions,
  { sessions }: State,
  store: string,
  environment: Environment,
): Promise<Session> {
  const [{ signIn }, { checkProxy, openTransport }, { randomBytes }] = await Promise.all([
    import("../auth/index.js"),
    import("./network.js"),
    import("node:crypto"),
  ]);
  checkProxy({ context }, environment.base_url);
  const transport = openTransport({ context, output });
  const opens = browser && canOpenBrowser(context);
  try {
    return await signIn({
      environment,
      store,
      sessions,
      transport,
      clock: context.clock,
      signal: context.signal,
      random: (size) => randomBytes(size),
      showUrl: (url) => {
        output.notice(
          opens
            ? `The browser opens for the sign-in at ${store}. If it doesn't, open this address:`
            : `Open this address in a browser to sign in at ${store}:`,
        );
        output.address(url);
      },
      ...(opens && { openBrowser: context.openBrowser }),
      ...(canAsk(context, globals) && { promptForRedirect: redirectPrompt(context) }),
      notify: (message) => {
        output.notice(message);
      },
      ...(globals.debug && {
        debug: (message: string) => {
          output.notice(`debug: ${message}`);
        },
      }),
      ...(globals.timeoutMs !== undefined && { timeoutMs: globals.timeoutMs }),
    });
  } finally {
    await transport.close();
  }
}

/** A browser belongs to the person in front of the terminal: not to a script, nor to the far end of an SSH. */
function canOpenBrowser(context: Context): boolean {
  const { host, stdout, stderr } = context;
  const isSet = (name: string) => variable(context, name) !== undefined;
  if (stderr.isTTY !== true || stdout.isTTY !== true) return false;
  if (["SSH_CONNECTION", "SSH_TTY"].some(isSet)) return false;
  return host.platform !== "linux" || ["DISPLAY", "WAYLAND_DISPLAY", "WSL_DISTRO_NAME"].some(isSet);
}

/** What is pasted holds the authorization code, so it is not shown. */
function redirectPrompt({ stdin, stderr }: Context) {
  return async (problem: string | undefined, signal: AbortSignal): Promise<string> => {
    const { askSecret } = await import("../terminal/prompt.js");
    const ask = "Or paste the address that the browser ended at (it isn't shown):";
    return askSecret(problem === undefined ? ask : `${problem} ${ask}`, {
      input: stdin,
      output: stderr.stream,
      signal,
    });
  };
}

/** @throws {ComandaError} `usage` where both were asked for: one stdin holds one key */
function keyKind({ apiKey, partnerKey }: LoginOptions): KeyKind | undefined {
  if (apiKey && partnerKey)
    throw new ComandaError("usage", "--api-key and --partner-key are stored one at a time.", {
      hint: "Run the command once for each.",
    });
  if (partnerKey) return "partner_key";
  return apiKey ? "api_key" : undefined;
}

const keyNames: Readonly<Record<KeyKind, string>> = { api_key: "API key", partner_key: "partner key" };

async function storeKey(
  { context, globals }: Invocation,
  { sessions }: State,
  { store, environment, kind }: { store: string; environment: Environment; kind: KeyKind },
): Promise<Session> {
  const { keepKey, parseKey } = await import("../auth/api-key.js");
  const key = parseKey(kind, await readKey(context, globals, store, kind));
  return keepKey(sessions, { store, environment, kind, key });
}

async function readKey(
  context: Context,
  globals: { readonly input: boolean },
  store: string,
  kind: KeyKind,
): Promise<string> {
  const { stdin, stderr, signal } = context;
  const name = keyNames[kind];
  if (stdin.isTTY !== true) {
    const { readText } = await import("./read-text.js");
    return readText(stdin, 64 * 1024, signal);
  }
  if (!canAsk(context, globals)) {
    throw new ComandaError("usage", `The ${name} is read from stdin here; pipe it in.`, {
      hint: `For example: comanda login --${kind.replace("_", "-")} --store ${store} < key.txt`,
    });
  }
  const { askSecret } = await import("../terminal/prompt.js");
  return askSecret(`${kind === "api_key" ? "API" : "Partner"} key of ${store} (it isn't shown):`, {
    input: stdin,
    output: stderr.stream,
    signal,
  });
}
