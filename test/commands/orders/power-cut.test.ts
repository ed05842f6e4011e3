/** The power fails while a run is under way: what had reached the disk by then is all that is left of it. */
import { cpSync, readFileSync, rmSync, truncateSync } from "node:fs";
import path from "node:path";

import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";

import { realSystem, type System } from "../../../src/shared/system.js";
import { Desk } from "../../support/desk.js";
import { filesIn } from "../../support/folder-state.js";
import { parseJsonLines } from "../../support/json.js";
import { startStub, type StubService } from "../../support/stub-service.js";

let stub: StubService;
beforeAll(async () => {
  stub = await startStub();
});
afterAll(() => stub.close());
let [desk, after] = [new Desk(), new Desk()];
beforeEach(() => {
  [desk, after] = [new Desk(), new Desk()];
});
afterEach(() => {
  desk.remove();
  after.remove();
});

/** Notes up to where each file that is appended to has reached the disk. */
function watchedDisk(): { readonly system: System; readonly synced: ReadonlyMap<string, number> } {
  const { disk } = realSystem;
  const names = new Map<number, string>();
  const synced = new Map<string, number>();
  const note = (descriptor: number, size: number) => {
    const name = names.get(descriptor) ?? "";
    synced.set(name, Math.max(synced.get(name) ?? 0, size));
  };
  const watched: typeof disk = {
    ...disk,
    open(file, flags, mode) {
      const descriptor = disk.open(file, flags, mode);
      names.set(descriptor, file);
      return descriptor;
    },
    fdatasync(descriptor) {
      disk.fdatasync(descriptor);
      note(descriptor, disk.fstat(descriptor).size);
    },
    async fdatasyncMeanwhile(descriptor) {
      const { size } = disk.fstat(descriptor);
      await disk.fdatasyncMeanwhile(descriptor);
      note(descriptor, size);
    },
  };
  return { system: { ...realSystem, disk: watched }, synced };
}

/** As the machine finds its disk when it is started again: without what was with the system alone, and nobody holds a lock. */
function cutPower(synced: ReadonlyMap<string, number>): void {
  cpSync(desk.folder, after.folder, { recursive: true });
  rmSync(path.join(after.folder, "locks"), { recursive: true, force: true });
  for (const file of filesIn(path.join(after.folder, "journal"))) {
    const whole = path.join(desk.folder, "journal", file);
    truncateSync(path.join(after.folder, "journal", file), synced.get(whole) ?? 0);
  }
}

const ids = Array.from({ length: 60 }, (_, index) => String(index + 1));
const list = { input: ids.join("\n") };
const orderOf = (target: string) => /orders\/(\d+)\//.exec(target)?.[1] ?? "";

test.each([
  [1, 0],
  [16, 0],
  [16, 37],
  [40, 5],
])(
  "with %i at once, after %i answers: no more are unknown than were under way, and the rest is sent",
  async (under, answered) => {
    const env = { COMANDA_BASE_URL: stub.url, COMANDA_ACCESS_TOKEN: "at_1", COMANDA_RATE_LIMITS: "off" };
    const { system, synced } = watchedDisk();
    const gone = new AbortController();
    let [count, out] = [0, 0];
    let sentBefore: readonly string[] = [];
    stub.behave((response) => {
      count += 1;
      if (count <= answered) return void response.writeHead(204).end();
      out += 1;
      if (out < under) return;
      cutPower(synced);
      sentBefore = stub.requests.map(({ target }) => orderOf(target));
      gone.abort();
    });
    const { signal } = gone;
    await desk.run(`orders finalize - --json --concurrency ${under}`, { env, system, signal, ...list });
    expect(sentBefore).toHaveLength(answered + under);

    stub.behave({ status: 204 });
    const { stdout } = await after.run("orders finalize - --json --resume", { env, ...list });
    const rows = parseJsonLines(stdout).map((row) => row as Readonly<Record<string, unknown>>);
    const unknown = rows
      .filter(({ outcome }) => outcome === "unknown")
      .map(({ order_id }) => String(order_id));
    expect(unknown.length).toBeLessThanOrEqual(under);
    expect(sentBefore).toEqual(expect.arrayContaining(unknown));
    const sent = [...sentBefore, ...stub.requests.map(({ target }) => orderOf(target))];
    expect([...sent].sort()).toEqual([...ids].sort());
  },
);

test("none is unknown where all wait for a place within the limit", async () => {
  const env = { COMANDA_BASE_URL: stub.url, COMANDA_ACCESS_TOKEN: "at_1", COMANDA_RATE_LIMITS: "off" };
  const { system, synced } = watchedDisk();
  const gone = new AbortController();
  const { signal } = gone;
  const [done, limited] = [20, 16];
  const journal = path.join(desk.folder, "journal");
  const linesOnDisk = () =>
    filesIn(journal).flatMap((name) => {
      const file = path.join(journal, name);
      return parseJsonLines(readFileSync(file).subarray(0, synced.get(file)).toString());
    });
  const answered = () =>
    linesOnDisk()
      .map((line) => line as { readonly type: string; readonly orders: readonly string[] })
      .reduce((sum, { type, orders }) => (type === "orders_outcome" ? sum + orders.length : sum), 0);
  const clock = {
    now: () => desk.clock.now(),
    // The wait is a minute and more: what was answered has long reached the disk.
    async sleep() {
      while (answered() < done + limited) await new Promise((resolve) => setImmediate(resolve));
      if (!signal.aborted) cutPower(synced);
      gone.abort();
      signal.throwIfAborted();
    },
  };
  let count = 0;
  stub.behave((response) => {
    count += 1;
    response.writeHead(count <= done ? 204 : 429, { "retry-after": "60" }).end();
  });
  await desk.run(`orders finalize - --json --concurrency ${limited}`, {
    env,
    system,
    signal,
    clock,
    ...list,
  });
  expect(stub.requests).toHaveLength(done + limited);

  stub.behave({ status: 204 });
  const { stdout } = await after.run("orders finalize - --json --resume", { env, ...list });
  expect(parseJsonLines(stdout)).toEqual(
    ids.map(() => expect.objectContaining({ outcome: "done" }) as unknown),
  );
  expect(stub.requests).toHaveLength(ids.length - done);
});
