/**
 * Every test file ends with a look at what the service was asked and answered: see watch-exchanges.ts. This is that
 * nothing of it is missed.
 */

import { afterAll, beforeAll, expect, test } from "vitest";

import { Bench } from "../support/bench.js";
import { recordedExchanges } from "../support/exchanges.js";
import { mismatches } from "../support/mismatches.js";

let bench: Bench;
beforeAll(async () => {
  bench = await Bench.open();
  await bench.signIn();
});
afterAll(async () => {
  await bench.close();
});

const shortly = () =>
  recordedExchanges().map(
    ({ method, path, status }) => `${method} ${path.replace(/\d{5,}/, "ID")} ${status}`,
  );
const last = () => {
  const exchange = recordedExchanges().at(-1);
  if (!exchange) throw new Error("nothing was recorded");
  return exchange;
};

test("sees what an emulator of the tests was asked", async () => {
  const id = await bench.order();
  await bench.inProcess(["driver", "assign", id, "11", "--fee", "8.29"]);
  expect(shortly()).toEqual([
    "POST /api/partner/oauth/token 200",
    "PUT /api/partner/v1/orders/ID/driver 200",
  ]);
  expect(last()).toMatchObject({ pid: process.pid, body: '{"driver_id":11,"driver_fee":8.29}' });
  expect(JSON.parse(last().answer)).toMatchObject({ driver_fee: 8.29 });
});

test("sees what an emulator that the program started was asked", async () => {
  const line = "comanda emulator exec -- sh -c 'comanda orders cancel 999999 --json'";
  expect((await bench.machine.shell(line)).code).toBe(5);
  expect(last()).toMatchObject({ method: "POST", path: "/api/partner/v1/orders/999999/cancel", status: 404 });
  expect(last().pid).not.toBe(process.pid);
});

test("leaves out what a fault answered, and nothing else", async () => {
  bench.emulator.service.faults.set([{ html: true }]);
  await bench.inProcess("orders dispatch 1");
  expect(last()).toMatchObject({ fault: "html", status: 200 });
  bench.emulator.service.faults.set([{ delay: 0 }]);
  await bench.inProcess("orders dispatch 1");
  expect(last()).not.toHaveProperty("fault");
  bench.emulator.service.faults.set([]);
});

test("would find a request and an answer that don't fit", () => {
  const [token, driver] = recordedExchanges();
  if (!token || !driver) throw new Error("too little was recorded");
  expect(mismatches([token, driver])).toEqual([]);
  expect(mismatches([{ ...driver, body: '{"driver_id":"11"}' }])).toHaveLength(1);
  expect(mismatches([{ ...driver, answer: driver.answer.replace(/"id":\d+/, '"id":"x"') }])).toHaveLength(1);
  expect(mismatches([{ ...driver, path: "/api/partner/v1/orders" }])).toHaveLength(1);
  expect(mismatches([{ ...token, answer: "{}" }])).toHaveLength(1);
});
