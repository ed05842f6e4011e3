/** `--alert`: cron's mail becomes the alarm. */
import { afterAll, beforeAll, expect, test } from "vitest";

import { grouped } from "../../../src/commands/grouped.js";
import { summary } from "../../../src/commands/summary.js";
import type { Emulator } from "../../../src/emulator/index.js";
import { Desk, tokenFor } from "../../support/desk.js";
import { startEmulator } from "../../support/emulators.js";
import { parse } from "../../support/parse.js";

const desk = new Desk({ COMANDA_RATE_LIMITS: "off" });
let emulator: Emulator;
beforeAll(async () => {
  emulator = await startEmulator({ orders: 12_000, seed: 9, now: desk.clock, rateLimits: false });
  await desk.signIn("centro", emulator.baseUrl, tokenFor(emulator, 501));
});
afterAll(async () => {
  await emulator.close();
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
  const held = await desk.run(`summary ${day} --alert orders<${orders + 1} --alert revenue<0.01`);
  expect(held).toMatchObject({
    code: 11,
    stdout: `centro, 2026-11-18 (America/Sao_Paulo): orders is ${orders}: orders<${orders + 1}\n`,
  });
  expect(held.stderr).toContain(`An alert holds: orders<${orders + 1}.`);
  const quiet = await desk.run(`summary ${day} --alert orders<1`);
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
    `summary ${day} --json --fresh --alert orders>=-100% --baseline weekday-median:8`,
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

test("A store that was closed is said, and is no alarm", async () => {
  const line = `summary ${day} --filter total>=999999 --alert revenue<10 --alert revenue<-5% --compare week`;
  const { code, stdout, stderr } = await desk.run(line);
  expect({ code, stdout }).toEqual({ code: 0, stdout: "" });
  expect(stderr).toContain('centro: no orders, so it was closed; "revenue<10" is not judged.');
});

test("An alert on groups names the group, and goes by the comparison or the weekday of each day", async () => {
  const { code, stdout } = await desk.run(
    `grouped --by day ${day} --alert orders>=-100% --baseline weekday-median:4`,
  );
  expect(code).toBe(11);
  expect(stdout).toMatch(
    /^centro, 2026-11-18 \(America\/Sao_Paulo\), 18\/11\/2026: orders is \d+, against [\d.]+ \(/,
  );
  const compared = await desk.run(`grouped --by status ${day} --compare week --alert orders>=-100% --json`);
  expect(compared.code).toBe(11);
  expect((JSON.parse(compared.stdout) as { alerts: object[] }).alerts).toContainEqual(
    expect.objectContaining({ rule: "orders>=-100%", key: "closed", holds: true }),
  );
});

test("A running day has no median of whole days: exit 2", async () => {
  const { code, stderr } = await desk.run(
    `summary --period today --alert orders<-5% --baseline weekday-median:8`,
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
