/** Sign-ins to an emulator, in a separate folder. */
import { rmSync, writeFileSync } from "node:fs";
import path from "node:path";

import { systemClock } from "../../../src/base/clock.js";
import type { Emulator } from "../../../src/library/emulator.js";
import { openFolder } from "../../../src/state/state.js";

export const sessionsIn = (folder: string) => openFolder({ folder, clock: systemClock }).sessions;

/** @param tokens replace those of the emulator */
export async function signIn(
  emulator: Emulator,
  folder: string,
  store: string,
  tokens: object = {},
): Promise<void> {
  const { baseUrl, authUrl, clientId, redirectUri } = emulator;
  const { accessToken: access_token, refreshToken: refresh_token } = emulator.signIn();
  const addresses = { base_url: baseUrl, auth_url: authUrl, redirect_uri: redirectUri };
  const environment = { name: "local", client_id: clientId, ...addresses };
  const own = { access_token, refresh_token, expires_at: Date.now() + 7_200_000, generation: 1 };
  await sessionsIn(folder).update(store, () =>
    Promise.resolve({ version: 1, store, environment, tokens: { ...own, ...tokens } }),
  );
}

/** Replaces the database of journal and limits by a file that isn't one. */
export function damageDatabase(folder: string): void {
  // A new file, because an earlier connection merges its log into the old one when it is collected.
  for (const end of ["", "-wal", "-shm"]) rmSync(path.join(folder, `comanda.db${end}`), { force: true });
  writeFileSync(path.join(folder, "comanda.db"), "no database ".repeat(1000), { mode: 0o600 });
}
