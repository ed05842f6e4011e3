/**
 * Decides, alone in the program, which store a command works at and with which credentials: `--store` goes first, then
 * the variables that hold an address and credentials, then COMANDA_STORE, the default store, the only store. Nothing is
 * opened for it: `client.ts` does that.
 */
import { normalizeBaseUrl } from "../client/base-url.js";
import { ComandaError } from "../client/errors.js";
import { t } from "../languages/language.js";
import { chooseSession as chooseFrom, unknownStore, type SessionChoice } from "../state/settings.js";
import type { Session, SessionStore } from "../state/sessions.js";
import { credentialDigest } from "../state/credential-names.js";
import { parseStoreAlias, quotaKeyOf, storeKey } from "../state/sessions.js";
import type { Settings } from "../state/settings.js";
import { defaultStore } from "../state/settings.js";
import { userName } from "../state/journal.js";
import type { State } from "../state/state.js";

import { variable, type Context } from "../cli/context.js";

/** Tells where the calls of a store go. */
export interface StoreAddress {
  /** Sentences name the store by its alias, or by the host where variables hold its address. */
  readonly label: string;
  /** The alias; `undefined` where environment variables hold address and credentials. */
  readonly store: string | undefined;
  /** The environment's name; the host where it has none. */
  readonly environment: string;
  /** The end of a sentence that says where: "of the store centro", "at api.example". */
  readonly place: string;
  /** The address that requests are built on. */
  readonly baseUrl: string;
  /** May the address be another machine's by http? */
  readonly allowInsecure: boolean;
  /** The command or variable that the base URL comes from, for hints. */
  readonly baseUrlFrom: string;
  /** Requests of the same key are counted together against the service's limits. It holds no secret. */
  readonly quotaKey: string;
}

/** A store that commands work at, with the credentials that may go to its address. */
export type ChosenStore = SignedInStore | VariablesStore;

interface SignedInStore extends StoreAddress {
  readonly kind: "session";
  readonly store: string;
  readonly session: Session;
}

/** Machines without state have address and credentials in environment variables. */
interface VariablesStore extends StoreAddress {
  readonly kind: "variables";
  readonly variables: CredentialVariables;
}

export interface CredentialVariables {
  readonly accessToken: string | undefined;
  readonly apiKey: string | undefined;
}

/** A named store whose session can't be used: a report of several stores goes on without it. */
export interface UnusableStore {
  readonly kind: "missing";
  readonly store: string;
  readonly error: ComandaError;
}

/** A call that takes the API key alone has no use for a sign-in, so its hint recommends another command. */
export type LoginCommand = "login" | "login --api-key";

export interface StoreFlag {
  /** The store that `--store` names. */
  readonly store: string | undefined;
  /** The command that is recommended where there is no session. */
  readonly login?: LoginCommand;
}

export interface StoreFlags {
  readonly stores: readonly string[];
  /** Every store that this machine knows. */
  readonly allStores: boolean;
}

export interface ChosenStores {
  /** Were several stores asked for, even if this machine knows but one? */
  readonly areSeveral: boolean;
  readonly stores: readonly (ChosenStore | UnusableStore)[];
}

type EnvironmentVariables = Pick<Context, "env">;

/**
 * @throws {ComandaError} `invalid_input` for an alias that isn't known, `not_signed_in` where none is, `usage` where
 *   there are several and none is chosen, `state_unusable` where its file can't be used, `configuration` for variables
 *   that don't fit
 */
export async function chooseStore(context: Context, flag: StoreFlag): Promise<ChosenStore> {
  const ofVariables = flag.store === undefined ? readVariables(context, flag.login) : undefined;
  return ofVariables ?? storeOf(await chooseSession(context, flag));
}

export function storeOf(session: Session): SignedInStore {
  const { store, environment } = session;
  return {
    ...{ kind: "session", session, label: store, store },
    environment: environment.name,
    place: t`of the store ${store}`,
    baseUrl: environment.base_url,
    allowInsecure: environment.allow_insecure ?? false,
    baseUrlFrom: t`comanda env list`,
    quotaKey: quotaKeyOf(store),
  };
}

