/** Stores that runs share out: each is one run's at a time, and done once, on one machine and on many. */
import { describe, expect, test } from "vitest";

import type { StateFolder } from "../../src/state/state-folder.js";
import { joinRound, leaseMs, TurnLost, type StoreTurns, type Turn } from "../../src/state/store-turns.js";
import { engines, type Engine } from "./support/engines.js";
import { openState, temporaryFolder } from "./support/folder.js";
import { rejection } from "./support/rejection.js";

const stores = ["a", "b", "c", "d", "e", "f"];

/** @returns what joins the same round, each time as another process would; and what makes all who have a store silent */
async function roundsOf(engine: Engine) {
  const [open, folder] = [await engine.create(), temporaryFolder()];
  const database = await open();
  const join = async (work = "sync", offered = stores): Promise<StoreTurns> => {
    const opened = open();
    const state: StateFolder = { ...openState(folder), database: () => opened };
    return joinRound(state, work, offered);
  };
  const pass = (ms: number) =>
    database.run("update store_turns set until_at = until_at - $1, began_at = began_at - $1", ms);
  return { join, pass, database };
}

async function turnOf(turns: StoreTurns): Promise<Turn> {
  const turn = await turns.take();
  if (typeof turn === "string") throw new Error(`no turn: ${turn}`);
  return turn;
}

async function doAll(turns: StoreTurns): Promise<string[]> {
  const done: string[] = [];
  for (;;) {
    const turn = await turns.take();
    if (turn === "over") return done;
    if (turn === "others") continue;
    await turn.hold();
    await turn.end("done");
    done.push(turn.store);
  }
}

describe.each(engines)("stores that runs share out on $name", (engine) => {
  describe.skipIf(!engine.isInstalled)("by turns", () => {
    test("are done once, however many runs take them at the same moment", async () => {
      const { join } = await roundsOf(engine);
      const runs = [await join(), await join(), await join(), await join()] as const;
      const done = await Promise.all(runs.map(doAll));
      expect(done.flat().sort()).toEqual(stores);
      const others = (await runs[0].others()).map(({ store, outcome, pid }) => [store, outcome, pid]);
      const theirs = stores.filter((store) => !done[0]?.includes(store));
      expect(others).toEqual(theirs.map((store) => [store, "done", process.pid]));
    });

    test("are another run's, and not waited for, while one has them", async () => {
      const { join } = await roundsOf(engine);
      const [one, other] = [await join("sync", ["a"]), await join("sync", ["a"])];
      const turn = await turnOf(one);
      expect(await other.take()).toBe("others");
      await turn.end("failed");
      expect([await one.take(), await other.take()]).toEqual(["over", "over"]);
      expect(await other.others()).toMatchObject([{ store: "a", outcome: "failed" }]);
    });

    test("are begun anew when all was done, and not shared with who does something else", async () => {
      const { join } = await roundsOf(engine);
      expect(await doAll(await join())).toEqual(stores);
      expect(await doAll(await join())).toEqual(stores);
      const [one, other] = [await join("sync"), await join("something else")];
      expect([await doAll(one), await doAll(other)]).toEqual([stores, stores]);
    });

    test("are taken over from a run that was silent for too long, which then ends nothing", async () => {
      const { join, pass } = await roundsOf(engine);
      const [silent, other] = [await join("sync", ["a", "b"]), await join("sync", ["a", "b"])];
      const [a, b] = [await turnOf(silent), await turnOf(silent)];
      await pass(leaseMs);
      // It was silent for as long, but comes back before anybody has missed it.
      await b.hold();
      const taken = await turnOf(other);
      expect([a.isFirst, taken.store, taken.isFirst]).toEqual([true, "a", false]);
      expect(await other.take()).toBe("others");
      for (const late of [() => a.hold(), () => a.end("done")])
        await expect(late()).rejects.toThrow(TurnLost);
      await a.release();
      await taken.hold();
      await taken.end("done");
      await b.end("done");
      expect((await silent.others()).map(({ store }) => store)).toEqual(["a"]);
      expect((await other.others()).map(({ store }) => store)).toEqual(["b"]);
    });

    test("that a run gives back are another's at once", async () => {
      const { join } = await roundsOf(engine);
      const [one, other] = [await join("sync", ["a"]), await join("sync", ["a"])];
      await (await turnOf(one)).release();
      expect((await turnOf(other)).isFirst).toBe(false);
    });

    test("are begun anew where all runs were killed, and a run that had only stood still is told", async () => {
      const { join, pass } = await roundsOf(engine);
      const before = await join();
      await (await turnOf(before)).end("done");
      await turnOf(before);
      await pass(leaseMs + 1);
      expect(await doAll(await join())).toEqual(stores);
      const { message } = await rejection("lock_timeout", () => before.take());
      expect(message).toContain("stood still");
    });

    test("that a run doesn't know are left to those who do", async () => {
      const { join } = await roundsOf(engine);
      const [one, other] = [await join("sync", ["a", "b"]), await join("sync", ["b", "c"])];
      expect(await doAll(one)).toEqual(["a", "b"]);
      expect(await doAll(other)).toEqual(["c"]);
    });
  });
});
