/** Runs that were cut short, and what is told and sent when they are gone on with. */
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
const runOf = () => runsIn(folder())[0] ?? "";

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

describe("a run of several orders", () => {
  test("tells its number where its list comes from stdin", async () => {
    const ids = await store.orders(3);
    const { code, stderr } = await withList("orders dispatch -", ids);
    expect(code).toBe(0);
    expect(stderr).toBe(
      `Run ${runOf()}. Should it be cut short: comanda orders dispatch --resume ${runOf()}\n3 done\n`,
    );
  });

  test("at a store that was named is gone on with there", async () => {
    store.emulator.service.faults.set([{ status: 503 }]);
    const { stderr } = await withList("orders dispatch - --store centro", ["999", "998"]);
    const resume = `comanda orders dispatch --resume ${runOf()} --store centro`;
    expect(stderr).toContain(`Should it be cut short: ${resume}\n`);
    expect(stderr).toContain(`To go on with the run: ${resume}\n`);
  });

  test("follows its store to another alias, and no other store under the one that it had", async () => {
    const ids = await store.orders(2);
    await withList("orders dispatch -", ids);
    cutOffRuns(folder());
    await store.comanda("stores rename centro matriz");
    await store.desk.signIn("centro", store.emulator.baseUrl, "another-token");
    store.desk.pass(1000);
    const named = `orders dispatch --resume ${runOf()} --store`;
    const other = await store.comanda(`${named} centro`);
    expect([other.code, other.error?.hint]).toEqual([
      2,
      `To go on: comanda orders dispatch --store matriz --resume ${runOf()}`,
    ]);
    expect((await withList("orders dispatch - --resume --store centro", ids)).code).toBe(2);
    expect((await store.comanda("completion values runs --store matriz")).stdout).toContain(runOf());
    expect((await withList("orders dispatch - --resume --store matriz --dry-run", ids)).code).toBe(0);
    expect((await store.comanda(`${named} matriz`)).code).toBe(0);
  });

  test("of a store that variables name is gone on with by that store's key alone", async () => {
    const ids = await store.orders(2);
    const at = (key: string) => ({ COMANDA_BASE_URL: store.emulator.baseUrl, COMANDA_API_KEY: key });
    const input = `${ids.join("\n")}\n`;
    const [own, other] = [at(store.emulator.world.stores.get(501)?.apiKey ?? ""), at("another-key")];
    await store.comanda("orders dispatch -", { input, env: own });
    cutOffRuns(folder());
    store.forgetRequests();
    const named = `orders dispatch --resume ${runOf()}`;
    const refused = await store.comanda(named, { env: other });
    expect([refused.code, refused.error?.message]).toEqual([
      2,
      `The run ${runOf()} was begun with another API key.`,
    ]);
    expect((await store.comanda("orders dispatch - --resume", { input, env: other })).code).toBe(2);
    expect(store.requests()).toEqual([]);
    expect(readFileSync(journalFile(folder()), "latin1")).not.toContain(own.COMANDA_API_KEY);
    expect(readFileSync(`${journalFile(folder())}-wal`, "latin1")).not.toContain(own.COMANDA_API_KEY);
    expect((await store.comanda(named, { env: own })).code).toBe(0);
  });

  test("that was cut short is offered where its verb and its store were typed", async () => {
    const ids = await store.orders(2);
    for (const verb of ["dispatch", "deliver"]) await withList(`orders ${verb} -`, ids);
    cutOffRuns(folder());
    await store.desk.signIn("norte", store.emulator.baseUrl, "a-token");
    const offers = async (of: string, at: string) =>
      (await store.comanda(["completion", "values", of, "", "--store", at])).stdout.split("\n").slice(0, -1);
    const [deliver = "", dispatch = ""] = await offers("runs", "centro");
    expect(dispatch).toMatch(/\torders dispatch, 2, /);
    expect(deliver).toMatch(/\torders deliver, 2, /);
    expect(await offers("runs:dispatch", "centro")).toEqual([dispatch]);
    expect(await offers("runs:deliver", "centro")).toEqual([deliver]);
    expect(await offers("runs:finalize", "centro")).toEqual([]);
    expect(await offers("runs:dispatch", "norte")).toEqual([]);
  });

  test("that was cut short sends the rest, tells what is settled, and lists what is unknown", async () => {
    const ids = await store.orders(4);
    const [done = "", refused = "", unknown = "", rest = ""] = ids;
    await store.comanda(`orders finalize ${refused}`);
    await withList("orders finalize - --concurrency 1", ids);
    const run = runOf();
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
    const dryRetry = await withList("orders finalize - --json --resume --retry-unknown --dry-run", ids);
    expect(dryRetry.stdout.match(/orders\/\d+\/finalize/g)).toHaveLength(2);

    const resumed = await withList("orders finalize - --json --resume", ids);
    expect(resumed.code).toBe(10);
    expect(rows(resumed.stdout)).toEqual(
      [
        [done, "done", true],
        [refused, "refused", true],
        [unknown, "unknown", true],
        // It was done by the run that lost its lines.
        [rest, "refused"],
      ].sort(),
    );
    expect(store.requests()).toEqual([`POST /api/partner/v1/orders/${rest}/finalize`]);
    expect(resumed.stderr).toContain(`comanda orders finalize --resume ${run}`);

    const retried = await store.comanda(`orders finalize --json --resume ${run} --retry-unknown`);
    // It was done by the run that lost its lines, or refused: nothing tells which.
    expect(rows(retried.stdout)).toContainEqual([unknown, "unknown"]);
    expect(store.requests()).toHaveLength(2);
    expect(retried.stderr).not.toContain("To go on with the run");

    const again = await withList("orders finalize - --json --resume", ids);
    expect([again.code, again.error?.code]).toEqual([2, "invalid_input"]);
    expect(again.error?.message).toContain("has come to its end");
  });

  test("sends what certainly was not done", async () => {
    const ids = await store.orders(2);
    store.emulator.service.faults.set([{ rate_limit: 3600 }]);
    const limited = await withList("orders dispatch - --max-wait 0 --json", ids);
    expect(rows(limited.stdout).map(([, outcome]) => outcome)).toEqual(["refused", "refused"]);
    store.emulator.service.faults.set([]);
    store.desk.pass(3_600_000);
    const resumed = await withList("orders dispatch - --json --resume", ids);
    expect(rows(resumed.stdout)).toEqual(ids.map((id) => [id, "done"]).sort());
  });

  test("is known by its list, whatever its order, and by nothing else", async () => {
    const [first = "", second = "", third = ""] = await store.orders(3);
    await withList("orders dispatch -", [first, second]);
    cutOffRuns(folder());
    store.forgetRequests();
    const other = await withList("orders dispatch - --resume", [first, third]);
    expect([other.code, other.error?.message]).toEqual([
      2,
      'There is no unfinished run of "orders dispatch" at this store with this list.',
    ]);
    const named = await withList(`orders dispatch - --resume ${runOf()}`, [first, third]);
    const ofItsOwn = `The run ${runOf()} is one of "orders dispatch" at centro (test), with a list of its own.`;
    expect([named.code, named.error?.message]).toEqual([2, ofItsOwn]);
    const verb = await store.comanda(`orders deliver --resume ${runOf()}`);
    expect([verb.code, verb.error?.message]).toEqual([2, ofItsOwn]);
    const none = await store.comanda("orders dispatch --resume 20261120-aaaaaa");
    expect([none.code, none.error?.code]).toEqual([2, "invalid_input"]);
    expect(store.requests()).toEqual([]);
    expect((await withList("orders dispatch - --resume", [second, first])).code).toBe(0);
  });

  test("that is gone on with cancels for its own reason", async () => {
    const ids = await store.orders(2);
    await store.comanda(["orders", "cancel", ...ids, "--yes", "--reason", "Out of flour"]);
    cutOffRuns(folder());
    inJournal(folder(), "delete from writes");
    const other = await store.comanda(["orders", "cancel", "--yes", "--reason", "x", "--resume", runOf()]);
    expect(other.error?.message).toContain("another reason");
    const dry = await store.comanda(["orders", "cancel", "--dry-run", "--resume", runOf()]);
    expect(dry.stdout.match(/Out of flour/g)).toHaveLength(2);
  });

  test("is one process's at a time", async () => {
    const ids = await store.orders(1);
    const line = await withList("orders dispatch -", [...ids, "999"]);
    expect(line.code).toBe(10);
    cutOffRuns(folder());
    const [one, other] = await Promise.all([
      store.comanda(`orders dispatch --resume ${runOf()}`),
      store.comanda(`orders dispatch --resume ${runOf()}`),
    ]);
    expect([one.code, other.code].sort()).toEqual([10, 8]);
  });

  test("can't do without the journal", async () => {
    const { code, error } = await store.comanda("orders dispatch 1 2 --no-journal");
    expect([code, error?.message]).toEqual([2, "--no-journal goes with one order alone."]);
    expect(store.requests()).toEqual([]);
  });
});
