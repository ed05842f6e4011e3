/** Sign-ins to an emulator, in a separate folder. */
import { rmSync, writeFileSync } from "node:fs";
import path from "node:path";

import { systemClock } from "../../../src/base/clock.js";
import type { Emulator } from "../../../src/library/emulator.js";
import { openFolder } from "../../../src/state/state.js";
import { testSession } from "../../auth/support/sessions.js";

export const sessionsIn = (folder: string) => openFolder({ folder, clock: systemClock }).sessions;

/** @param tokens replace those of the emulator */
export async function signIn(
  emulator: Emulator,
  folder: string,
  store: string,
  tokens: object = {},
): Promise<void> {
  const { baseUrl: base_url, authUrl: auth_url, clientId: client_id, redirectUri: redirect_uri } = emulator;
  const environment = { name: "local", base_url, auth_url, client_id, redirect_uri };
  const { accessToken: access_token, refreshToken: refresh_token } = emulator.signIn();
  const own = { access_token, refresh_token, expires_at: Date.now() + 7_200_000, generation: 1 };
  const session = testSession(environment, { store, tokens: { ...own, ...tokens } });
  await sessionsIn(folder).update(store, () => Promise.resolve(session));
}

/** Replaces the database of journal and limits by a file that isn't one. */
export function damageDatabase(folder: string): void {
  // A new file, because an earlier connection merges its log into the old one when it is collected.
  for (const end of ["", "-wal", "-shm"]) rmSync(path.join(folder, `comanda.db${end}`), { force: true });
  writeFileSync(path.join(folder, "comanda.db"), "no database ".repeat(1000), { mode: 0o600 });
}
