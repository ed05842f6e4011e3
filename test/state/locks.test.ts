import { execFileSync, spawn } from "node:child_process";
import { existsSync, linkSync, mkdirSync, rmSync, statSync, symlinkSync } from "node:fs";
import { utimesSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";

import { describe, expect, onTestFinished, test, vi } from "vitest";

import { createCriticalSections } from "../../src/state/locks/critical-sections.js";
import { beatMs, createSilenceWatch } from "../../src/state/locks/lock-heartbeat.js";
import type { ProcessIdentity } from "../../src/state/locks/process-identity.js";
import { createLiveness } from "../../src/state/locks/process-liveness.js";
import { openSessions } from "../../src/state/sessions/sessions.js";
import { openSettings } from "../../src/state/settings/settings.js";
import { simulatedClock } from "./support/clock.js";
import { filesIn, openState, temporaryFolder } from "./support/folder.js";
import { rejection } from "./support/rejection.js";
import { session } from "./support/sessions.js";

const nonce = (digit: string) => digit.repeat(16);

/** A folder with a lock file in it, as a process of that identity left it so many seconds ago. */
function leftBehind(identity: Partial<ProcessIdentity>, { ageSeconds = 0, clock = simulatedClock() } = {}) {
  const folder = temporaryFolder();
  const state = openState(folder, { clock });
  mkdirSync(path.join(folder, "locks"));
  const put = (name: string, by: Partial<ProcessIdentity>, digit: string) => {
    const file = path.join(folder, "locks", name);
    const text = JSON.stringify({
      version: 1,
      nonce: nonce(digit),
      since: Date.UTC(2026, 9, 5, 12),
      ...state.table.self(),
      ...by,
    });
    writeFileSync(file, text, { mode: 0o600 });
    const at = Date.now() / 1000 - ageSeconds;
    utimesSync(file, at, at);
    return file;
  };
  const lock = put("x.lock", identity, "a");
  return { folder, state, lock, put, take: () => state.locks.run("x", () => Promise.resolve("taken")) };
}

const dead = { pid: deadPid(), start: "1" };

describe("a lock that was left behind", () => {
  test.each<[string, Partial<ProcessIdentity>, number]>([
    ["by a process that is gone", dead, 0],
    ["by an earlier process with this one's pid", { start: "1" }, 0],
    ["by an earlier process with another living one's pid", { pid: process.ppid, start: "1" }, 0],
    ["by a process that is gone, under the machine's former name", { ...dead, host: "former" }, 0],
  ])("%s is taken over at once", async (_, identity, ageSeconds) => {
    const { folder, take, state } = leftBehind(identity, { ageSeconds });
    const before = state.clock.now();
    expect(await take()).toBe("taken");
    expect(state.clock.now()).toBe(before);
    expect(filesIn(folder)).toEqual([]);
  });

  test.each<[string, Partial<ProcessIdentity>, string]>([
    ["by a living process", {}, `kill ${process.pid}`],
    ["by a living process, under the machine's former name", { host: "former" }, `kill ${process.pid}`],
  ])("%s is waited for, 30 s", async (_, identity, named) => {
    const { folder, take, state, lock } = leftBehind(identity);
    const before = state.clock.now();
    const error = await rejection("lock_timeout", take);
    expect(error.exitCode).toBe(8);
    expect(`${error.message} ${error.hint ?? ""}`).toContain(named);
    expect(error.message).toContain(String(identity.pid ?? process.pid));
    expect(state.clock.now() - before).toBe(30_000);
    expect(filesIn(folder)).toEqual([path.relative(folder, lock)]);
  });

  test.each(["", "{", '{"version":2}'])(
    "that says nothing (%j) is taken over after silence",
    async (text) => {
      const { take, lock, state } = leftBehind({});
      writeFileSync(lock, text);
      const before = state.clock.now();
      expect(await take()).toBe("taken");
      expect(state.clock.now() - before).toBeLessThanOrEqual(15_000);
    },
  );

  test("with a dead heir, and that one's dead heir: taken over, all of it cleared", async () => {
    const { folder, take, put } = leftBehind(dead);
    put(`x.lock.${nonce("a")}.claim`, dead, "b");
    put(`x.lock.${nonce("b")}.claim`, dead, "c");
    // Of another lock, whose name begins the same: not ours to clear.
    const other = put(`x.lock.y.lock.${nonce("b")}.claim`, dead, "c");
    expect(await take()).toBe("taken");
    expect(filesIn(folder)).toEqual([path.relative(folder, other)]);
  });

  test("with a living heir: waited for", async () => {
    const { take, put } = leftBehind(dead);
    put(`x.lock.${nonce("a")}.claim`, dead, "b");
    put(`x.lock.${nonce("b")}.claim`, {}, "c");
    expect((await rejection("lock_timeout", take)).message).toContain(String(process.pid));
  });

  test("by an heir that was killed after it inherited: taken over", async () => {
    const { folder, take, lock, put } = leftBehind(dead);
    linkSync(lock, `${lock}.${nonce("f")}.claim`);
    put(`x.lock.${nonce("a")}.claim`, dead, "b");
    expect(await take()).toBe("taken");
    expect(filesIn(folder)).toEqual([]);
  });
});

const outOfSight: [string, Partial<ProcessIdentity>][] = [
  ["on another host", { host: "elsewhere", boot: "another", pid: 77 }],
  ["in another pid namespace", { pid_namespace: "pid:[1]", pid: 77 }],
  ["by a machine of the same name, or before a restart", { boot: "another", pid: 77 }],
];

describe.each(outOfSight)("a lock that is held %s", (_, identity) => {
  test.each([0, 7200, -7200])(
    "is taken over after 15 s without a sign of life, whatever the clocks say (%i s)",
    async (ageSeconds) => {
      const { folder, take, state } = leftBehind(identity, { ageSeconds });
      const before = state.clock.now();
      expect(await take()).toBe("taken");
      expect(state.clock.now() - before).toBeGreaterThan(2 * beatMs);
      expect(state.clock.now() - before).toBeLessThanOrEqual(15_000);
      expect(filesIn(folder)).toEqual([]);
    },
  );

  test.each([0, 7200, -7200])(
    "is waited for while its holder shows that it lives (%i s by the clocks)",
    async (ageSeconds) => {
      const clock = simulatedClock();
      const { folder, take, lock } = leftBehind(identity, { ageSeconds, clock });
      const start = clock.now();
      clock.onSleep = () => {
        const beats = Math.floor((clock.now() - start) / beatMs);
        utimesSync(lock, 0, Date.now() / 1000 - ageSeconds + beats);
      };
      const error = await rejection("lock_timeout", take);
      expect(error).toMatchObject({
        exitCode: 8,
        hint: expect.stringContaining("another container") as string,
      });
      expect(error.message).toContain(`process 77 on ${identity.host ?? os.hostname()}`);
      expect(error.message).toContain("since 2026-10-05T12:00:00.000Z");
      expect(clock.now() - start).toBe(30_000);
      expect(filesIn(folder)).toEqual([path.relative(folder, lock)]);
    },
  );

  test("is judged even where the wait is shorter", async () => {
    const { state } = leftBehind(identity);
    expect(await state.locks.run("x", () => Promise.resolve("taken"), { waitMs: 10 })).toBe("taken");
  });

  test("and has an heir that died too, is taken over after the silence of both", async () => {
    const { folder, take, put } = leftBehind(identity);
    put(`x.lock.${nonce("a")}.claim`, identity, "b");
    expect(await take()).toBe("taken");
    expect(filesIn(folder)).toEqual([]);
  });
});

describe("the watch for signs of life", () => {
  const holding = (beat: string) => ({ nonce: nonce("a"), beat });

  test("counts a gap in which it was itself stopped for a second at most", () => {
    const clock = simulatedClock();
    const isSilent = createSilenceWatch(clock);
    expect(isSilent(holding("1"))).toBe(false);
    clock.advance(3_600_000);
    expect(isSilent(holding("1"))).toBe(false);
  });

  test("measures by no clock that can be set", () => {
    const wall = simulatedClock();
    const steady = simulatedClock(0);
    const isSilent = createSilenceWatch({ now: () => wall.now(), monotonic: () => steady.now() });
    const looks = (times: number, beat = "1") =>
      Array.from({ length: times }, () => {
        steady.advance(1000);
        wall.advance(-86_400_000);
        return isSilent(holding(beat));
      });
    expect(looks(12)).not.toContain(true);
    expect(looks(1)).toEqual([true]);
    expect(looks(1, "2")).toEqual([false]);
  });

  test("sees the holder touch its lock every few seconds, for as long as it is its own", async () => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    onTestFinished(() => void vi.useRealTimers());
    const { state, lock, put } = leftBehind(dead);
    const age = () => Date.now() - statSync(lock).mtimeMs;
    const makeOld = () => utimesSync(lock, 0, Date.now() / 1000 - 3600);
    await state.locks.run("x", () => {
      makeOld();
      vi.advanceTimersByTime(beatMs);
      expect(age()).toBeLessThan(60_000);
      put("x.lock", { host: "another" }, "e");
      makeOld();
      vi.advanceTimersByTime(beatMs);
      expect(age()).toBeGreaterThan(60_000);
      return Promise.resolve();
    });
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe("a holder that was taken for dead", () => {
  test("finds its lock gone, and begins anew with the lock taken again", async () => {
    const { state, put, lock } = leftBehind(dead);
    const done: string[] = [];
    await state.locks.run("x", (lease) => {
      lease.assertHeld();
      done.push("begun");
      // Another took the lock while this process was stopped, did its work and has ended.
      if (done.length === 1) put("x.lock", dead, "d");
      lease.assertHeld();
      done.push("done");
      return Promise.resolve();
    });
    expect(done).toEqual(["begun", "begun", "done"]);
    expect(existsSync(lock)).toBe(false);
  });

  test("neither where the lock was deleted", async () => {
    const { state, lock } = leftBehind(dead);
    let turns = 0;
    await state.locks.run("x", ({ assertHeld }) => {
      turns += 1;
      if (turns === 1) rmSync(lock);
      assertHeld();
      return Promise.resolve();
    });
    expect(turns).toBe(2);
  });

  test("gives up after three turns, with exit code 8, and leaves the other's lock", async () => {
    const { state, put, folder } = leftBehind(dead);
    let turns = 0;
    const error = await rejection("lock_timeout", () =>
      state.locks.run("x", ({ assertHeld }) => {
        turns += 1;
        put("x.lock", dead, "d");
        assertHeld();
        return Promise.resolve();
      }),
    );
    expect([turns, error.exitCode]).toEqual([3, 8]);
    expect(filesIn(folder)).toEqual([path.join("locks", "x.lock")]);
  });

  test("changes neither a session nor the settings", async () => {
    const folder = temporaryFolder();
    const state = openState(folder, { clock: simulatedClock() });
    const [sessions, settings] = [openSessions(state), openSettings(state)];
    await sessions.update("a", () => Promise.resolve(session("a", 1)));
    await settings.update((current) => ({ ...current, locale: "before" }));
    const loseLock = () => {
      for (const lock of filesIn(path.join(folder, "locks")))
        writeFileSync(path.join(folder, "locks", lock), "");
    };
    await rejection("lock_timeout", () =>
      sessions.update("a", () => {
        loseLock();
        return Promise.resolve(session("a", 2));
      }),
    );
    await rejection("lock_timeout", () =>
      settings.update((current) => {
        loseLock();
        return { ...current, locale: "after" };
      }),
    );
    expect(await sessions.read("a")).toEqual(session("a", 1));
    expect((await settings.read()).locale).toBe("before");
    expect(filesIn(folder).filter((file) => file.includes(".tmp"))).toEqual([]);
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

  test("one whose files vanish", async () => {
    const folder = temporaryFolder();
    const clock = simulatedClock();
    let looked = 0;
    const vanishing = {
      ...clock,
      monotonic: () => {
        looked += 1;
        for (const file of filesIn(folder)) rmSync(path.join(folder, file));
        return 0;
      },
    };
    expect((await ends(folder, vanishing)).message).toContain("x.lock");
    expect(looked).toBeLessThan(100);
  });

  test.skipIf(process.platform === "win32")("one where a link has the lock's name", async () => {
    const folder = temporaryFolder();
    mkdirSync(path.join(folder, "locks"));
    symlinkSync("nowhere", path.join(folder, "locks", "x.lock"));
    await ends(folder);
  });

  test("one where the claims go round in a circle", async () => {
    const { folder, put } = leftBehind(dead);
    put(`x.lock.${nonce("a")}.claim`, dead, "b");
    put(`x.lock.${nonce("b")}.claim`, dead, "a");
    await ends(folder);
  });
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

  test.each([
    ["of many, each for a moment, keep us waiting for as long as all may", 900, { waitMs: 10_000 }, 10_000],
    ["keeps it for longer than one may, after others", 4_000, { waitMs: 10_000, holderMs: 1_000 }, 1_000],
    ["of many keeps it for as long as one may", 900, { waitMs: 10_000, holderMs: 1_000 }, 10_000],
  ])("a holder that is one %s", async (_, turnMs, wait, expected) => {
    const clock = simulatedClock();
    const { state, put } = leftBehind({}, { clock });
    const began = clock.now();
    clock.onSleep = () => put("x.lock", {}, "abcdef"[Math.floor((clock.now() - began) / turnMs) % 6] ?? "a");
    await rejection("lock_timeout", () => state.locks.run("x", () => Promise.resolve(), wait));
    expect(clock.now() - began).toBe(expected);
  });

  test("a signal ends the wait and leaves nothing", async () => {
    const { folder, state, lock } = leftBehind({});
    const controller = new AbortController();
    const waiting = state.locks.run("x", () => Promise.resolve(), { signal: controller.signal });
    controller.abort(new Error("interrupted"));
    await expect(waiting).rejects.toThrow("interrupted");
    expect(filesIn(folder)).toEqual([path.relative(folder, lock)]);
  });

  test("a lock that was taken from us is not given up in the other's name", async () => {
    const { put, state, folder } = leftBehind(dead);
    await state.locks.run("x", () => Promise.resolve(put("x.lock", {}, "d")));
    expect(filesIn(folder)).toEqual([path.join("locks", "x.lock")]);
  });
});

describe("critical sections", () => {
  test("a lock is one until it is given up, waiting for it isn't", async () => {
    const folder = temporaryFolder();
    const critical = createCriticalSections();
    const { locks } = openState(folder, { criticalSections: critical });
    let release: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    expect(critical.active).toBe(0);
    await critical.idle();
    const first = locks.run("x", () => held);
    const second = locks.run("x", () => Promise.resolve(filesIn(folder)));
    await delay(1);
    expect(critical.active).toBe(1);
    let isIdle = false;
    const idle = critical.idle().then(() => {
      isIdle = true;
      return filesIn(folder);
    });
    await delay(1);
    expect(isIdle).toBe(false);
    release();
    expect(await second).toEqual([path.join("locks", "x.lock")]);
    await first;
    await idle;
    expect(critical.active).toBe(0);
    await expect(critical.run(() => Promise.reject(new Error("fault")))).rejects.toThrow("fault");
    expect(critical.active).toBe(0);
  });
});

describe("whether a process lives", () => {
  const identity = openState("/none").table.self();

  test.runIf(process.platform === "linux")("a zombie doesn't, a stopped one does", async () => {
    const shell = spawn("sh", ["-c", "sleep 0.01 & echo $!; exec sleep 30"], {
      stdio: ["ignore", "pipe", "ignore"],
    });
    try {
      const pid = Number(
        await new Promise<string>((resolve) =>
          shell.stdout.once("data", (data: Buffer) => resolve(String(data))),
        ),
      );
      const liveness = createLiveness(process);
      while (liveness.isRunning(pid, null)) await delay(5);
      // It is still there, though: no one has asked how it ended.
      expect(() => process.kill(pid, 0)).not.toThrow();
      shell.kill("SIGSTOP");
      await delay(5);
      expect(liveness.isRunning(shell.pid ?? 0, null)).toBe(true);
    } finally {
      shell.kill("SIGKILL");
    }
  });

  test("the same pid with another start is another process", () => {
    const { table } = openState("/none");
    expect(table.look(identity, Date.now())).toBe("running");
    expect(table.look({ ...identity, start: "1" }, Date.now())).toBe("gone");
  });

  // The way of macOS; Linux has a `ps` that speaks the same.
  test.skipIf(process.platform === "win32")("asked of ps, start times agree to some seconds", async () => {
    const mac = createLiveness({ pid: 1, platform: "darwin", kill: (pid) => process.kill(pid, 0) });
    const child = spawn("sleep", ["30"]);
    const started = Date.now();
    try {
      await delay(10);
      expect(mac.isRunning(child.pid ?? 0, String(started))).toBe(true);
      expect(mac.isRunning(child.pid ?? 0, String(started - 3_600_000))).toBe(false);
      expect(mac.isRunning(child.pid ?? 0, null)).toBe(true);
    } finally {
      child.kill("SIGKILL");
    }
    expect(mac.isRunning(dead.pid, null)).toBe(false);
  });

  test("Windows goes by the pid, and by the machine's start", () => {
    const windows = { pid: 1, platform: "win32", kill: (pid: number) => process.kill(pid, 0) };
    const { table } = openState("/none", { process: windows });
    const here = { ...table.self(), pid: process.pid };
    expect(here).toMatchObject({ boot: null, pid_namespace: null });
    expect(table.look(here, Date.now())).toBe("running");
    expect(table.look({ ...here, pid: dead.pid }, Date.now())).toBe("gone");
    expect(table.look(here, Date.now() - (os.uptime() + 3600) * 1000)).toBe("gone");
    expect(table.look({ ...here, host: "elsewhere" }, Date.now())).toBe("out of sight");
  });
});

function deadPid(): number {
  return Number(execFileSync("sh", ["-c", "echo $$"], { encoding: "utf8" }));
}
