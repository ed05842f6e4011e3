/** A store of a chain is renamed or removed by a machine that is killed: it is as it was, or as it was to be. */
import { describe, expect, test } from "vitest";

import { openState } from "../../src/state/state.js";
import { testEnvironment, testSession } from "../auth/support/sessions.js";
import { postgresPrograms } from "../support/postgres-server.js";
import { sized } from "../support/soak.js";
import { newChain } from "./support/chain.js";
import { simulatedClock } from "./support/clock.js";
import { startCuttingProxy } from "./support/cutting-proxy.js";
import { temporaryFolder } from "./support/folder.js";

/** CI kills at each message, the suite at some. */
const stride = sized({ test: 11, search: 1, soak: 1 });
const kept = { time_zone: "America/Sao_Paulo", currency: "BRL" };

describe.skipIf(postgresPrograms === undefined)("a machine that is killed while it", () => {
  test.each(["renames", "removes"] as const)(
    "%s a store leaves the old state or the new one",
    async (what) => {
      const chain = await newChain();
      const owner = await chain.machine();
      const proxy = await startCuttingProxy(chain.address);
      const seen = new Set<string>();
      for (const when of ["before", "after"] as const) {
        for (let number = 1, isOver = false; !isOver; number += stride) {
          for (const store of ["centro", "norte"]) await owner.sessions.remove(store);
          await owner.sessions.update("centro", () => Promise.resolve(testSession(testEnvironment())));
          await owner.settings.update((settings) => ({ ...settings, stores: { centro: kept } }));
          const killed = await openState({
            env: {
              COMANDA_CONFIG_DIR: temporaryFolder(),
              COMANDA_STATE: proxy.address,
              COMANDA_STATE_KEY: chain.key,
            },
            clock: simulatedClock(),
          });
          proxy.killAt(number, when);
          const change =
            what === "renames" ? killed.renameStore("centro", "norte") : killed.removeStore("centro");
          await Promise.resolve(change).catch(() => undefined);
          isOver = proxy.messages < number;
          proxy.cutAt(Infinity, when);
          const { stores = {} } = await owner.settings.read();
          const names = (await owner.sessions.list()).map(({ store }) => store);
          expect(Object.keys(stores)).toEqual(names);
          for (const name of names) expect(stores[name]).toMatchObject(kept);
          seen.add(names.join());
        }
      }
      expect([...seen].sort()).toEqual(what === "renames" ? ["centro", "norte"] : ["", "centro"]);
    },
  );
});
