/** `comanda login` lets a store's owner sign in, or stores a key of the store. */

import { randomBytes } from "node:crypto";

import { ComandaError } from "../../client/errors.js";
import { t, translated } from "../../languages/language.js";
import { isLoopbackHost } from "../../api/loopback.js";
import { TransportError, type Transport } from "../../client/transport.js";
import type { Environment, Session } from "../../state/sessions.js";
import { parseStoreAlias } from "../../state/sessions.js";
import { listEnvironments, localEnvironment, resolveEnvironment } from "../../state/environments.js";

import { choiceOf } from "../../toolkit/asking.js";
import { storeToSignIn } from "../../toolkit/choose-store.js";
import type { Command } from "../../toolkit/command.js";
import { oneStore, type CommandLine } from "../../toolkit/command-line.js";
import { hasScreen, type Context } from "../../toolkit/context.js";
import { keyNames, storeKey, type KeyKind, type LoginStore } from "./store-key.js";
import { keepZone, settleZone, tellZone, type StoreZone } from "./zone.js";
import type { Machine } from "../../toolkit/machine.js";
import { reportOf, type StatusReport } from "../../toolkit/session-state.js";
import { checkJson, type CredentialCheck } from "../../toolkit/sign-in-check.js";
import { resolveTimeZone } from "../../sales/preferences.js";
import { withTransport } from "../../toolkit/with-connection.js";

export interface LoginOptions {
  readonly store: string | undefined;
  readonly env: string | undefined;
  readonly timeZone: string | undefined;
  readonly method: SignInByOwner | StoreKey;
}

interface SignInByOwner {
  readonly kind: "sign in";
  readonly browser: boolean;
  readonly waitMs: number | undefined;
}

interface StoreKey {
  readonly kind: "store key";
  readonly key: KeyKind;
}

export interface LoginResult {
  readonly report: StatusReport & StoreAtEnvironment;
  /** The kind of the stored key; absent for a sign-in. */
  readonly key: KeyKind | undefined;
  /** The service's judgement of an API key, which isn't stored where the service refuses it. */
  readonly check?: CredentialCheck | undefined;
  /** The first store becomes the default. */
  readonly isNewDefault: boolean;
  /** Absent where the settings had a zone, or the store has no figures. */
  readonly zone: StoreZone | undefined;
}

interface StoreAtEnvironment {
  readonly store: string;
  readonly environment: string;
}

export const login: Command<LoginOptions, LoginResult> = {
  description: {
    usage: "login",
    summary: "sign in at a store, or store its API key",
    description:
      "The store's owner allows the app in the browser. Without a terminal --no-browser has to be given: whoever " +
      "started the command opens the address that it shows.\n\n" +
      "Sales are counted in days of the store's time zone. At a terminal login asks which that is and proposes this " +
      "machine's; --tz says it, and --no-input asks nothing.\n\n" +
      "With --api-key the store's key is read from a prompt, or from stdin where that isn't a terminal; with " +
      "--partner-key the partner key, which goes along with it where the service asks for both. The service is asked once " +
      "whether it takes the API key, and one that it refuses isn't stored. Where nothing of the API answers the key is stored, " +
      "and told as not checked.",
    takes: ["store"],
    options: [
      { flags: "--env <name>", description: "the environment to sign in at" },
      {
        flags: "--tz <zone>",
        description: "IANA name of the store's time zone, for example America/Sao_Paulo",
      },
      { flags: "--no-browser", description: "only show the address to open" },
      { flags: "--api-key", description: "store the API key that the store portal shows" },
      { flags: "--partner-key", description: "store the partner key: for comanda api --auth partner" },
      { flags: "--timeout <duration>", description: "longest wait for the owner (default: 5m)" },
    ],
    examples: [
      "login --store centro --env local",
      "login --store centro --env production --tz America/Sao_Paulo --no-browser",
      "login --api-key --store centro --env local < key.txt",
      "login --partner-key --store centro --env local < key.txt",
    ],
  },

  parse: (line) => ({
    store: oneStore(line.globals),
    env: line.text("--env"),
    timeZone: line.text("--tz"),
    method: parseMethod(line),
  }),

  async run(machine, options) {
    const { sessions } = await machine.state();
    const zone = options.timeZone === undefined ? undefined : await resolveTimeZone(options.timeZone);
    const { store, environment } = await chooseTarget(machine, options);
    // The zone is stored first, so that a killed process leaves no store without it.
    const beforeKeep = async () => {
      if (zone !== undefined) await keepZone(machine, store, { zone });
    };
    const target = { store, environment, beforeKeep };
    const { method } = options;
    const { session, checked: check } =
      method.kind === "sign in"
        ? { session: await signIn(machine, method, target), checked: undefined }
        : await storeKey(machine, method.key, target);
    const isFirst = (await sessions.list()).length === 1;
    const { settings } = await machine.state();
    const isNewDefault = isFirst && (await settings.read()).default_store === undefined;
    if (isNewDefault) await settings.update((current) => ({ ...current, default_store: store }));
    // A key gives no access to sales figures, so it needs no zone.
    const settledZone = async () => (method.kind === "sign in" ? settleZone(machine, store) : undefined);
    return {
      report: {
        ...reportOf(session, machine.context.clock.now()),
        store,
        environment: session.environment.name,
      },
      key: method.kind === "store key" ? method.key : undefined,
      check,
      isNewDefault,
      zone: zone === undefined ? await settledZone() : { zone, isStored: true },
    };
  },

  present({ report, key, check, isNewDefault, zone }, output) {
    const { store, environment, scopes } = report;
    const allowed = scopes.length === 0 ? "" : t`, allowed: ${scopes.join(", ")}`;
    if (output.json) output.value({ ...report, ...(check && { checked: [checkJson(check)] }) });
    else if (key)
      output.sentence(t`The ${translated(keyNames[key])} of ${store} (${environment}) is stored.`);
    else output.sentence(t`Signed in at ${store} (${environment})${allowed}.`);
    if (check?.result === "not_checked")
      output.warn(t`The key was not checked: ${check.failure?.message ?? "?"}`);
    if (isNewDefault) output.notice(t`Commands work at ${store} without --store from now on.`);
    if (zone) tellZone(zone, store, output);
  },
};

