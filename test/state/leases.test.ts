import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { setTimeout as delay } from "node:timers/promises";

import { describe, expect, onTestFinished, test, vi } from "vitest";

import { systemClock } from "../../src/base/clock.js";
import type { Database } from "../../src/state/database.js";
import type { Lease, LeasesContext } from "../../src/state/leases.js";
import { jumpingClock } from "../client/support/clock.js";
import { createDatabase, engines, leasesIn } from "./support/states.js";
import { rejection } from "../support/rejection.js";

const nothing = () => Promise.resolve();

interface Elsewhere {
  readonly host?: string;
  readonly processTable: (own: string) => string;
  readonly untilAt?: number;
}

describe.each(engines)("leases in $name", (engine) => {
  test("are exclusive, independent of other names, and released after an error", async () => {
    const open = await createDatabase(engine);
    const [one, other] = [leasesIn(open), leasesIn(open)];
    let [inside, most] = [0, 0];
    const work = async () => {
      most = Math.max(most, (inside += 1));
      await delay(2);
      inside -= 1;
    };
    const failing = one("x", () => Promise.reject(new Error("no")));
    await expect(failing).rejects.toThrow("no");
    await Promise.all([one, other, one, other].map((withLease) => withLease("x", work)));
    expect(most).toBe(1);
    expect(await one("x", () => other("y", () => Promise.resolve("both")))).toBe("both");
  });

  test("exclude another copy of the package in this thread", async () => {
    const open = await createDatabase(engine);
    vi.resetModules();
    const copy = await import("../../src/state/leases.js");
    const context = { database: open, clock: systemClock };
    const take = () => copy.underLease(context, "x", () => Promise.resolve("taken"), { waitMs: 0 });
    await leasesIn(open)("x", async () => {
      await expect(take()).rejects.toMatchObject({ code: "lock_timeout" });
    });
    expect(await take()).toBe("taken");
  });

  test("of a living process cause a timeout with its id and start time", async () => {
    const open = await createDatabase(engine);
    await leasesIn(open)("x", async () => {
      const clock = jumpingClock();
      const patient = leasesIn(open, { clock });
      const error = await rejection("lock_timeout", () => patient("x", nothing, { waitMs: 3_000 }));
      expect(clock.now() - jumpingClock().now()).toBe(3_000);
      expect(error.exitCode).toBe(8);
      expect(error.message).toMatch(
        new RegExp(`^Process ${process.pid} on .* has held the lock "x" since 20.*gave up after 3 s\\.$`),
      );
      // The hint must not propose to kill this process itself.
      expect(error.hint).not.toContain("kill");
    });
    expect(await leasesIn(open)("x", () => Promise.resolve("free"))).toBe("free");
  });

  test("remain held by a suspended process of this machine after their expiry, and are free once it ends", async () => {
    const open = await createDatabase(engine);
    const database = await open();
    const child = spawn("sleep", ["60"]);
    onTestFinished(() => void child.kill("SIGKILL"));
    await once(child, "spawn");
    await leasesIn(open)("x", async () => {
      await database.run(
        `insert into leases (name, id, host, pid, started, process_table, since_at, until_at)
         select 'y', 'id', host, $1, $2, process_table, 0, 0 from leases where name = 'x'`,
        ...[child.pid ?? 0, startOf(child.pid)],
      );
    });
    child.kill("SIGSTOP");
    const short = { waitMs: 50 };
    const { hint } = await rejection("lock_timeout", () => leasesIn(open)("y", nothing, short));
    expect(hint).toContain(`\`kill ${child.pid}\``);
    child.kill("SIGKILL");
    await once(child, "exit");
    expect(await leasesIn(open)("y", () => Promise.resolve("taken"), short)).toBe("taken");
  });

  /** Inserts a lease "y" of a process elsewhere with the same id and start time as this one. */
  async function heldElsewhere(open: () => Promise<Database>, { host, processTable, untilAt }: Elsewhere) {
    const database = await open();
    await leasesIn(open)("x", async () => {
      const columns = { host: "text", process_table: "text" } as const;
      const [own] = await database.rows(columns, "select host, process_table from leases where name = 'x'");
      await database.run(
        `insert into leases (name, id, host, pid, started, process_table, since_at, until_at)
         select 'y', 'id', $1, pid, started, $2, $3, $4 from leases where name = 'x'`,
        host ?? own?.host ?? "",
        processTable(own?.process_table ?? ""),
        ...[8.7e15, untilAt ?? (await database.now()) + 90_000],
      );
    });
    return (waitMs = 0, options: Partial<LeasesContext> = {}) =>
      leasesIn(open, options)("y", () => Promise.resolve("taken"), { waitMs });
  }
  const otherBoot = (table: string) => table.replace(/^\S+/, "3f1c8a52-0000-4000-8000-000000000000");

  test.runIf(process.platform === "linux")("from before the last boot are free at once", async () => {
    const take = await heldElsewhere(await createDatabase(engine), { processTable: otherBoot });
    expect(await take()).toBe("taken");
  });

  test.runIf(process.platform === "linux").each<[string, Elsewhere, Partial<LeasesContext>]>([
    ["another pid namespace", { processTable: (table) => `${table}0` }, {}],
    ["another machine", { host: "till", processTable: otherBoot }, {}],
    ["another thread of this process", { processTable: (table) => table }, {}],
    ["another machine of the same name in a chain", { processTable: otherBoot }, { isShared: true }],
  ])("of %s are held until their expiry, without a hint to kill a process", async (_, elsewhere, options) => {
    const take = await heldElsewhere(await createDatabase(engine), elsewhere);
    const { message, hint } = await rejection("lock_timeout", () => take(0, options));
    expect(message).toContain(`Process ${process.pid} on `);
    expect(hint).toMatch(/its lock expires within (?:90|89|88) s\.$/);
    expect(hint).not.toContain("kill");
  });

  const tooFarAhead = [30 * 24 * 3_600_000, 8.64e15];
  test.each(tooFarAhead)(
    "that a wrong clock made expire %d ms ahead expire as if taken now",
    async (aheadMs) => {
      const open = await createDatabase(engine);
      const untilAt = Date.now() + aheadMs;
      const take = await heldElsewhere(open, { host: "till", processTable: () => "till", untilAt });
      const begun = Date.now();
      await rejection("lock_timeout", () => take(50, { leaseMs: 400 }));
      expect(await take(5000, { leaseMs: 400 })).toBe("taken");
      expect(Date.now() - begun).toBeGreaterThanOrEqual(400);
    },
  );

  test("of another machine end when they expire, and its work starts again when it resumes", async () => {
    const open = await createDatabase(engine);
    const leaseMs = 300;
    const [one, other] = ["one", "other"].map((machine) => leasesIn(open, { machine, leaseMs }));
    const log: string[] = [];
    const late = one?.("x", async (lease) => {
      log.push(`one, ${lease.leftMs() > 0}`);
      await lease.extend();
      // It is suspended until the other machine has had the lease.
      while (log.length === 1) await delay(5);
      lease.assertHeld();
      log.push("one again");
    });
    while (log.length === 0) await delay(5);
    await other?.("x", () => Promise.resolve(log.push("other")));
    await late;
    expect(log).toEqual(["one, true", "other", "one, true", "one again"]);
  });

  test.each([
    ["has taken", "update leases set id = 'other', host = 'till', process_table = 'till' where name = 'x'"],
    ["has taken and released", "delete from leases"],
  ])("that another process %s can't be extended, and the work starts three times at most", async (_, sql) => {
    const open = await createDatabase(engine);
    const database = await open();
    let turns = 0;
    const work = async (lease: Lease) => {
      turns += 1;
      await database.run(sql);
      try {
        await lease.extend();
      } finally {
        await database.run("delete from leases");
      }
    };
    const error = await rejection("lock_timeout", () => leasesIn(open)("x", work));
    expect(error.exitCode).toBe(8);
    expect(turns).toBe(3);
  });

  test("can be waited for until a signal, after which only a free lease can be taken", async () => {
    const open = await createDatabase(engine);
    const interrupt = new AbortController();
    const withLease = leasesIn(open, { signal: interrupt.signal });
    await leasesIn(open)("x", async () => {
      const waiting = withLease("x", nothing);
      await delay(20);
      interrupt.abort(new Error("interrupted"));
      await expect(waiting).rejects.toThrow("interrupted");
    });
    expect(await withLease("y", () => Promise.resolve("taken"))).toBe("taken");
  });
});

function startOf(pid = 0): string | null {
  const { stdout } = spawnSync("cat", [`/proc/${pid}/stat`], { encoding: "utf8" });
  return stdout.slice(stdout.lastIndexOf(")") + 2).split(" ")[19] ?? null;
}
