/** `comanda login` lets a store's owner sign in, or keeps a key of the store that the service was asked about. */
import ms from "ms";

import { contradiction, type Command } from "../cli/command.js";
import { hasScreen, variable, type Context } from "../cli/context.js";
import { decodeText, readInput } from "../cli/input.js";
import { askSecret, askText, askYesNo } from "../cli/prompts.js";
import { storeOf, transportOf } from "../cli/connection.js";
import { defaults } from "../base/defaults.js";
import { ComandaError } from "../base/errors.js";
import { proxiesFor } from "../client/http.js";
import { t, translated } from "../languages/language.js";
import { machineZone } from "../sales/preferences.js";
import { parseStoreAlias, type Environment } from "../state/sessions.js";
import { listEnvironments, resolveEnvironment, withStoreSettings } from "../state/settings.js";
import { checkCredential, checkJson, reportOf, type CredentialCheck } from "./status.js";

interface LoginOptions {
  readonly env?: string;
  readonly tz?: string;
  readonly browser: boolean;
  readonly apiKey?: boolean;
  readonly partnerKey?: boolean;
}

export default function login(command: Command): void {
  command
    .details(
      "The store's owner allows the app in the browser. Without a terminal, add --no-browser if another program opens the printed URL.",
      "Sales are counted in days of the store's time zone. On a terminal, login asks for the time zone and suggests this machine's. Use --tz to set it without a prompt.",
      "With --api-key or --partner-key, comanda reads the key from a prompt, or from stdin if stdin isn't a terminal. It verifies an API key with the service and doesn't save a key that the service rejects. If the API doesn't answer, the key is saved and reported as not checked.",
    )
    .takes("store")
    .option("--env <name>", "environment to sign in to")
    .option("--tz <zone>", "time zone, such as America/Sao_Paulo")
    .option("--no-browser", "print the URL instead of opening a browser")
    .option("--api-key", "save the API key shown in the store portal")
    .option("--partner-key", "save the partner key, for comanda api --auth partner")
    .optionWithDefault("--timeout <duration>", "maximum wait for the owner", ms(defaults.signInMs))
    .examples(
      "login --store centro --env local",
      "login --store centro --env production --tz America/Sao_Paulo --no-browser",
      "login --api-key --store centro --env local < key.txt",
      "login --partner-key --store centro --env local < key.txt",
    )
    .does(signInStore);
}

/** By their names in the session's file. */
const keyNames = { api_key: "API key", partner_key: "partner key" } as const;

async function signInStore(context: Context, options: LoginOptions): Promise<void> {
  const { output } = context;
  // stdin holds one key.
  if (options.apiKey && options.partnerKey) throw contradiction("--api-key", "--partner-key");
  const key = options.apiKey ? "api_key" : options.partnerKey ? "partner_key" : undefined;
  let zone =
    options.tz === undefined ? undefined : (await import("../sales/period.js")).resolveZone(options.tz);
  const { sessions, settings } = await context.state();
  const { store, environment } = await chooseTarget(context, options.env);
  const { name } = environment;
  const { session, check } =
    key === undefined
      ? { session: await signIn(context, options.browser, store, environment) }
      : await keepKey(context, key, store, environment);
  const { default_store: chosen, stores } = await settings.read();
  const isNewDefault = chosen === undefined && (await sessions.list()).length === 1;
  if (isNewDefault) await settings.update((current) => ({ ...current, default_store: store }));
  // A key gives no access to sales figures, so it needs no zone.
  const needsZone = key === undefined && zone === undefined && stores?.[store]?.time_zone === undefined;
  if (needsZone && context.canAsk()) zone = await askZone(context, store);
  if (zone !== undefined)
    await settings.update((current) => withStoreSettings(current, store, { time_zone: zone }));
  const report = reportOf(session, context.clock.now());
  const allowed = report.scopes.length === 0 ? "" : t`, allowed: ${report.scopes.join(", ")}`;
  if (output.json) output.value({ ...report, ...(check && { checked: [checkJson(check)] }) });
  else if (key) output.sentence(t`The ${translated(keyNames[key])} of ${store} (${name}) is stored.`);
  else output.sentence(t`Signed in at ${store} (${name})${allowed}.`);
  if (check?.result === "not_checked")
    output.warn(t`The key was not checked: ${check.failure?.message ?? "?"}`);
  if (isNewDefault) output.notice(t`Commands work at ${store} without --store from now on.`);
  if (zone !== undefined) output.notice(t`The days of ${store} are counted in ${zone}.`);
  if (key === undefined) await showStore(context, store);
}

/** The owner chooses the store in the portal, and no call returns its name: yesterday's figures tell whether it is the right one. */
async function showStore(context: Context, store: string): Promise<void> {
  const { output, options } = context;
  const question = t`Show yesterday's orders and revenue, to check that this is the right store?`;
  if (output.json || !context.canAsk())
    output.notice(t`To check that this is the right store, run: comanda summary --store ${store}`);
  else if (await askYesNo(context, question, true))
    try {
      const { showSummary } = await import("./figures.js");
      // Cached answers may be those of the store that had this alias before.
      await showSummary({ ...context, options: { ...options, store, stores: [store] } }, { fresh: true });
    } catch (error) {
      if (context.signal.aborted || !(error instanceof ComandaError)) throw error;
      output.warn(error.message);
    }
  output.notice(t`If it is the wrong store, undo the sign-in: comanda logout --store ${store}`);
}