/**
 * Chooses the stores of a report. An unknown alias is a slip and ends the command; a session that can't be used concerns
 * its store alone.
 *
 * @throws {ComandaError} as {@link chooseStore}
 */
export async function chooseStores(
  context: Context,
  { stores, allStores }: StoreFlags,
): Promise<ChosenStores> {
  const { sessions } = await context.state();
  if (allStores) return { areSeveral: true, stores: await everySession(await context.state()) };
  if (stores.length < 2)
    return { areSeveral: false, stores: [await chooseStore(context, { store: stores[0] })] };
  const choices: (SignedInStore | UnusableStore)[] = [];
  for (const alias of distinctStores(stores)) {
    const choice = await namedStore(sessions, alias);
    choices.push(choice);
  }
  return { areSeveral: true, stores: choices };
}

/**
 * Gives aliases to a command that makes no calls: a named store may have been removed since.
 *
 * @throws {ComandaError} as {@link chooseStore}
 */
export async function storeAliases(
  context: Context,
  { stores, allStores }: StoreFlags,
): Promise<readonly string[]> {
  const { sessions, settings } = await context.state();
  if (allStores) {
    return (await everySession(await context.state())).map(({ store }) => store);
  }
  if (stores.length === 0) return [(await chooseSession(context, { store: undefined })).store];
  const inSettings = Object.keys((await settings.read()).stores ?? {});
  const stored = [...(await sessions.list()).map(({ store }) => store), ...inSettings];
  // The spelling that is stored counts. An unknown alias stays as it was typed.
  return distinctStores(stores).map(
    (alias) => stored.find((other) => storeKey(other) === storeKey(alias)) ?? alias,
  );
}

/** Does this machine know more than one store? Then a write that is done says at which it was. */
export async function knowsSeveral(context: Context): Promise<boolean> {
  try {
    const { sessions } = await context.state();
    return (await sessions.list()).length > 1;
  } catch (error) {
    // The write is done all the same.
    if (error instanceof ComandaError) return false;
    throw error;
  }
}

/** Two spellings of an alias are one store, which a total counts once. */
function distinctStores(aliases: readonly string[]): readonly string[] {
  return [...new Map(aliases.map((alias) => [storeKey(alias), alias])).values()];
}

async function everySession({ sessions, place }: State): Promise<readonly (SignedInStore | UnusableStore)[]> {
  const choices = (await sessions.list()).map((session) =>
    "error" in session ? unusableStore(session.store, session.error) : storeOf(session),
  );
  if (choices.length > 0) return choices;
  throw noStore(place, t`Sign in at one: comanda login --store <alias> --env <name>`);
}

/** Another user of the machine has stores of their own, as cron's or root's have it. */
function noStore({ address }: State["place"], hint: string): ComandaError {
  const looked = t`Looked in ${address || "?"}, for the user ${userName() ?? "?"}.`;
  return new ComandaError("not_signed_in", t`This machine knows no store yet.`, {
    hint: `${looked}\n${hint}`,
  });
}

async function namedStore(sessions: SessionStore, alias: string): Promise<SignedInStore | UnusableStore> {
  try {
    return storeOf(await storedSession(sessions, alias));
  } catch (error) {
    if (error instanceof ComandaError && error.code === "state_unusable") return unusableStore(alias, error);
    throw error;
  }
}

function unusableStore(store: string, error: Error): UnusableStore {
  const reason = error instanceof ComandaError ? error : new ComandaError("state_unusable", error.message);
  return { kind: "missing", store, error: reason };
}

/**
 * Where there are several stores, a person at a terminal is asked.
 *
 * @throws {ComandaError} as {@link chooseStore}
 */
export async function chooseSession(
  context: Context,
  { store, login = "login" }: StoreFlag,
): Promise<Session> {
  const { sessions, settings, place } = await context.state();
  const alias = aliasFrom(context, store);
  let choice = await chooseFrom(sessions, {
    named: alias,
    settings: alias === undefined ? await settings.read() : undefined,
  });
  if (choice.kind === "several" && context.canAsk()) {
    const choices = choice.aliases.map((value) => ({ value, name: value }));
    choice = await chooseFrom(sessions, { named: await context.choose(t`Which store?`, choices) });
  }
  if (choice.kind === "none") {
    const hint = t`Sign in at one: comanda ${login} --store <alias> --env <name>\nOr have a look around first: comanda demo`;
    throw noStore(place, hint);
  }
  if (choice.kind !== "session") throw choiceError(choice, login);
  return choice.session;
}

