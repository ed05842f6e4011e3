import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";

import { describe, expect, test } from "vitest";

import { realSystem } from "../../src/shared/system.js";
import { createCriticalSections } from "../../src/state/locks/critical-sections.js";
import type { Lease, LockAttempt } from "../../src/state/locks/locks.js";
import { createSqliteLockAttempt, type SqliteLocksOptions } from "../../src/state/sqlite/sqlite-locks.js";
import { openSqlite } from "../../src/state/sqlite/sqlite-driver.js";
import { simulatedClock } from "./support/clock.js";
import { filesIn, openState, temporaryFolder } from "./support/folder.js";
import { rejection } from "./support/rejection.js";
import { serverLocks } from "./support/server-locks.js";

/** One attempt at the lock of a folder, as a process of its own would make it. */
function attemptIn(folder: string, options: Partial<SqliteLocksOptions> = {}): LockAttempt {
  const { files, clock } = openState(folder);
  const self = () => ({ pid: 4711, host: "till" });
  return createSqliteLockAttempt("x", {
    folder: path.join(folder, "locks"),
    files,
    clock,
    openSqlite,
    self,
    ...options,
  });
}

describe("a lock between processes", () => {
  test("is waited for 30 s, and then told with who has it since when", async () => {
    const folder = temporaryFolder();
    const clock = simulatedClock();
    const other = attemptIn(folder);
    expect(await other.take()).toBeDefined();
    const before = clock.now();
    const error = await rejection("lock_timeout", () =>
      openState(folder, { clock }).locks.run("x", () => Promise.resolve()),
    );
    expect(clock.now() - before).toBe(30_000);
    expect(error.exitCode).toBe(8);
    expect(error.message).toMatch(
      /x\.lock is busy: process 4711 on till has held it since 20\d\d-.*waited for 30 s\.$/,
    );
    expect(error.hint).toContain("kill 4711");
    await other.end();
    expect(filesIn(folder)).toEqual([path.join("locks", "x.lock")]);
  });

  test("leaves its empty file, and takes over what a killed one left", async () => {
    const folder = temporaryFolder();
    const { locks } = openState(folder);
    mkdirSync(path.join(folder, "locks"), { mode: 0o700 });
    openSqlite(path.join(folder, "locks", "x.lock")).close();
    expect(await locks.run("x", () => Promise.resolve(filesIn(folder)))).toEqual([
      path.join("locks", "x.holder"),
      path.join("locks", "x.lock"),
    ]);
    expect(filesIn(folder)).toEqual([path.join("locks", "x.lock")]);
    expect(readFileSync(path.join(folder, "locks", "x.lock"), "utf8")).toBe("");
  });

  test("of a name that comes once: nothing of it stays", async () => {
    const folder = temporaryFolder();
    const { locks } = openState(folder);
    const held = () => Promise.resolve(filesIn(folder));
    expect(await locks.run("x", held, { isPassing: true })).toContain(path.join("locks", "x.lock"));
    expect(filesIn(folder)).toEqual([path.join("locks", "doorway.lock")]);
  });

  test("of a name that comes once: whoever asks while its file goes away gets the next one, alone", async () => {
    const folder = temporaryFolder();
    const first = attemptIn(folder, { isPassing: true });
    const [second, third] = [attemptIn(folder, { isPassing: true }), attemptIn(folder, { isPassing: true })];
    expect(await first.take()).toBeDefined();
    expect(await second.take()).toBeUndefined();
    await first.end();
    expect(await third.take()).toBeDefined();
    expect(await second.take()).toBeUndefined();
    await third.end();
    expect(await second.take()).toBeDefined();
    await second.end();
    expect(filesIn(folder)).toEqual([path.join("locks", "doorway.lock")]);
  });

  test("that a server took from us: the work begins anew with the lock taken again, three times at most", async () => {
    const server = serverLocks(simulatedClock(), realSystem);
    const { locks } = server;
    let [turns, losses] = [0, 1];
    const work = ({ assertHeld }: Lease) => {
      turns += 1;
      if (turns <= losses) server.takeAway();
      assertHeld();
      return Promise.resolve("done");
    };
    expect(await locks.run("x", work)).toBe("done");
    expect(turns).toBe(2);
    [turns, losses] = [0, 10];
    expect((await rejection("lock_timeout", () => locks.run("x", work))).exitCode).toBe(8);
    expect(turns).toBe(3);
  });
});

describe("a folder that can't hold locks ends the attempt at once", () => {
  const ends = async (folder: string, clock = simulatedClock()) => {
    const before = clock.now();
    const error = await rejection("state_unusable", () =>
      openState(folder, { clock }).locks.run("x", () => Promise.resolve()),
    );
    expect(clock.now()).toBe(before);
    expect(error.exitCode).toBe(2);
    return error;
  };

  test.runIf(process.platform === "linux")("one in which nothing can be made", async () => {
    expect((await ends("/proc/comanda")).message).toContain("/proc/comanda");
    await ends("/proc/comanda/deeper/still");
  });

  test.skipIf(process.platform === "win32")("one where a link has the lock's name", async () => {
    const folder = temporaryFolder();
    mkdirSync(path.join(folder, "locks"));
    symlinkSync("nowhere", path.join(folder, "locks", "x.lock"));
    await ends(folder);
  });
});

