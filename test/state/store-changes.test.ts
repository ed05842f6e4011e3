/** Renames and removes stores. After an interruption anywhere, the same command finishes the work. */
import { describe, expect, test } from "vitest";

import type { Database, Statements } from "../../src/state/database.js";
import { openJournal, readHistory } from "../../src/state/journal.js";
import type { State } from "../../src/state/state.js";
import { removeStore, renameStore } from "../../src/state/store-changes.js";
import { sized } from "../support/soak.js";
import { session } from "../auth/support/sessions.js";
import { engines, over } from "./support/states.js";

const stored = { time_zone: "America/Sao_Paulo", currency: "BRL" };
/** The number of statements by which each interruption is later than the one before. */
const step = sized({ test: 6, search: 1, soak: 1 });

/** @param life.left the number of statements before a simulated kill */
function mortal(database: Database, life: { left: number }): Database {
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

/** Adds a default store with settings and a recorded write. */
async function addStore(state: State, store: string): Promise<void> {
  await state.sessions.update(store, () => Promise.resolve(session(store)));
  const settings = { default_store: store, stores: { [store]: stored } };
  await state.settings.update((current) => ({ ...current, ...settings }));
  const journal = openJournal({
    state,
    place: { store, environment: "local" },
    fingerprint: { address: "https://api.example", sign_in: "x" },
  });
  const path = "/api/partner/v1/orders/1/dispatch";
  const what = { number: 1, operation: "dispatchOrder", order: "1", method: "POST", body: "" } as const;
  await journal.journal.willSend({ ...what, path, url: path }, { attempt: 1, credential: "bearer" });
}

async function sentAt(state: State, store: string): Promise<number> {
  return (await readHistory(state, { store })).length;
}

describe.each(engines)("an interrupted command with state in $name", (engine) => {
  /** Interrupts the change after more and more statements, until it completes. @param again repeats and checks it */
  async function interruptAnywhere(
    change: (state: State, store: string) => Promise<unknown>,
    again: (state: State, store: string) => Promise<void>,
  ): Promise<void> {
    const state = await (await engine.create())();
    let rounds = 0;
    for (let isOver = false; !isOver; rounds += 1) {
      const store = `centro-${rounds}`;
      await addStore(state, store);
      const life = { left: rounds * step };
      const dying = over(state, async (name) => mortal(await state.database(name), life));
      const ended = await change(dying, store).catch((error: unknown) => error);
      isOver = !(ended instanceof Error);
      await again(state, store);
    }
    // A removal from files takes six statements.
    expect(rounds * step).toBeGreaterThan(6);
  }

  test("completes a rename when it is repeated", async () => {
    await interruptAnywhere(
      (state, store) => renameStore(state, store, `${store}-new`),
      async (state, store) => {
        const isLeft = (await state.sessions.read(store)) !== undefined;
        // Until the rename is complete, the store exists under its old alias.
        if (isLeft) expect((await state.settings.read()).stores?.[store]).toEqual(stored);
        if (isLeft) await renameStore(state, store, `${store}-new`);
        const settings = await state.settings.read();
        expect(await state.sessions.read(store)).toBeUndefined();
        expect(await state.sessions.read(`${store}-new`)).toEqual(session(`${store}-new`));
        const moved = { default_store: `${store}-new`, stores: { [`${store}-new`]: stored } };
        expect(settings).toMatchObject(moved);
        if (isLeft) expect(settings.stores).not.toHaveProperty(store);
        expect(await sentAt(state, `${store}-new`)).toBe(1);
        expect(await sentAt(state, store)).toBe(0);
      },
    );
  });

  test("completes a removal when it is repeated", async () => {
    await interruptAnywhere(removeStore, async (state, store) => {
      // A store that can still be used counts its days in its own time zone.
      if ((await state.sessions.read(store)) !== undefined)
        expect((await state.settings.read()).stores?.[store]).toEqual(stored);
      await removeStore(state, store);
      expect(await state.sessions.list()).toEqual([]);
      expect(await state.settings.read()).toEqual({ version: 1, environments: {}, stores: {} });
    });
  });
});
