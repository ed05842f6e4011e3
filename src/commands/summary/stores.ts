/** The stores whose figures are asked for, each with what it takes to ask. */
import type { WaitNotice } from "../../client/index.js";
import type { Dimension, Summary, SummaryQuery } from "../../contract/summary.js";
import { ComandaError } from "../../shared/errors.js";
import { t } from "../../shared/language.js";
import { doubtedAt } from "../../state/ledger/doubt.js";
import { queryOf } from "../../state/ledger/entry.js";
import { driversIn, learnDrivers } from "../../state/ledger/driver-names.js";
import { refusesHalfYears, rememberRefusedHalfYear } from "../../state/ledger/half-years.js";
import { openLedger, type Ledger } from "../../state/ledger/ledger.js";
import { countsRequests } from "../../state/limiter.js";
import { openLimits, type LimitState } from "../../state/limits.js";
import { isGrouped, type Figured } from "../../summary/ledger/figures.js";
import type { Endpoint, HalfYears, StoreCallsOptions } from "../../summary/plan/store-calls.js";
import type { MissingStore } from "../../summary/results.js";
import { chooseStores, type PickStore, type StoreChoice } from "../choose-store.js";
import { clientOf, openTransport } from "../connection.js";
import type { Invocation } from "../context.js";
import type { Asking } from "../confirmation.js";
import { openCommandGate } from "../gate.js";
import type { State } from "../state.js";
import { targetOf, type Target } from "../target.js";
import { waitNotices } from "../wait-notices.js";

import { serviceClocks } from "./service-clock.js";
import { preferencesFor, type Preferences, type Presentation } from "./preferences.js";

export interface OpenStore {
  readonly kind: "open";
  /** Its alias, or the host's name for one that the environment variables name. */
  readonly name: string;
  readonly preferences: Preferences;
  readonly endpoints: {
    readonly summary: Endpoint<SummaryQuery, Summary>;
    readonly grouped: StoreCallsOptions["grouped"];
  };
  readonly halfYears: HalfYears;
  /** How far the service's clock is ahead of this machine's, as `ServiceClock.ahead`. */
  readonly ahead: () => number;
  /** When this machine last changed an order of it (milliseconds since the epoch). */
  readonly doubtedAt: number | undefined;
  /** What is left of the limit; `undefined` where comanda doesn't count. */
  quota(bucket: "summary" | "summary_grouped"): Promise<LimitState | undefined>;
}

export type OpenStores = (
  | { readonly kind: "one store"; readonly store: OpenStore }
  | { readonly kind: "several stores"; readonly stores: readonly (OpenStore | MissingStore)[] }
) & { close(): Promise<void> };

export interface OpenStoresOptions {
  /** As `--store` names them, in order. */
  readonly stores: readonly string[];
  /** Every store that this machine knows. */
  readonly allStores: boolean;
  /** What the flags say of it. */
  readonly presentation: Presentation;
  /** Does it fail where an answer can't be kept? Figures that are shown are worth more than that. */
  readonly mustKeep?: boolean;
  /** Work that nobody waits for, as `ClientParts.background`. */
  readonly background?: boolean;
  /** As `ClientParts.once`. */
  readonly once?: boolean;
  /** Was this wait said already, with the time that everything takes? */
  readonly isAnnounced: (notice: WaitNotice) => boolean;
  readonly pick?: PickStore;
}

