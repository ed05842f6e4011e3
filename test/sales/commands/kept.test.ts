/** Answers that are kept on this machine: what they are answers to, how old they may be, and who may read them. */
import { createHash } from "node:crypto";
import { lstatSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";

import { afterEach, beforeEach, describe, expect, test } from "vitest";

import { StoreDesk, tokenFor, withoutLimits, type Desk } from "../../support/desk.js";
import { parseJson } from "../../support/json.js";

let store: StoreDesk;
let desk: Desk;
beforeEach(async () => {
  store = await StoreDesk.open({ orders: 200, seed: 8, ...withoutLimits });
  desk = store.desk;
  await signIn();
});
afterEach(() => store.close());

const calls = () => store.requests().filter((call) => call.includes("/orders/summary")).length;
const signIn = () => store.signIn("centro", 501, (session) => ({ ...session, signed_in_at: 1 }));
const september = "summary --period 2026-09 --tz UTC";

describe("a kept answer", () => {
  test("of credentials in variables is told from others' by a name that says nothing of them", async () => {
    const [one, other] = [tokenFor(store.emulator, 501), tokenFor(store.emulator, 502)];
    for (const token of [one, one, other, one]) {
      const env = { COMANDA_BASE_URL: store.emulator.baseUrl, COMANDA_ACCESS_TOKEN: token };
      expect((await desk.run(september, { env })).code).toBe(0);
    }
    expect(calls()).toBe(2);
    const file = readFileSync(desk.salesFile).toString("latin1");
    expect(file).not.toContain(one);
    expect(file).not.toContain(createHash("sha256").update(one).digest("hex").slice(0, 12));
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

  test.each<[string, () => void]>([
    ["is damaged.", () => writeFileSync(desk.salesFile, "no database ".repeat(1000), { mode: 0o600 })],
    [
      "was written by a newer comanda.",
      () => {
        desk.sales("update sales_schema_version set version = 1000");
        // What SQLite moves out of its journal when a connection closes is no write of comanda's.
        desk.sales("pragma wal_checkpoint");
      },
    ],
    ["is not a regular file.", () => symlinkSync(path.join(desk.folder, "other.db"), desk.salesFile)],
  ])(
    "is asked for again where its database %s, with one notice, and nothing is written over",
    async (message, spoil) => {
      if (message.includes("newer")) await desk.run(september);
      spoil();
      const before = lstatSync(desk.salesFile);
      const { code, stdout, stderr } = await desk.run(`${september} --json`);
      expect({ code, lines: stderr.split("Figures are not kept").length - 1 }).toEqual({ code: 0, lines: 1 });
      expect(parseJson(stdout)).toMatchObject({ kept: false });
      expect(stderr).toContain(message);
      expect((await desk.run("sync --days 3")).code).toBe(2);
      expect((await desk.run(`${september} --offline`)).code).toBe(5);
      expect(lstatSync(desk.salesFile).mtimeMs).toBe(before.mtimeMs);
    },
  );

  test("stays when the store is signed out, and goes when it is removed", async () => {
    await desk.run(september);
    await desk.run("logout");
    expect(desk.kept()).toHaveLength(1);
    await desk.run("stores remove centro");
    expect(desk.kept()).toEqual([]);
  });
});

test("what stands above several answers names the moment of the oldest: the period before's, and any section's of a page", async () => {
  await desk.run(september);
  desk.pass(5 * 60_000);
  const compared = "summary --period 2026-10 --tz UTC --compare previous";
  expect((await desk.run(compared)).stdout).toContain(", asked 2026-11-20 15:00 and kept since\n");
  expect((await desk.run(`${compared} --format csv`)).stdout).toContain(",2026-11-20T15:00:00.000Z,");
  await desk.run("grouped --by driver_id --period 2026-08 --tz UTC");
  desk.pass(9 * 60_000);
  const { stdout } = await desk.run("report --period 2026-08 --tz UTC --out -");
  expect(stdout).toContain(", asked 2026-11-20 15:05 and kept since<");
});

test("--offline asks nothing, and says what it lacks: exit 5; of several stores it shows those that it has: exit 10", async () => {
  await desk.run(`${september} -s centro`);
  desk.pass(3 * 24 * 60 * 60_000);
  // A token lives two hours.
  await signIn();
  const { code, stdout } = await desk.run(`${september} --offline --json`);
  expect(code).toBe(0);
  expect(parseJson(stdout)).toMatchObject({ kept: true });
  const lacking = await desk.run("summary --period 2026-08 --tz UTC --offline");
  expect({ code: lacking.code, stdout: lacking.stdout }).toEqual({ code: 5, stdout: "" });
  expect(lacking.stderr).toContain("The figures of 2026-08-01 to 2026-08-31 aren't kept on this machine.");
  await store.signIn("norte", 502);
  const both = await desk.run(`${september} --all-stores --offline --json`);
  expect(both.code).toBe(10);
  expect(parseJson(both.stdout)).toMatchObject({
    stores: [
      { store: "centro", kept: true },
      { store: "norte", error: { exit_code: 5 } },
    ],
  });
  expect(calls()).toBe(1);
});