/** @throws {ComandaError} `invalid_input` for an alias that isn't known */
export async function storedSession(sessions: SessionStore, alias: string): Promise<Session> {
  const named = parseStoreAlias(alias);
  const choice = await chooseFrom(sessions, { named });
  if (choice.kind === "session") return choice.session;
  const aliases = "aliases" in choice ? choice.aliases : [];
  throw choiceError({ kind: "unknown", alias: named, aliases }, "login");
}

/** The store of a sign-in may be new; `undefined` where nothing names it. */
export function storeToSignIn(
  context: EnvironmentVariables,
  { store }: StoreFlag,
  settings: Settings,
  aliases: readonly string[],
): string | undefined {
  return aliasFrom(context, store) ?? defaultStore(settings, aliases);
}

function aliasFrom(context: EnvironmentVariables, store: string | undefined): string | undefined {
  const alias = store ?? variable(context, "COMANDA_STORE");
  return alias === undefined ? undefined : parseStoreAlias(alias);
}

function choiceError(
  choice: Exclude<SessionChoice, { kind: "session" | "none" }>,
  login: LoginCommand,
): ComandaError {
  switch (choice.kind) {
    case "unknown": {
      const { alias, aliases } = choice;
      const add = `comanda ${login} --store ${alias}`;
      const hint =
        aliases.length > 0 ? t`It knows: ${aliases.join(", ")}. To add it: ${add}` : t`Sign in first: ${add}`;
      return unknownStore(alias, aliases, hint);
    }
    case "several":
      return new ComandaError("usage", t`This machine knows several stores; say which one.`, {
        hint: t`With --store <alias>, or once for all: comanda stores use ${choice.aliases[0]}`,
      });
  }
}

/** Hints name this variable, too. */
export const baseUrlVariable = "COMANDA_BASE_URL";

/**
 * @returns `undefined` where none is set
 * @throws {ComandaError} `configuration` where the address can't be used, or one half of the pair is missing
 */
function readVariables(
  context: EnvironmentVariables,
  login: LoginCommand = "login",
): VariablesStore | undefined {
  const accessToken = variable(context, "COMANDA_ACCESS_TOKEN");
  const apiKey = variable(context, "COMANDA_API_KEY");
  const address = variable(context, baseUrlVariable);
  const hasCredential = accessToken !== undefined || apiKey !== undefined;
  if (address === undefined && !hasCredential) return undefined;
  if (address === undefined) {
    const name = accessToken === undefined ? "COMANDA_API_KEY" : "COMANDA_ACCESS_TOKEN";
    throw new ComandaError("configuration", t`${name} is set, but ${baseUrlVariable} isn't.`, {
      hint: t`A credential and its address go together: set both, or neither.`,
    });
  }
  if (!hasCredential) {
    const credentialVariables =
      login === "login" ? t`COMANDA_ACCESS_TOKEN or COMANDA_API_KEY` : "COMANDA_API_KEY";
    throw new ComandaError("configuration", t`${baseUrlVariable} is set, but no credential is.`, {
      hint: t`Set ${credentialVariables} too, or choose a store with --store.`,
    });
  }
  const allowInsecure = variable(context, "COMANDA_ALLOW_INSECURE") === "1";
  const baseUrl = normalizeBaseUrl(address, allowInsecure, baseUrlVariable);
  const { host } = new URL(baseUrl);
  return {
    ...{ kind: "variables", label: host, store: undefined, environment: host },
    ...{ place: t`at ${host}`, baseUrl, allowInsecure, baseUrlFrom: baseUrlVariable },
    // The digest tells the credentials of two stores apart without revealing them.
    quotaKey: `credential ${credentialDigest(accessToken ?? apiKey ?? "")}`,
    variables: { accessToken, apiKey },
  };
}
