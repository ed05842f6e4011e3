/** The library and the built program share one rate limit, and the service has its own (section 8). */
import { beforeEach, expect, test } from "vitest";

import { createClient } from "../../src/library/index.js";
import { fileSession } from "../../src/library/node.js";
import { Bench } from "../support/bench.js";

let bench: Bench;
beforeEach(async () => {
  bench = await Bench.open();
  await bench.signIn();
  bench.forgetRequests();
});

const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();
const lastDays = { start_date: daysAgo(30), end_date: daysAgo(1) };
const summaryPath = `/api/partner/v1/orders/summary?${new URLSearchParams(lastDays).toString()}`;

test("a client of fileSession and the program share the requests of a minute", async () => {
  const { clientOptions } = await fileSession({ env: { ...bench.machine.env } });
  const client = createClient({ ...clientOptions, maxWaitMs: 0 });
  for (let call = 0; call < 3; call += 1) await client.summary(lastDays);
  for (const expected of [0, 0, 7]) {
    const { code } = await bench.inProcess(["api", "GET", summaryPath, "--max-wait", "0"]);
    expect(code).toBe(expected);
  }
  await expect(client.summary(lastDays)).rejects.toMatchObject({
    code: "rate_limited",
    hint: expect.stringContaining("maxWaitMs") as string,
  });
  const statuses = bench.emulator.service.log.entries().map(({ status }) => status);
  expect(statuses).toEqual([200, 200, 200, 200, 200]);
  const off = await fileSession({ env: { ...bench.machine.env, COMANDA_RATE_LIMITS: "off" } });
  expect(off.clientOptions.rateLimiter).toBe(false);
});

test("requests to another address have their own limit, even with the same credential", async () => {
  const { baseUrl, service } = bench.emulator;
  const [local, named] = [baseUrl, baseUrl.replace("127.0.0.1", "localhost")];
  const token = service.server.install(501).access_token;
  const request = async (address: string) =>
    bench.inProcess(["api", "GET", summaryPath, "--max-wait", "0"], {
      env: { COMANDA_BASE_URL: address, COMANDA_ACCESS_TOKEN: token },
    });
  for (let call = 0; call < 5; call += 1) expect((await request(local)).code).toBe(0);
  const reached = () => service.log.entries().length;
  // The first request isn't sent. The second one is sent, and the service rejects it.
  expect({ ...(await request(local)), reached: reached() }).toMatchObject({ code: 7, reached: 5 });
  expect({ ...(await request(named)), reached: reached() }).toMatchObject({ code: 7, reached: 6 });
});
