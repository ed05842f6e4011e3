/** The rate limit, the wait for it, and what is kept so that nothing is asked twice. */
import { readdirSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";

import { afterEach, beforeEach, describe, expect, it } from "vitest";

import type { Emulator } from "../../../src/emulator/index.js";
import { Desk, tokenFor } from "../../support/desk.js";
import { startEmulator } from "../../support/emulators.js";

let desk: Desk;
let emulator: Emulator;
beforeEach(async () => {
  desk = new Desk();
  emulator = await startEmulator({ orders: 300, seed: 2, now: desk.clock });
  await desk.signIn("centro", emulator.baseUrl, tokenFor(emulator, 501));
});
afterEach(async () => {
  await emulator.close();
  desk.remove();
});

const calls = (status?: number) =>
  emulator.service.log
    .entries()
    .filter((entry) => entry.path.includes("/orders/summary") && (status ?? entry.status) === entry.status)
    .length;
const oneCall = (month: number) => `summary --tz UTC --period 2026-0${month} --json`;

describe("5 calls a minute", () => {
  it("5 calls a minute are counted from run to run, so that the service never has to refuse: the 6th waits", async () => {
    for (const month of [1, 2, 3, 4, 5]) expect((await desk.run(oneCall(month))).code).toBe(0);
    expect(desk.waits).toEqual([]);
    const { code, stderr } = await desk.run(oneCall(6));
    expect({ code, calls: calls(), refused: calls(429) }).toEqual({ code: 0, calls: 6, refused: 0 });
    expect(desk.waits.reduce((sum, ms) => sum + ms, 0)).toBeGreaterThanOrEqual(60_000);
    expect(stderr).toMatch(/1 call, of which the service takes 5 a minute: about 1 min/);
  });

  it("With --max-wait 0 the 6th call ends at once with exit 7, and sends nothing", async () => {
    for (const month of [1, 2, 3, 4, 5]) expect((await desk.run(oneCall(month))).code).toBe(0);
    const { code, stdout } = await desk.run(`${oneCall(6)} --max-wait 0`);
    expect({ code, stdout, calls: calls(), waits: desk.waits }).toEqual({
      code: 7,
      stdout: "",
      calls: 5,
      waits: [],
    });
    // The other endpoint has a limit of its own.
    expect((await desk.run("grouped --tz UTC --by day --period 2026-01 --max-wait 0")).code).toBe(0);
  });

  it("Three years by day take 7 calls, with a line that says how long", async () => {
    const { code, stderr } = await desk.run(
      "grouped --by day --tz America/Sao_Paulo --from 2023-11-21 --to 2026-11-19 --json",
    );
    expect({ code, calls: calls(200), refused: calls(429) }).toEqual({ code: 0, calls: 7, refused: 0 });
    expect(stderr).toMatch(/^7 calls, of which the service takes 5 a minute: about 1 min\.$/m);
    expect(stderr).not.toContain("rate limit is reached");
  });

  it("Where the service counts otherwise and answers 429, it is waited for", async () => {
    const env = { COMANDA_RATE_LIMITS: "off" };
    for (const month of [1, 2, 3, 4, 5]) await desk.run(oneCall(month), { env });
    const { code, stderr } = await desk.run(oneCall(6), { env });
    expect({ code, refused: calls(429), calls: calls(200) }).toEqual({ code: 0, refused: 1, calls: 6 });
    expect(stderr).toContain("asks to slow down");
    expect((await desk.run(`${oneCall(7)} --max-wait 0`, { env })).code).toBe(0);
  });

  it("--max-wait bounds the wait for a 429 too", async () => {
    const env = { COMANDA_RATE_LIMITS: "off" };
    for (const month of [1, 2, 3, 4, 5]) await desk.run(oneCall(month), { env });
    const { code } = await desk.run(`${oneCall(6)} --max-wait 1s`, { env });
    expect({ code, waits: desk.waits }).toEqual({ code: 7, waits: [] });
  });
});

describe("answers that won't change any more", () => {
  it("Settled answers are kept, for the owner's eyes alone: the second time costs no call", async () => {
    const first = await desk.run(oneCall(9));
    const second = await desk.run(oneCall(9));
    expect(second).toEqual(first);
    expect({ calls: calls(), kept: desk.kept().length }).toEqual({ calls: 1, kept: 1 });
    const [name = ""] = desk.kept();
    expect(statSync(path.join(desk.folder, "cache", name)).mode & 0o777).toBe(0o600);
    expect(statSync(path.join(desk.folder, "cache")).mode & 0o777).toBe(0o700);
  });

  it.each([
    ["another filter", "--filter status=closed"],
    ["another date field", "--date-field scheduled_date"],
    ["another zone", "--tz America/Manaus"],
    ["--fresh", "--fresh"],
  ])("A kept answer is not taken for %s", async (_, flags) => {
    await desk.run("summary --period 2026-09 --tz UTC");
    await desk.run(`summary --period 2026-09 --tz UTC ${flags}`);
    expect(calls()).toBe(2);
  });

  it("Kept answers are known by their dimension", async () => {
    for (const by of ["day", "hour", "day"]) await desk.run(`grouped --by ${by} --period 2026-09 --tz UTC`);
    expect(calls()).toBe(2);
  });

  it("No answer is kept for a window that ended less than 6 hours ago, or hasn't", async () => {
    // It is noon in São Paulo: yesterday ended 12 hours ago there, and 6 hours ago in Honolulu is not yet.
    for (const tz of ["Pacific/Honolulu", "Pacific/Pago_Pago"]) {
      await desk.run(`summary --period yesterday --tz ${tz}`);
    }
    for (const period of ["today", "this-month", "2026-11"])
      await desk.run(`summary --period ${period} --tz UTC`);
    expect(desk.kept()).toEqual([]);
    desk.pass(61_000);
    await desk.run("summary --period yesterday --tz America/Sao_Paulo");
    expect(desk.kept()).toHaveLength(1);
  });

  it("A kept answer is another store's after another sign-in, whatever the alias", async () => {
    await desk.run(oneCall(9));
    desk.pass(1_000);
    await desk.signIn("centro", emulator.baseUrl, tokenFor(emulator, 502));
    await desk.run(oneCall(9));
    expect({ calls: calls(), kept: desk.kept().length }).toEqual({ calls: 2, kept: 2 });
  });

  it.each([
    ["damaged", "{"],
    ["of another form", '{"version":1,"key":"","answer":{}}'],
    ["empty", ""],
  ])("A kept answer is asked for again where its file is %s", async (_, text) => {
    const { stdout } = await desk.run(oneCall(9));
    for (const name of readdirSync(path.join(desk.folder, "cache"))) {
      writeFileSync(path.join(desk.folder, "cache", name), text);
    }
    const again = await desk.run(oneCall(9));
    expect({ code: again.code, stdout: again.stdout, calls: calls() }).toEqual({ code: 0, stdout, calls: 2 });
    expect((await desk.run(oneCall(9))).stdout).toBe(stdout);
    expect(calls()).toBe(2);
  });

  it("Kept answers are forgotten by cache clear", async () => {
    await desk.run(oneCall(9));
    await desk.run(oneCall(8));
    expect((await desk.run("cache clear --json")).stdout).toBe('{"removed":2}\n');
    expect(desk.kept()).toEqual([]);
    expect((await desk.run("cache clear")).stdout).toBe("0 answers were forgotten.\n");
    await desk.run(oneCall(9));
    expect(calls()).toBe(3);
  });
});
