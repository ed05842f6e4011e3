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

test("no sign-in is renewed and no order is changed, and each stays as it was", async () => {
  await bench.signIn("nova");
  server().lifetimes.accessTokenSeconds = 0.001;
  await bench.signIn("velha");
  server().lifetimes.accessTokenSeconds = 7200;
  bench.forgetRequests();
  const before = snapshot(bench.machine.configFolder);
  const runs = await Promise.all(
    ["orders dispatch 1 --store velha", "orders dispatch 1 --store nova"].map((line) =>
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
