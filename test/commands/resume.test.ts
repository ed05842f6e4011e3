/** Interrupted lists, `--resume`, two processes with one list, and databases that can't be used. */
import { readFileSync } from "node:fs";

import { beforeEach, describe, expect, test } from "vitest";

import type { OrderLine } from "../../src/core/orders.js";
import { containing, errorOf, matching, parseJsonLines, StoreDesk } from "../support/desk.js";
import { inJournal, journalFile } from "../support/journal.js";
import { startStub } from "../support/stub-service.js";

let store: StoreDesk;
beforeEach(async () => {
  store = await StoreDesk.open();
});

const folder = () => store.desk.folder;
const hourMs = 3_600_000;

/** Runs a command line with the ids on stdin. */
const withList = (line: string, ids: readonly string[], env: Readonly<Record<string, string>> = {}) =>
  store.comanda(line, { input: `${ids.join("\n")}\n`, env });
const rows = (stdout: string) =>
  (parseJsonLines(stdout) as readonly OrderLine[])
    .map(({ order_id, outcome, resumed }) => [order_id, outcome, ...(resumed ? [resumed] : [])])
    .sort();
const dispatch = "orders dispatch - --json";
const resume = `${dispatch} --resume`;

describe("an interrupted list", () => {
  test("sends the rest, skips what is done, and reports unknown outcomes, however often it is resumed", async () => {
    const ids = await store.orders(4);
    const [done = "", single = "", unknown = "", rest = ""] = ids;
    await withList(dispatch, [done, unknown]);
    // A kill before the response leaves the row like this.
    const asKilled = "outcome = 'unknown', http_status = null, evidence = 'nobody'";
    inJournal(folder(), `update writes set ${asKilled} where order_id = ?`, unknown);
    await store.comanda(`orders dispatch ${single}`);
    store.forgetRequests();

    const dry = await withList(`${resume} --dry-run`, ids);
    expect(dry.stdout.match(/orders\/\d+\/dispatch/g)).toEqual([`orders/${rest}/dispatch`]);
    const all = await withList(`${dispatch} --dry-run`, ids);
    expect(all.stdout.match(/orders\/\d+\/dispatch/g)).toHaveLength(4);
    for (const last of [
      [rest, "done"],
      [rest, "skipped", true],
    ]) {
      const resumed = await withList(resume, ids);
      expect(resumed.code).toBe(10);
      expect(rows(resumed.stdout)).toEqual(
        [[done, "skipped", true], [single, "skipped", true], [unknown, "unknown", true], last].sort(),
      );
      const message = "The outcome of 1 of 4 orders is unknown.";
      expect(errorOf(resumed.stderr)).toMatchObject({ error: { message } });
      expect(store.requests()).toEqual([`POST /api/partner/v1/orders/${rest}/dispatch`]);
    }

    const table = await store.comanda(`orders dispatch ${unknown} ${rest} --resume`);
    expect(table.stdout).toMatch(
      / unknown +Sent earlier, at \S+ \S+ \S+, with an unknown outcome\. Not sent a/,
    );
    const csv = await store.comanda(`orders dispatch ${unknown} ${rest} --resume --format csv`);
    expect(csv.stdout).toContain("Sent earlier, with an unknown outcome. Not sent again.");

    // A recorded outcome counts.
    await store.comanda(`history settle ${unknown} done`);
    const settled = await withList(resume, ids);
    expect(settled).toMatchObject({ code: 0, stderr: "4 skipped\n" });
    expect(store.requests()).toHaveLength(1);
    await store.comanda(`history settle ${unknown} not-done`);
    store.forgetRequests();
    expect((await withList(resume, ids)).code).toBe(10);
    expect(store.requests()).toEqual([`POST /api/partner/v1/orders/${unknown}/dispatch`]);
  });

  test("of one order exits with that order's code", async () => {
    const [order = ""] = await store.orders(1);
    store.emulator.service.faults.set([{ reset: true, path: "/dispatch", when: "after" }]);
    const line = `orders dispatch ${order} 0${order} --resume --json`;
    const [sent, again] = [await store.comanda(line), await store.comanda(line)];
    for (const { code, stdout, stderr } of [sent, again])
      expect({ code, lines: parseJsonLines(stdout), ...(errorOf(stderr) as object) }).toMatchObject({
        code: 9,
        lines: [{ order_id: order, store: "centro", outcome: "unknown" }],
        error: { code: "outcome_unknown", exit_code: 9, outcome: "unknown" },
      });
    const message = matching(/: sent earlier, with an unknown outcome\. Not sent again\.$/);
    const hint = containing(`comanda history settle ${order} done`);
    expect(errorOf(again.stderr)).toMatchObject({ error: { message, hint } });
    expect(store.requests().filter((request) => request.endsWith("/dispatch"))).toHaveLength(1);
    await store.comanda(`history settle ${order} done`);
    expect(await store.comanda(line)).toMatchObject({ code: 0 });
  });

  test("skips orders that were changed in the same way in the last 24 hours, in any list", async () => {
    const ids = await store.orders(2);
    const [first = "", second = ""] = ids;
    await withList(dispatch, ids);
    store.forgetRequests();
    expect(rows((await withList(resume, [second])).stdout)).toEqual([[second, "skipped", true]]);
    expect((await withList("orders deliver - --resume", [first])).code).toBe(0);
    expect(store.requests()).toEqual([`POST /api/partner/v1/orders/${first}/delivered`]);
    store.desk.pass(24 * hourMs + 1000);
    expect(rows((await withList(resume, [second])).stdout)).not.toEqual([[second, "skipped", true]]);
  });

  test("doesn't skip orders changed before another sign-in, and says so", async () => {
    const ids = await store.orders(2);
    await withList(dispatch, ids);
    store.desk.pass(1000);
    await store.signIn("centro");
    store.forgetRequests();
    const { stderr, stdout } = await withList(resume, ids);
    expect(stderr).toContain("Orders sent before the last sign-in: 2.");
    expect(rows(stdout).map(([, outcome]) => outcome)).toEqual(["refused", "refused"]);
    expect(store.requests()).toHaveLength(2);
  });

  test("of a store from variables skips only orders changed with that key, and stores no key", async () => {
    const ids = await store.orders(2);
    const at = (key: string) => ({ COMANDA_BASE_URL: store.emulator.baseUrl, COMANDA_API_KEY: key });
    const own = at(store.keyOf(501));
    expect((await withList(dispatch, ids, own)).code).toBe(0);
    const other = await withList(resume, ids, at(store.keyOf(502)));
    expect(rows(other.stdout).every(([, outcome]) => outcome !== "skipped")).toBe(true);
    expect((await withList(resume, ids, own)).stderr).toBe("2 skipped\n");
    for (const file of ["", "-wal"])
      expect(readFileSync(`${journalFile(folder())}${file}`, "latin1")).not.toContain(own.COMANDA_API_KEY);
  });
});

