/**
 * Renames or removes a store with all its data. Each step can be repeated, and the settings come last, so if a process is killed,
 * the same command finishes the work, and no store is left that counts its days in another time zone. If the figures can't be
 * used, the remaining steps are done before their error is thrown.
 */
import { ComandaError, isComandaError } from "../base/errors.js";
import { t } from "../languages/language.js";
import { clearAnswers, renameInAnswers } from "./answer-cache.js";
import { renameInHistory } from "./journal.js";
import { withoutStore, withStoreSettings } from "./settings.js";
import type { State } from "./state.js";

/** @throws {ComandaError} `invalid_input` for an alias that exists already; `state_unusable`, `lock_timeout` */
export async function renameStore(state: State, from: string, to: string): Promise<void> {
  const { sessions, settings } = state;
  let figures: unknown;
  await sessions.rename(from, to, async () => {
    // Until the rename is complete, the settings are stored under both aliases.
    await settings.update((current) => ({
      ...withStoreSettings(current, to, current.stores?.[from] ?? {}),
      default_store: current.default_store === from ? to : current.default_store,
    }));
    figures = await renameInAnswers(state, from, to).catch(unusable);
    await renameInHistory(state, from, to);
  });
  if (from !== to) await settings.update((current) => withoutStore(current, from));
  rethrow(figures, t`The store ${from} was renamed to ${to}, but its sales figures were not moved.`);
}

/** @throws {ComandaError} `state_unusable`, `lock_timeout` */
export async function removeStore(state: State, store: string): Promise<void> {
  let figures: unknown;
  await state.sessions.remove(store, async () => {
    figures = await clearAnswers(state, store).catch(unusable);
  });
  await state.settings.update((current) => withoutStore(current, store));
  rethrow(figures, t`The store ${store} was removed, but its sales figures were not deleted.`);
}

function unusable(error: unknown): ComandaError {
  if (isComandaError(error, "state_unusable")) return error;
  throw error;
}

function rethrow(figures: unknown, done: string): void {
  if (figures instanceof ComandaError) throw figures.reworded(`${done} ${figures.message}`);
}
