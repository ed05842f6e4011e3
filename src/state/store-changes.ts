/**
 * A store gets another name, or is forgotten: its sign-in, its settings and what is kept of it change together, also where the
 * process is killed. The settings say beforehand what is about to happen. Then the sign-in changes, in one step, and this
 * step decides: whoever finds the word in the settings later finishes the change if the sign-in has changed, and takes the
 * word back if it hasn't.
 */
import { ComandaError } from "../client/errors.js";
import type { LeaseOptions } from "./leases.js";
import type { SessionStore } from "./sessions/session.js";
import { taken } from "./sessions/sessions.js";
import { quotaKeyOf, storeKey } from "./sessions/store-alias.js";
import type { Settings, SettingsFile } from "./settings/settings.js";
import { withoutStore, withStoreRenamed } from "./settings/store-settings.js";
import type { StateFolder } from "./state-folder.js";

export interface StoreChanges {
  /** A change that was cut off is finished by whoever reads or writes them next. */
  readonly settings: SettingsFile;
  /**
   * @throws {ComandaError} `invalid_input` for an alias that is taken or not known; what `sessions.rename` throws. Where it
   *   is `state_unusable` of a database, all else is done
   */
  readonly renameStore: (from: string, to: string) => Promise<void>;
  /**
   * Forgets its sign-in, its settings and its figures.
   *
   * @returns `false` where there was no sign-in
   * @throws {ComandaError} as {@link renameStore}
   */
  readonly removeStore: (store: string) => Promise<boolean>;
}

type StoreChange = NonNullable<Settings["unfinished"]>;

/** Whoever only reads settings waits no longer for a process that changes a store: it is done in a moment, or stands still. */
const readerWaitMs = 1000;

/** @param stored the settings as they are stored */
export function openStoreChanges(
  folder: StateFolder,
  sessions: SessionStore,
  stored: SettingsFile,
): StoreChanges {
  function locked<Result>(work: (assertHeld: () => void) => Promise<Result>, options?: LeaseOptions) {
    return folder.withLease("stores", (lease) => work(() => lease.assertHeld()), options);
  }

  async function knownStores(): Promise<readonly string[]> {
    return (await sessions.list()).map((session) => session.store);
  }

  async function refuseTaken({ store, renamed_to: to = store }: StoreChange): Promise<void> {
    const others = (await knownStores()).filter((alias) => storeKey(alias) !== storeKey(store));
    if (others.some((alias) => storeKey(alias) === storeKey(to))) throw taken(to);
  }

  /** Has the sign-in changed by now? */
  async function isDone({ store, renamed_to: to }: StoreChange): Promise<boolean> {
    const names = await knownStores();
    if (to === undefined) return !names.some((alias) => storeKey(alias) === storeKey(store));
    return names.includes(to) && !names.includes(store);
  }

  /** To be called under the lock. @returns why a database could not be changed, where it can't be used at all */
  async function finish(change: StoreChange): Promise<ComandaError | undefined> {
    const done = await isDone(change);
    const failure = done ? await changeDatabases(change) : undefined;
    await stored.update((current) => settled(current, done));
    return failure;
  }

  async function changeDatabases({ store, renamed_to: to }: StoreChange): Promise<ComandaError | undefined> {
    const [{ clearAnswers, renameInAnswers }, { renameInHistory }, { renameInLimits }] = await Promise.all([
      import("./answers.js"),
      import("./journal.js"),
      import("./limits.js"),
    ]);
    const changes =
      to === undefined
        ? [() => clearAnswers(folder, store)]
        : [
            () => renameInAnswers(folder, store, to),
            () => renameInHistory(folder, store, to),
            // The service goes on counting the requests of before.
            () => renameInLimits(folder, quotaKeyOf(store), quotaKeyOf(to)),
          ];
    let failure: ComandaError | undefined;
    for (const change of changes) {
      try {
        await change();
      } catch (error) {
        // Another process may need a database for long: then the next one finishes.
        if (!(error instanceof ComandaError) || error.code !== "state_unusable") throw error;
        failure ??= error;
      }
    }
    return failure;
  }

  /** To be called under the lock. */
  async function finishUnfinished(): Promise<Settings> {
    const { unfinished } = await stored.read();
    const failure = unfinished && (await finish(unfinished));
    if (failure) folder.warn(failure.message);
    return stored.read();
  }

  async function changeStore<Result>(change: StoreChange, work: () => Promise<Result>): Promise<Result> {
    await refuseTaken(change);
    return locked(async (assertHeld) => {
      await finishUnfinished();
      await stored.update((current) => ({ ...current, unfinished: change }));
      assertHeld();
      const changing = work();
      const failure = await changing.then(
        () => finish(change),
        () => finish(change),
      );
      const result = await changing;
      if (failure) throw failure;
      return result;
    });
  }

  return {
    settings: {
      path: stored.path,
      async read() {
        const current = await stored.read();
        const { unfinished } = current;
        if (unfinished === undefined) return current;
        try {
          return await locked(finishUnfinished, { waitMs: readerWaitMs });
        } catch (error) {
          if (!(error instanceof ComandaError)) throw error;
          return settled(current, await isDone(unfinished));
        }
      },
      async update(change) {
        for (;;) {
          const alert = { isUnfinished: false };
          const next = await stored.update((current) => {
            alert.isUnfinished = current.unfinished !== undefined;
            return alert.isUnfinished ? current : change(current);
          });
          if (!alert.isUnfinished) return next;
          await locked(finishUnfinished);
        }
      },
    },
    renameStore: (from, to) => changeStore({ store: from, renamed_to: to }, () => sessions.rename(from, to)),
    removeStore: (store) => changeStore({ store }, () => sessions.remove(store)),
  };
}

/** The settings without their word of a change: with the change where the sign-in has changed. */
function settled({ unfinished, ...settings }: Settings, isDone: boolean): Settings {
  if (unfinished === undefined || !isDone) return settings;
  const { store, renamed_to: to } = unfinished;
  return to === undefined ? withoutStore(settings, store) : withStoreRenamed(settings, store, to);
}
