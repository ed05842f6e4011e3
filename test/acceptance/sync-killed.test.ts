/** `comanda sync` under `kill -9`: what was answered before is kept, and the next run goes on from there. */
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";

import { expect, test } from "vitest";

import { openSqlite } from "../../src/state/sqlite/sqlite-driver.js";
import { Bench } from "../support/bench.js";
import { parseJson } from "../support/json.js";

test("A sync that is killed has kept all answers but the one under way, and none of them in part", async () => {
  const bench = await Bench.open({ rateLimits: false, env: { COMANDA_RATE_LIMITS: "off" } });
  try {
    await bench.signIn();
    const asked = () =>
      bench.emulator.service.log.entries().filter(({ path: of }) => of.includes("/orders/summary")).length;
    const line = ["sync", "--dimensions", "status,hour", "--days", "40", "--tz", "UTC", "--json"];
    const running = bench.machine.start(line);
    while (asked() < 20) await delay(2);
    running.child.kill("SIGKILL");
    expect(await running.finished).toMatchObject({ signal: "SIGKILL", stdout: "" });
    const before = asked();
    const sales = openSqlite(path.join(bench.machine.configFolder, "data", "sales.db"));
    const kept = sales.prepare("select id from answers").all().length;
    expect(sales.prepare("pragma integrity_check").all()).toEqual([{ integrity_check: "ok" }]);
    sales.close();
    expect(kept).toBeGreaterThanOrEqual(before - 1);
    expect(kept).toBeLessThan(80);
    const { code, stdout } = await bench.comanda(line);
    expect({ code, value: parseJson(stdout) }).toMatchObject({
      code: 0,
      value: { calls: 80 - kept, restated: [] },
    });
  } finally {
    await bench.close();
  }
});
