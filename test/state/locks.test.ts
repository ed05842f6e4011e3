import { execFileSync, spawn } from "node:child_process";
import { linkSync, mkdirSync, utimesSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";

import { describe, expect, test } from "vitest";

import type { Clock } from "../../src/clock/index.js";
import { createCriticalSections } from "../../src/state/critical-sections.js";
import type { ProcessIdentity } from "../../src/state/process-identity.js";
import { createLiveness } from "../../src/state/process-liveness.js";
import { simulatedClock } from "./support/clock.js";
import { filesIn, openState, temporaryFolder } from "./support/folder.js";
import { rejection } from "./support/rejection.js";

const nonce = (digit: string) => digit.repeat(16);

/** A folder with a lock file in it, as a process of that identity left it so many seconds ago. */
function leftBehind(
  identity: Partial<ProcessIdentity>,
  { ageSeconds = 0, clock = simulatedClock() as Clock } = {},
) {
  const folder = temporaryFolder();
  const state = openState(folder, { clock });
  mkdirSync(path.join(folder, "locks"));
  const put = (name: string, by: Partial<ProcessIdentity>, digit: string) => {
    const file = path.join(folder, "locks", name);
    const text = JSON.stringify({ version: 1, nonce: nonce(digit), ...state.table.self(), ...by });
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
    ["before this machine was started", { boot: "another", pid: 1 }, os.uptime() + 3600],
    ["on another host, 11 minutes ago", { host: "elsewhere" }, 660],
    ["in another pid namespace, 11 minutes ago", { pid_namespace: "pid:[1]" }, 660],
    ["on another host, in what is the future here", { host: "elsewhere" }, -660],
  ])("%s is taken over at once", async (_, identity, ageSeconds) => {
    const { folder, take, state } = leftBehind(identity, { ageSeconds });
    const before = state.clock.now();
    expect(await take()).toBe("taken");
    expect(state.clock.now()).toBe(before);
    expect(filesIn(folder)).toEqual([]);
  });

  test.each<[string, Partial<ProcessIdentity>, string]>([
    ["by a living process", {}, `kill ${process.pid}`],
    ["on another host, just now", { host: "elsewhere", pid: 77 }, "elsewhere"],
    ["in another pid namespace, just now", { pid_namespace: "pid:[1]", pid: 77 }, "77"],
    ["by a machine of the same name, since this one started", { boot: "another", pid: 77 }, "77"],
  ])("%s is waited for, 30 s", async (_, identity, named) => {
    const { folder, take, state, lock } = leftBehind(identity);
    const before = state.clock.now();
    const error = await rejection("lock_timeout", take);
    expect(`${error.message} ${error.hint ?? ""}`).toContain(named);
    expect(error.message).toContain(String(identity.pid ?? process.pid));
    expect(state.clock.now() - before).toBe(30_000);
    expect(filesIn(folder)).toEqual([path.relative(folder, lock)]);
  });

  test.each([
    ["", 20, true],
    ["{", 20, true],
    ['{"version":2}', 20, true],
    ["", 0, false],
  ])("torn (%j) %i s ago: %j", async (text, ageSeconds, taken) => {
    const { take, lock } = leftBehind({});
    writeFileSync(lock, text);
    const at = Date.now() / 1000 - ageSeconds;
    utimesSync(lock, at, at);
    if (taken) expect(await take()).toBe("taken");
    else expect((await rejection("lock_timeout", take)).hint).toContain(lock);
  });

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
    expect(table.isAlive(identity, Date.now())).toBe(true);
    expect(table.isAlive({ ...identity, start: "1" }, Date.now())).toBe(false);
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
    expect(table.isAlive(here, Date.now())).toBe(true);
    expect(table.isAlive({ ...here, pid: dead.pid }, Date.now())).toBe(false);
    expect(table.isAlive(here, Date.now() - (os.uptime() + 3600) * 1000)).toBe(false);
  });
});

function deadPid(): number {
  return Number(execFileSync("sh", ["-c", "echo $$"], { encoding: "utf8" }));
}
