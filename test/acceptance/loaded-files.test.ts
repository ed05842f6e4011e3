/** A command that makes no call loads nothing that makes calls, and one that counts no days no calendar. */
import { writeFileSync } from "node:fs";
import path from "node:path";

import { afterAll, beforeAll, expect, test } from "vitest";

import { Machine, scriptCommand } from "../support/program.js";
import { startStub, type StubService } from "../support/stub-service.js";

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

/** A machine on which nothing was ever done, one that calls a service, and one whose settings change. */
const machines = {} as Record<"new" | "calling" | "changing", Machine>;
let service: StubService;
let env: Readonly<Record<string, string>>;

beforeAll(async () => {
  for (const name of ["new", "calling", "changing"] as const) {
    machines[name] = new Machine();
    writeFileSync(path.join(machines[name].folder, "observer.cjs"), observer);
  }
  service = await startStub();
  service.behave((response) => {
    const { url = "", method } = response.req;
    const figures = { total_order_count: 0, total_revenue: 0, average_order_value: 0 };
    if (method === "POST") response.writeHead(204).end();
    else if (url.includes("/grouped")) response.end(JSON.stringify({ group_by: "day", groups: [] }));
    else if (url.includes("/summary")) response.end(JSON.stringify(figures));
    else response.writeHead(404).end(JSON.stringify({ code: 4041, message: "Not found" }));
  });
  env = { COMANDA_BASE_URL: service.url, COMANDA_ACCESS_TOKEN: "token" };
  // The first call of all has its database made.
  await loadedBy("orders dispatch 7", "calling");
});
afterAll(async () => {
  await service.close();
  for (const machine of Object.values(machines)) machine.remove();
});

const started = new Map<string, Promise<readonly string[]>>();

/** Starts each line once on each machine: what it loads doesn't change. */
function loadedBy(
  line: string,
  machine: keyof typeof machines = "new",
  variables: Readonly<Record<string, string>> = machine === "calling" ? env : {},
): Promise<readonly string[]> {
  const key = `${machine} ${line} ${Object.keys(variables).join()}`;
  const names = started.get(key) ?? start(machines[machine], line, variables);
  started.set(key, names);
  return names;
}

async function start(machine: Machine, line: string, variables: Readonly<Record<string, string>>) {
  const hook = ["--require", path.join(machine.folder, "observer.cjs")];
  const command = [node, ...hook, program, ...line.split(" ")] as const;
  const { stderr } = await machine.other(command, { env: variables }).finished;
  const names = stderr.split("\n").flatMap((text) => /^loaded (.*)$/.exec(text)?.[1] ?? []);
  // The newest Node reads by the same function what it then lists as required.
  return [...new Set(names)];
}

test.each(["status", "stores list", "quota", "history"])(
  "comanda %s loads neither the client nor the calendar",
  async (line) => {
    const loaded = await loadedBy(line);
    expect(loaded).toContain("state.js");
    for (const dear of ["call.js", "calendar.js", "summary.js"]) expect(loaded).not.toContain(dear);
  },
);

test.each(["status", "quota"])(
  "comanda %s loads nothing of the commands that change orders",
  async (line) => {
    expect(await loadedBy(line)).not.toContain("orders.js");
  },
);

test("sales figures that the service isn't asked for load nothing of the network", async () => {
  const asking = await loadedBy("summary --fresh", "calling");
  expect(asking).toEqual(expect.arrayContaining(["call.js", "network.js"]));
  const offline = await loadedBy("summary --offline", "calling");
  expect(offline).toContain("call.js");
  expect(offline).not.toContain("network.js");
});

test("what neither writes nor reads a row loads no SQLite, and what needs no state none of it", async () => {
  const ofSqlite = (files: readonly string[]) => files.filter((file) => file.startsWith("sqlite"));
  for (const line of ["status", "stores list", "env list", "config get currency", "quota", "history"])
    expect([line, ofSqlite(await loadedBy(line))]).toEqual([line, []]);
  expect(ofSqlite(await loadedBy("config set currency BRL", "changing"))).toEqual(
    expect.arrayContaining(["sqlite.js"]),
  );
  expect(await loadedBy("openapi")).not.toContain("state.js");
});

test("nothing of PostgreSQL is loaded where no address of it is named", async () => {
  const ofPostgres = (files: readonly string[]) =>
    files.filter((file) => /^(postgres|pool|client\.js)/.test(file));
  for (const line of ["status", "stores list", "quota", "history"])
    expect(ofPostgres(await loadedBy(line))).toEqual([]);
  const named = await loadedBy("status", "new", { COMANDA_STATE: "postgres://ana@127.0.0.1:1/shop" });
  expect(ofPostgres(named)).toEqual(
    expect.arrayContaining([expect.stringMatching(/^postgres-state/), "client.js"]),
  );
});

test("what changes settings alone loads what checks and writes them", async () => {
  const ofConf = (files: readonly string[]) => files.filter((file) => file.startsWith("source-"));
  for (const line of ["stores list", "status", "orders dispatch 1", "summary --fresh"])
    expect([line, ofConf(await loadedBy(line, "calling"))]).toEqual([line, []]);
  expect(ofConf(await loadedBy("env list"))).toEqual([]);
  expect(ofConf(await loadedBy("config set currency BRL", "changing"))).toHaveLength(1);
});

test("what runs each minute unpacks nothing, and what runs once a month is packed", async () => {
  const orders = ["orders dispatch 1", "orders dispatch 1 2", "driver assign 1 2"];
  const figures = ["summary --fresh", "grouped --by day --fresh"];
  for (const line of ["status", "stores list", "quota", "history", ...orders, ...figures])
    expect([line, await loadedBy(line, "calling")]).toEqual([line, expect.not.arrayContaining(["unzip.js"])]);
  expect(await loadedBy("openapi")).toContain("unzip.js");
});
