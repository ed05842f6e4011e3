/** The power fails while a run is under way: what had reached the disk by then is all that is left of it. */
import { cpSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";

import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";

import { openSqlite, type OpenSqlite } from "../../../src/state/sqlite/sqlite-driver.js";
import { Desk } from "../../support/desk.js";
import { inJournal } from "../../support/journal.js";
import { parseJsonLines } from "../../support/json.js";
import { startStub, type StubService } from "../../support/stub-service.js";

let stub: StubService;
beforeAll(async () => {
  stub = await startStub();
});
afterAll(() => stub.close());
let [desk, after] = [new Desk(), new Desk()];
beforeEach(() => {
  [desk, after] = [new Desk(), new Desk()];
});
afterEach(() => {
  desk.remove();
  after.remove();
});

/** What has reached the disk, as SQLite is asked to bring it there. */
class WatchedDatabase {
  #onDisk: readonly (readonly [name: string, bytes: Buffer])[] = [];

  /** Notes the files after each commit that waits for the disk. */
  readonly openSqlite: OpenSqlite = (file) => {
    const connection = openSqlite(file);
    let [isFull, isOpen] = [false, false];
    const changed = () => {
      if (isFull && !isOpen && file.endsWith("comanda.db")) this.#note(file);
    };
    return {
      close: () => connection.close(),
      exec(sql) {
        connection.exec(sql);
        if (sql.startsWith("begin")) isOpen = true;
        if (/^(commit|rollback)/.test(sql)) isOpen = false;
        if (sql.startsWith("pragma synchronous")) isFull = sql.includes("full");
        else changed();
      },
      prepare(sql) {
        const statement = connection.prepare(sql);
        return {
          all: (...values) => statement.all(...values),
          run(...values) {
            const result = statement.run(...values);
            changed();
            return result;
          },
        };
      },
    };
  };

  #note(file: string): void {
    this.#onDisk = ["comanda.db", "comanda.db-wal"].map((name) => [
      name,
      readFileSync(path.join(path.dirname(file), name)),
    ]);
  }

  /** The folder's database as a machine finds it that is started again. */
  restore(folder: string): void {
    for (const [name, bytes] of this.#onDisk) writeFileSync(path.join(folder, name), bytes, { mode: 0o600 });
  }
}

/** As the machine finds its disk when it is started again: without what was with the system alone, and nobody holds a lock. */
function cutPower(database: WatchedDatabase): void {
  cpSync(desk.folder, after.folder, { recursive: true });
  for (const name of ["locks", "comanda.db-wal", "comanda.db-shm"])
    rmSync(path.join(after.folder, name), { recursive: true, force: true });
  database.restore(after.folder);
}

const ids = Array.from({ length: 60 }, (_, index) => String(index + 1));
const list = { input: ids.join("\n") };
const orderOf = (target: string) => /orders\/(\d+)\//.exec(target)?.[1] ?? "";

test.each([
  [1, 0],
  [16, 0],
  [16, 37],
  [40, 5],
])(
  "with %i at once, after %i answers: no more are unknown than were under way, and the rest is sent",
  async (under, answered) => {
    const env = { COMANDA_BASE_URL: stub.url, COMANDA_ACCESS_TOKEN: "at_1", COMANDA_RATE_LIMITS: "off" };
    const database = new WatchedDatabase();
    const gone = new AbortController();
    let [count, out] = [0, 0];
    let sentBefore: readonly string[] = [];
    stub.behave((response) => {
      count += 1;
      if (count <= answered) return void response.writeHead(204).end();
      out += 1;
      if (out < under) return;
      cutPower(database);
      sentBefore = stub.requests.map(({ target }) => orderOf(target));
      gone.abort();
    });
    const { signal } = gone;
    await desk.run(`orders finalize - --json --concurrency ${under}`, {
      env,
      openSqlite: database.openSqlite,
      signal,
      ...list,
    });
    expect(sentBefore).toHaveLength(answered + under);

    stub.behave({ status: 204 });
    const { stdout } = await after.run("orders finalize - --json --resume", { env, ...list });
    const rows = parseJsonLines(stdout).map((row) => row as Readonly<Record<string, unknown>>);
    const unknown = rows
      .filter(({ outcome }) => outcome === "unknown")
      .map(({ order_id }) => String(order_id));
    expect(unknown.length).toBeLessThanOrEqual(under);
    expect(sentBefore).toEqual(expect.arrayContaining(unknown));
    const sent = [...sentBefore, ...stub.requests.map(({ target }) => orderOf(target))];
    expect([...sent].sort()).toEqual([...ids].sort());
  },
);

test("none is unknown where all wait for a place within the limit", async () => {
  const env = { COMANDA_BASE_URL: stub.url, COMANDA_ACCESS_TOKEN: "at_1", COMANDA_RATE_LIMITS: "off" };
  const database = new WatchedDatabase();
  const gone = new AbortController();
  const { signal } = gone;
  const [done, limited] = [20, 16];
  const answered = () => {
    const sql = "select run_id from writes where is_open = 0";
    return inJournal(desk.folder, sql).length;
  };
  const clock = {
    now: () => desk.clock.now(),
    // The wait is a minute and more: what was answered has long reached the disk.
    async sleep() {
      while (answered() < done + limited) await new Promise((resolve) => setImmediate(resolve));
      if (!signal.aborted) cutPower(database);
      gone.abort();
      signal.throwIfAborted();
    },
  };
  let count = 0;
  stub.behave((response) => {
    count += 1;
    response.writeHead(count <= done ? 204 : 429, { "retry-after": "60" }).end();
  });
  await desk.run(`orders finalize - --json --concurrency ${limited}`, {
    env,
    openSqlite: database.openSqlite,
    signal,
    clock,
    ...list,
  });
  expect(stub.requests).toHaveLength(done + limited);

  stub.behave({ status: 204 });
  const { stdout } = await after.run("orders finalize - --json --resume", { env, ...list });
  expect(parseJsonLines(stdout)).toEqual(
    ids.map(() => expect.objectContaining({ outcome: "done" }) as unknown),
  );
  expect(stub.requests).toHaveLength(ids.length - done);
});
