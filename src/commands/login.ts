/** `comanda login` signs in to a store, or saves a key of the store after the service has accepted it. */
import ms from "ms";

import { credentialKinds } from "../api/operations.js";
import { contradiction } from "../base/fields.js";
import type { Command } from "../cli/command.js";
import { hasScreen, type Context } from "../cli/context.js";
import { decodeText, readInput } from "../cli/input.js";
import { askSecret, askText, askYesNo, beforeSending } from "../cli/prompts.js";
import { storeOf } from "../core/connection.js";
import { checkCredential, checkDocument, signInOf, type CredentialCheck } from "../core/stores.js";
import { alternatives, variable } from "../base/basics.js";
import { localDefaults } from "../base/defaults.js";
import { ComandaError } from "../base/errors.js";
import { proxyFor } from "../client/http.js";
import { isSendable } from "../client/transport.js";
import { continued, t, translated } from "../languages/language.js";
import { machineZone } from "../core/preferences.js";
import { parseStoreAlias, type Environment } from "../state/sessions.js";
import { listEnvironments, resolveEnvironment, withStoreSettings } from "../state/settings.js";

interface LoginOptions {
  readonly env?: string;
  readonly tz?: string;
  readonly browser: boolean;
  readonly apiKey?: boolean;
  readonly partnerKey?: boolean;
}

export default function login(command: Command): void {
  const timeout = command.createOption("--timeout <duration>", "maximum time for the whole sign-in");
  command
    .details(
      "The store's owner allows the app in the browser. With --no-browser, comanda prints the address and, on a terminal, prompts for the final address from the browser. Without a terminal, --no-browser is required, and another program must open the address.",
      "Sales are counted by day in the store's time zone. On a terminal, login prompts for the time zone and suggests this machine's. To skip the prompt, use --tz.",
      "With --api-key or --partner-key, comanda reads the key from a prompt, or from stdin if stdin isn't a terminal. comanda verifies an API key with the service, and doesn't save a key that the service refuses. If the API doesn't answer, comanda saves the key and reports that it was not checked. A partner key isn't verified.",
    )
    .takes("store")
    .option("--env <name>", "environment to sign in to")
    .option("--tz <zone>", "time zone, such as America/Sao_Paulo")
    .option("--no-browser", "print the address instead of opening a browser")
    .option("--api-key", "save the API key shown in the store portal")
    .option("--partner-key", "save the partner key, for comanda api --auth partner")
    .addOption(timeout.default(undefined, ms(localDefaults.signInMs)))
    .examples(
      "login --store centro --env local",
      "login --store centro --env production --tz America/Sao_Paulo --no-browser",
      "login --api-key --store centro --env local < key.txt",
      "login --partner-key --store centro --env local < key.txt",
    )
    .on("excess", () => {
      const { apiKey = false, partnerKey = false } = command.opts<LoginOptions>();
      if (!apiKey && !partnerKey) return;
      const message = t`comanda doesn't accept a key on the command line, because other users can read it there.`;
      const hint = t`Run the command without the key, and enter the key at the prompt. To read the key from a file, add: < key.txt`;
      throw new ComandaError("usage", message, { hint });
    })
    .does(signInStore);
}

const keyNames = {
  api_key: credentialKinds.apiKey.name,
  partner_key: credentialKinds.partnerKey.name,
} as const;

