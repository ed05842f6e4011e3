import { utimesSync } from "node:fs";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";

import { describe, expect, test } from "vitest";

import { minutes, sized, tellFigure, timeLimit } from "../support/soak.js";
import { dataFilesIn, openState, temporaryFolder } from "./support/folder.js";
import { bundledProgram, ended, start } from "./support/programs.js";

const writeSessions = bundledProgram(new URL("./programs/write-sessions.ts", import.meta.url));
const countUpdates = bundledProgram(new URL("./programs/count-updates.ts", import.meta.url));

const stores = ["alpha", "beta"];
const kills = sized({ test: 4, search: 24, soak: 200 });

test(
  `${kills} kills while sessions are written: none corrupt, nothing left behind`,
  { timeout: timeLimit(10 * minutes) },
  async () => {
    const folder = temporaryFolder();
    let [written, corrupt] = [0, 0];
    for (let round = 0; round < kills / 2; round += 1) {
      const begun = round % 2 === 0 ? stores.map((store) => nextWrite(folder, store)) : [];
      const children = stores.map((store) => start(writeSessions(), folder, store));
      // From before the first write to some dozens of them later; on a slow machine every other round gets to them.
      await Promise.all(begun);
      await delay(60 + Math.random() * 120);
      for (const child of children) child.kill("SIGKILL");
      expect(await Promise.all(children.map(ended))).toEqual(["SIGKILL", "SIGKILL"]);

      const sessions = openState(folder).sessions;
      for (const store of stores) {
        const found = await sessions.read(store).catch(() => "unreadable" as const);
        if (found === "unreadable" || (found && found.api_key?.length !== 20_000)) corrupt += 1;
        else written = Math.max(written, found?.tokens?.generation ?? 0);
      }
    }
    tellFigure({ what: "corrupt files", of: `${kills} kills during writes`, wanted: 0, seen: corrupt });
    expect(corrupt).toBe(0);
    expect(written).toBeGreaterThan(0);

    const sessions = openState(folder).sessions;
    expect((await sessions.list()).map(({ store }) => store)).toEqual(stores);
    // An hour later the next write removes what the killed ones have left.
    for (const file of dataFilesIn(folder)) utimesSync(path.join(folder, file), 1, 1);
    for (const store of stores) await sessions.update(store, (session) => Promise.resolve(session));
    const kept = ["sessions/s-alpha.json", "sessions/s-beta.json"].map((file) => path.normalize(file));
    const stale = dataFilesIn(folder).filter((file) => !kept.includes(file));
    tellFigure({
      what: "temporary files after the next write",
      of: `${kills} kills during writes`,
      wanted: 0,
      seen: stale.length,
    });
    expect(dataFilesIn(folder)).toEqual(kept);
  },
);

describe("5 processes at once, 20 updates each", () => {
  test("keep all 100, in a session and in the settings", async () => {
    const folder = temporaryFolder();
    const children = Array.from({ length: 5 }, () => start(countUpdates(), folder, "Loja", "20"));
    expect(await Promise.all(children.map(ended))).toEqual(Array.from({ length: 5 }, () => 0));
    const state = openState(folder);
    expect((await state.sessions.read("loja"))?.tokens?.generation).toBe(100);
    expect(Object.keys((await state.settings.read()).environments)).toHaveLength(100);
    expect(dataFilesIn(folder)).toEqual([path.join("sessions", "s-loja.json"), "settings.json"]);
  });
});

/** Resolves when somebody writes the store's session. */
async function nextWrite(folder: string, store: string): Promise<void> {
  const sessions = openState(folder).sessions;
  const generation = async () => (await sessions.read(store))?.tokens?.generation ?? 0;
  const before = await generation();
  while ((await generation()) === before) await delay(5);
}
