/** Lists that were cut short, and what is told and sent with `--resume`. */
import { readFileSync } from "node:fs";

import { afterEach, beforeEach, describe, expect, test } from "vitest";

import { cutOffRuns, inJournal, journalFile, runsIn } from "../../support/journal.js";
import { parseJson } from "../../support/json.js";
import { StoreDesk } from "../../support/store-desk.js";

let store: StoreDesk;
beforeEach(async () => {
  store = await StoreDesk.open();
});
afterEach(() => store.close());

const folder = () => store.desk.folder;

/** With the ids on stdin. */
const withList = (line: string, ids: readonly string[]) =>
  store.comanda(line, { input: `${ids.join("\n")}\n` });
const rows = (stdout: string) =>
  stdout
    .split("\n")
    .slice(0, -1)
    .map((line) => {
      const { order_id, outcome, resumed } = parseJson(line) as Record<string, unknown>;
      return [order_id, outcome, ...(resumed === undefined ? [] : [resumed])];
    })
    .sort();

describe("a list that was cut short", () => {
  test("follows its store to another alias, and no other store under the one that it had", async () => {
    const ids = await store.orders(2);
    await withList("orders dispatch -", ids);
    cutOffRuns(folder());
    await store.comanda("stores rename centro matriz");
    await store.desk.signIn("centro", store.emulator.baseUrl, "another-token");
    store.desk.pass(1000);
    expect((await withList("orders dispatch - --resume --store centro", ids)).code).toBe(2);
    expect((await withList("orders dispatch - --resume --store matriz --dry-run", ids)).code).toBe(0);
    expect((await withList("orders dispatch - --resume --store matriz", ids)).code).toBe(0);
  });

  test("of a store that variables name is gone on with by that store's key alone", async () => {
    const ids = await store.orders(2);
    const at = (key: string) => ({ COMANDA_BASE_URL: store.emulator.baseUrl, COMANDA_API_KEY: key });
    const input = `${ids.join("\n")}\n`;
    const [own, other] = [at(store.emulator.world.stores.get(501)?.apiKey ?? ""), at("another-key")];
    await store.comanda("orders dispatch -", { input, env: own });
    cutOffRuns(folder());
    store.forgetRequests();
    const resume = "orders dispatch - --resume";
    const refused = await store.comanda(resume, { input, env: other });
    expect([refused.code, refused.error?.message]).toEqual([
      2,
      "This list was begun with another sign-in, key or address, and nothing tells whether it is the same store's.",
    ]);
    expect(store.requests()).toEqual([]);
    expect(readFileSync(journalFile(folder()), "latin1")).not.toContain(own.COMANDA_API_KEY);
    expect(readFileSync(`${journalFile(folder())}-wal`, "latin1")).not.toContain(own.COMANDA_API_KEY);
    expect((await store.comanda(resume, { input, env: own })).code).toBe(0);
  });

  test("sends the rest, tells what is settled, and lists what is unknown, as often as it is asked", async () => {
    const ids = await store.orders(4);
    const [done = "", refused = "", unknown = "", rest = ""] = ids;
    await store.comanda(`orders finalize ${refused}`);
    await withList("orders finalize -", ids);
    const run = runsIn(folder())[0] ?? "";
    cutOffRuns(folder());
    inJournal(
      folder(),
      `update writes set outcome = 'unknown', http_status = null, is_open = 1, evidence = 'nobody'
       where run_id = ? and order_id = ?`,
      ...[run, unknown],
    );
    inJournal(folder(), "delete from writes where run_id = ? and order_id = ?", run, rest);
    store.forgetRequests();

    const dry = await withList("orders finalize - --json --resume --dry-run", ids);
    expect(dry.stdout.match(/orders\/\d+\/finalize/g)).toEqual([`orders/${rest}/finalize`]);
    expect(dry.stderr).toBe("Nothing was sent (--dry-run).\n");

    for (const lastOne of [
      [rest, "refused"],
      [rest, "refused", true],
    ]) {
      const resumed = await withList("orders finalize - --json --resume", ids);
      expect(resumed.code).toBe(10);
      expect(rows(resumed.stdout)).toEqual(
        // The last was done by the command that lost its lines.
        [[done, "done", true], [refused, "refused", true], [unknown, "unknown", true], lastOne].sort(),
      );
      expect(store.requests()).toEqual([`POST /api/partner/v1/orders/${rest}/finalize`]);
    }

    await store.comanda(`history settle ${unknown} done`);
    await withList("orders finalize - --resume", ids);
    const again = await withList("orders finalize - --json --resume", ids);
    expect([again.code, again.error?.code]).toEqual([2, "invalid_input"]);
    expect(again.error?.message).toContain("has come to its end");
    expect(store.requests()).toHaveLength(1);
  });

  test("sends what certainly was not done, and says before that it would", async () => {
    const ids = await store.orders(2);
    store.emulator.service.faults.set([{ status: 421 }]);
    const failed = await withList("orders dispatch - --json", ids);
    expect(rows(failed.stdout).map(([, outcome]) => outcome)).toEqual(["failed", "failed"]);
    expect(failed.error?.hint).toContain("To send what is left: the same command with --resume.");
    store.emulator.service.faults.set([]);
    const resumed = await withList("orders dispatch - --json --resume", ids);
    expect(rows(resumed.stdout)).toEqual(ids.map((id) => [id, "done"]).sort());
  });

  test("is known by its list, whatever its order, and by nothing else", async () => {
    const [first = "", second = "", third = ""] = await store.orders(3);
    await withList("orders dispatch -", [first, second]);
    cutOffRuns(folder());
    store.forgetRequests();
    for (const [verb, ids] of [
      ["dispatch", [first, third]],
      ["deliver", [first, second]],
    ] as const) {
      const other = await withList(`orders ${verb} - --resume`, ids);
      expect([other.code, other.error?.message]).toEqual([
        2,
        `There is no "orders ${verb}" of this list at this store to go on with.`,
      ]);
    }
    expect(store.requests()).toEqual([]);
    expect((await withList("orders dispatch - --resume", [second, first])).code).toBe(0);
  });

  test("is gone on with for its own reason", async () => {
    const ids = await store.orders(2);
    await store.comanda(["orders", "cancel", ...ids, "--yes", "--reason", "Out of flour"]);
    cutOffRuns(folder());
    inJournal(folder(), "delete from writes");
    const other = await store.comanda(["orders", "cancel", ...ids, "--yes", "--reason", "x", "--resume"]);
    expect(other.error?.message).toContain("another reason");
    const dry = await store.comanda(["orders", "cancel", ...ids, "--dry-run", "--resume"]);
    expect(dry.stdout.match(/Out of flour/g)).toHaveLength(2);
  });

  test("is one process's at a time", async () => {
    const ids = [...(await store.orders(1)), "999"];
    expect((await withList("orders dispatch -", ids)).code).toBe(10);
    cutOffRuns(folder());
    const resume = () => withList("orders dispatch - --resume", ids);
    const [one, other] = await Promise.all([resume(), resume()]);
    expect([one.code, other.code].sort()).toEqual([10, 8]);
  });
});
