import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { ChildProcess } from "node:child_process";

import { expect, test } from "vitest";

import { minutes, sized, tellFigure, timeLimit } from "../support/soak.js";
import { openState, temporaryFolder } from "./support/folder.js";
import { bundledProgram, ended, start } from "./support/programs.js";

const holdLease = bundledProgram(new URL("./programs/hold-lease.ts", import.meta.url));

const kills = sized({ test: 6, search: 40, soak: 1000 });
const stops = sized({ test: 1, search: 4, soak: 40 });

test(
  `${kills} kills and ${stops} stops of those who hold a lease: never two at once`,
  { timeout: timeLimit(20 * minutes) },
  async () => {
    const folder = temporaryFolder();
    const log = path.join(folder, "log");
    writeFileSync(log, "");
    const crowd = new Map<number, ChildProcess>();
    const join = () => {
      const child = start(holdLease(), path.join(folder, "state"), log);
      if (child.pid !== undefined) crowd.set(child.pid, child);
    };
    try {
      for (let size = 0; size < 4; size += 1) join();
      await entered(log, 8);
      for (let killed = 0, turn = 0; killed < kills; turn += 1) {
        await delay(Math.random() * 12);
        // Mostly the one that holds it; sometimes one that waits, or is about to inherit.
        const pids = [...crowd.keys()];
        const victim = turn % 4 === 0 ? pids[turn % pids.length] : lastHolder(log);
        const child = crowd.get(victim ?? 0);
        if (!child?.kill("SIGKILL")) continue;
        crowd.delete(child.pid ?? 0);
        join();
        killed += 1;
        // Now and then let the newcomers start up, or none would be left to kill.
        if (killed % 5 === 0)
          await entered(log, lines(log).filter((line) => line.startsWith("enter")).length + 2);
      }
      for (let turn = 0; turn < stops; turn += 1) {
        const child = crowd.get(await someHolder(log, crowd));
        child?.kill("SIGSTOP");
        await delay(120);
        child?.kill("SIGCONT");
        await delay(20);
      }
      const enteredBefore = lines(log).length;
      await entered(log, 1, enteredBefore);
    } finally {
      for (const child of crowd.values()) child.kill("SIGKILL");
      await Promise.all([...crowd.values()].map(ended));
    }

    const overlaps = findOverlaps(lines(log));
    tellFigure({
      what: "overlaps of holders of a lease",
      of: `${kills} kills, ${stops} stops`,
      wanted: 0,
      seen: overlaps.length,
    });
    expect(overlaps).toEqual([]);
    expect(cutShort(lines(log))).toBeGreaterThan(kills / 4);

    // The next run takes it at once.
    const { withLease } = openState(path.join(folder, "state"));
    expect(await withLease("shared", () => Promise.resolve("taken"), { waitMs: 100 })).toBe("taken");
  },
);

/** Whoever enters must be the last that is heard of, until it leaves: a killed holder is never heard of again. */
function findOverlaps(log: readonly string[]): string[] {
  let holder = "";
  return log.filter((line) => {
    const [what = "", ...who] = line.split(" ");
    if (what === "enter") holder = who.join(" ");
    return holder !== who.join(" ");
  });
}

/** How many were killed while they held the lock. */
function cutShort(log: readonly string[]): number {
  return log.filter(
    (line, index) => line.startsWith("enter") && index > 0 && !log[index - 1]?.startsWith("leave"),
  ).length;
}

function lines(log: string): string[] {
  return readFileSync(log, "utf8").split("\n").slice(0, -1);
}

/** The pid of the last line that isn't a leave-taking. */
function lastHolder(log: string): number | undefined {
  const [what, pid] = lines(log).at(-1)?.split(" ") ?? [];
  return what === "leave" ? undefined : Number(pid);
}

async function someHolder(log: string, crowd: ReadonlyMap<number, ChildProcess>): Promise<number> {
  for (;;) {
    const pid = lastHolder(log);
    if (pid !== undefined && crowd.has(pid)) return pid;
    await delay(1);
  }
}

async function entered(log: string, times: number, from = 0): Promise<void> {
  const seen = () =>
    lines(log)
      .slice(from)
      .filter((line) => line.startsWith("enter")).length;
  while (seen() < times) await delay(10);
}
