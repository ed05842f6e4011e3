/** What goes wrong around runs of orders on a bad day: at the machine, at its clock, and with whoever types. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";

import { afterEach, beforeEach, describe, expect, test } from "vitest";

import { inJournal, journalFile } from "../../support/journal.js";
import { mountSmallDisk, smallDiskAvailable } from "../../support/small-disk.js";
import { StoreDesk } from "../../support/store-desk.js";

let store: StoreDesk;
beforeEach(async () => {
  store = await StoreDesk.open();
});
afterEach(() => store.close());

const finalize = (ids: readonly string[], flags = "") =>
  store.comanda(`orders finalize - --json ${flags}`.trim(), { input: `${ids.join("\n")}\n` });
const delayed = (ms: number) =>
  store.emulator.service.faults.set([{ delay: ms, path: "/finalize", when: "after" }]);

describe("two at once", () => {
  test("on the same list: one sends, the other says so and ends with 8", async () => {
    const ids = await store.orders(4);
    delayed(100);
    const [one, other] = await Promise.all([finalize(ids), finalize([...ids].reverse())]);
    expect([one.code, other.code].sort()).toEqual([0, 8]);
    const busy = one.code === 8 ? one : other;
    expect([busy.stdout, busy.error?.message]).toEqual([
      "",
      expect.stringMatching(/^Process \d+ on .* has had the lease "list of orders/),
    ]);
    expect(store.requests()).toHaveLength(ids.length);
    // Another list, and another change of the same orders, are no matter of theirs.
    const others = await Promise.all([finalize(ids.slice(1)), store.comanda(["orders", "deliver", ...ids])]);
    expect(others.map(({ code }) => code)).toEqual([10, 10]);
  });
});

test("a journal of a newer comanda: nothing is sent, and nothing read", async () => {
  const ids = await store.orders(2);
  await finalize(ids);
  inJournal(store.desk.folder, "update schema_version set version = 1000");
  store.forgetRequests();
  const file = journalFile(store.desk.folder);
  for (const flags of ["--resume", ""]) {
    const { code, error } = await finalize(ids, flags);
    expect([code, error?.message]).toEqual([2, `${file} was written by a newer comanda.`]);
  }
  const one = await store.comanda(`orders finalize ${ids[0] ?? ""}`);
  expect(one.code).toBe(2);
  expect(store.requests()).toEqual([]);
  expect((await store.comanda("history")).code).toBe(2);
});

describe("the disk", () => {
  const file = () => journalFile(store.desk.folder);

  test.skipIf(!smallDiskAvailable)("can only be read: nothing is sent", async () => {
    const ids = await store.orders(2);
    await finalize(ids);
    const disk = mountSmallDisk(256);
    try {
      const folder = path.join(disk.folder, "config");
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      inJournal(store.desk.folder, "pragma wal_checkpoint(truncate)");
      writeFileSync(journalFile(folder), readFileSync(file()), { mode: 0o600 });
      mkdirSync(path.join(folder, "sessions"), { mode: 0o700 });
      const session = path.join("sessions", "s-centro.json");
      writeFileSync(path.join(folder, session), readFileSync(path.join(store.desk.folder, session)), {
        mode: 0o600,
      });
      disk.makeReadOnly();
      store.forgetRequests();
      const env = { COMANDA_CONFIG_DIR: folder, COMANDA_RATE_LIMITS: "off" };
      const line = ["orders", "dispatch", ...(await store.orders(2))];
      const several = await store.comanda(line, { env });
      expect([several.code, several.error?.code]).toEqual([2, "state_unusable"]);
      const one = await store.comanda(line.slice(0, 3), { env });
      expect([one.code, one.error?.code]).toEqual([2, "state_unusable"]);
      expect(store.requests()).toEqual([]);
      const history = await store.comanda("history --json", { env });
      expect(history.stdout.trim().split("\n")).toHaveLength(2);
    } finally {
      disk.remove();
    }
  });
});
