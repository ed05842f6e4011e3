/**
 * Decides, alone in the program, which store a command works at and with which credentials: `--store` goes first, then
 * the variables that hold an address and credentials, then COMANDA_STORE, the default store, the only store.
 */
import { normalizeBaseUrl } from "../client/base-url.js";
import { ComandaError } from "../shared/errors.js";
import { t } from "../shared/language.js";
import {
  chooseSession as chooseFrom,
  unknownStore,
  type SessionChoice,
} from "../state/sessions/choose-session.js";
import type { Session, SessionStore } from "../state/sessions/session.js";
import { parseStoreAlias, storeKey } from "../state/sessions/store-alias.js";
import type { Settings } from "../state/settings/settings.js";
import { defaultStore } from "../state/settings/store-settings.js";

import { variable, type Context } from "./context.js";
import type { State } from "./state.js";

/** The store whose credentials a command uses. */
export type StoreChoice =
  StoredChoice | { readonly kind: "variables"; readonly variables: CredentialVariables };

interface StoredChoice {
  readonly kind: "session";
  readonly session: Session;
}

/** Machines without state have address and credentials in environment variables. */
export interface CredentialVariables {
  /** The address that requests are built on. */
  readonly baseUrl: string;
  /** May the address be another machine's by http? */
  readonly allowInsecure: boolean;
  readonly accessToken: string | undefined;
  readonly apiKey: string | undefined;
  readonly partnerKey: string | undefined;
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
  readonly pick?: PickStore;
}

export interface StoreFlags {
  readonly stores: readonly string[];
  /** Every store that this machine knows. */
  readonly allStores: boolean;
  readonly pick?: PickStore;
}

export type ChosenStores =
  | { readonly kind: "single"; readonly choice: StoreChoice }
  | { readonly kind: "several"; readonly choices: readonly (StoreChoice | UnusableStore)[] };

/** Lets a person choose a store; `undefined` where nobody can be asked. */
export type PickStore = (aliases: readonly string[]) => Promise<string | undefined>;

type EnvironmentVariables = Pick<Context, "env">;

/**
 * @throws {ComandaError} `invalid_input` for an alias that isn't known, `not_signed_in` where none is, `usage` where
 *   there are several and none is chosen, `state_unusable` where its file can't be used, `configuration` for variables
 *   that don't fit
 */
export async function chooseStore(
  context: EnvironmentVariables,
  state: Pick<State, "sessions" | "settings">,
  flag: StoreFlag,
): Promise<StoreChoice> {
  const variables = flag.store === undefined ? readVariables(context, flag.login) : undefined;
  if (variables) return { kind: "variables", variables };
  return { kind: "session", session: await chooseSession(context, state, flag) };
}

/**
 * Chooses the stores of a report. An unknown alias is a slip and ends the command; a session that can't be used concerns
 * its store alone.
 *
 * @throws {ComandaError} as {@link chooseStore}
 */
export async function chooseStores(
  context: EnvironmentVariables,
  state: Pick<State, "sessions" | "settings">,
  { stores, allStores, pick }: StoreFlags,
): Promise<ChosenStores> {
  if (allStores) return { kind: "several", choices: await everySession(context, state.sessions) };
  if (stores.length < 2) {
    const flag = { store: stores[0], ...(pick && { pick }) };
    return { kind: "single", choice: await chooseStore(context, state, flag) };
  }
  const choices: (StoredChoice | UnusableStore)[] = [];
  for (const alias of distinctStores(stores)) {
    const choice = await namedStore(state.sessions, alias);
    if (choice.kind === "session") refuseOtherEnvironment(context, choice.session);
    choices.push(choice);
  }
  return { kind: "several", choices };
}

/**
 * Gives aliases to a command that makes no calls: a named store may have been removed since.
 *
 * @throws {ComandaError} as {@link chooseStore}
 */
export async function storeAliases(
  context: EnvironmentVariables,
  state: Pick<State, "sessions" | "settings">,
  { stores, allStores }: StoreFlags,
): Promise<readonly string[]> {
  if (allStores) {
    const choices = await everySession(context, state.sessions);
    return choices.map((choice) => (choice.kind === "missing" ? choice.store : choice.session.store));
  }
  if (stores.length > 0) return Promise.all(distinctStores(stores).map((alias) => keptAlias(state, alias)));
  return [(await chooseSession(context, state, { store: undefined })).store];
}

/** Gives the alias in the spelling that is stored. An unknown alias stays as it was typed. */
export async function keptAlias(
  { sessions, settings }: Pick<State, "sessions" | "settings">,
  alias: string,
): Promise<string> {
  const inSettings = Object.keys((await settings.read()).stores ?? {});
  const stored = [...(await aliasesOf(sessions)), ...inSettings];
  return stored.find((other) => storeKey(other) === storeKey(alias)) ?? alias;
}

