/** Writes to a disk until it is full, and tells what became of the files that were there. */
import { appendFileSync, readdirSync } from "node:fs";
import path from "node:path";

import { systemClock } from "../../../src/client/clock.js";
import { ComandaError } from "../../../src/client/errors.js";
import { openFolder } from "../../../src/state/state.js";
import { session } from "../support/sessions.js";

const [disk = ""] = process.argv.slice(2);
const folder = path.join(disk, "state");
const state = openFolder({ folder, clock: systemClock });
const sessions = state.sessions;
const settings = state.settings;

async function codeOf(work: () => Promise<unknown>): Promise<string> {
  try {
    await work();
    return "done";
  } catch (error) {
    return error instanceof ComandaError ? error.code : String(error);
  }
}

async function main() {
  const large = "x".repeat(6000);
  await sessions.update("a", () => Promise.resolve({ ...session("a"), api_key: "kept" }));
  await settings.update((current) => ({ ...current, locale: "kept" }));
  // All but one block, so that the lock's own file still fits.
  let filled = 0;
  try {
    for (;;) {
      appendFileSync(path.join(disk, "fill"), Buffer.alloc(4096));
      filled += 1;
    }
  } catch {
    const { truncateSync } = await import("node:fs");
    truncateSync(path.join(disk, "fill"), (filled - 2) * 4096);
  }
  const result = {
    session: await codeOf(() =>
      sessions.update("a", () => Promise.resolve({ ...session("a"), api_key: large + large })),
    ),
    sessionNow: (await sessions.read("a"))?.api_key,
    settings: await codeOf(() => settings.update((current) => ({ ...current, locale: large + large }))),
    settingsNow: (await settings.read())["locale"],
    temporaries: readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) =>
      name.includes(".tmp"),
    ),
  };
  process.stdout.write(JSON.stringify(result));
}

void main();
