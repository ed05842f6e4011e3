/** `comanda login` lets a store's owner sign in, or stores a key of the store. */

import { randomBytes } from "node:crypto";

import type { Command } from "../../cli/command.js";
import { hasScreen, variable, type Context } from "../../cli/context.js";
import { oneStore } from "../../cli/global-options.js";
import { ComandaError } from "../../client/errors.js";
import { t, translated } from "../../languages/language.js";
import { isLoopbackHost } from "../../api/loopback.js";
import { TransportError, type Transport } from "../../client/transport.js";
import type { Environment, Session } from "../../state/sessions.js";
import { parseStoreAlias } from "../../state/sessions.js";
import { listEnvironments, localEnvironment, resolveEnvironment } from "../../state/environments.js";

import { checkJson, reportOf } from "../sign-in.js";
import { withTransport } from "../store.js";
import { keyNames, storeKey, type LoginStore } from "./store-key.js";
import { keepZone, settleZone, tellZone } from "./zone.js";
import { resolveTimeZone } from "../figures/preferences.js";

interface LoginOptions {
  readonly env?: string;
  readonly tz?: string;
  readonly browser: boolean;
  readonly apiKey?: boolean;
  readonly partnerKey?: boolean;
}

export function login(command: Command): void {
  command
    .about(
      "sign in at a store, or store its API key",
      "The store's owner allows the app in the browser. Without a terminal --no-browser has to be given: whoever " +
        "started the command opens the address that it shows.",
      "Sales are counted in days of the store's time zone. At a terminal login asks which that is and proposes this " +
        "machine's; --tz says it, and --no-input asks nothing.",
      "With --api-key the store's key is read from a prompt, or from stdin where that isn't a terminal; with " +
        "--partner-key the partner key, which goes along with it where the service asks for both. The service is asked once " +
        "whether it takes the API key, and one that it refuses isn't stored. Where nothing of the API answers the key is stored, " +
        "and told as not checked.",
    )
    .takes("store")
    .option("--env <name>", "the environment to sign in at")
    .option("--tz <zone>", "IANA name of the store's time zone, for example America/Sao_Paulo")
    .option("--no-browser", "only show the address to open")
    .option("--api-key", "store the API key that the store portal shows")
    .option("--partner-key", "store the partner key: for comanda api --auth partner")
    .option("--timeout <duration>", "longest wait for the owner (default: 5m)")
    .examples(
      "login --store centro --env local",
      "login --store centro --env production --tz America/Sao_Paulo --no-browser",
      "login --api-key --store centro --env local < key.txt",
      "login --partner-key --store centro --env local < key.txt",
    )
    .does(signInStore);
}

async function signInStore(context: Context, options: LoginOptions): Promise<void> {
  const { output } = context;
  const named = oneStore(context.options);
  // stdin holds one key.
  if (options.apiKey && options.partnerKey) {
    throw new ComandaError("usage", t`--api-key and --partner-key are stored one at a time.`, {
      hint: t`Run the command once for each.`,
    });
  }
  const key = options.apiKey ? "api_key" : options.partnerKey ? "partner_key" : undefined;
  const { sessions, settings } = await context.state();
  const zone = options.tz === undefined ? undefined : await resolveTimeZone(options.tz);
  const { store, environment } = await chooseTarget(context, named, options.env);
  // The zone is stored first, so that a killed process leaves no store without it.
  const beforeKeep = async () => {
    if (zone !== undefined) await keepZone(context, store, { zone });
  };
  const target = { store, environment, beforeKeep };
  const { session, checked: check } =
    key === undefined
      ? { session: await signIn(context, options.browser, target), checked: undefined }
      : await storeKey(context, key, target);
  const isFirst = (await sessions.list()).length === 1;
  const isNewDefault = isFirst && (await settings.read()).default_store === undefined;
  if (isNewDefault) await settings.update((current) => ({ ...current, default_store: store }));
  // A key gives no access to sales figures, so it needs no zone.
  const settled =
    zone !== undefined
      ? { zone, isStored: true }
      : key === undefined
        ? await settleZone(context, store)
        : undefined;
  const { name } = session.environment;
  const report = { ...reportOf(session, context.clock.now()), store, environment: name };
  const { scopes } = report;
  const allowed = scopes.length === 0 ? "" : t`, allowed: ${scopes.join(", ")}`;
  if (output.json) output.value({ ...report, ...(check && { checked: [checkJson(check)] }) });
  else if (key) output.sentence(t`The ${translated(keyNames[key])} of ${store} (${name}) is stored.`);
  else output.sentence(t`Signed in at ${store} (${name})${allowed}.`);
  if (check?.result === "not_checked")
    output.warn(t`The key was not checked: ${check.failure?.message ?? "?"}`);
  if (isNewDefault) output.notice(t`Commands work at ${store} without --store from now on.`);
  if (settled) tellZone(settled, store, output);
}

