/** Output to a full disk, a closed pipe or a reader that doesn't read. */
import { spawn, type StdioOptions } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { text } from "node:stream/consumers";

import { describe, expect, onTestFinished, test } from "vitest";
import type { output } from "zod/mini";

import type { OrderLine } from "../../src/core/orders.js";
import type { errorDocument } from "../../src/core/results.js";
import { Bench, errorOf, matching, parseJsonLines } from "../support/bench.js";
import { fullPipe } from "../support/pipes.js";
import { hasOpen, isIdle } from "../support/process-state.js";
import { comandaCommand } from "../support/program.js";

const bench = await Bench.open({ rateLimits: false, env: { COMANDA_RATE_LIMITS: "off" } });
await bench.signIn();

describe.skipIf(!existsSync("/dev/full"))("output to a full disk", () => {
  test("causes one error of --version", async () => {
    const version = await bench.machine.shell("comanda --version > /dev/full");
    expect(version.code).toBe(2);
    expect(version.stderr).not.toMatch(/Internal error|^\s+at /m);
  });

  const full = async (line: string) => {
    const { code, stderr } = await bench.machine.shell(`comanda ${line} --json > /dev/full`);
    expect(stderr.match(/"error":/g)).toHaveLength(1);
    const { error } = errorOf(stderr) as output<typeof errorDocument>;
    expect(error.message).toMatch(/^Can't write stdout: there is no space left\./);
    return { code, error };
  };
  const tookEffect = "If changes were sent, they took effect.";

  test("causes one error, which says that a change is done", async () => {
    const id = await bench.order();
    const { code, error } = await full(`orders dispatch ${id}`);
    expect({ code, status: bench.stored(id).status }).toEqual({ code: 2, status: "released" });
    expect(error).toMatchObject({ exit_code: 2, code: "output_failed", outcome: "done" });
    expect(error.hint).toContain(tookEffect);
  });

  test("causes one error with the next step if a change has another outcome", async () => {
    const id = await bench.order();
    bench.emulator.service.faults.set([{ status: 503, path: "/dispatch" }]);
    const failed = await full(`orders dispatch ${id}`);
    bench.emulator.service.faults.set([]);
    expect(failed).toMatchObject({ code: 9, error: { code: "outcome_unknown", outcome: "unknown" } });
    expect(failed.error.hint).toMatch(/the disk may be full\.\n.*\n.*comanda history settle \d+ done/);
    expect(failed.error.hint).not.toContain(tookEffect);
  });
});

test.each([
  ["an empty file", ": > done.txt; comanda orders finalize - < done.txt", 0, /^Nothing to do/],
  ["an empty pipe", "true | comanda orders finalize -", 2, /^error: stdin is empty\.$/m],
])("%s in place of a list: %s exits with code %i", async (_, line, code, stderr) => {
  expect(await bench.machine.shell(line)).toMatchObject({ code, stderr: matching(stderr) });
});

test("a pipe that is closed early ends a command with exit code 141 and no error", async () => {
  // comanda sends 16 at a time, so some are never sent.
  const line = "seq 90000000 90000600 | comanda orders dispatch - --json --max-wait 0";
  const closed = `{ { ${line}; echo "$?" >&3; } | head -1 >/dev/null; } 3>&1`;
  const { stdout, stderr } = await bench.machine.shell(closed);
  expect(stdout).toBe("141\n");
  expect(stderr.replace(/^.*(?:done|refused|skipped|error: |^ {2}).*\n/gm, "")).toBe("");
  expect(stderr).not.toMatch(/EPIPE|^\s+at /m);
});

describe.skipIf(process.platform !== "linux")("a reader that doesn't read", () => {
  function start(command: readonly [string, ...string[]], stdio: StdioOptions, input = "") {
    const [program, ...args] = command;
    const child = spawn(program, args, { env: bench.machine.env, stdio });
    child.stdin?.end(input);
    onTestFinished(() => void child.kill("SIGKILL"));
    return { child, ended: once(child, "exit") };
  }

  test("of stderr doesn't keep a command from exiting on a signal", async () => {
    const { fifo, writer } = fullPipe();
    const line = "summary --json --debug".split(" ");
    const { child, ended } = start([...comandaCommand, ...line], ["ignore", "ignore", writer]);
    // The program opens the pipe once more when it first writes.
    await hasOpen(child.pid, fifo, 2);
    child.kill("SIGTERM");
    expect(await ended).toEqual([143, null]);
  });

  // Otherwise, a socket would accept hundreds of lines.
  const filled = ["sh", "-c", 'timeout 0.3 cat /dev/zero; exec "$@"', "sh"] as const;

  test.each<[string, NodeJS.Signals, number]>([
    ["pipe", "SIGINT", 130],
    ["socket", "SIGTERM", 143],
  ])("of a %s doesn't keep a list from exiting on %s with %i", async (kind, signal, code) => {
    const ids = await bench.orders(20);
    const stdio: StdioOptions = ["pipe", kind === "pipe" ? fullPipe().writer : "pipe", "ignore"];
    const line = [...comandaCommand, ...["orders", "dispatch", "-", "--json"]] as const;
    const { child, ended } = start(kind === "pipe" ? line : [...filled, ...line], stdio, ids.join("\n"));
    const sent = () => ids.filter((id) => bench.stored(id).status !== "confirmed");
    await expect.poll(sent).toHaveLength(ids.length);
    await isIdle(child.pid);
    child.kill(signal);
    expect(await ended).toEqual([code, null]);
    const { stdout } = await bench.inProcess("history --json --outcome done --limit 100");
    const recorded = (parseJsonLines(stdout) as readonly OrderLine[]).map((row) => row.order_id);
    expect(recorded).toEqual(expect.arrayContaining(ids));
  });

  test("of comanda mcp receives every answer once it reads", async () => {
    const clientInfo = { name: "late", version: "1" };
    const params = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo };
    const ids = Array.from({ length: 100 }, (_, index) => index + 1);
    const requests = [{ id: 0, method: "initialize", params }, { method: "notifications/initialized" }];
    const lines = [...requests, ...ids.map((id) => ({ id, method: "tools/list" }))].map(
      (request) => `${JSON.stringify({ jsonrpc: "2.0", ...request })}\n`,
    );
    const { child, ended } = start([...comandaCommand, "mcp"], ["pipe", "pipe", "ignore"], lines.join(""));
    await isIdle(child.pid);
    const answers = child.stdout && parseJsonLines(await text(child.stdout));
    expect(answers).toMatchObject([0, ...ids].map((id) => ({ id })));
    expect(await ended).toEqual([0, null]);
  });

  test("receives everything in order once it reads", async () => {
    const lines = ["openapi", "stores list", "openapi --nothing"];
    const run = lines.map((line) => `comanda ${line}`).join("; ");
    const { stdout: late } = await bench.machine.shell(`{ ${run}; } 2>&1 | { sleep 1; cat; }`);
    const all = [];
    for (const line of lines) {
      const { stdout, stderr } = await bench.inProcess(line);
      all.push(stdout, stderr);
    }
    expect(late.length).toBeGreaterThan(65_536);
    expect(late).toBe(all.join(""));
  });
});
