/** Answers that are kept on this machine: what they are answers to, how old they may be, and who may read them. */
import { readdirSync, statSync, symlinkSync, mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";

import { afterEach, beforeEach, describe, expect, test } from "vitest";

import type { Emulator } from "../../../src/emulator/index.js";
import { Desk, tokenFor } from "../../support/desk.js";
import { startEmulator } from "../../support/emulators.js";
import { parseJson } from "../../support/json.js";

const dayMs = 24 * 60 * 60_000;

let desk: Desk;
let emulator: Emulator;
beforeEach(async () => {
  desk = new Desk({ COMANDA_RATE_LIMITS: "off" });
  emulator = await startEmulator({ orders: 200, seed: 8, now: desk.clock, rateLimits: false });
  await signIn();
});
afterEach(async () => {
  await emulator.close();
  desk.remove();
});

const calls = () =>
  emulator.service.log.entries().filter(({ path: of }) => of.includes("/orders/summary")).length;
/** Time goes by; a token lives two hours. */
const pass = async (days: number) => {
  desk.pass(days * dayMs);
  await signIn({ signed_in_at: 1 });
};
const signIn = (kept: { signed_in_at?: number } = { signed_in_at: 1 }) =>
  desk.signIn("centro", emulator.baseUrl, tokenFor(emulator, 501), (session) => ({ ...session, ...kept }));
const september = "summary --period 2026-09 --tz UTC";
const figuresOf = (stdout: string) => {
  const { kept, ...figures } = parseJson(stdout) as { kept: boolean };
  return { kept, figures };
};

describe("a kept answer", () => {
  test("costs no call, says when it was asked for and that it was kept", async () => {
    const first = figuresOf((await desk.run(`${september} --json`)).stdout);
    desk.pass(60_000);
    const second = figuresOf((await desk.run(`${september} --json`)).stdout);
    expect(first.figures).toMatchObject({ asked_at: "2026-11-20T15:00:00.000Z" });
    expect(second).toEqual({ figures: first.figures, kept: true });
    expect({ kept: first.kept, calls: calls() }).toEqual({ kept: false, calls: 1 });
    const { stderr } = await desk.run(september, { looksOn: true });
    expect(stderr).toContain("2026-09-01 to 2026-09-30 (UTC), as of 2026-11-20 15:00\n");
  });

  test("lies in a file of its store and month, for the owner's eyes alone, in a form that is documented", async () => {
    await desk.run("grouped --by status --period 2026-09 --tz UTC --filter status=closed,delivered");
    expect(desk.kept()).toEqual([
      {
        version: 1,
        asked_at: "2026-11-20T15:00:00.000Z",
        store: "centro",
        environment: emulator.baseUrl,
        sign_in: "1970-01-01T00:00:00.001Z",
        endpoint: "grouped",
        dimension: "status",
        from: "2026-09-01T00:00:00+00:00",
        to: "2026-09-30T23:59:59.999999+00:00",
        date_field: "created_at",
        filters: ["status_in=closed", "status_in=delivered"],
        answer: expect.objectContaining({ group_by: "status" }) as object,
      },
    ]);
    const folder = path.join(desk.folder, "data", "ledger", "s-centro");
    expect(readdirSync(folder)).toEqual(["2026-09.jsonl"]);
    expect(statSync(path.join(folder, "2026-09.jsonl")).mode & 0o777).toBe(0o600);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
  });

  test.each([
    ["another filter", "--filter status=closed"],
    ["another date field", "--date-field scheduled_date"],
    ["another zone", "--tz America/Manaus"],
    ["--fresh", "--fresh"],
  ])("is not taken for %s", async (_, flags) => {
    await desk.run(september);
    await desk.run(`${september} ${flags}`);
    expect(calls()).toBe(2);
  });

  test("is known by its dimension", async () => {
    for (const by of ["status", "hour", "status"]) {
      await desk.run(`grouped --by ${by} --period 2026-09 --tz UTC`);
    }
    expect(calls()).toBe(2);
  });

  test("of a window that isn't long over is not used again", async () => {
    // It is noon in São Paulo: yesterday ended 12 hours ago there, and 5 hours ago in Honolulu.
    const lines = ["yesterday --tz Pacific/Honolulu", "2026-11 --tz UTC", "today --tz UTC"];
    for (const line of [...lines, ...lines]) await desk.run(`summary --period ${line}`);
    expect(calls()).toBe(6);
    const settled = "summary --period yesterday --tz America/Sao_Paulo";
    for (const line of [settled, settled]) await desk.run(line);
    expect(calls()).toBe(7);
  });

  test("is not kept where its window ends now: that question is never asked again", async () => {
    await desk.run("summary --period this-month --tz UTC");
    expect(desk.kept()).toEqual([]);
  });

  test("is another store's after another sign-in, whatever the alias", async () => {
    await desk.run(september);
    await desk.signIn("centro", emulator.baseUrl, tokenFor(emulator, 502));
    const { stdout } = await desk.run(`${september} --json`);
    expect(figuresOf(stdout).kept).toBe(false);
    expect(calls()).toBe(2);
  });

  test.each([
    ["damaged", "{"],
    ["of another form", '{"version":1,"key":"","answer":{}}'],
    ["empty", ""],
  ])("is asked for again where its file is %s, and kept behind what is there", async (_, text) => {
    await desk.run(september);
    for (const file of desk.ledgerFiles()) writeFileSync(file, text);
    const again = await desk.run(`${september} --json`);
    expect({ code: again.code, kept: figuresOf(again.stdout).kept }).toEqual({ code: 0, kept: false });
    expect(figuresOf((await desk.run(`${september} --json`)).stdout).kept).toBe(true);
    expect(calls()).toBe(2);
  });

  test("is not written where others could put their own: figures are shown, with a warning", async () => {
    const foreign = path.join(desk.folder, "foreign");
    mkdirSync(foreign);
    mkdirSync(path.join(desk.folder, "data"), { mode: 0o700 });
    symlinkSync(foreign, path.join(desk.folder, "data", "ledger"));
    const { code, stderr } = await desk.run(september);
    expect({ code, foreign: readdirSync(foreign) }).toEqual({ code: 0, foreign: [] });
    expect(stderr).toContain("is a link");
    expect((await desk.run("cache clear")).code).toBe(2);
  });

  test("is forgotten by cache clear", async () => {
    await desk.run(september);
    await desk.run("summary --period 2026-08 --tz UTC");
    expect((await desk.run("cache clear --json")).stdout).toBe('{"removed":2}\n');
    expect(desk.kept()).toEqual([]);
    await desk.run(september);
    expect(calls()).toBe(3);
  });

  test("goes with its store's new name, and with the store", async () => {
    await desk.run(september);
    await desk.run("stores rename centro downtown");
    await desk.run(september);
    expect(calls()).toBe(1);
    await desk.run("stores remove downtown --yes");
    expect(desk.kept()).toEqual([]);
  });

  test("is forgotten with the sign-in", async () => {
    await desk.run(september);
    await desk.run("logout");
    expect(desk.kept()).toEqual([]);
  });
});

describe("how old an answer may be", () => {
  test("a young window's is asked for again after a day, an old one's until two answers agree", async () => {
    for (const days of [0, 0.9, 0.2, 1.1]) {
      await pass(days);
      await desk.run(september);
    }
    // 15:00 on 20 November is 50 days after September: the second and third answers were final.
    expect(calls()).toBe(2);
    await pass(400);
    await desk.run(september);
    expect(calls()).toBe(2);
    for (const days of [0, 2, 2]) {
      await pass(days);
      await desk.run("summary --period 2027-11 --tz UTC");
    }
    expect(calls()).toBe(5);
  });
});
