/** Opens the stores that are asked for figures, each with its connection and its kept answers. */
import { serviceClock, type ServiceClock, type WaitNotice } from "../../client/call/observer.js";
import { ComandaError } from "../../shared/errors.js";
import { t } from "../../shared/language.js";
import { openAnswers, type KeptDays } from "../../state/answers.js";
import { doubtedAt } from "../../state/doubts.js";
import { learnDrivers } from "../../state/drivers.js";
import { countsRequests, limitState, type LimitState } from "../../state/limits.js";
import type { SalesSource } from "../plan/source.js";
import { describeMoment } from "../period/period.js";
import type { MissingStore } from "../results.js";
import type { ChosenStore, StoreFlags } from "../../toolkit/choose-store.js";
import { openConnection, openTransport } from "../../toolkit/connection.js";
import type { Machine } from "../../toolkit/machine.js";
import type { State } from "../../toolkit/state.js";
import { waitNotices } from "../../toolkit/wait-notices.js";

import { preferencesFor, type Preferences, type Presentation } from "./preferences.js";
import { openSource, type SourceOptions } from "./store-source.js";

export interface OpenStore {
  readonly kind: "open";
  /** The name is the alias, or the host's name for a store that the environment variables name. */
  readonly name: string;
  readonly preferences: Preferences;
  readonly source: SalesSource;
  /** Gives the first and the last day of all that is kept without a filter, by dimension. */
  keptDays(): Promise<readonly KeptDays[]>;
  /** Gives what is left of the limit; `undefined` where comanda doesn't count. */
  quota(bucket: "summary" | "summary_grouped"): Promise<LimitState | undefined>;
}

export interface OpenStores {
  /** Several stores were asked for, even if this machine knows but one. */
  readonly areSeveral: boolean;
  readonly stores: readonly (OpenStore | MissingStore)[];
  close(): Promise<void>;
}

export interface OpenStoresOptions extends StoreFlags {
  readonly presentation: Presentation;
  /**
   * A person waits for `figures`; nobody does for a `sync`, which fails where an answer can't be kept, since it is
   * there to keep them.
   */
  readonly purpose: "figures" | "sync";
  /**
   * Tells whether this wait was said already, with the time that everything takes. Without it no wait is said.
   */
  readonly isAnnounced?: (notice: WaitNotice) => boolean;
}

/** @throws {ComandaError} as `chooseStores` */
export async function openStores(machine: Machine, options: OpenStoresOptions): Promise<OpenStores> {
  const { stores, allStores, presentation, purpose, isAnnounced = () => true } = options;
  const state = await machine.state();
  const transport = openTransport(machine);
  const settings = await state.settings.read();
  const clockOf = serviceClocks(machine);
  const sayWait = waitNotices(machine);
  const onWait = (notice: WaitNotice) => {
    if (!isAnnounced(notice)) sayWait(notice);
  };

  const ifUsable = unlessUnusable(state, purpose === "sync");

  const open = async (chosen: ChosenStore): Promise<OpenStore> => {
    const { store } = chosen;
    const preferences = preferencesFor(presentation, settings, store);
    const { observer: watch, ahead } = clockOf(preferences.zone);
    const { client, label, baseUrl, quotaKey, figures } = await openConnection(machine, {
      ...{ chosen, store, transport, watch, onWait },
      callerWarnsOfValues: true,
    });
    const { storeZone, dayStarts, display } = preferencesFor({}, settings, store);
    // Nothing is kept where the sign-in can't be told from others.
    const answers =
      figures &&
      openAnswers(
        state,
        { ...figures, store: label, environment: baseUrl },
        { timeZone: storeZone, currency: display.currency, dayStarts },
      );
    return {
      kind: "open",
      name: label,
      preferences,
      source: openSource({
        ...{ client, ahead, answers, unlessUnusable: ifUsable, storeZone },
        doubtedAt: async () => figures && (await ifUsable(() => doubtedAt({ state, store: label }))),
        now: () => machine.context.clock.now(),
        waitMs: machine.settings.maxWaitMs + answerMs,
        async onDrivers(answer, askedAt) {
          if (figures) await ifUsable(() => learnDrivers(state, label, answer, askedAt));
        },
      }),
      keptDays: async () => (await ifUsable(async () => answers?.keptDays())) ?? [],
      quota: async (bucket) =>
        countsRequests(machine.context)
          ? ifUsable(() => limitState(state, { baseUrl, store: quotaKey, bucket }))
          : undefined,
    };
  };
  const chosen = await machine.chooseStores({ stores, allStores });
  return {
    areSeveral: chosen.areSeveral,
    stores: await Promise.all(
      chosen.stores.map(async (store) => (store.kind === "missing" ? store : open(store))),
    ),
    close: () => transport.close(),
  };
}

/** Three attempts at one call take about this many milliseconds. */
const answerMs = 2 * 60_000;

/** Runs work on kept answers. Where they can't be used, the service is asked instead, and a warning says so once. */
function unlessUnusable({ warn }: State, mustKeep: boolean): SourceOptions["unlessUnusable"] {
  let isUsable = true;
  const giveUp = ({ message }: ComandaError) => {
    // Several stores may come here at once.
    if (isUsable) warn(t`${message} Figures are not kept for the next time.`);
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

/**
 * Measures how far the service's clock is ahead. A clock that runs ahead would make figures final that aren't, and
 * let others expire, so the age of figures goes by the service's clock. A warning says so for the first store.
 */
function serviceClocks({ context: { clock }, output }: Machine): (zone: string) => ServiceClock {
  let isWarned = false;
  return (zone) =>
    serviceClock(clock, (aheadMs) => {
      if (isWarned) return;
      isWarned = true;
      const [local, service] = [clock.now(), clock.now() + aheadMs].map((at) => describeMoment(at, zone));
      output.warn(
        t`By this machine's clock it is ${local ?? ""}, by the service's ${service ?? ""}: days such as yesterday may be others than you mean. How old figures are goes by the service's clock. Let the system set its clock by the network (NTP).`,
      );
    });
}