test("of two runs with one list, one sends, and the other exits with code 8", async () => {
  const ids = await store.orders(4);
  store.emulator.service.faults.set([{ delay: 100, path: "/dispatch", when: "after" }]);
  const ran = await Promise.all([withList(dispatch, ids), withList(dispatch, ids.toReversed())]);
  expect(ran.map(({ code }) => code).sort()).toEqual([0, 8]);
  const busy = ran.find(({ code }) => code === 8);
  const message = /"message":"This list is already being sent\. Nothing was sent\."/;
  expect(busy).toMatchObject({ stdout: "", stderr: matching(message) });
  expect(store.requests()).toHaveLength(ids.length);
  // One order is only locked with --resume.
  const [one = ""] = await store.orders(1);
  const twice = (line: string) => Promise.all([store.comanda(line), store.comanda(line)]);
  for (const [line, codes] of [
    [`orders dispatch ${one}`, [0, 6]],
    [`orders deliver ${one} --resume`, [0, 8]],
  ] as const)
    expect((await twice(line)).map(({ code }) => code).sort(), line).toEqual(codes);
  // Another list, and another change of the same orders, aren't locked.
  const others = [withList(dispatch, ids.slice(1)), withList("orders deliver -", ids)];
  expect((await Promise.all(others)).map(({ code }) => code)).not.toContain(8);
});

test("a process sends no further request if another process has locked its list meanwhile", async () => {
  const stub = await startStub();
  stub.behave((response) => {
    // This happens after a sleep during which another machine took over the expired lease.
    inJournal(folder(), "update leases set id = 'another' where name like 'list of orders%'");
    response.writeHead(429, { "retry-after": "120" }).end();
  });
  const env = { COMANDA_BASE_URL: stub.url, COMANDA_ACCESS_TOKEN: "at_1" };
  const ids = Array.from({ length: 18 }, (_, index) => String(index + 1));
  const ran = await withList(resume, ids, env);
  expect(ran).toMatchObject({ code: 10, stdout: containing('"outcome":"skipped"') });
  expect(errorOf(ran.stderr)).toMatchObject({ error: { hint: "Try again later." } });
  expect(stub.requests.length).toBeLessThanOrEqual(16);
});
