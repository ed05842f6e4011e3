/**
 * A store gets another name, or is forgotten, with all that is kept of it. Each step may be done twice, and the sign-in comes last:
 * who finds the store still there, since a process was killed, types the same again.
 */
import { ComandaError } from "../client/errors.js";
import { clearAnswers, renameInAnswers } from "./answers.js";
import { renameInHistory } from "./journal.js";
import { withoutStore, withStoreSettings } from "./settings.js";
import type { State } from "./state.js";

/**
 * @throws {ComandaError} `invalid_input` for an alias that is taken or not known; what the store of sessions throws. Where it is
 *   `state_unusable` of the figures, all else is done
 */
export async function renameStore(state: State, from: string, to: string): Promise<void> {
  const { sessions, settings } = state;
  let figures: ComandaError | undefined;
  await sessions.rename(from, to, async () => {
    // Until the end it has its settings under both names.
    await settings.update((current) => ({
      ...withStoreSettings(current, to, current.stores?.[from] ?? {}),
      default_store: current.default_store === from ? to : current.default_store,
    }));
    figures = await renameInAnswers(state, from, to).then(noFault, unusableFigures);
    await renameInHistory(state, from, to);
  });
  if (from !== to) await settings.update((current) => withoutStore(current, from));
  if (figures) throw figures;
}

/**
 * Forgets a store's figures, its settings, and in the end its sign-in.
 *
 * @throws {ComandaError} as {@link renameStore}
 */
export async function removeStore(state: State, store: string): Promise<void> {
  const { sessions, settings } = state;
  let figures: ComandaError | undefined;
  await sessions.remove(store, async () => {
    figures = await clearAnswers(state, store).then(noFault, unusableFigures);
    await settings.update((current) => withoutStore(current, store));
  });
  if (figures) throw figures;
}

const noFault = () => undefined;

/** Nothing else needs the figures. */
function unusableFigures(error: unknown): ComandaError {
  if (error instanceof ComandaError && error.code === "state_unusable") return error;
  throw error;
}
