/** A command that makes no call loads nothing that makes calls, and one that counts no days no calendar. */
import { writeFileSync } from "node:fs";
import path from "node:path";

import { afterEach, beforeEach, expect, test } from "vitest";

import { Machine, scriptCommand } from "../support/program.js";

const [node, program] = scriptCommand;

/** Names the files of the program that were loaded: with the code cache they are read by the program, else by Node. */
const observer = `
const fs = require("node:fs");
const { readFileSync } = fs;
const read = [];
fs.readFileSync = (file, ...rest) => (read.push(String(file)), readFileSync(file, ...rest));
process.on("exit", () => {
  for (const file of [...read, ...Object.keys(require.cache)])
    if (/[\\\\/](cli|pg[\\\\/]lib)[\\\\/][\\w-]+\\.js$/.test(file)) console.error("loaded " + require("node:path").basename(file));
});`;

let machine: Machine;
beforeEach(() => {
  machine = new Machine();
  writeFileSync(path.join(machine.folder, "observer.cjs"), observer);
});
afterEach(() => {
  machine.remove();
});

async function loadedBy(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const hook = ["--require", path.join(machine.folder, "observer.cjs")];
  const { stderr } = await machine.other([node, ...hook, program, ...args], { env }).finished;
  const names = stderr.split("\n").flatMap((line) => /^loaded (.*)$/.exec(line)?.[1] ?? []);
  // The newest Node reads by the same function what it then lists as required.
  return [...new Set(names)];
}

test.each(["status", "stores list", "quota", "history"])(
  "comanda %s loads neither the client nor the calendar",
  async (line) => {
    const loaded = await loadedBy(line.split(" "));
    expect(loaded).toContain("state.js");
    for (const dear of ["call.js", "calendar.js", "summary.js"]) expect(loaded).not.toContain(dear);
  },
);

test.each(["status", "quota"])(
  "comanda %s loads nothing of the commands that change orders",
  async (line) => {
    expect(await loadedBy([line])).not.toContain("orders.js");
  },
);

test("sales figures that the service isn't asked for load nothing of the network", async () => {
  const variables = { COMANDA_BASE_URL: "http://127.0.0.1:1", COMANDA_ACCESS_TOKEN: "token" };
  const asking = await loadedBy(["summary", "--max-wait", "0"], variables);
  expect(asking).toEqual(expect.arrayContaining(["call.js", "network.js"]));
  const offline = await loadedBy(["summary", "--offline"], variables);
  expect(offline).toContain("call.js");
  expect(offline).not.toContain("network.js");
});

test("what neither writes nor reads a row loads no SQLite, and what needs no state none of it", async () => {
  const ofSqlite = (files: readonly string[]) => files.filter((file) => file.startsWith("sqlite"));
  for (const line of ["status", "stores list", "env list", "config get currency", "quota", "history"])
    expect([line, ofSqlite(await loadedBy(line.split(" ")))]).toEqual([line, []]);
  expect(ofSqlite(await loadedBy(["config", "set", "currency", "BRL"]))).toEqual(
    expect.arrayContaining([expect.stringMatching(/^sqlite-locks/), "sqlite.js"]),
  );
  expect(await loadedBy(["openapi"])).not.toContain("state.js");
});

test("nothing of PostgreSQL is loaded where no address of it is named", async () => {
  const ofPostgres = (files: readonly string[]) =>
    files.filter((file) => /^(postgres|pool|client\.js)/.test(file));
  for (const line of ["status", "stores list", "quota", "history"])
    expect(ofPostgres(await loadedBy(line.split(" ")))).toEqual([]);
  const named = await loadedBy(["status"], { COMANDA_STATE: "postgres://ana@127.0.0.1:1/shop" });
  expect(ofPostgres(named)).toEqual(
    expect.arrayContaining([expect.stringMatching(/^postgres-state/), "client.js"]),
  );
});

test("what changes settings alone loads what checks and writes them", async () => {
  const env = { COMANDA_BASE_URL: "http://127.0.0.1:1", COMANDA_ACCESS_TOKEN: "token" };
  const ofConf = (files: readonly string[]) => files.filter((file) => file.startsWith("source-"));
  for (const line of ["stores list", "env list", "status", "orders dispatch 1", "summary --max-wait 0"])
    expect([line, ofConf(await loadedBy(line.split(" "), env))]).toEqual([line, []]);
  expect(ofConf(await loadedBy(["config", "set", "currency", "BRL"]))).toHaveLength(1);
});

test("what runs each minute unpacks nothing, and what runs once a month is packed", async () => {
  const env = { COMANDA_BASE_URL: "http://127.0.0.1:1", COMANDA_ACCESS_TOKEN: "token" };
  // The first of all has its database made.
  await loadedBy(["orders", "dispatch", "1"], env);
  const lines = ["status", "stores list", "quota", "history", "orders dispatch 1", "orders dispatch 1 2"];
  for (const line of [...lines, "driver assign 1 2", "summary --max-wait 0", "grouped --by day --max-wait 0"])
    expect([line, await loadedBy(line.split(" "), env)]).toEqual([
      line,
      expect.not.arrayContaining(["unzip.js"]),
    ]);
  expect(await loadedBy(["openapi"])).toContain("unzip.js");
});
