/** Opens the stores that are asked for figures, each with its connection and its kept answers. */
import { serviceClock, type ServiceClock, type WaitNotice } from "../../client/call/observer.js";
import { ComandaError } from "../../shared/errors.js";
import { t } from "../../shared/language.js";
import { openAnswers, type Answers, type KeptDays } from "../../state/answers.js";
import { doubtedAt } from "../../state/doubts.js";
import { learnDrivers } from "../../state/drivers.js";
import { countsRequests } from "../../state/limiter.js";
import { openLimits, type LimitState } from "../../state/limits.js";
import type { SalesSource } from "../plan/source.js";
import { describeMoment } from "../period/period.js";
import type { MissingStore } from "../results.js";
import type { StoreChoice, StoreFlags } from "../../toolkit/choose-store.js";
import { openConnection, openTransport, type Connection } from "../../toolkit/connection.js";
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
  /** This machine last changed an order of the store at this time, in milliseconds since the epoch. */
  readonly doubtedAt: number | undefined;
  /** Reads `doubtedAt` again, as it is by now. */
  newestDoubt(): Promise<number | undefined>;
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
   * The command fails where an answer can't be kept. By default it doesn't: figures that are shown are worth more.
   */
  readonly mustKeep?: boolean;
  /** Nobody waits for this work; see `ConnectionOptions.background`. */
  readonly background?: boolean;
  /** See `ConnectionOptions.singleAttempt`. */
  readonly singleAttempt?: boolean;
  /** Tells whether this wait was said already, with the time that everything takes. */
  readonly isAnnounced: (notice: WaitNotice) => boolean;
}

/** @throws {ComandaError} as `chooseStores` */
export async function openStores(machine: Machine, options: OpenStoresOptions): Promise<OpenStores> {
  const { stores, allStores, mustKeep = false, background = false, singleAttempt = false } = options;
  const state = await machine.state();
  const transport = openTransport(machine);
  const settings = await state.settings.read();
  const limits = openLimits(state.folder);
  const clockOf = serviceClocks(machine);
  const sayWait = waitNotices(machine);
  const onWait = (notice: WaitNotice) => {
    if (!options.isAnnounced(notice)) sayWait(notice);
  };

  const { data } = state;
  const ifUsable = unlessUnusable(state, mustKeep);

  const open = async (choice: StoreChoice): Promise<OpenStore> => {
    const store = choice.kind === "session" ? choice.session.store : undefined;
    const preferences = preferencesFor(options.presentation, settings, store);
    const { observer: watch, ahead } = clockOf(preferences.zone);
    const connection = await openConnection(machine, {
      ...{ choice, store, transport, watch, onWait, background, singleAttempt },
      callerWarnsOfValues: true,
    });
    const { client, label, baseUrl, quotaKey, figures } = connection;
    const answers = answersOf(state, connection, preferencesFor({}, settings, store));
    const newestDoubt = async () => figures && (await ifUsable(() => doubtedAt({ data, store: label })));
    return {
      kind: "open",
      name: label,
      preferences,
      source: openSource({
        ...{ client, ahead, answers, unlessUnusable: ifUsable },
        now: () => machine.context.clock.now(),
        waitMs: machine.settings.maxWaitMs + answerMs,
        async onDrivers(answer, askedAt) {
          if (figures) await ifUsable(() => learnDrivers(data, label, answer, askedAt));
        },
      }),
      keptDays: async () => (await ifUsable(async () => answers?.keptDays())) ?? [],
      doubtedAt: await newestDoubt(),
      newestDoubt,
      quota: async (bucket) =>
        countsRequests(machine.context)
          ? ifUsable(() => limits.remaining({ baseUrl, store: quotaKey, bucket }))
          : undefined,
    };
  };
  const close = async () => {
    await transport.close();
  };
  const chosen = await machine.chooseStores({ stores, allStores });
  if (chosen.kind === "single") return { areSeveral: false, stores: [await open(chosen.choice)], close };
  return {
    areSeveral: true,
    stores: await Promise.all(
      chosen.choices.map((choice) => (choice.kind === "missing" ? Promise.resolve(choice) : open(choice))),
    ),
    close,
  };
}

/**
 * Opens the kept answers. Nothing is kept where the sign-in can't be told from others.
 *
 * @param preferences are those of the settings, without flags
 */
function answersOf(
  { data }: State,
  { baseUrl, label, figures }: Connection,
  { storeZone, display, dayStarts }: Preferences,
): Answers | undefined {
  const settings = { timeZone: storeZone, currency: display.currency, dayStarts };
  return figures && openAnswers(data, { ...figures, store: label, environment: baseUrl }, settings);
}

/** Three attempts at one call take about this many milliseconds. */
const answerMs = 2 * 60_000;

/** Runs work on kept answers. Where they can't be used, the service is asked instead, and a warning says so once. */
function unlessUnusable({ data }: State, mustKeep: boolean): SourceOptions["unlessUnusable"] {
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
