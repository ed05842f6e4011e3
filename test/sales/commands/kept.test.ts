/** Answers that are kept on this machine: what they are answers to, how old they may be, and who may read them. */
import { createHash } from "node:crypto";
import {
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";

import { afterEach, beforeEach, describe, expect, test } from "vitest";

import type { Emulator } from "../../../src/emulator/index.js";
import { Desk, tokenFor } from "../../support/desk.js";
import { startEmulator } from "../../support/emulators.js";
import { filesIn } from "../../support/folder-state.js";
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

  test("says so in a pipe too: on stderr beside a table, in JSON as `kept` alone", async () => {
    expect((await desk.run(september)).stderr).toBe("");
    const said = "2026-09-01 to 2026-09-30 (UTC), as of 2026-11-20 15:00\n";
    for (const format of ["table", "markdown"])
      expect((await desk.run(`${september} --format ${format}`)).stderr).toBe(said);
    expect((await desk.run(`${september} --quiet`)).stderr).toBe("");
    expect((await desk.run(`${september} --format csv`)).stderr).toBe("");
    const json = await desk.run(`${september} --json`);
    expect({ stderr: json.stderr, kept: figuresOf(json.stdout).kept }).toEqual({ stderr: "", kept: true });
  });

  test("lies in a database for the owner's eyes alone, with its store, question and moment", async () => {
    await desk.run("grouped --by status --period 2026-09 --tz UTC --filter status=closed,delivered");
    expect(desk.kept()).toMatchObject([
      {
        asked_text: "2026-11-20T15:00:00.000Z",
        store: "centro",
        environment: emulator.baseUrl,
        sign_in: "1970-01-01T00:00:00.001Z",
        dimension: "status",
        from_text: "2026-09-01T00:00:00+00:00",
        to_text: "2026-09-30T23:59:59.999999+00:00",
        date_field: "created_at",
        filters: '["status_in=closed","status_in=delivered"]',
        answer: expect.stringContaining('"group_by":"status"') as string,
      },
    ]);
    expect(statSync(desk.salesFile).mode & 0o777).toBe(0o600);
    expect(statSync(path.dirname(desk.salesFile)).mode & 0o777).toBe(0o700);
  });

  test("of credentials in variables is told from others' by a name that says nothing of them", async () => {
    const variables = (token: string) => ({
      COMANDA_BASE_URL: emulator.baseUrl,
      COMANDA_ACCESS_TOKEN: token,
    });
    const [one, other] = [tokenFor(emulator, 501), tokenFor(emulator, 502)];
    for (const token of [one, one, other, one]) {
      const { code } = await desk.run(september, { env: variables(token) });
      expect(code).toBe(0);
    }
    expect(calls()).toBe(2);
    const digest = createHash("sha256").update(one).digest("hex").slice(0, 12);
    const file = readFileSync(desk.salesFile).toString("latin1");
    expect({ token: file.includes(one), digest: file.includes(digest) }).toEqual({
      token: false,
      digest: false,
    });
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

  test("by the scheduled date is taken, though such dates have no hours", async () => {
    const line = `${september} --date-field scheduled_date --json`;
    const first = figuresOf((await desk.run(line)).stdout);
    desk.pass(60_000);
    expect(figuresOf((await desk.run(line)).stdout)).toEqual({ figures: first.figures, kept: true });
    expect(calls()).toBe(1);
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
    for (const line of lines) await desk.run(`summary --period ${line}`);
    desk.pass(16_000);
    for (const line of lines) await desk.run(`summary --period ${line}`);
    expect(calls()).toBe(6);
    const settled = "summary --period yesterday --tz America/Sao_Paulo";
    for (const line of [settled, settled]) await desk.run(line);
    expect(calls()).toBe(7);
  });

  test("of a window that ends now serves whoever asks within 15 seconds, and the next one takes its place", async () => {
    const now = async (flags = "") => {
      const { stdout } = await desk.run(`summary --period this-month --tz UTC --json${flags}`);
      return figuresOf(stdout).kept;
    };
    const first = await now();
    desk.pass(15_000);
    expect([first, await now(), calls()]).toEqual([false, true, 1]);
    desk.pass(1);
    expect([await now(), await now(" --fresh"), await now(" --max-age 0s"), calls()]).toEqual([
      ...[false, false, true],
      3,
    ]);
    expect(desk.kept()).toHaveLength(1);
    expect(desk.sales("select count(*) as rows from sales_by_dimension_history")).toEqual([{ rows: 0 }]);
  });

  test("is another store's after another sign-in, whatever the alias", async () => {
    await desk.run(september);
    await desk.signIn("centro", emulator.baseUrl, tokenFor(emulator, 502));
    const { stdout } = await desk.run(`${september} --json`);
    expect(figuresOf(stdout).kept).toBe(false);
    expect(calls()).toBe(2);
  });

  test.each<[string, string, () => void]>([
    [
      "is damaged",
      "is damaged.",
      () => writeFileSync(desk.salesFile, "no database ".repeat(1000), { mode: 0o600 }),
    ],
    [
      "is of a newer comanda",
      "was written by a newer comanda.",
      () => {
        desk.sales("update sales_schema_version set version = 1000");
        // What SQLite moves out of its journal when a connection closes is no write of comanda's.
        desk.sales("pragma wal_checkpoint");
      },
    ],
    [
      "is another's",
      "is not a regular file.",
      () => symlinkSync(path.join(desk.folder, "other.db"), desk.salesFile),
    ],
    ["is a folder", "is not a regular file.", () => mkdirSync(desk.salesFile)],
  ])(
    "is asked for again where its database %s, with one notice, and nothing is written over",
    async (...given) => {
      const [, message, spoil] = given;
      if (message.includes("newer")) await desk.run(september);
      else mkdirSync(path.dirname(desk.salesFile), { mode: 0o700 });
      spoil();
      const before = lstatSync(desk.salesFile);
      const { code, stdout, stderr } = await desk.run(`report --period 2026-09 --tz UTC --json`);
      expect({ code, lines: stderr.split("Figures are not kept").length - 1 }).toEqual({ code: 0, lines: 1 });
      expect(parseJson(stdout)).toMatchObject({ kept: false });
      expect(stderr).toContain(message);
      expect((await desk.run("sync --dimensions day --days 3 --tz UTC")).code).toBe(2);
      expect((await desk.run(`${september} --offline`)).code).toBe(5);
      expect(lstatSync(desk.salesFile).mtimeMs).toBe(before.mtimeMs);
    },
  );

  test("is not written where others could put their own: figures are shown, with a warning", async () => {
    const foreign = path.join(desk.folder, "foreign");
    mkdirSync(foreign);
    symlinkSync(foreign, path.join(desk.folder, "data"));
    const { code, stderr } = await desk.run(september);
    expect({ code, foreign: readdirSync(foreign) }).toEqual({ code: 0, foreign: [] });
    expect(stderr).toContain("is a link");
  });

  test("goes with its store's new name, and with the store", async () => {
    await desk.run(september);
    await desk.run("stores rename centro downtown");
    await desk.run(september);
    expect(calls()).toBe(1);
    await desk.run("stores remove downtown --yes");
    expect(desk.kept()).toEqual([]);
  });

  test("stays when the store is signed out, and goes when it is removed", async () => {
    await desk.run(september);
    await desk.run("logout");
    expect(desk.kept()).toHaveLength(1);
    await desk.run("stores remove centro --yes");
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

  test("--max-age sets the day to something else", async () => {
    await desk.run(september);
    desk.pass(60 * 60_000);
    await desk.run(`${september} --max-age 2h`);
    expect(calls()).toBe(1);
    await desk.run(`${september} --max-age 30m`);
    expect(calls()).toBe(2);
    const running = "summary --period 2026-11 --tz UTC --max-age 5m";
    for (const line of [running, running]) await desk.run(line);
    expect(calls()).toBe(3);
  });

  test("--offline asks nothing, and says all that it lacks: exit 5", async () => {
    await desk.run(september);
    await pass(3);
    const { code, stdout } = await desk.run(`${september} --offline --json`);
    expect({ code, ...figuresOf(stdout) }).toMatchObject({ code: 0, kept: true });
    const lacking = await desk.run("report --period 2026-09 --tz UTC --offline --out -");
    expect({ code: lacking.code, stdout: lacking.stdout }).toEqual({ code: 5, stdout: "" });
    expect(lacking.stderr).toContain("2026-09-01 to 2026-09-30 by day, 2026-08-01 to 2026-08-31 by day, ");
    expect(calls()).toBe(1);
  });

  test("--offline of several stores shows those that it has: exit 10", async () => {
    await desk.signIn("norte", emulator.baseUrl, tokenFor(emulator, 502));
    await desk.run(`${september} -s centro`);
    const { code, stdout } = await desk.run(`${september} --all-stores --offline --json`);
    expect(code).toBe(10);
    expect(parseJson(stdout)).toMatchObject({
      stores: [
        { store: "centro", kept: true },
        { store: "norte", error: { exit_code: 5 } },
      ],
    });
  });

  test("--as-of shows what was known by the end of that day in the store's zone", async () => {
    await desk.run(september);
    const order = emulator.world.orders
      .ofStore(501)
      .find(
        ({ createdAt }) =>
          createdAt >= Date.parse("2026-09-01T00:00:00Z") && createdAt < Date.parse("2026-10-01T00:00:00Z"),
      );
    if (!order) throw new Error("September has no order");
    Object.assign(order, { total: order.total + 7010 });
    await pass(5);
    const after = figuresOf((await desk.run(`${september} --json`)).stdout);
    const then = figuresOf((await desk.run(`${september} --json --as-of 2026-11-20`)).stdout);
    expect(then.figures).toMatchObject({ asked_at: "2026-11-20T15:00:00.000Z" });
    expect(after.figures).not.toMatchObject(then.figures);
    expect((await desk.run(`${september} --as-of 2026-11-19`)).code).toBe(5);
    expect((await desk.run(`${september} --as-of 2026-11-26`)).code).toBe(2);
    expect((await desk.run(`${september} --as-of 2026-11-25`)).code).toBe(0);
    const named = figuresOf((await desk.run(`${september} --json --as-of ontem`)).stdout);
    expect(named).toEqual(figuresOf((await desk.run(`${september} --json --as-of 2026-11-24`)).stdout));
    expect(calls()).toBe(2);
  });

  test.each([
    "orders finalize 1",
    "orders cancel 1 2 3 --yes",
    "driver assign 1 11",
    "api POST /api/partner/v1/orders/1/dispatch",
  ])("`%s` makes what is kept of the store doubtful, whatever became of the order", async (line) => {
    await desk.run(september);
    desk.pass(1_000);
    await desk.run(line);
    desk.pass(1_000);
    await desk.run(september);
    expect(calls()).toBe(2);
    await desk.run(september);
    expect(calls()).toBe(2);
  });

  test.each(["orders finalize 1 --dry-run", "api GET /api/partner/v1/orders/summary"])(
    "`%s` changes nothing, so nothing is doubtful",
    async (line) => {
      await desk.run(september);
      desk.pass(1_000);
      await desk.run(line);
      const before = calls();
      await desk.run(september);
      expect(calls()).toBe(before);
    },
  );

  test("a change of an order writes nothing for a store without figures", async () => {
    await desk.run("orders finalize 1");
    expect(filesIn(path.join(desk.folder, "data"))).toEqual([]);
  });
});

describe("of answers that contradict each other", () => {
  /** An order of 700 comes into September, late. */
  const orderComesIn = () => {
    const [order] = emulator.world.orders.ofStore(501);
    if (!order) throw new Error("the store has no order");
    const createdAt = Date.parse("2026-09-15T12:00:00Z");
    emulator.world.orders.add({ ...order, id: 90_001, createdAt, total: 70_000 });
  };
  const by = (dimension: string) => `grouped --by ${dimension} --period 2026-09 --tz UTC --json`;
  const totalOf = (stdout: string) =>
    (parseJson(stdout) as { groups: { total_order_count: number }[] }).groups.reduce(
      (sum, group) => sum + group.total_order_count,
      0,
    );

  test("the older is asked for again, though it is young", async () => {
    const before = totalOf((await desk.run(by("payment_method_id"))).stdout);
    orderComesIn();
    desk.pass(60_000);
    await desk.run(by("status"));
    desk.pass(60_000);
    const again = await desk.run(by("payment_method_id"));
    expect(parseJson(again.stdout)).toMatchObject({ kept: false });
    expect({ calls: calls(), total: totalOf(again.stdout) }).toEqual({ calls: 3, total: before + 1 });
    await desk.run(by("status"));
    await desk.run(by("payment_method_id"));
    expect(calls()).toBe(3);
  });

  test("the older is asked for again, though it is final", async () => {
    for (const days of [0, 2]) {
      await pass(days);
      await desk.run(by("sales_channel"));
    }
    orderComesIn();
    await pass(2);
    await desk.run(september);
    await desk.run(by("sales_channel"));
    expect(calls()).toBe(4);
  });

  test("--offline shows the older all the same", async () => {
    await desk.run(by("status"));
    orderComesIn();
    desk.pass(60_000);
    await desk.run(september);
    const { stdout } = await desk.run(`${by("status")} --offline`);
    expect(parseJson(stdout)).toMatchObject({ kept: true, asked_at: "2026-11-20T15:00:00.000Z" });
  });
});
