/**
 * The library in other runtimes, with a service that loses some requests and some responses: each order is sent once, or its report
 * allows for more.
 */
import { spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import path from "node:path";

import { build } from "esbuild";
import { beforeAll, describe, expect, test, vi } from "vitest";

import { httpAnswer, rawServer } from "../client/support/raw-server.js";
import { chromiumAvailable, openChromium } from "../support/browser.js";
import { fetched } from "../support/fetched.js";
import { freePort, temporaryFolder } from "../support/resources.js";
import { root, run } from "../support/package-user.js";

const folder = temporaryFolder();
const program = path.join(folder, "program.mjs");
let code: string;

/** Sends the orders, 60 at a time, and reports each. It uses no standard of the web except `fetch`. */
const source = `
  import { createClient } from ${JSON.stringify(path.join(root, "dist/library/index.mjs"))};
  export async function main(baseUrl, orders) {
    const client = createClient({
      baseUrl, credentials: { bearer: async () => "TOKEN" }, rateLimiter: false, random: () => 0,
    });
    const reports = {};
    const queue = Array.from({ length: orders }, (_, index) => String(index + 1));
    const work = async () => {
      for (let id = queue.shift(); id !== undefined; id = queue.shift())
        reports[id] = await client.dispatchOrder(id).then(({ outcome }) => outcome, ({ outcome }) => outcome);
    };
    await Promise.all(Array.from({ length: 60 }, work));
    return reports;
  }
  const [baseUrl, orders] = globalThis.process?.argv.slice(2) ?? [];
  if (baseUrl) main(baseUrl, Number(orders)).then((reports) => console.log(JSON.stringify(reports)));
  else globalThis.main = main;`;

beforeAll(async () => {
  const stdin = { contents: source, resolveDir: folder, loader: "js" } as const;
  const { outputFiles } = await build({ stdin, bundle: true, format: "esm", write: false });
  code = outputFiles[0]?.text ?? "";
  writeFileSync(program, code);
});

/** Starts a service that closes 200 connections instead of responding, half of them after it has dispatched the order. */
async function service() {
  const received = new Map<string, number>();
  const done = new Set<string>();
  let faults = 0;
  const { url } = await rawServer((socket, _, head) => {
    const id = /^POST .*\/orders\/(\d+)\/dispatch /.exec(head)?.[1];
    if (id === undefined) return void socket.write(httpAnswer(200, "<!doctype html>"));
    received.set(id, (received.get(id) ?? 0) + 1);
    const isFault = faults < 200 && received.size % 5 === 0;
    if (isFault) faults += 1;
    const isRefused = done.has(id);
    if (!isFault || faults % 2 === 0) done.add(id);
    if (isFault) socket.destroy();
    else socket.write(isRefused ? httpAnswer(409, '{"code":4002,"message":"no"}') : httpAnswer(204));
  });
  const sentTwice = () => [...received.values()].filter((times) => times > 1).length;
  return { url, done, faults: () => faults, sentTwice };
}

type Reports = Readonly<Record<string, string>>;

async function started(file: string, flags: readonly string[], url: string): Promise<Reports> {
  const { stdout } = await run(file, [...flags, program, url, String(orders)]);
  return JSON.parse(stdout) as Reports;
}

const orders = 1_000;
const deno = fetched("deno", "@deno/linux-x64-glibc/deno");
const bun = fetched("bun", "@oven/bun-linux-x64/bin/bun");

const inDeno = (url: string) => started(deno ?? "", ["run", "--allow-net=127.0.0.1"], url);
const inBun = (url: string) => started(bun ?? "", [], url);
describe.each([
  { name: "Node", run: (url: string) => started(process.execPath, [], url), isMissing: false, once: true },
  { name: "Deno", run: inDeno, isMissing: deno === undefined, once: true },
  { name: "Bun", run: inBun, isMissing: bun === undefined, once: true },
  {
    name: "Chromium",
    run: async (url: string) => {
      const browser = await openChromium();
      try {
        const page = await browser.newPage();
        await page.goto(url);
        await page.addScriptTag({ content: code, type: "module" });
        return await page.evaluate<Reports>(`main(${JSON.stringify(url)}, ${orders})`);
      } finally {
        await browser.close();
      }
    },
    isMissing: !chromiumAvailable,
    once: false,
  },
])("$name", ({ run, isMissing, once: isOnce }) => {
  test.skipIf(isMissing)("reports 1,000 orders correctly, with 200 faults", async () => {
    const { url, done, faults, sentTwice } = await service();
    const reports = Object.entries(await run(url));
    expect(faults()).toBe(200);
    expect(reports).toHaveLength(orders);
    const isFalse = ([id, outcome]: readonly [string, string]) =>
      outcome === "done" ? !done.has(id) : outcome !== "unknown" && done.has(id);
    expect(reports.filter(isFalse)).toEqual([]);
    expect(reports.filter(([, outcome]) => outcome === "done").length).toBeGreaterThanOrEqual(orders - 200);
    if (isOnce) expect(sentTwice()).toBe(0);
  });
});

const workerd = fetched("workerd", "@cloudflare/workerd-linux-64/bin/workerd");

test.skipIf(workerd === undefined)("a worker in workerd dispatches an order", async () => {
  const { url } = await service();
  const port = await freePort();
  const worker = `${code}
    export default { async fetch() { return Response.json(await main(${JSON.stringify(url)}, 4)); } };`;
  writeFileSync(path.join(folder, "worker.mjs"), worker);
  writeFileSync(
    path.join(folder, "workerd.capnp"),
    `using Workerd = import "/workerd/workerd.capnp";
     const config :Workerd.Config = (
       services = [(name = "main", worker = .worker), (name = "internet", network = (allow = ["private"]))],
       sockets = [(name = "http", address = "127.0.0.1:${port}", http = (), service = "main")]);
     const worker :Workerd.Worker = (
       modules = [(name = "worker.mjs", esModule = embed "worker.mjs")], compatibilityDate = "2026-01-01");`,
  );
  const program = spawn(workerd ?? "", ["serve", path.join(folder, "workerd.capnp")], { stdio: "ignore" });
  try {
    const report = async () => (await fetch(`http://127.0.0.1:${port}`)).json();
    const reports = await vi.waitFor(report, { timeout: 20_000, interval: 100 });
    expect(reports).toEqual({ 1: "done", 2: "done", 3: "done", 4: "done" });
  } finally {
    program.kill();
  }
});