test("a lock of an older comanda, which wrote into it, is named with what to type, and stays", async () => {
  const folder = temporaryFolder();
  const lock = path.join(folder, "locks", "x.lock");
  mkdirSync(path.dirname(lock), { mode: 0o700 });
  writeFileSync(lock, '{"version":1,"pid":4711}', { mode: 0o600 });
  const error = await rejection("state_unusable", () =>
    openState(folder).locks.run("x", () => Promise.resolve()),
  );
  expect(error.message).toContain(lock);
  expect(error.hint).toContain(`rm ${lock}`);
  expect(readFileSync(lock, "utf8")).toBe('{"version":1,"pid":4711}');
});

describe("within one process", () => {
  test("tasks take their turns in order, and a failure ends a turn too", async () => {
    const { locks } = openState(temporaryFolder());
    const order: string[] = [];
    const task = (name: string, fails = false) =>
      locks.run("x", async () => {
        order.push(`${name} in`);
        await delay(2);
        order.push(`${name} out`);
        if (fails) throw new Error(name);
      });
    const results = await Promise.allSettled([task("a"), task("b", true), task("c")]);
    expect(results.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
    expect(order).toEqual(["a in", "a out", "b in", "b out", "c in", "c out"]);
  });

  test("different locks don't wait for each other", async () => {
    const { locks } = openState(temporaryFolder());
    expect(await locks.run("x", () => locks.run("y", () => Promise.resolve("both")))).toBe("both");
  });

  test("two state folders on one place exclude each other", async () => {
    const folder = temporaryFolder();
    const clock = simulatedClock();
    await openState(folder).locks.run("x", async () => {
      const error = await rejection("lock_timeout", () =>
        openState(folder, { clock }).locks.run("x", () => Promise.resolve(), { waitMs: 500 }),
      );
      expect(error.message).toContain(String(process.pid));
    });
  });

  test("a signal ends the wait and leaves nothing", async () => {
    const folder = temporaryFolder();
    const other = attemptIn(folder);
    await other.take();
    const held = filesIn(folder);
    const controller = new AbortController();
    const { locks } = openState(folder);
    const waiting = locks.run("x", () => Promise.resolve(), { signal: controller.signal });
    controller.abort(new Error("interrupted"));
    await expect(waiting).rejects.toThrow("interrupted");
    expect(filesIn(folder)).toEqual(held);
    await other.end();
  });
});

test("Ctrl-C ends the wait for another process at once; a lock that is free is taken all the same", async () => {
  const folder = temporaryFolder();
  const other = attemptIn(folder);
  await other.take();
  const controller = new AbortController();
  const { locks } = openState(folder, { signal: controller.signal });
  const waiting = locks.run("x", () => Promise.resolve());
  controller.abort(new Error("interrupted"));
  await expect(waiting).rejects.toThrow("interrupted");
  expect(await locks.run("y", () => Promise.resolve("taken"))).toBe("taken");
  await other.end();
});

describe("critical sections", () => {
  test("a lock is one until it is given up, waiting for it isn't", async () => {
    const folder = temporaryFolder();
    const critical = createCriticalSections();
    const { locks } = openState(folder, { criticalSections: critical });
    let release: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    let enter: () => void = () => undefined;
    const entered = new Promise<void>((resolve) => (enter = resolve));
    expect(critical.active).toBe(0);
    await critical.idle();
    const first = locks.run("x", () => {
      enter();
      return held;
    });
    const second = locks.run("x", () => Promise.resolve("second"));
    await entered;
    expect(critical.active).toBe(1);
    let isIdle = false;
    const idle = critical.idle().then(() => (isIdle = true));
    await delay(1);
    expect(isIdle).toBe(false);
    release();
    expect(await second).toBe("second");
    await first;
    await idle;
    expect(critical.active).toBe(0);
    await expect(critical.run(() => Promise.reject(new Error("fault")))).rejects.toThrow("fault");
    expect(critical.active).toBe(0);
  });

  test("an interrupt needn't wait for work that says so", async () => {
    const critical = createCriticalSections();
    const { locks } = openState(temporaryFolder(), { criticalSections: critical });
    const active = () => Promise.resolve(critical.active);
    expect(await locks.run("x", active)).toBe(1);
    expect(await locks.run("x", active, { isInterruptible: true })).toBe(0);
  });
});

describe("whether a process runs", () => {
  test("one that has ended doesn't", () => {
    const pid = Number(execFileSync("sh", ["-c", "echo $$"], { encoding: "utf8" }));
    const { table } = openState("/none");
    expect(table.exists(pid)).toBe(false);
    expect(table.exists(process.ppid)).toBe(true);
  });
});
