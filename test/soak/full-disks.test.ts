/** Runs of many orders on disks that fill up at any moment, gone on with when there is room: nothing is sent twice or lost. */
import path from "node:path";

import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { Bench } from "../support/bench.js";
import { filesIn } from "../support/folder-state.js";
import { inJournal } from "../support/journal.js";
import { mountSmallDisk, smallDiskAvailable, type SmallDisk } from "../support/small-disk.js";
import { minutes, sized, tellFigure, timeLimit } from "../support/soak.js";
import { outcomesIn, ToldOrders } from "./support/told-orders.js";

const disks = sized({ test: 4, search: 8, soak: 200 });
const ordersOfARun = 40;

describe.skipIf(!smallDiskAvailable)("on disks of 16 MiB", () => {
  let disk: SmallDisk;
  let bench: Bench;
  beforeAll(async () => {
    disk = mountSmallDisk(4096);
    const env = { COMANDA_RATE_LIMITS: "off", COMANDA_CONFIG_DIR: path.join(disk.folder, "config") };
    bench = await Bench.open({ env });
    bench.emulator.service.limiter.enabled = false;
    await bench.signIn();
  });
  afterAll(async () => {
    await bench.close();
    disk.remove();
  });

  /** The disk has room for so many blocks from the moment on at which the service has seen so many requests. */
  async function runOnFillingDisk(orders: readonly string[], fillAfter: number, left: number) {
    const fill = setInterval(() => {
      if (bench.requests().length < fillAfter) return;
      clearInterval(fill);
      disk.fill(left);
    }, 0);
    if (fillAfter === 0) disk.fill(left);
    const ended = await run("orders dispatch - --json", orders);
    clearInterval(fill);
    return ended;
  }

  const run = (line: string, orders: readonly string[]) =>
    bench.inProcess(line, { input: orders.join("\n") });

  test(
    `${disks} that fill up: no order is sent twice, and each is told of`,
    async () => {
      const told = new ToldOrders();
      let [cutShort, sentWithout] = [0, 0];
      for (let round = 0; round < disks; round += 1) {
        // Room that SQLite has on the disk already is no room that it lacks.
        if (round > 0) inJournal(bench.machine.configFolder, "pragma wal_checkpoint(truncate)");
        bench.forgetRequests();
        const orders = await Promise.all(Array.from({ length: ordersOfARun }, () => bench.order()));
        // From before the first order to the last one, with room for nothing or for a few lines.
        const fillAfter = round % ordersOfARun;
        const first = await runOnFillingDisk(orders, fillAfter, round % 3);
        expect([0, 2, 10]).toContain(first.code);
        const sentByFirst = bench.requests().length;
        disk.empty();
        let last = first;
        if (first.code !== 0) {
          cutShort += 1;
          last = await run("orders dispatch - --json --resume", orders);
          // Where not even the run could be written down, nothing was sent, and there is nothing to go on with.
          if (last.code === 2) {
            sentWithout += sentByFirst;
            last = await run("orders dispatch - --json", orders);
          }
        }
        expect([0, 10]).toContain(last.code);
        told.add(bench, orders, outcomesIn(last.stdout));
      }
      const of = `${disks} full disks`;
      told.tell(of);
      tellFigure({ what: "orders sent without a journal", of, wanted: 0, seen: sentWithout });
      tellFigure({ what: "runs that were cut short", of, seen: cutShort });
      expect({ faults: told.faults, sentWithout }).toEqual({ faults: [], sentWithout: 0 });
      expect(cutShort).toBeGreaterThan(0);
      expect(filesIn(disk.folder).filter((name) => name.includes(".tmp"))).toEqual([]);
    },
    timeLimit(20 * minutes),
  );
});
