/** The stores whose figures are asked for, each with what it takes to ask. */
import type { Client, WaitNotice } from "../../client/index.js";
import { ComandaError } from "../../errors/index.js";
import { openFiguresCache, type FiguresCache } from "../../state/figures-cache.js";
import { openQuotaLedger, type QuotaState } from "../../state/quota.js";
import type { Session } from "../../state/session.js";
import { chooseSession, knownSession, refuseOtherEnvironment } from "../choose-store.js";
import { clientOf, countsRequests, sessionTarget } from "../connection.js";
import { variable } from "../context.js";
import type { Invocation } from "../leaf.js";
import { openTransport } from "../network.js";
import { openState, type State } from "../state.js";
import { statelessTarget } from "../stateless.js";
import type { Target } from "../target.js";

import type { FiguresOptions } from "./options.js";
import { preferencesFor, type Preferences } from "./preferences.js";

export interface Source {
  /** The store's alias, or the host's name for one that the environment variables name. */
  readonly store: string;
  readonly preferences: Preferences;
  readonly client: Client;
  readonly baseUrl: string;
  /** Absent where the sign-in can't be told from others: nothing is kept then. */
  readonly identity: string | undefined;
  /** What is left of the limit; `undefined` where comanda doesn't count. */
  quota(bucket: "summary" | "summary_grouped"): Promise<QuotaState | undefined>;
}

/** A store whose session can't be used. */
export interface UnusableSource {
  readonly store: string;
  readonly error: ComandaError;
}

export interface Sources {
  /** Were several asked for? Then the output speaks of stores even if there is but one. */
  readonly several: boolean;
  readonly all: readonly (Source | UnusableSource)[];
  readonly cache: FiguresCache;
  close(): Promise<void>;
}

/** @throws {ComandaError} as `chooseSession`, and for preferences that don't exist */
export async function openSources(
  invocation: Invocation,
  options: FiguresOptions,
  onWait: (notice: WaitNotice) => void,
): Promise<Sources> {
  const { context, globals } = invocation;
  const state = openState(invocation);
  const transport = openTransport(invocation);
  const settings = state.settings.read();
  const ledger = openQuotaLedger(state.folder);
  const source = (target: Target, preferences: Preferences): Source => ({
    store: target.label,
    preferences,
    client: clientOf(invocation, { state, transport, target, onWait }),
    baseUrl: target.baseUrl,
    identity: target.identity,
    quota: (bucket) =>
      countsRequests(context)
        ? ledger.remaining({ baseUrl: target.baseUrl, store: target.quotaKey, bucket })
        : Promise.resolve(undefined),
  });
  const ofSession = (session: Session) =>
    source(
      sessionTarget(invocation, state, session, transport),
      preferencesFor(options, settings, session.store),
    );
  const several = globals.allStores || globals.stores.length > 1;
  const stateless = several || globals.stores.length > 0 ? undefined : statelessTarget(context);
  const all = stateless
    ? [source(stateless, preferencesFor(options, settings, undefined))]
    : (several ? await severalSessions(invocation, state) : [await chooseSession(invocation, state)]).map(
        (session) => ("error" in session ? session : ofSession(session)),
      );
  return {
    several,
    all,
    cache: openFiguresCache(state.folder),
    close: async () => {
      await transport.close();
    },
  };
}

/** An alias that isn't known is a slip and ends it all; a session that can't be used is that store's trouble. */
async function severalSessions(
  { context, globals }: Invocation,
  { sessions }: State,
): Promise<readonly (Session | UnusableSource)[]> {
  const environment = variable(context, "COMANDA_ENV");
  if (globals.allStores) {
    const known = (await sessions.list()).map((session) =>
      "error" in session ? { store: session.store, error: unusable(session.error) } : session,
    );
    const all = known.filter(
      (one) => environment === undefined || "error" in one || one.environment.name === environment,
    );
    if (all.length > 0) return all;
    const where = environment === undefined ? "" : ` at ${environment}`;
    throw new ComandaError("not_signed_in", `This machine knows no store${where} yet.`, {
      hint: "Sign in at one: comanda login --store <alias> --env <name>",
    });
  }
  const named: (Session | UnusableSource)[] = [];
  for (const alias of new Set(globals.stores)) named.push(await namedSession(sessions, alias));
  for (const session of named) if (!("error" in session)) refuseOtherEnvironment(session, environment);
  return named;
}

async function namedSession(sessions: State["sessions"], alias: string): Promise<Session | UnusableSource> {
  try {
    return await knownSession(sessions, alias);
  } catch (error) {
    if (error instanceof ComandaError && error.code === "state_unusable") return { store: alias, error };
    throw error;
  }
}

function unusable(error: Error): ComandaError {
  return error instanceof ComandaError ? error : new ComandaError("state_unusable", error.message);
}
