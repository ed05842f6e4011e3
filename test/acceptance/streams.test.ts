/** Output to a full disk, a closed pipe or a reader that doesn't read. */
import { execFileSync, spawn, type StdioOptions } from "node:child_process";
import { once } from "node:events";
import { closeSync, constants, existsSync, openSync, writeSync } from "node:fs";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";

import { describe, expect, onTestFinished, test } from "vitest";
import * as z from "zod/mini";

import type { errorDocument } from "../../src/core/results.js";
import { Bench, errorOf, matching, parseJsonLines } from "../support/bench.js";
import { hasOpen, isIdle } from "../support/process-state.js";
import { comandaCommand } from "../support/program.js";

const bench = await Bench.open({ rateLimits: false, env: { COMANDA_RATE_LIMITS: "off" } });
await bench.signIn();

const rowSchema = z.looseObject({ order_id: z.string() });

describe.skipIf(!existsSync("/dev/full"))("output to a full disk", () => {
  test("causes one error of --version", async () => {
    const version = await bench.machine.shell("comanda --version > /dev/full");
    expect(version.code).toBe(2);
    expect(version.stderr).not.toMatch(/Internal error|^\s+at /m);
  });

  const { faults } = bench.emulator.service;
  const full = async (line: string) => {
    const { code, stderr } = await bench.machine.shell(`comanda ${line} --json > /dev/full`);
    expect(stderr.match(/"error":/g)).toHaveLength(1);
    const { error } = errorOf(stderr) as z.output<typeof errorDocument>;
    expect(error.message).toMatch(/^Can't write stdout: there is no space left\./);
    return { code, error };
  };
  const tookEffect = "If changes were sent, they took effect.";

  test.each([
    ["orders dispatch", "", "released"],
    ["driver assign", " 11", "confirmed"],
  ])("causes one error, whose outcome is that of %s: done", async (command, options, status) => {
    const id = await bench.order();
    const { code, error } = await full(`${command} ${id}${options}`);
    expect({ code, status: bench.stored(id).status }).toEqual({ code: 2, status });
    expect(error).toMatchObject({ exit_code: 2, code: "output_failed", outcome: "done" });
    expect(error.hint).toContain(tookEffect);
  });

  test.each([
    [1, "outcome_unknown", 9],
    [2, "some_failed", 10],
  ])("causes one error with the next step if %i outcomes are unknown", async (count, code, exit) => {
    const ids = await bench.orders(count);
    faults.set([{ status: 503, path: "/dispatch" }]);
    const failed = await full(`orders dispatch ${ids.join(" ")}`);
    faults.set([]);
    expect(failed).toMatchObject({ code: exit, error: { code, outcome: "unknown" } });
    expect(failed.error.hint).toMatch(/the disk may be full\.\n.*\n.*comanda history settle \d+ done/);
    expect(failed.error.hint).not.toContain(tookEffect);
  });

  test("says that a refused order was refused", async () => {
    const { code, error } = await full("orders dispatch 99999999");
    expect({ code, outcome: error.outcome }).toEqual({ code: 5, outcome: "refused" });
    expect(error.hint).not.toContain(tookEffect);
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
  const fifo = path.join(bench.machine.folder, "still");

  function start(command: readonly [string, ...string[]], stdio: StdioOptions, input = "") {
    const [program, ...args] = command;
    const child = spawn(program, args, { env: bench.machine.env, stdio });
    child.stdin?.end(input);
    onTestFinished(() => void child.kill("SIGKILL"));
    return { child, ended: once(child, "exit") };
  }

  /** Returns both ends of a full pipe. */
  function fullPipe() {
    if (!existsSync(fifo)) execFileSync("mkfifo", [fifo]);
    const reader = openSync(fifo, constants.O_RDONLY | constants.O_NONBLOCK);
    const filler = openSync(fifo, constants.O_WRONLY | constants.O_NONBLOCK);
    try {
      for (;;) writeSync(filler, Buffer.alloc(4096));
    } catch {
      closeSync(filler);
    }
    const writer = openSync(fifo, constants.O_WRONLY);
    return { reader, writer };
  }

  test.each<[string, NodeJS.Signals, number, (writer: number) => readonly (number | "ignore")[]]>([
    ["openapi", "SIGINT", 130, (writer) => ["ignore", writer, "ignore"]],
    ["summary --json --debug", "SIGTERM", 143, (writer) => ["ignore", "ignore", writer]],
    ["emulator start --port 0 --orders 1", "SIGTERM", 143, (writer) => ["ignore", writer, writer]],
  ])("doesn't keep %s from exiting on %s with %i", async (line, signal, code, stdioWith) => {
    const { reader, writer } = fullPipe();
    const stdio = stdioWith(writer);
    const { child, ended } = start([...comandaCommand, ...line.split(" ")], [...stdio]);
    // The program opens the pipe once more when it first writes.
    await hasOpen(child.pid, fifo, stdio.filter((each) => each === writer).length + 1);
    child.kill(signal);
    expect(await exitCode(ended)).toBe(code);
    closeSync(reader);
    closeSync(writer);
  });

  // Otherwise, a socket would accept hundreds of lines.
  const filled = ["sh", "-c", 'timeout 0.3 cat /dev/zero; exec "$@"', "sh"] as const;

  test.each<[string, NodeJS.Signals, number]>([
    ["pipe", "SIGINT", 130],
    ["socket", "SIGTERM", 143],
  ])("of a %s doesn't keep a list from exiting on %s with %i", async (kind, signal, code) => {
    const ids = await bench.orders(20);
    const { reader, writer } = fullPipe();
    const stdio: StdioOptions = ["pipe", kind === "pipe" ? writer : "pipe", "ignore"];
    const line = [...comandaCommand, ...["orders", "dispatch", "-", "--json"]] as const;
    const { child, ended } = start(kind === "pipe" ? line : [...filled, ...line], stdio, ids.join("\n"));
    const sent = () => ids.filter((id) => bench.stored(id).status !== "confirmed");
    await expect.poll(sent).toHaveLength(ids.length);
    await isIdle(child.pid);
    child.kill(signal);
    expect(await exitCode(ended)).toBe(code);
    closeSync(reader);
    closeSync(writer);
    const { stdout } = await bench.inProcess("history --json --outcome done --limit 100");
    const recorded = z.parse(z.array(rowSchema), parseJsonLines(stdout)).map((row) => row.order_id);
    expect(recorded).toEqual(expect.arrayContaining(ids));
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

/** @throws if the process is still running after 20 s */
async function exitCode(ended: Promise<unknown[]>): Promise<unknown> {
  const late = delay(20_000, undefined, { ref: false }).then(() => {
    throw new Error("still running after 20 s");
  });
  const [code] = await Promise.race([ended, late]);
  return code;
}
