/** What a started process adds to the status changes of test/commands/orders: exit code, streams, stdin. */
import { afterAll, beforeAll, expect, test } from "vitest";

import { Bench } from "../support/bench.js";
import { parseJson, parseJsonLines } from "../support/json.js";

let bench: Bench;
beforeAll(async () => {
  bench = await Bench.open();
  await bench.signIn();
});
afterAll(() => bench.close());

test("one order: its outcome on stdout, the error on stderr, and the exit code", async () => {
  const order = await bench.order();
  const done = { code: 0, signal: null, stdout: `Order ${order} dispatched.\n`, stderr: "" };
  expect(await bench.comanda(`orders dispatch ${order}`)).toEqual(done);
  const refused = await bench.comanda(`orders dispatch ${order} --json`);
  expect(refused.code).toBe(6);
  expect(parseJson(refused.stdout)).toMatchObject({ order_id: order, outcome: "refused" });
  expect(parseJson(refused.stderr)).toMatchObject({
    error: { exit_code: 6, code: "status_conflict", service_code: 4002 },
  });
});

test("a list on stdin: an outcome a line, and exit 10 where one is not done", async () => {
  const ids = [await bench.order(), "99999999", await bench.order()];
  const { code, stdout } = await bench.comanda("orders dispatch - --json", { input: ids.join("\r\n") });
  expect(code).toBe(10);
  expect(parseJsonLines(stdout)).toHaveLength(3);
});

test("a closed stdin is an error, not a fault", async () => {
  const { code, stdout, stderr } = await bench.machine.shell("comanda orders dispatch - <&-");
  expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
  expect(stderr).toMatch(/^error: .*stdin.*\n {2}\S/);
});

test("a closed stdin is no matter where nothing is read from it", async () => {
  const order = await bench.order();
  expect((await bench.machine.shell(`comanda orders dispatch ${order} <&-`)).code).toBe(0);
});

test("a driver is assigned", async () => {
  const order = await bench.order();
  const { code, stdout } = await bench.comanda(`driver assign ${order} 11 --fee 7.50 --json`);
  expect(code).toBe(0);
  expect(parseJson(stdout)).toMatchObject({ id: Number(order), driver_id: 11, driver_fee: 7.5 });
});