async function signInStore(context: Context, options: LoginOptions): Promise<void> {
  const { output } = context;
  // stdin contains one key.
  if (options.apiKey && options.partnerKey) throw contradiction("--api-key", "--partner-key");
  const key = options.apiKey ? "api_key" : options.partnerKey ? "partner_key" : undefined;
  let zone =
    options.tz === undefined ? undefined : (await import("../sales/period.js")).resolveZone(options.tz);
  const { sessions, settings, database } = await context.workspace.state();
  const { store, environment } = await chooseTarget(context, options.env);
  const { name } = environment;
  // A sign-in is saved under a lock. A database that can't be used is reported before the browser opens.
  await database();
  const { session, check } =
    key === undefined
      ? { session: await signIn(context, options.browser, store, environment) }
      : await saveKey(context, key, store, environment);
  const { default_store: chosen, stores } = await settings.read();
  const isNewDefault = chosen === undefined && (await sessions.list()).length === 1;
  if (isNewDefault) await settings.update((current) => ({ ...current, default_store: store }));
  const setZone = (time_zone: string) =>
    settings.update((current) => withStoreSettings(current, store, { time_zone }));
  if (zone !== undefined) await setZone(zone);
  const report = signInOf(session, context.clock.now());
  const permissions = report.scopes.length === 0 ? "" : t`; permissions: ${report.scopes.join(", ")}`;
  output.done(
    { ...report, ...(check && { checked: [checkDocument(check)] }) },
    key === undefined
      ? t`Signed in to ${store} (${name})${permissions}.`
      : t`Saved the ${translated(keyNames[key])} of ${store} (${name}).`,
  );
  if (check?.result === "not_checked")
    output.warn(t`The key was not checked: ${continued(check.failure?.message ?? "?")}`);
  if (isNewDefault) output.notice(t`${store} is now the default store.`);
  // Only sales figures require a time zone, and a key has no access to them.
  const needsZone = key === undefined && zone === undefined && stores?.[store]?.time_zone === undefined;
  if (needsZone && context.canAsk()) {
    zone = await askZone(context);
    await setZone(zone);
  }
  if (zone !== undefined) output.notice(t`Sales of ${store} are counted by day in the time zone ${zone}.`);
  if (key === undefined) await showStore(context, store);
}

/** The owner chooses the store in the portal, and no call returns its name: a week's figures show whether it is the right one. */
async function showStore(context: Context, store: string): Promise<void> {
  const { output, options } = context;
  const question = t`Show the orders and revenue of the last 7 days, to check that this is the right store?`;
  if (output.json || !context.canAsk())
    output.notice(
      t`To check that this is the right store, run: comanda summary --store ${store} --period last-7-days`,
    );
  else if (await askYesNo(context, question, true)) {
    const { showSummary } = await import("./figures/summary.js");
    const own = { ...context, options: { ...options, store, stores: [store] } };
    // Cached answers may be those of the store that had this alias before.
    const failure = await showSummary(own, { period: "last-7-days", fresh: true }).catch((error: unknown) => {
      if (context.signal.aborted || !(error instanceof ComandaError)) throw error;
      return error;
    });
    if (failure) output.warn(failure.message);
  }
  output.notice(t`If it is the wrong store, undo the sign-in: comanda logout --store ${store}`);
}

/** By default, a known store is signed in to its own environment. */
async function chooseTarget(context: Context, env: string | undefined) {
  const { sessions, settings } = await context.workspace.state();
  const current = await settings.read();
  const typed = context.options.store ?? variable(context, "COMANDA_STORE");
  const alias = typed === undefined ? current.default_store : parseStoreAlias(typed);
  if (alias === undefined) {
    throw new ComandaError("usage", t`${"--store"} is missing.`, {
      hint: t`For example: ${`comanda login --store centro --env ${env ?? "production"}`}`,
    });
  }
  const before = await sessions.read(alias);
  const name = env ?? before?.environment.name;
  if (name === undefined) {
    const missing = t`${"--env"} is missing.`;
    const isSetUp = listEnvironments(current).filter(({ source }) => source !== "unset");
    if (isSetUp.length > 1)
      throw new ComandaError("usage", missing, {
        hint: t`Use ${alternatives(isSetUp.map((each) => each.name))}.`,
      });
    // The addresses of `local`, the emulator, are built in.
    const services = t`The service's environments, sandbox and production, aren't set up on this machine.`;
    throw new ComandaError("usage", `${missing} ${services}`, {
      hint: t`Set one up with the service's addresses: comanda env set production --base-url <url> --auth-url <url> --client-id <id>`,
    });
  }
  return { store: before?.store ?? alias, environment: resolveEnvironment(current, name) };
}

