/** The stores whose figures are asked for, each with what it takes to ask. */
import type { WaitNotice } from "../../client/index.js";
import type { GroupedSummary, GroupedSummaryQuery, Summary, SummaryQuery } from "../../contract/summary.js";
import { ComandaError } from "../../shared/errors.js";
import { openLedger, type Ledger } from "../../state/ledger/ledger.js";
import { openQuotaLedger, type QuotaState } from "../../state/quota/quota.js";
import type { Session } from "../../state/sessions/session.js";
import { isGrouped, type Figured } from "../../summary/ledger/figures.js";
import type { Endpoint } from "../../summary/plan/store-calls.js";
import type { MissingStore } from "../../summary/results.js";
import { chooseSession, knownSession, refuseOtherEnvironment } from "../choose-store.js";
import { clientOf, countsRequests, sessionTarget, waitNotices } from "../connection.js";
import { variable } from "../context.js";
import type { Invocation } from "../leaf.js";
import { openTransport } from "../network.js";
import type { State } from "../state.js";
import { statelessTarget } from "../stateless.js";
import type { Target } from "../target.js";

import { preferencesFor, type Preferences, type Presentation } from "./preferences.js";

export interface OpenStore {
  readonly kind: "open";
  /** Its alias, or the host's name for one that the environment variables name. */
  readonly name: string;
  readonly preferences: Preferences;
  readonly endpoints: {
    readonly summary: Endpoint<SummaryQuery, Summary>;
    readonly grouped: Endpoint<GroupedSummaryQuery, GroupedSummary>;
  };
  /** What is left of the limit; `undefined` where comanda doesn't count. */
  quota(bucket: "summary" | "summary_grouped"): Promise<QuotaState | undefined>;
}

export type OpenStores = (
  | { readonly kind: "one store"; readonly store: OpenStore }
  | { readonly kind: "several stores"; readonly stores: readonly (OpenStore | MissingStore)[] }
) & { close(): Promise<void> };

export interface OpenStoresOptions {
  /** What the flags say of it. */
  readonly presentation: Presentation;
  /** Was this wait said already, with the time that everything takes? */
  readonly isAnnounced: (notice: WaitNotice) => boolean;
}

/** @throws {ComandaError} as `chooseSession` */
export async function openStores(
  invocation: Invocation,
  state: State,
  { presentation, isAnnounced }: OpenStoresOptions,
): Promise<OpenStores> {
  const { context, globals } = invocation;
  const transport = openTransport(invocation);
  const settings = state.settings.read();
  const ledger = openQuotaLedger(state.folder);
  const sayWait = waitNotices(invocation);
  const onWait = (notice: WaitNotice) => {
    if (!isAnnounced(notice)) sayWait(notice);
  };

  const open = (target: Target, store: string | undefined): OpenStore => {
    const client = clientOf(invocation, { state, transport, target, onWait });
    const kept = keptAnswers(invocation, state, target);
    return {
      kind: "open",
      name: target.label,
      preferences: preferencesFor(presentation, settings, store),
      endpoints: {
        summary: {
          call: async (query, signal) => (await client.summary(query, { signal })).summary,
          ...kept((answer): answer is Summary => !isGrouped(answer)),
        },
        grouped: {
          call: async (query, signal) => (await client.groupedSummary(query, { signal })).groupedSummary,
          ...kept(isGrouped),
        },
      },
      quota: (bucket) =>
        countsRequests(context)
          ? ledger.remaining({ baseUrl: target.baseUrl, store: target.quotaKey, bucket })
          : Promise.resolve(undefined),
    };
  };
  const ofSession = (session: Session) =>
    open(sessionTarget(invocation, state, session, transport), session.store);
  const close = async () => {
    await transport.close();
  };

  if (globals.allStores || globals.stores.length > 1) {
    const sessions = await severalSessions(invocation, state);
    const stores = sessions.map((one) => ("kind" in one ? one : ofSession(one)));
    return { kind: "several stores", stores, close };
  }
  const stateless = globals.stores.length > 0 ? undefined : statelessTarget(context);
  const store = stateless ? open(stateless, undefined) : ofSession(await chooseSession(invocation, state));
  return { kind: "one store", store, close };
}

type OfLedger<Answer> = Pick<Endpoint<SummaryQuery, Answer>, "history" | "keep" | "share">;

/** Nothing is kept where the sign-in can't be told from others. A folder that can't be used costs no figures. */
function keptAnswers({ globals }: Invocation, { data }: State, { baseUrl, label, figures }: Target) {
  const ledger = figures && openLedger(data, { ...figures, store: label, environment: baseUrl });
  let usable = true;
  const keep: Ledger["keep"] = async (...answer) => {
    if (!usable) return;
    try {
      await ledger?.keep(...answer);
    } catch (error) {
      if (!(error instanceof ComandaError)) throw error;
      usable = false;
      data.warn(`${error.message} Figures are not kept for the next time.`);
    }
  };
  return <Answer extends Figured>(isAnswer: (answer: Figured) => answer is Answer): OfLedger<Answer> => ({
    history: (query) =>
      (ledger?.history(query) ?? []).flatMap(({ asked_at, answer }) =>
        isAnswer(answer) ? [{ askedAt: Date.parse(asked_at), answer }] : [],
      ),
    keep: (query, { askedAt, answer }) => keep(query, askedAt, answer),
    // As long as the other one may wait for its place within the limit, and for its answer.
    share: (query, work, signal) =>
      ledger ? ledger.share(query, work, { waitMs: globals.maxWaitMs + answerMs, signal }) : work(),
  });
}

/** Milliseconds, about, that three attempts at one call take. */
const answerMs = 2 * 60_000;

/** An alias that isn't known is a slip and ends it all; a session that can't be used is that store's trouble. */
async function severalSessions(
  { context, globals }: Invocation,
  { sessions }: State,
): Promise<readonly (Session | MissingStore)[]> {
  const environment = variable(context, "COMANDA_ENV");
  if (globals.allStores) {
    const known = (await sessions.list()).map((session) =>
      "error" in session ? missing(session.store, session.error) : session,
    );
    const all = known.filter(
      (one) => environment === undefined || "kind" in one || one.environment.name === environment,
    );
    if (all.length > 0) return all;
    const where = environment === undefined ? "" : ` at ${environment}`;
    throw new ComandaError("not_signed_in", `This machine knows no store${where} yet.`, {
      hint: "Sign in at one: comanda login --store <alias> --env <name>",
    });
  }
  const named: (Session | MissingStore)[] = [];
  for (const alias of new Set(globals.stores)) named.push(await namedSession(sessions, alias));
  for (const session of named) if (!("kind" in session)) refuseOtherEnvironment(session, environment);
  return named;
}

async function namedSession(sessions: State["sessions"], alias: string): Promise<Session | MissingStore> {
  try {
    return await knownSession(sessions, alias);
  } catch (error) {
    if (error instanceof ComandaError && error.code === "state_unusable") return missing(alias, error);
    throw error;
  }
}

function missing(store: string, error: Error): MissingStore {
  const reason = error instanceof ComandaError ? error : new ComandaError("state_unusable", error.message);
  return { kind: "missing", store, error: reason };
}