/** @throws {ComandaError} `usage` for both keys at once, since stdin holds one */
function parseMethod(line: CommandLine): LoginOptions["method"] {
  const [apiKey, partnerKey] = [line.flag("--api-key"), line.flag("--partner-key")];
  if (apiKey && partnerKey) {
    throw new ComandaError("usage", t`--api-key and --partner-key are stored one at a time.`, {
      hint: t`Run the command once for each.`,
    });
  }
  if (apiKey || partnerKey) return { kind: "store key", key: apiKey ? "api_key" : "partner_key" };
  return { kind: "sign in", browser: !line.flag("--no-browser"), waitMs: line.globals.timeoutMs };
}

/** A known store is signed in again at its environment. */
async function chooseTarget(
  machine: Machine,
  { store: alias, env }: LoginOptions,
): Promise<{ store: string; environment: Environment }> {
  const { context } = machine;
  const { sessions, settings } = await machine.state();
  const currentSettings = await settings.read();
  const aliases = (await sessions.list()).map((session) => session.store);
  const namedStore = storeToSignIn(context, { store: alias }, currentSettings, aliases);
  const store = namedStore ?? (machine.canAsk() ? await askAlias(machine) : undefined);
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
    (machine.canAsk() ? await machine.choose(t`Which environment?`, environments.map(choiceOf)) : undefined);
  if (name === undefined) {
    throw new ComandaError("usage", t`Which environment? Name it with --env.`, {
      hint: t`There are: ${environments.join(", ")}. See: comanda env list`,
    });
  }
  return { store: before?.store ?? store, environment: resolveEnvironment(currentSettings, name) };
}

/** @returns `undefined` where nothing was typed */
async function askAlias(machine: Machine): Promise<string | undefined> {
  const answer = await machine.askText(t`A short name of your choice for the store:`);
  return answer === "" ? undefined : parseStoreAlias(answer);
}

async function signIn(
  machine: Machine,
  { browser, waitMs }: SignInByOwner,
  { store, environment, beforeKeep }: LoginStore,
): Promise<Session> {
  const { context, output } = machine;
  const { sessions } = await machine.state();
  const { refuseForeign } = await import("../../auth/exchange.js");
  const { signIn } = await import("../../auth/sign-in.js");
  // Neither for a script nor at the far end of an SSH.
  const isAtTerminal = context.stdout.isTTY === true && context.stderr.isTTY === true;
  const opensBrowser = browser && isAtTerminal && hasScreen(context);
  return withTransport(machine.context, environment.base_url, async (transport) => {
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
      ...(machine.canAsk() && {
        // The pasted address holds the authorization code, so it is not shown.
        promptForRedirect: (problem: string | undefined, signal: AbortSignal) => {
          const ask = t`Or paste the address that the browser ended at (it isn't shown):`;
          return machine.askSecret(problem === undefined ? ask : `${problem} ${ask}`, signal);
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
