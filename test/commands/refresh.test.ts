/** Commands renew tokens, or say that a new sign-in is required. */
import { readFileSync } from "node:fs";
import path from "node:path";

import { beforeEach, expect, test } from "vitest";

import { openSqlite } from "../../src/state/sqlite.js";
import { jumpingClock } from "../client/support/clock.js";
import { Bench, containing } from "../support/bench.js";
import { readSession } from "../support/stored-session.js";

let bench: Bench;
beforeEach(async () => {
  bench = await Bench.open();
});

const tokenPath = "POST /api/partner/oauth/token";
const session = () => readSession(bench.machine.configFolder);
const dispatchOf = (order: string) => `POST /api/partner/v1/orders/${order}/dispatch`;

test("a rejected token causes one refresh and one retry, whatever their result", async () => {
  await bench.signIn();
  const { clientId: client_id, service } = bench.emulator;
  service.server.revoke({ client_id, token: session().tokens.access_token });
  bench.forgetRequests();
  const order = await bench.order();
  expect((await bench.inProcess(`orders dispatch ${order}`)).code).toBe(0);
  expect(bench.requests()).toEqual([dispatchOf(order), tokenPath, dispatchOf(order)]);
  expect(session().tokens.generation).toBe(2);

  service.faults.set([{ status: 401, path: "/dispatch", body: "{}" }]);
  bench.forgetRequests();
  const ran = await bench.inProcess("orders dispatch 7");
  expect(ran).toMatchObject({ code: 3, stderr: containing("comanda login") });
  expect(bench.requests()).toEqual([dispatchOf("7"), tokenPath, dispatchOf("7")]);
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