/** @throws {ComandaError} as `chooseStores` */
export async function openStores(
  invocation: Invocation,
  machine: Asking,
  {
    stores,
    allStores,
    presentation,
    mustKeep = false,
    background = false,
    once = false,
    isAnnounced,
    pick,
  }: OpenStoresOptions,
): Promise<OpenStores> {
  const { context } = invocation;
  const state = await machine.state();
  const transport = openTransport(invocation);
  const settings = await state.settings.read();
  const limits = openLimits(state.folder);
  const clockOf = serviceClocks(invocation);
  const sayWait = waitNotices(invocation);
  const onWait = (notice: WaitNotice) => {
    if (!isAnnounced(notice)) sayWait(notice);
  };

  const open = (choice: StoreChoice): OpenStore => {
    const target = targetOf(invocation, state, choice, transport);
    const store = choice.kind === "session" ? choice.session.store : undefined;
    const preferences = preferencesFor(presentation, settings, store);
    const { observer: watch, ahead } = clockOf(preferences.zone);
    const { observer } = openCommandGate(invocation, { machine, state, target }, { watch });
    const client = clientOf(invocation, { state, transport, target, observer, onWait, background, once });
    const kept = keptAnswers(invocation, state, target, mustKeep);
    return {
      kind: "open",
      name: target.label,
      preferences,
      endpoints: {
        summary: {
          call: async (query, signal) => (await client.summary(query, { signal })).summary,
          ...kept.summary,
        },
        grouped: {
          call: async (query, signal) => (await client.groupedSummary(query, { signal })).groupedSummary,
          ...kept.grouped,
          async learn({ group_by: dimension }, { askedAt, answer }) {
            if (target.figures === undefined || dimension !== "driver_id") return;
            const drivers = driversIn(answer, new Date(askedAt).toISOString());
            await learnDrivers(state.data, target.figures.folder, drivers);
          },
        },
      },
      halfYears: {
        refused: refusesHalfYears(state.data, target.baseUrl),
        onRefused: () => {
          if (target.figures) rememberRefusedHalfYear(state.data, target.baseUrl);
        },
      },
      ahead,
      doubtedAt: target.figures && doubtedAt(state.data, target.figures.folder),
      quota: (bucket) =>
        countsRequests(context)
          ? limits.remaining({ baseUrl: target.baseUrl, store: target.quotaKey, bucket })
          : Promise.resolve(undefined),
    };
  };
  const close = async () => {
    await transport.close();
  };
  const chosen = await chooseStores(context, state, { stores, allStores, pick });
  if (chosen.kind === "one") return { kind: "one store", store: open(chosen.choice), close };
  return {
    kind: "several stores",
    stores: chosen.choices.map((choice) => (choice.kind === "missing" ? choice : open(choice))),
    close,
  };
}

type OfLedger<Answer> = Omit<Endpoint<SummaryQuery, Answer>, "call">;

/** Nothing is kept where the sign-in can't be told from others. A folder that can't be used costs no figures. */
function keptAnswers(
  { settings }: Invocation,
  { data }: State,
  { baseUrl, label, figures }: Target,
  mustKeep: boolean,
) {
  const ledger = figures && openLedger(data, { ...figures, store: label, environment: baseUrl });
  let usable = true;
  const keep: Ledger["keep"] = async (...answer) => {
    if (!usable) return;
    try {
      await ledger?.keep(...answer);
    } catch (error) {
      if (mustKeep || !(error instanceof ComandaError)) throw error;
      usable = false;
      data.warn(t`${error.message} Figures are not kept for the next time.`);
    }
  };
  const of = <Answer extends Figured>(isAnswer: (answer: Figured) => answer is Answer): OfLedger<Answer> => ({
    history: (query) =>
      (ledger?.history(query) ?? []).flatMap(({ asked_at, answer }) =>
        isAnswer(answer) ? [{ askedAt: Date.parse(asked_at), answer }] : [],
      ),
    overlapping: (query) =>
      (ledger?.overlapping(query) ?? []).flatMap(({ from, to, asked_at, answer }) =>
        isAnswer(answer) ? [{ start: from, end: to, askedAt: Date.parse(asked_at), answer }] : [],
      ),
    keep: (query, { askedAt, answer }) => keep(query, askedAt, answer),
    // As long as the other one may wait for its place within the limit, and for its answer.
    share: (query, work, signal) =>
      ledger ? ledger.share(query, work, { waitMs: settings.maxWaitMs + answerMs, signal }) : work(),
  });
  return {
    summary: of((answer): answer is Summary => !isGrouped(answer)),
    grouped: {
      ...of(isGrouped),
      *answersBy(dimension: Dimension) {
        for (const { asked_at, answer, ...question } of ledger?.answersBy(dimension) ?? [])
          if (isGrouped(answer))
            yield {
              askedAt: Date.parse(asked_at),
              answer,
              query: { ...queryOf(question), group_by: dimension },
            };
      },
    },
  };
}

/** Milliseconds, about, that three attempts at one call take. */
const answerMs = 2 * 60_000;
