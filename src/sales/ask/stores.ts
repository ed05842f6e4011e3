/** The stores whose figures are asked for, each with what it takes to ask. */
import type { WaitNotice } from "../../client/index.js";
import type { GroupedSummary, GroupedSummaryQuery, Summary, SummaryQuery } from "../../contract/models.js";
import { ComandaError } from "../../shared/errors.js";
import { t } from "../../shared/language.js";
import { openAnswers, type Answers } from "../../state/answers.js";
import { doubtedAt } from "../../state/doubts.js";
import { learnDrivers } from "../../state/drivers.js";
import { refusesHalfYears, rememberRefusedHalfYear } from "../../state/half-years.js";
import { countsRequests } from "../../state/limiter.js";
import { openLimits, type LimitState } from "../../state/limits.js";
import type { StateFolder } from "../../state/state-folder.js";
import type { Known } from "../ledger/freshness.js";
import type { Endpoint, HalfYears, StoreCallsOptions } from "../plan/store-calls.js";
import type { MissingStore } from "../results.js";
import { chooseStores, type PickStore, type StoreChoice } from "../../toolkit/choose-store.js";
import { clientOf, openTransport } from "../../toolkit/connection.js";
import type { Invocation } from "../../toolkit/context.js";
import type { Asking } from "../../toolkit/confirmation.js";
import { openCommandGate } from "../../toolkit/gate.js";
import type { State } from "../../toolkit/state.js";
import { targetOf, type Target } from "../../toolkit/target.js";
import { waitNotices } from "../../toolkit/wait-notices.js";

import { keptEndpoints, type UnlessUnusable } from "./kept-endpoints.js";
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

  const { data } = state;
  const ifUsable = unlessUnusable(state, mustKeep);

  const open = async (choice: StoreChoice): Promise<OpenStore> => {
    const target = targetOf(invocation, state, choice, transport);
    const store = choice.kind === "session" ? choice.session.store : undefined;
    const preferences = preferencesFor(presentation, settings, store);
    const { observer: watch, ahead } = clockOf(preferences.zone);
    const { observer } = openCommandGate(invocation, { machine, state, target }, { watch });
    const client = clientOf(invocation, { state, transport, target, observer, onWait, background, once });
    const answers = answersOf(data, target, preferencesFor({}, settings, store));
    const kept = keptEndpoints(answers, ifUsable, { waitMs: invocation.settings.maxWaitMs + answerMs });
    const learn = async (query: GroupedSummaryQuery, { askedAt, answer }: Known<GroupedSummary>) => {
      if (target.figures === undefined || query.group_by !== "driver_id") return;
      await ifUsable(() => learnDrivers(data, target.label, answer, askedAt));
    };
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
          async keep(query, known, table) {
            await kept.grouped.keep(query, known, table);
            await learn(query, known);
          },
          learn,
        },
      },
      halfYears: {
        refused: (await ifUsable(() => refusesHalfYears(data, target.baseUrl))) ?? false,
        async onRefused() {
          if (target.figures) await ifUsable(() => rememberRefusedHalfYear(data, target.baseUrl));
        },
      },
      ahead,
      doubtedAt: target.figures && (await ifUsable(() => doubtedAt({ data, store: target.label }))),
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
  if (chosen.kind === "one") return { kind: "one store", store: await open(chosen.choice), close };
  return {
    kind: "several stores",
    stores: await Promise.all(
      chosen.choices.map((choice) => (choice.kind === "missing" ? Promise.resolve(choice) : open(choice))),
    ),
    close,
  };
}

/**
 * Nothing is kept where the sign-in can't be told from others.
 *
 * @param preferences as the settings say it, without flags
 */
function answersOf(
  data: StateFolder,
  { baseUrl, label, figures }: Target,
  { storeZone, display, dayStarts }: Preferences,
): Answers | undefined {
  const settings = { timeZone: storeZone, currency: display.currency, dayStarts };
  return figures && openAnswers(data, { ...figures, store: label, environment: baseUrl }, settings);
}

/** Milliseconds, about, that three attempts at one call take. */
const answerMs = 2 * 60_000;

/** What is kept costs no figures: where it can't be used, the service is asked, and that is said once. */
function unlessUnusable({ data }: State, mustKeep: boolean): UnlessUnusable {
  let isUsable = true;
  const giveUp = ({ message }: ComandaError) => {
    // Several stores may come here at once.
    if (isUsable) data.warn(t`${message} Figures are not kept for the next time.`);
    isUsable = false;
  };
  return async (work) => {
    if (!isUsable) return undefined;
    try {
      return await work();
    } catch (error) {
      if (mustKeep || !(error instanceof ComandaError)) throw error;
      giveUp(error);
      return undefined;
    }
  };
}