/** A known store is signed in again at its environment. */
async function chooseTarget(context: Context, env: string | undefined) {
  const { sessions, settings } = await context.state();
  const current = await settings.read();
  const typed = context.options.store ?? variable(context, "COMANDA_STORE");
  const alias = typed === undefined ? current.default_store : parseStoreAlias(typed);
  if (alias === undefined) {
    throw new ComandaError("usage", t`Which store? Give it a short name of your choice with --store.`, {
      hint: t`For example: comanda login --store centro --env production`,
    });
  }
  const before = await sessions.read(alias);
  const name = env ?? before?.environment.name;
  if (name === undefined) {
    const names = listEnvironments(current).map((listing) => listing.name);
    throw new ComandaError("usage", t`Which environment? Name it with --env.`, {
      hint: t`There are: ${names.join(", ")}. See: comanda env list`,
    });
  }
  return { store: before?.store ?? alias, environment: resolveEnvironment(current, name) };
}

async function signIn(context: Context, browser: boolean, store: string, environment: Environment) {
  const { output, stdin, stdout, stderr } = context;
  const { timeoutMs: waitMs } = context.options;
  const { sessions } = await context.state();
  const { signIn: authorize } = await import("../auth/sign-in.js");
  // Neither for a script nor at the far end of an SSH.
  const isAtTerminal = stdout.isTTY === true && stderr.isTTY === true;
  const opensBrowser = browser && isAtTerminal && hasScreen(context);
  // A wrong proxy is told before a browser opens.
  proxiesFor(context.env, environment.base_url);
  return authorize({
    environment,
    store,
    sessions,
    transport: transportOf(context),
    clock: context.clock,
    signal: context.signal,
    showUrl: (url) => {
      // Under cron nobody would see the address before the wait for the owner is over.
      if (browser && ![stdin(), stdout, stderr].some(({ isTTY }) => isTTY === true)) {
        const hint = t`Sign in at a terminal. Where a program opens the address that is shown, add --no-browser.\nAn API key is read from stdin: comanda login --api-key --store ${store} < key.txt`;
        const message = t`There is no terminal here, so nobody sees the address of the sign-in.`;
        throw new ComandaError("usage", message, { hint });
      }
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
        return askSecret(context, problem === undefined ? ask : `${problem} ${ask}`, signal);
      },
    }),
    notify: (message) => output.notice(message),
    ...(waitMs !== undefined && { waitMs }),
  });
}

/** Enter accepts this machine's zone, if it is known and isn't UTC, which is a server's and no restaurant's. */
async function askZone(context: Context, store: string): Promise<string> {
  const { output } = context;
  const { brazilianZones, resolveZone, zoneOfCity } = await import("../sales/period.js");
  output.notice(
    t`Signed in at ${store}. Its sales are counted in days of its own time zone, such as America/Sao_Paulo.`,
  );
  const zone = machineZone(context);
  const proposed = zone === undefined || zone === "UTC" ? "" : zone;
  const question = t`Which time zone? Enter its name or the state capital.`;
  for (;;) {
    const typed = await askText(
      context,
      proposed === "" ? question : `${question} ${t`(Enter: ${proposed})`}`,
    );
    try {
      return resolveZone(typed || proposed);
    } catch (error) {
      if (!(error instanceof ComandaError)) throw error;
    }
    const city = zoneOfCity(typed);
    if (city !== undefined && (await askYesNo(context, t`Use the time zone ${city}?`))) return city;
    output.notice(t`Time zones of Brazil, with the state capitals that use them:`);
    for (const [name, capitals] of Object.entries(brazilianZones))
      output.notice(capitals.length === 0 ? `  ${name}` : `  ${name}: ${capitals.join(", ")}`);
  }
}

/**
 * Keeps a key that is read from a prompt or stdin, and asks the service about an API key before.
 *
 * @throws {ComandaError} where the service refuses the key, and where it is no key
 */
async function keepKey(
  context: Context,
  kind: keyof typeof keyNames,
  store: string,
  environment: Environment,
) {
  const { sessions } = await context.state();
  const { checkEnvironment } = await import("../auth/exchange.js");
  const name = translated(keyNames[kind]);
  const text = context.canAsk()
    ? await askSecret(context, t`The ${name} of ${store} (it isn't shown):`)
    : decodeText((await readInput(context, "-")).bytes);
  const key = text.trim();
  // Anything else can't travel in a header.
  if (!/^[\x21-\x7e]{1,4096}$/.test(key)) {
    const message = t`That is no ${name}, which is one line of visible ASCII characters without spaces.`;
    const hint = t`Pipe it in as the service gave it, or run the command at a terminal.`;
    throw new ComandaError("invalid_input", message, { hint });
  }
  // The key must not be sent to another environment's address.
  checkEnvironment(await sessions.read(store), store, environment);
  let check: CredentialCheck | undefined;
  if (kind === "api_key") {
    const unkept = storeOf({ version: 1, store, environment, api_key: key });
    check = await checkCredential(context, unkept, "api_key");
    const message = t`The service refuses this API key of ${store} (${environment.name}), so it is not stored.`;
    const hint = t`Check the key: the store's portal shows it under Integrations.`;
    if (check.failure && check.result !== "not_checked") throw check.failure.reworded(message, { hint });
  }
  const session = await sessions.update(store, (current) => {
    checkEnvironment(current, store, environment);
    return Promise.resolve({ version: 1, store, ...current, environment, [kind]: key });
  });
  return { session, check };
}
