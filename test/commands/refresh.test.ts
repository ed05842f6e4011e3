/** Commands renew tokens, or say that a new sign-in is required. */
import { readFileSync } from "node:fs";
import path from "node:path";

import { beforeEach, expect, test } from "vitest";

import { openSqlite } from "../../src/state/sqlite.js";
import { jumpingClock } from "../client/support/clock.js";
import { Bench, containing } from "../support/bench.js";

let bench: Bench;
beforeEach(async () => {
  bench = await Bench.open();
});

test("a rejected token causes one refresh and one retry, even if that is rejected, too", async () => {
  await bench.signIn();
  bench.emulator.service.faults.set([{ status: 401, path: "/dispatch", body: "{}" }]);
  bench.forgetRequests();
  const ran = await bench.inProcess("orders dispatch 7");
  expect(ran).toMatchObject({ code: 3, stderr: containing("comanda login") });
  const dispatch = "POST /api/partner/v1/orders/7/dispatch";
  expect(bench.requests()).toEqual([dispatch, "POST /api/partner/oauth/token", dispatch]);
});

test.runIf(process.platform === "linux")("--max-wait limits the wait for another renewal", async () => {
  await bench.signInExpired();
  const database = openSqlite(path.join(bench.machine.configFolder, "comanda.db"));
  const boot = readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
  // Another machine's lease doesn't end before it expires.
  database.exec(
    `insert into leases values ('s-centro', 'id', 'till', 1, '1', '${boot} elsewhere', 0, ${Date.now() + 90_000})`,
  );
  database.close();
  const clock = jumpingClock(Date.now());
  const begun = clock.now();
  const { code, stderr } = await bench.inProcess("orders dispatch 7 --max-wait 10s", { clock });
  expect({ code, stderr }).toMatchObject({ code: 8, stderr: containing("gave up after 10 s") });
  expect(clock.now() - begun).toBe(10_000);
  expect(bench.requests()).toEqual([]);
});
