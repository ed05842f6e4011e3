/** Waits for a state of another process, however long a busy machine needs for it. Linux only. */
import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";

import { expect } from "vitest";

/** Waits until the process has opened the file, or has opened it this many times. */
export async function hasOpen(pid = 0, file: string, times = 1): Promise<void> {
  const opened = () => {
    try {
      return readdirSync(`/proc/${pid}/fd`).map((name) => readlinkSync(`/proc/${pid}/fd/${name}`));
    } catch {
      return [];
    }
  };
  const count = () => opened().filter((name) => name === file).length;
  await expect.poll(count, { interval: 10, message: `opened ${file}` }).toBeGreaterThanOrEqual(times);
}

/** Waits until the program handles SIGHUP, which ends it without a message before that. */
export async function isCatching(pid = 0): Promise<void> {
  // SIGHUP is the lowest bit of the last digit.
  const status = () => readFileSync(`/proc/${pid}/status`, "utf8");
  await expect.poll(status, { interval: 10 }).toMatch(/^SigCgt:\s*[\da-f]*[13579bdf]$/m);
}

/** Waits until the process has slept for half a second. A process that waits for a processor doesn't sleep. */
export async function isIdle(pid = 0): Promise<void> {
  let [turns, before] = [0, ""];
  while (turns < 10) {
    const [state = "", ...fields] =
      readFileSync(`/proc/${pid}/stat`, "latin1").split(") ").at(-1)?.split(" ") ?? [];
    const used = fields.slice(10, 12).join();
    turns = state === "S" && used === before ? turns + 1 : 0;
    before = used;
    await delay(50);
  }
}