/** A known store is signed in again at its environment. */
async function chooseTarget(
  context: Context,
  alias: string | undefined,
  env: string | undefined,
): Promise<{ store: string; environment: Environment }> {
  const { sessions, settings } = await context.state();
  const currentSettings = await settings.read();
  const typed = alias ?? variable(context, "COMANDA_STORE");
  const namedStore = typed === undefined ? currentSettings.default_store : parseStoreAlias(typed);
  const store = namedStore ?? (context.canAsk() ? await askAlias(context) : undefined);
  if (store === undefined) {
    throw new ComandaError("usage", t`Which store? Give it a short name of your choice with --store.`, {
      hint: t`For example: comanda login --store centro --env production`,
    });
  }
  const before = await sessions.read(store);
  const environments = listEnvironments(currentSettings).map((listing) => listing.name);
  const name =
    env ??
    before?.environment.name ??
    (context.canAsk()
      ? await context.choose(
          t`Which environment?`,
          environments.map((value) => ({ value, name: value })),
        )
      : undefined);
  if (name === undefined) {
    throw new ComandaError("usage", t`Which environment? Name it with --env.`, {
      hint: t`There are: ${environments.join(", ")}. See: comanda env list`,
    });
  }
  return { store: before?.store ?? store, environment: resolveEnvironment(currentSettings, name) };
}

/** @returns `undefined` where nothing was typed */
async function askAlias(context: Context): Promise<string | undefined> {
  const answer = await context.askText(t`A short name of your choice for the store:`);
  return answer === "" ? undefined : parseStoreAlias(answer);
}

async function signIn(
  context: Context,
  browser: boolean,
  { store, environment, beforeKeep }: LoginStore,
): Promise<Session> {
  const { output } = context;
  const { timeoutMs: waitMs } = context.options;
  const { sessions } = await context.state();
  const { refuseForeign } = await import("../../auth/exchange.js");
  const { signIn } = await import("../../auth/sign-in.js");
  // Neither for a script nor at the far end of an SSH.
  const isAtTerminal = context.stdout.isTTY === true && context.stderr.isTTY === true;
  const opensBrowser = browser && isAtTerminal && hasScreen(context);
  return withTransport(context, environment.base_url, async (transport) => {
    refuseForeign(await sessions.read(store), store, environment);
    await refuseMissingEmulator(transport, environment);
    return await signIn({
      environment,
      store,
      sessions,
      transport,
      clock: context.clock,
      signal: context.signal,
      beforeKeep,
      random: (size) => randomBytes(size),
      showUrl: (url) => {
        if (browser) refuseWithoutTerminal(context, store);
        output.notice(
          opensBrowser
            ? t`The browser opens for the sign-in at ${store}. If it doesn't, open this address:`
            : t`Open this address in a browser to sign in at ${store}:`,
        );
        output.address(url);
      },
      ...(opensBrowser && { openBrowser: context.openBrowser }),
      ...(context.canAsk() && {
        // The pasted address holds the authorization code, so it is not shown.
        promptForRedirect: (problem: string | undefined, signal: AbortSignal) => {
          const ask = t`Or paste the address that the browser ended at (it isn't shown):`;
          return context.askSecret(problem === undefined ? ask : `${problem} ${ask}`, signal);
        },
      }),
      notify: (message) => output.notice(message),
      ...(waitMs !== undefined && { waitMs }),
    });
  });
}

/**
 * Without this check the browser would show an empty page, and login would wait for five minutes.
 *
 * @throws {ComandaError} `unreachable` where nothing listens at the emulator's address
 */
async function refuseMissingEmulator(
  transport: Transport,
  { name, base_url: url }: Environment,
): Promise<void> {
  const { host, hostname, port } = new URL(url);
  if (name !== localEnvironment.name || !isLoopbackHost(hostname)) return;
  try {
    await transport.send({ method: "HEAD", url, headers: {}, timeoutMs: 2_000 });
  } catch (error) {
    // The sign-in tells of every other failure.
    if (!(error instanceof TransportError) || error.failure !== "refused" || error.atProxy) return;
    const command = port === defaultPort ? "comanda emulator start" : `comanda emulator start --port ${port}`;
    throw new ComandaError("unreachable", t`The emulator doesn't run: nothing listens at ${host}.`, {
      hint: t`Start it in a terminal of its own: ${command}`,
    });
  }
}

const { port: defaultPort } = new URL(localEnvironment.base_url);

/** Under cron nobody would see the address before the wait for the owner is over. */
function refuseWithoutTerminal({ stdin, stdout, stderr }: Context, store: string): void {
  if ([stdin(), stdout, stderr].some(({ isTTY }) => isTTY === true)) return;
  throw new ComandaError("usage", t`There is no terminal here, so nobody sees the address of the sign-in.`, {
    hint: t`Sign in at a terminal. Where a program opens the address that is shown, add --no-browser.\nAn API key is read from stdin: comanda login --api-key --store ${store} < key.txt`,
  });
}
