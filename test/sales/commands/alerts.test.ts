/** `--alert`: cron's mail becomes the alarm. */
import { afterAll, beforeAll, expect, test } from "vitest";

import { grouped } from "../../../src/sales/commands/grouped.js";
import { summary } from "../../../src/sales/commands/summary.js";
import type { Emulator } from "../../../src/emulator/index.js";
import { Desk, tokenFor } from "../../support/desk.js";
import { orderOf } from "../../emulator/summary/fixture.js";
import { startEmulator } from "../../support/emulators.js";
import { parse } from "../../support/parse.js";

const desk = new Desk({ COMANDA_RATE_LIMITS: "off" });
let emulator: Emulator;
let silent: Emulator;
beforeAll(async () => {
  silent = await startEmulator({ orders: 0, now: desk.clock, rateLimits: false });
  await marketplaceFellSilent();
  emulator = await startEmulator({ orders: 12_000, seed: 9, now: desk.clock, rateLimits: false });
  await desk.signIn("centro", emulator.baseUrl, tokenFor(emulator, 501));
});
afterAll(async () => {
  await Promise.all([emulator.close(), silent.close()]);
  desk.remove();
});

const day = "--period 2026-11-18 --tz America/Sao_Paulo";
/** Orders of a local day of the store, counted plainly. */
function ordersOn(date: string): number {
  const start = Date.parse(`${date}T03:00:00Z`);
  return emulator.world.orders
    .ofStore(501)
    .filter(({ createdAt }) => createdAt >= start && createdAt < start + 86_400_000).length;
}

test("An alert that holds prints the figure and the reason, and ends with 11; one that doesn't is quiet", async () => {
  const orders = ordersOn("2026-11-18");
  const held = await desk.run(
    `summary --store centro ${day} --alert orders<${orders + 1} --alert revenue<0.01`,
  );
  expect(held).toMatchObject({
    code: 11,
    stdout: `centro, 2026-11-18 (America/Sao_Paulo): orders is ${orders}: orders<${orders + 1}\n`,
  });
  expect(held.stderr).toContain(`An alert holds: orders<${orders + 1}.`);
  const quiet = await desk.run(`summary --store centro ${day} --alert orders<1`);
  expect(quiet).toMatchObject({ code: 0, stdout: "", stderr: "" });
});

test("An alert against the median of the weekday takes one call for the days of 8 weeks", async () => {
  const wednesdays = Array.from({ length: 8 }, (_, week) =>
    new Date(Date.parse("2026-11-11T12:00:00Z") - week * 7 * 86_400_000).toISOString().slice(0, 10),
  );
  const counts = wednesdays
    .map(ordersOn)
    .filter((count) => count > 0)
    .toSorted((a, b) => a - b);
  const [low = 0, high = 0] = [
    counts[Math.ceil(counts.length / 2) - 1],
    counts[Math.floor(counts.length / 2)],
  ];
  emulator.service.log.clear();
  const { code, stdout } = await desk.run(
    `summary --store centro ${day} --json --fresh --alert orders>=-100% --baseline weekday-median:8`,
  );
  expect(code).toBe(11);
  expect((JSON.parse(stdout) as { alerts: unknown }).alerts).toEqual([
    { rule: "orders>=-100%", holds: true, value: ordersOn("2026-11-18"), baseline: (low + high) / 2 },
  ]);
  expect(emulator.service.log.entries().map(({ path }) => path.replace(/\?.*/, ""))).toEqual([
    "/api/partner/v1/orders/summary",
    "/api/partner/v1/orders/summary/grouped",
  ]);
});