async function signIn(context: Context, browser: boolean, store: string, environment: Environment) {
  const { output, stdin, stdout, stderr } = context;
  const { timeoutMs: waitMs } = context.options;
  const { sessions } = await context.workspace.state();
  const { signIn: authorize } = await import("../auth/sign-in.js");
  // A script or an SSH session has no browser.
  const isAtTerminal = stdout.isTTY === true && stderr.isTTY === true;
  const opensBrowser = browser && isAtTerminal && hasScreen(context);
  // Reports a wrong proxy before the browser opens.
  proxyFor(context.env, environment.base_url);
  return authorize({
    environment,
    store,
    sessions,
    transport: await context.workspace.transport(),
    clock: context.clock,
    signal: context.signal,
    showUrl: (url) => {
      // Without any terminal, such as under cron, the URL would not be seen before the wait is over.
      if (browser && ![stdin(), stdout, stderr].some(({ isTTY }) => isTTY === true)) {
        const message = t`Without a terminal, login requires --no-browser, --api-key or --partner-key.`;
        throw new ComandaError("usage", message, { hint: t`See: ${"comanda login --help"}` });
      }
      output.notice(
        opensBrowser
          ? t`Sign in to ${store} in the browser. If it doesn't open, open this address:`
          : t`Open this address to sign in to ${store}:`,
      );
      output.address(url);
    },
    ...(opensBrowser && { openBrowser: context.openBrowser }),
    ...(context.canAsk() && {
      // The pasted address contains the authorization code, so it isn't shown.
      promptForRedirect: (problem: string | undefined, signal: AbortSignal) => {
        const question =
          problem === undefined
            ? t`Or paste the final address from the browser (it isn't shown):`
            : `${problem} ${t`Paste the final address from the browser (it isn't shown):`}`;
        return askSecret(context, question, signal);
      },
    }),
    notify: (message) => output.notice(message),
    ...(waitMs !== undefined && { waitMs }),
  });
}

/** Proposes this machine's time zone, unless that is UTC: servers use it, and no restaurant is in it. */
async function askZone(context: Context): Promise<string> {
  const { resolveZone } = await import("../sales/period.js");
  const zone = machineZone(context);
  const proposed = zone === undefined || zone === "UTC" ? "" : zone;
  const question = t`Time zone of the store: enter a name, or a state such as SP.`;
  for (;;) {
    const typed = await askText(context, proposed === "" ? question : `${question} (Enter: ${proposed})`);
    try {
      return resolveZone(typed || proposed);
    } catch (error) {
      if (!(error instanceof ComandaError)) throw error;
      context.output.notice(error.hint ?? error.message);
    }
  }
}

/** Reads a key from a prompt or stdin, and saves it unless the service refuses it. */
async function saveKey(
  context: Context,
  kind: keyof typeof keyNames,
  store: string,
  environment: Environment,
) {
  const { sessions } = await context.workspace.state();
  const { checkEnvironment } = await import("../auth/exchange.js");
  const name = translated(keyNames[kind]);
  const asks = context.canAsk();
  const text = asks
    ? await beforeSending(askSecret(context, t`The ${name} of ${store} (it isn't shown):`))
    : decodeText((await readInput(context, "-")).bytes);
  const key = text.trim();
  if (!isSendable(key)) {
    let message = t`The ${name} must be one line of at most 4,096 visible ASCII characters without spaces.`;
    if (key === "") message = asks ? t`No ${name} was entered.` : t`stdin contains no ${name}.`;
    const hint = asks
      ? t`Paste the key exactly as the portal shows it.`
      : t`Pipe the key in, exactly as the portal shows it.`;
    throw new ComandaError("invalid_input", message, { hint });
  }
  // The key must not be sent to another environment's address.
  checkEnvironment(await sessions.read(store), store, environment);
  let check: CredentialCheck | undefined;
  if (kind === "api_key") {
    const candidate = storeOf({ version: 1, store, environment, api_key: key });
    check = await checkCredential(context.workspace, candidate, "api_key");
    const message = t`The service refused this API key of ${store} (${environment.name}). It was not saved.`;
    const hint = t`Check the key: the store's portal shows it under Integrations.`;
    if (check.failure && check.result !== "not_checked") throw check.failure.reworded(message, { hint });
  }
  const session = await sessions.update(store, (current) => {
    checkEnvironment(current, store, environment);
    return Promise.resolve({ version: 1, store, ...current, environment, [kind]: key });
  });
  return { session, check };
}
