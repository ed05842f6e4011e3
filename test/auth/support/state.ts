/** Sessions in files of a temporary folder, opened as a program opens them. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

import { systemClock } from "../../../src/client/clock.js";
import type { SessionStore } from "../../../src/state/sessions.js";
import { openFolder } from "../../../src/state/state.js";

export function temporaryFolder(): { readonly folder: string; remove(): void } {
  const folder = mkdtempSync(path.join(tmpdir(), "comanda-auth-"));
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

export function sessionsIn(folder: string, critical?: Set<Promise<unknown>>): SessionStore {
  return openFolder({ folder, clock: systemClock, critical }).sessions;
}
