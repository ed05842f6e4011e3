/** Holders that are stopped or killed, in a container of their own and beside us. Time is simulated for us alone. */
import type { ChildProcess } from "node:child_process";
import { appendFileSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";

import { describe, expect, onTestFinished, test } from "vitest";

import { container, containersAvailable } from "../support/containers.js";
import { simulatedClock } from "./support/clock.js";
import { openState, temporaryFolder } from "./support/folder.js";
import { bundledProgram, ended, start, startIn } from "./support/programs.js";
import { rejection } from "./support/rejection.js";

const program = bundledProgram(new URL("./programs/hold-until-told.ts", import.meta.url));

const why = containersAvailable ? "" : " (skipped: unshare is not allowed here)";

const nothing = () => Promise.resolve();

/** The program holds the lease by then. */
async function holder(begin: (...parameters: string[]) => ChildProcess) {
  const folder = temporaryFolder();
  const state = path.join(folder, "state");
  const log = path.join(folder, "log");
  const go = path.join(folder, "go");
  const child = begin(program(), state, log, go);
  onTestFinished(async () => {
    child.kill("SIGKILL");
    await ended(child);
  });
  const steps = () => (existsSync(log) ? readFileSync(log, "utf8").split("\n").slice(0, -1) : []);
  while (steps().length === 0) await delay(5);
  const clock = simulatedClock();
  return {
    ...{ child, clock, state, steps },
    withLease: openState(state, { clock }).withLease,
    say: (what: string) => appendFileSync(log, `${what}\n`),
    go: () => writeFileSync(go, ""),
  };
}

/** The one process that `unshare` started, as we see it from here. */
function processIn({ pid = 0 }: ChildProcess): number {
  return Number(readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim().split(" ")[0]);
}

describe.skipIf(!containersAvailable)(`a holder in another container${why}`, () => {
  const inContainer = () => holder((...parameters) => startIn(container, ...parameters));

  test("keeps it until its end, be it stopped or killed; who wakes up after that has lost it, and begins anew", async () => {
    const { child, clock, withLease, steps, go } = await inContainer();
    const stopped = processIn(child);
    process.kill(stopped, "SIGSTOP");
    clock.set(Date.now());
    await rejection("lock_timeout", () => withLease("shared", nothing, { waitMs: 60_000 }));
    expect(await withLease("shared", () => Promise.resolve("taken"))).toBe("taken");
    go();
    process.kill(stopped, "SIGCONT");
    await ended(child);
    expect(steps()).toEqual(["enter", "write"]);
  });
});

test.skipIf(process.platform === "win32")(
  "a holder beside us that was stopped stays the holder",
  async () => {
    const { child, clock, withLease, steps, go } = await holder(start);
    child.kill("SIGSTOP");
    const before = clock.now();
    const error = await rejection("lock_timeout", () => withLease("shared", nothing, { waitMs: 30_000 }));
    expect(clock.now() - before).toBe(30_000);
    expect(error).toMatchObject({
      exitCode: 8,
      message: expect.stringContaining(`Process ${child.pid}`) as string,
    });
    go();
    child.kill("SIGCONT");
    await ended(child);
    expect(steps()).toEqual(["enter", "write"]);
  },
);