async function aliasesOf(sessions: Pick<SessionStore, "list">): Promise<readonly string[]> {
  return (await sessions.list()).map(({ store }) => store);
}

/** Two spellings of an alias are one store, which a total counts once. */
function distinctStores(aliases: readonly string[]): readonly string[] {
  return [...new Map(aliases.map((alias) => [storeKey(alias), alias])).values()];
}

async function everySession(
  context: EnvironmentVariables,
  sessions: SessionStore,
): Promise<readonly (StoredChoice | UnusableStore)[]> {
  const name = variable(context, "COMANDA_ENV");
  const choices = (await sessions.list()).flatMap((session): readonly (StoredChoice | UnusableStore)[] => {
    if ("error" in session) return [unusableStore(session.store, session.error)];
    return name === undefined || session.environment.name === name ? [{ kind: "session", session }] : [];
  });
  if (choices.length > 0) return choices;
  const where = name === undefined ? "" : t` at ${name}`;
  throw new ComandaError("not_signed_in", t`This machine knows no store${where} yet.`, {
    hint: t`Sign in at one: comanda login --store <alias> --env <name>`,
  });
}

async function namedStore(sessions: SessionStore, alias: string): Promise<StoredChoice | UnusableStore> {
  try {
    return { kind: "session", session: await storedSession(sessions, alias) };
  } catch (error) {
    if (error instanceof ComandaError && error.code === "state_unusable") return unusableStore(alias, error);
    throw error;
  }
}

function unusableStore(store: string, error: Error): UnusableStore {
  const reason = error instanceof ComandaError ? error : new ComandaError("state_unusable", error.message);
  return { kind: "missing", store, error: reason };
}

/** @throws {ComandaError} as {@link chooseStore} */
export async function chooseSession(
  context: EnvironmentVariables,
  { sessions, settings }: Pick<State, "sessions" | "settings">,
  { store, login = "login", pick }: StoreFlag,
): Promise<Session> {
  const alias = aliasFrom(context, store);
  const firstChoice = await chooseFrom(sessions, {
    named: alias,
    settings: alias === undefined ? await settings.read() : undefined,
  });
  const pickedAlias = firstChoice.kind === "several" ? await pick?.(firstChoice.aliases) : undefined;
  const choice = pickedAlias === undefined ? firstChoice : await chooseFrom(sessions, { named: pickedAlias });
  if (choice.kind !== "session") throw choiceError(choice, login);
  refuseOtherEnvironment(context, choice.session);
  return choice.session;
}

/** @throws {ComandaError} `invalid_input` for an alias that isn't known */
export async function storedSession(sessions: SessionStore, alias: string): Promise<Session> {
  const choice = await chooseFrom(sessions, { named: parseStoreAlias(alias) });
  if (choice.kind !== "session") throw choiceError(choice, "login");
  return choice.session;
}

export async function unknownStoreError(
  sessions: Pick<SessionStore, "list">,
  alias: string,
): Promise<ComandaError> {
  return choiceError({ kind: "unknown", alias, aliases: await aliasesOf(sessions) }, "login");
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

function choiceError(choice: Exclude<SessionChoice, { kind: "session" }>, login: LoginCommand): ComandaError {
  switch (choice.kind) {
    case "unknown": {
      const { alias, aliases } = choice;
      const add = `comanda ${login} --store ${alias}`;
      const hint =
        aliases.length > 0 ? t`It knows: ${aliases.join(", ")}. To add it: ${add}` : t`Sign in first: ${add}`;
      return unknownStore(alias, aliases, hint);
    }
    case "none":
      return new ComandaError("not_signed_in", t`This machine knows no store yet.`, {
        hint: t`Sign in at one: comanda ${login} --store <alias> --env <name>\nOr have a look around first: comanda demo`,
      });
    case "several":
      return new ComandaError("usage", t`This machine knows several stores; say which one.`, {
        hint: t`With --store <alias>, or once for all: comanda stores use ${choice.aliases[0]}`,
      });
  }
}

/** `COMANDA_ENV` in a script promises that the script touches no other environment. */
function refuseOtherEnvironment(context: EnvironmentVariables, { store, environment }: Session): void {
  const wanted = variable(context, "COMANDA_ENV");
  if (wanted === undefined || wanted === environment.name) return;
  throw new ComandaError(
    "configuration",
    t`The store ${store} belongs to ${environment.name}, but COMANDA_ENV is ${wanted}.`,
    { hint: t`Choose a store of that environment, or unset COMANDA_ENV.` },
  );
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
): CredentialVariables | undefined {
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
  return {
    baseUrl: normalizeBaseUrl(address, allowInsecure, baseUrlVariable),
    allowInsecure,
    accessToken,
    apiKey,
    partnerKey: variable(context, "COMANDA_PARTNER_KEY"),
  };
}
