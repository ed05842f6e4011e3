/** A Node without SQLite takes no lock: what needs one ends before anything is sent, and says what to install. */
import path from "node:path";

import { afterAll, beforeAll, expect, test } from "vitest";

import { Bench } from "../support/bench.js";
import { snapshot } from "../support/folder-state.js";

const preload = path.join(import.meta.dirname, "../support/without-sqlite.cjs");
const withoutSqlite = { env: { NODE_OPTIONS: `--require ${JSON.stringify(preload)}` } };

let bench: Bench;
beforeAll(async () => {
  bench = await Bench.open();
});
afterAll(() => bench.close());

const server = () => bench.emulator.service.server;

test("a sign-in whose time is over isn't renewed: nothing is sent, and it stays as it was", async () => {
  server().lifetimes.accessTokenSeconds = 0.001;
  await bench.signIn("velha");
  server().lifetimes.accessTokenSeconds = 7200;
  bench.forgetRequests();
  const before = snapshot(bench.machine.configFolder);
  const runs = await Promise.all(
    ["orders dispatch 1", "stores rename velha nova"].map((line) =>
      bench.comanda(`${line} --json`, withoutSqlite),
    ),
  );
  for (const { code, stderr } of runs) {
    expect(code).toBe(2);
    expect(stderr).toContain("this Node has no SQLite");
    expect(stderr).toContain("npm install --include=optional");
  }
  expect(bench.requests()).toEqual([]);
  expect(server().counters).toMatchObject({ refreshes: 0 });
  expect(snapshot(bench.machine.configFolder)).toMatchObject(before);
});

test("a sign-in that is still good changes no order: there is no journal to write it into", async () => {
  await bench.signIn("nova");
  bench.forgetRequests();
  const { code, stdout, stderr } = await bench.comanda("orders dispatch 1 --store nova", withoutSqlite);
  expect([code, stdout, bench.requests()]).toEqual([2, "", []]);
  expect(stderr).toContain("this Node has no SQLite");
});
