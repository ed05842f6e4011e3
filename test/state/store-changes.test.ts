/** A store is renamed or removed in steps that may each be done twice: the same again finishes what was cut off anywhere. */
import { describe, expect, test } from "vitest";

import type { Database, Statements } from "../../src/state/database.js";
import { openJournal, readHistory } from "../../src/state/journal.js";
import type { State } from "../../src/state/state.js";
import { removeStore, renameStore } from "../../src/state/store-changes.js";
import { sized } from "../support/soak.js";
import { session } from "./support/sessions.js";
import { over, places } from "./support/states.js";

const kept = { time_zone: "America/Sao_Paulo", currency: "BRL" };
/** Of the statements of a change, so many are let through between two cuts. */
const step = sized({ test: 6, search: 1, soak: 1 });

/** After so many statements nothing of this process reaches a database any more, as after a kill. */
interface Life {
  left: number;
}

function mortal(database: Database, life: Life): Database {
  const alive = () => {
    if (life.left <= 0) throw new Error("killed");
    life.left -= 1;
  };
  const counted = (statements: Statements): Statements => ({
    now: statements.now,
    rows: async (...query) => (alive(), statements.rows(...query)),
    run: async (...query) => (alive(), statements.run(...query)),
  });
  return {
    ...database,
    ...counted(database),
    transaction: (name, work) => database.transaction(name, (statements) => work(counted(statements))),
  };
}

/** Signs a store in that has settings, is the default, and has sent something. */
async function addStore(state: State, store: string): Promise<void> {
  await state.sessions.update(store, () => Promise.resolve(session(store)));
  await state.settings.update((current) => ({ ...current, default_store: store, stores: { [store]: kept } }));
  const journal = openJournal({
    state,
    place: { store, environment: "local" },
    fingerprint: () => ({ address: "https://api.example", sign_in: "x" }),
  });
  const path = "/api/partner/v1/orders/1/dispatch";
  const what = { number: 1, operation: "dispatchOrder", order: "1", method: "POST", body: "" } as const;
  await journal.journal.willSend({ ...what, path, url: path }, { attempt: 1, credential: "bearer" });
}

async function sentAt(state: State, store: string): Promise<number> {
  return (await readHistory(state, { store })).length;
}

for (const place of places) {
  describe.skipIf(!place.isInstalled)(`in ${place.name}`, () => {
    /** Cuts the change off after ever more statements, until it ends before. @param again types the same, and looks */
    async function cutAnywhere(
      change: (state: State, store: string) => Promise<unknown>,
      again: (state: State, store: string) => Promise<void>,
    ): Promise<void> {
      const states = await place.create();
      const state = await states.open();
      let cuts = 0;
      for (let isOver = false; !isOver; cuts += 1) {
        const store = `centro-${cuts}`;
        await addStore(state, store);
        const life = { left: cuts * step };
        const dying = over(state, async (name) => mortal(await state.database(name), life), states);
        const ended = await change(dying, store).catch((error: unknown) => error);
        isOver = !(ended instanceof Error);
        await again(state, store);
      }
      // Both leases, and what is deleted of figures: a removal from files takes six statements.
      expect(cuts * step).toBeGreaterThan(6);
    }

    test("a rename that was cut off anywhere is finished by the same command", async () => {
      await cutAnywhere(
        (state, store) => renameStore(state, store, `${store}-new`),
        async (state, store) => {
          const isLeft = (await state.sessions.read(store)) !== undefined;
          // Until the end all is there under the old name.
          if (isLeft) expect((await state.settings.read()).stores?.[store]).toEqual(kept);
          if (isLeft) await renameStore(state, store, `${store}-new`);
          const settings = await state.settings.read();
          expect(await state.sessions.read(store)).toBeUndefined();
          expect(await state.sessions.read(`${store}-new`)).toEqual(session(`${store}-new`));
          expect(settings).toMatchObject({
            default_store: `${store}-new`,
            stores: { [`${store}-new`]: kept },
          });
          if (isLeft) expect(settings.stores).not.toHaveProperty(store);
          expect([await sentAt(state, `${store}-new`), await sentAt(state, store)]).toEqual([1, 0]);
        },
      );
    });

    test("a removal that was cut off anywhere is finished by the same command", async () => {
      await cutAnywhere(removeStore, async (state, store) => {
        await removeStore(state, store);
        expect(await state.sessions.list()).toEqual([]);
        expect(await state.settings.read()).toEqual({ version: 1, environments: {}, stores: {} });
      });
    });
  });
}
