/**
 * Every system call of the lock is a place where another process may come in between, or the killer. Here many
 * processes live in one, and at each call chance decides: go on, let another act first, or die.
 */
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

import fc from "fast-check";
import { afterAll, expect, test } from "vitest";

import { systemDisk, type Disk } from "../../src/shared/disk.js";
import { systemRandom } from "../../src/shared/system.js";
import { createLockAttempt, removeClaims, type LockAttempt } from "../../src/state/locks/lock-file.js";
import type { ProcessTable } from "../../src/state/locks/process-identity.js";
import { minutes, sized, timeLimit } from "../support/soak.js";
import { simulatedClock } from "./support/clock.js";

let beforeCall: () => void = () => undefined;

function interrupted<Result>(call: () => Result): Result {
  beforeCall();
  return call();
}

const disk: Disk = {
  ...systemDisk,
  link: (file, name) => interrupted(() => systemDisk.link(file, name)),
  rename: (from, to) => interrupted(() => systemDisk.rename(from, to)),
  remove: (file) => interrupted(() => systemDisk.remove(file)),
  open: (file, flags, mode) => interrupted(() => systemDisk.open(file, flags, mode)),
  readdir: (folder) => interrupted(() => systemDisk.readdir(folder)),
  write: (descriptor, bytes, position) => interrupted(() => systemDisk.write(descriptor, bytes, position)),
};
const system = { disk, random: systemRandom };

/** Time stands still: here nobody is judged by silence. */
const clock = simulatedClock();
const folder = mkdtempSync(path.join(tmpdir(), "comanda-state-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Simulated {
  readonly pid: number;
  alive: boolean;
  holds: boolean;
  attempt: LockAttempt | undefined;
}

/** A handful of processes around one lock; those that die are replaced. */
class World {
  readonly lock: string;
  readonly crowd: Simulated[] = [];
  /** Those whose calls are under way, the last one on top of the one that it came in between. */
  readonly #acting: Simulated[] = [];
  readonly #choices: readonly number[];
  #chosen = 0;
  #nextPid = 1000;
  entered = 0;
  killed = 0;
  overlaps = 0;

  constructor(lock: string, choices: readonly number[], size: number) {
    this.lock = lock;
    this.#choices = choices;
    for (let count = 0; count < size; count += 1) this.join();
  }

  join(): Simulated {
    const process = { pid: (this.#nextPid += 1), alive: true, holds: false, attempt: undefined };
    this.crowd.push(process);
    return process;
  }

  choose(among: number): number {
    const choice = this.#choices[this.#chosen] ?? 0;
    this.#chosen += 1;
    return choice % among;
  }

  get over(): boolean {
    return this.#chosen >= this.#choices.length;
  }

  /** Before a call of the one that acts: it dies, another comes in between, or (mostly) nothing. */
  readonly interrupt = () => {
    const current = this.#acting.at(-1);
    if (!current) return;
    if (current.alive && !this.over) {
      const choice = this.choose(10);
      if (choice === 9) this.kill(current);
      if (choice >= 5 && choice < 9 && this.#acting.length < 4) this.actAnyone();
    }
    if (!current.alive) throw new Error("killed");
  };

  kill(process: Simulated) {
    process.alive = false;
    process.holds = false;
    this.killed += 1;
    this.crowd.splice(this.crowd.indexOf(process), 1);
    this.join();
  }

  actAnyone() {
    const idle = this.crowd.filter((process) => !this.#acting.includes(process));
    const process = idle[this.choose(Math.max(1, idle.length))];
    if (process) this.act(process);
  }

  act(process: Simulated) {
    this.#acting.push(process);
    try {
      if (process.holds) {
        process.holds = false;
        process.attempt?.release();
        process.attempt = undefined;
      } else {
        process.attempt ??= createLockAttempt(this.lock, { system, table: this.table(process), clock });
        if (!process.attempt.try() && process.alive) this.enter(process);
      }
    } catch (error) {
      if (process.alive) throw error;
    } finally {
      this.#acting.pop();
    }
  }

  enter(process: Simulated) {
    this.entered += 1;
    if (this.crowd.some((other) => other.holds)) this.overlaps += 1;
    process.holds = true;
    removeClaims(systemDisk, this.lock);
  }

  table(process: Simulated): ProcessTable {
    const lives = (pid: number) => this.crowd.some((other) => other.pid === pid);
    return {
      self: () => ({ pid: process.pid, start: "1", boot: "b", pid_namespace: "n", host: "h" }),
      tag: () => "00000000",
      exists: lives,
      look: ({ pid }) => (lives(pid) ? "running" : "gone"),
      uptimeMs: () => 0,
      userName: () => null,
    };
  }
}

const numRuns = sized({ test: 120, soak: 20_000 });
const timeout = timeLimit(minutes);
const seen = { entered: 0, killed: 0 };

test(
  "whatever the order of calls and kills, no two processes hold the lock, and it is never lost",
  () => {
    let run = 0;
    fc.assert(
      fc.property(
        fc.array(fc.nat(999), { minLength: 20, maxLength: 500 }),
        fc.integer({ min: 2, max: 6 }),
        (choices, size) => {
          const runFolder = path.join(folder, String((run += 1)));
          const world = new World(path.join(runFolder, "shared.lock"), choices, size);
          beforeCall = world.interrupt;
          try {
            while (!world.over) world.actAnyone();
          } finally {
            beforeCall = () => undefined;
          }
          expect(world.overlaps).toBe(0);

          // All of them are killed: whoever comes next gets it at once, and nothing is left behind.
          for (const process of [...world.crowd]) world.kill(process);
          const last = world.crowd.at(-1) ?? world.join();
          world.act(last);
          expect(last.holds).toBe(true);
          world.act(last);
          expect(readdirSync(runFolder).filter((name) => !name.endsWith(".tmp"))).toEqual([]);
          rmSync(runFolder, { recursive: true });
          seen.entered += world.entered;
          seen.killed += world.killed;
        },
      ),
      { numRuns },
    );
    // A simulation in which nothing happens would prove nothing.
    expect(seen.entered).toBeGreaterThan(2 * numRuns);
    expect(seen.killed).toBeGreaterThan(2 * numRuns);
  },
  timeout,
);