test("An alert on groups names the group, and goes by the comparison or the weekday of each day", async () => {
  const { code, stdout } = await desk.run(
    `grouped --store centro --by day ${day} --alert orders>=-100% --baseline weekday-median:4`,
  );
  expect(code).toBe(11);
  expect(stdout).toMatch(
    /^centro, 2026-11-18 \(America\/Sao_Paulo\), 2026-11-18: orders is \d+, against [\d.]+ \(/,
  );
  const compared = await desk.run(
    `grouped --store centro --by status ${day} --compare week --alert orders>=-100% --json`,
  );
  expect(compared.code).toBe(11);
  expect((JSON.parse(compared.stdout) as { alerts: object[] }).alerts).toContainEqual(
    expect.objectContaining({ rule: "orders>=-100%", key: "closed", holds: true }),
  );
});

/** For 9 weeks 2 orders of the catalog at noon and 2 of a marketplace in the evening, but on the last two days. */
async function marketplaceFellSilent(): Promise<void> {
  const { world, baseUrl } = silent;
  const add = (date: string, hour: number, salesChannel: string) => {
    const createdAt = Date.parse(`${date}T${hour}:00:00-03:00`);
    for (let count = 0; count < 2; count += 1)
      world.orders.add(orderOf({ id: world.orders.nextId, storeId: 501, salesChannel, createdAt }));
  };
  for (let back = 0; back < 63; back += 1) {
    const date = new Date(Date.parse("2026-11-18") - back * 86_400_000).toISOString().slice(0, 10);
    if (date !== "2026-11-17") add(date, 12, "catalog");
    if (date < "2026-11-17") add(date, 20, "marketplace_a");
  }
  await desk.signIn("vila", baseUrl, tokenFor(silent, 501));
}

test.each([
  ["sales_channel", "--alert orders<2", "marketplace_a: orders is 0: orders<2"],
  [
    "sales_channel",
    "--alert revenue<-50% --compare week",
    "marketplace_a: revenue is 0.00, against 20.00 (-100%)",
  ],
  [
    "sales_channel",
    "--alert orders<-50% --baseline weekday-median:4",
    "marketplace_a: orders is 0, against 2 (-100%)",
  ],
  ["hour", "--alert orders<2", "20:00: orders is 0: orders<2"],
  ["hour", "--alert orders<-50% --baseline weekday-median:8", "20:00: orders is 0, against 2 (-100%)"],
])("A group by %s that had orders and has none is an alarm: %s", async (dimension, options, text) => {
  const line = `grouped --store vila --by ${dimension} ${day} ${options}`;
  const { code, stdout, stderr } = await desk.run(line);
  expect({ code, lines: stdout.trimEnd().split("\n").length }).toEqual({ code: 11, lines: 1 });
  expect(stdout).toContain(text);
  expect(stderr).not.toContain("closed");
});

test.each(["", " --filter sales_channel=marketplace_a"])(
  "A store that was closed is said once for all of its groups, and is no alarm%s",
  async (filter) => {
    for (const command of ["summary", "grouped --by sales_channel", "grouped --by hour"]) {
      const { code, stdout, stderr } = await desk.run(
        `${command} --store vila --period 2026-11-17 --tz America/Sao_Paulo --alert revenue<10${filter}`,
      );
      expect({ code, stdout }, command).toEqual({ code: 0, stdout: "" });
      expect(stderr).toContain('vila: no orders, so it was closed; "revenue<10" is not judged.');
    }
  },
);

test("A channel that a filter names is judged where the store was open, day by day too", async () => {
  const filter =
    "--store vila --tz America/Sao_Paulo --filter sales_channel=marketplace_a --alert revenue<10";
  const one = await desk.run(`summary --period 2026-11-18 ${filter}`);
  expect(one).toMatchObject({
    code: 11,
    stdout: expect.stringContaining("revenue is 0.00: revenue<10") as unknown,
  });
  const days = await desk.run(`grouped --by day --from 2026-11-16 --to 2026-11-18 ${filter}`);
  expect(days).toMatchObject({
    code: 11,
    stdout: expect.stringMatching(/^vila.*2026-11-18: revenue is 0.00.*\n$/) as unknown,
  });
  expect(days.stderr).toContain('vila, 2026-11-17: no orders, so it was closed; "revenue<10" is not judged.');
  const kept = await desk.run(`summary --period 2026-11-16 --offline ${filter} --alert average<5`);
  expect(kept.stderr).toBe("");
});

test("Where nothing may be asked, and all orders aren't kept, it is said that nothing tells", async () => {
  const line = "summary --store vila --period 2026-11-15 --tz America/Sao_Paulo --filter total>=999999";
  await desk.run(line);
  const { code, stderr } = await desk.run(`${line} --offline --alert revenue<10`);
  expect(code).toBe(0);
  expect(stderr).toContain("vila: no orders, and nothing that is kept tells whether it was closed;");
});

test("A running day has no median of whole days: exit 2", async () => {
  const { code, stderr } = await desk.run(
    `summary --store centro --period today --alert orders<-5% --baseline weekday-median:8`,
  );
  expect({ code, named: stderr.includes("--period yesterday") }).toEqual({ code: 2, named: true });
});

test.each([
  ["--alert profit<5", "invalid_input"],
  ["--alert revenue<-30%", "usage"],
  ["--alert revenue<-30% --compare week --baseline weekday-median:8", "usage"],
  ["--baseline weekday-median:8", "usage"],
  ["--alert revenue<-30% --baseline mean:8", "invalid_input"],
])("summary refuses %s as %s", async (line, code) => {
  await expect(parse(summary, ...line.split(" "))).rejects.toMatchObject({ code });
  await expect(parse(grouped, "--by", "day", ...line.split(" "))).rejects.toMatchObject({ code });
});
