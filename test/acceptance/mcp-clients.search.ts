/** Clients of `comanda mcp` that break the protocol or die: nothing is sent twice, nothing hangs, and no stack trace is printed. */
import { setTimeout as delay } from "node:timers/promises";

import { beforeEach, expect, onTestFinished, test, vi } from "vitest";

import { Bench, containing, parseJson, parseJsonLines } from "../support/bench.js";
import type { RunOptions } from "../support/program.js";

const bench = await Bench.open({ rateLimits: false, env: { COMANDA_RATE_LIMITS: "off" } });
await bench.signIn();
beforeEach(() => {
  bench.emulator.service.faults.set([]);
  bench.forgetRequests();
});

const line = (message: object) => `${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`;
const call = (id: number, name: string, input: object = {}) =>
  line({ id, method: "tools/call", params: { name, arguments: input } });
const clientInfo = { name: "raw", version: "1" };
const hello =
  line({
    id: 0,
    method: "initialize",
    params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo },
  }) + line({ method: "notifications/initialized" });

/** Starts a server with an initialized session. */
function start(args: readonly string[] = [], options: RunOptions = {}) {
  const running = bench.machine.start(["mcp", ...args], { input: hello, stdinStaysOpen: true, ...options });
  onTestFinished(() => void running.child.kill("SIGKILL"));
  return running;
}

const ended = { code: 0, stderr: "" };

const ofPrototype = { __proto__: null, constructor: 1 };
const wrong = { period: { a: 1 }, filter: [null, [1]], store: 5, compare: [] };

test.each([
  ["garbage", "garbage\n\n{}\n[]\nnull\n\u0000\u001b[2J\n"],
  ["a message that is no request", line({ id: 1 }) + line({ method: 7 }) + line({ id: {}, method: "ping" })],
  ["half a message", '{"jsonrpc":"2.0","id":1,"meth'],
  ["a deep message", `${"[".repeat(200_000)}\n`],
  ["an unknown method", line({ id: 1, method: "tools/destroy" })],
  ["wrong fields", call(1, "sales_summary", wrong)],
  ["names of the prototype", call(1, "constructor") + call(2, "sales_summary", ofPrototype)],
])("answers the next call after %s", async (_, text) => {
  const { child, finished, ...server } = start();
  child.stdin.write(text.endsWith("\n") ? text : `${text}\n`);
  child.stdin.write(call(99, "list_stores"));
  const answer = parseJson(await server.lineOn("stdout", /"id":99/));
  expect(answer).toMatchObject({ result: { structuredContent: { stores: [{ store: "centro" }] } } });
  child.stdin.end(text);
  const { stdout, ...end } = await finished;
  expect(end).toMatchObject(ended);
  expect(stdout).not.toMatch(/\n\s+at |\\n\s+at /);
});

test("writes no other output to stdout", async () => {
  const stray = "setInterval(() => { console.log('stray'); process.stdout.write('stray\\n'); }, 20).unref();";
  const preload = `--import=data:text/javascript,${encodeURIComponent(`setTimeout(() => {${stray}}, 300).unref()`)}`;
  const { child, finished, ...server } = start([], { env: { NODE_OPTIONS: preload } });
  await server.lineOn("stderr", /stray/);
  child.stdin.write(call(1, "list_stores"));
  await server.lineOn("stdout", /"id":1\b/);
  child.stdin.end();
  const { stdout, code } = await finished;
  expect(code).toBe(0);
  expect(parseJsonLines(stdout)).toHaveLength(2);
});

test("a signal ends the server with the exit code of a command", async () => {
  const { child, finished, ...server } = start();
  await server.lineOn("stdout", /"id":0/);
  child.kill("SIGTERM");
  expect(await finished).toMatchObject({ code: 143, stderr: "" });
});

const ways = ["closes its pipes", "closes stdout alone"];
test.each(ways)("a client that %s in the middle of a list causes no order to be sent twice", async (how) => {
  bench.emulator.service.faults.set([{ delay: 50, operation: "dispatchOrder" }]);
  const ids = await bench.orders(200);
  bench.forgetRequests();
  const { child, finished } = start(["--allow-writes", "--without-asking"]);
  child.stdin.write(call(1, "change_order", { action: "dispatch", orders: ids }));
  await vi.waitFor(() => expect(bench.requests().length).toBeGreaterThan(5), { timeout: 10_000 });
  child.stdout.destroy();
  if (how === "closes its pipes") {
    child.stdin.destroy();
    child.stderr.destroy();
  } else child.stdin.write(line({ id: 2, method: "ping" }));
  const begunAt = performance.now();
  await finished;
  expect(performance.now() - begunAt).toBeLessThan(20_000);
  bench.emulator.service.faults.set([]);
  await bench.inProcess(["orders", "dispatch", ...ids, "--resume", "--json"]);
  const sent = bench.requests();
  expect(sent).toHaveLength(200);
  expect(new Set(sent).size).toBe(200);
});

test("a sign-in that is being renewed when the client disconnects is saved", async () => {
  await bench.signInExpired();
  bench.emulator.service.faults.set([{ delay: 1_500, path: "/oauth/token", when: "after" }]);
  const { child, finished } = start();
  child.stdin.write(call(1, "sales_summary", { period: "last-week", fresh: true }));
  await delay(700);
  child.stdin.destroy();
  child.stdout.destroy();
  child.kill("SIGTERM");
  await finished;
  bench.emulator.service.faults.set([]);
  expect(await bench.inProcess("summary --fresh --json")).toMatchObject({ code: 0 });
});

test("rejects a terminal, and names the help", async () => {
  const { code, stderr } = await bench.inProcess("mcp", { answers: [] });
  expect({ code, stderr }).toEqual({ code: 2, stderr: containing("Run comanda mcp --help for usage.") });
});
