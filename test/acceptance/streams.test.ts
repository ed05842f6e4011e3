/** Output to a full disk, a closed pipe or a reader that doesn't read. */
import { execFileSync, spawn, type StdioOptions } from "node:child_process";
import { once } from "node:events";
import { closeSync, constants, existsSync, openSync, writeSync } from "node:fs";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";

import { describe, expect, onTestFinished, test } from "vitest";

import { Bench } from "../support/bench.js";
import { parseJson } from "../support/json.js";
import { isCatching, isIdle } from "../support/process-state.js";
import { comandaCommand } from "../support/program.js";

const bench = await Bench.open({ rateLimits: false, env: { COMANDA_RATE_LIMITS: "off" } });
await bench.signIn();

describe.skipIf(!existsSync("/dev/full"))("output to a full disk", () => {
  test("causes one error, and the order is still dispatched", async () => {
    const version = await bench.machine.shell("comanda --version > /dev/full");
    expect(version).toMatchObject({
      code: 2,
      stderr: expect.not.stringMatching(/Internal error|^\s+at /m) as string,
    });
    const id = await bench.order();
    const { code, stderr } = await bench.machine.shell(`comanda orders dispatch ${id} --json > /dev/full`);
    expect({ code, status: bench.stored(id).status }).toEqual({ code: 2, status: "released" });
    expect(parseJson(stderr)).toMatchObject({ error: { exit_code: 2, code: "output_failed" } });
    expect(stderr.match(/ENOSPC/g)).toHaveLength(1);
  });
});

test.each([
  ["an empty file", ": > done.txt; comanda orders finalize - < done.txt", 0, /^Nothing to do/],
  ["no input", "comanda orders finalize - < /dev/null", 2, /^error: No order ids on stdin/],
  ["an empty pipe", "true | comanda orders finalize -", 2, /^error: No order ids on stdin/],
])("%s in place of a list: %s exits with code %i", async (_, line, code, stderr) => {
  const ran = await bench.machine.shell(`cd "${bench.machine.folder}"; ${line}`);
  expect(ran).toMatchObject({ code, stderr: expect.stringMatching(stderr) as string });
});

test("a pipe that is closed early ends a command with exit code 141 and no error", async () => {
  // comanda sends 16 at a time, so some are never sent.
  const line = "seq 90000000 90000600 | comanda orders dispatch - --json --max-wait 0";
  const { stdout, stderr } = await bench.machine.shell(
    `{ { ${line}; echo "$?" >&3; } | head -1 >/dev/null; } 3>&1`,
  );
  expect(stdout).toBe("141\n");
  expect(stderr.replace(/^.*(?:done|refused|skipped|error: |^ {2}).*\n/gm, "")).toBe("");
  expect(stderr).not.toMatch(/EPIPE|^\s+at /m);
});

describe.skipIf(process.platform !== "linux")("a reader that doesn't read", () => {
  const fifo = path.join(bench.machine.folder, "still");

  /** Starts the built program, and waits until it handles signals and does nothing more. */
  async function start(line: string, stdio: StdioOptions, input = "") {
    const [node, script] = comandaCommand;
    const child = spawn(node, [script, ...line.split(" ")], { env: bench.machine.env, stdio });
    child.stdin?.end(input);
    const ended = once(child, "exit");
    onTestFinished(() => void child.kill("SIGKILL"));
    await isCatching(child.pid);
    await isIdle(child.pid);
    return { child, ended };
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

  test.each<[string, NodeJS.Signals, number, (writer: number) => StdioOptions]>([
    ["openapi", "SIGTERM", 143, (writer) => ["ignore", writer, "ignore"]],
    ["history --json", "SIGINT", 130, (writer) => ["ignore", writer, "ignore"]],
    [
      "grouped --by hour --json --period today --tz UTC",
      "SIGTERM",
      143,
      (writer) => ["ignore", writer, "ignore"],
    ],
    ["summary --json --debug", "SIGTERM", 143, (writer) => ["ignore", "ignore", writer]],
    ["emulator start --port 0", "SIGTERM", 143, (writer) => ["ignore", writer, writer]],
  ])("doesn't keep %s from exiting on %s with %i", async (line, signal, code, stdio) => {
    const { reader, writer } = fullPipe();
    const { child, ended } = await start(line, stdio(writer));
    child.kill(signal);
    expect(await exitCode(ended)).toBe(code);
    closeSync(reader);
    closeSync(writer);
  });

  test.each<[string, NodeJS.Signals, number, boolean]>([
    ["pipe", "SIGTERM", 143, true],
    ["pipe", "SIGINT", 130, true],
    ["socket", "SIGTERM", 143, false],
  ])("of a %s doesn't keep a list from exiting on %s with %i", async (_, signal, code, isPipe) => {
    const ids = await bench.orders(isPipe ? 500 : 1_500);
    const { reader, writer } = fullPipe();
    const stdio: StdioOptions = ["pipe", isPipe ? writer : "pipe", "ignore"];
    const { child, ended } = await start("orders dispatch - --json", stdio, ids.join("\n"));
    child.kill(signal);
    expect(await exitCode(ended)).toBe(code);
    closeSync(reader);
    closeSync(writer);
    const dispatched = ["released", "waiting_to_catch"];
    const sent = ids.filter((id) => dispatched.includes(bench.stored(id).status));
    expect(sent).not.toEqual([]);
    const { stdout } = await bench.inProcess("history --json --outcome done --limit 1600");
    const recorded = stdout
      .trim()
      .split("\n")
      .map((text) => (parseJson(text) as { order_id: string }).order_id);
    expect(recorded.filter((id) => ids.includes(id)).sort()).toEqual(sent.sort());
  });

  test("receives everything in order once it reads", async () => {
    const line = "{ comanda openapi; comanda stores list; comanda openapi --nothing; } 2>&1";
    const { stdout: all } = await bench.machine.shell(line);
    const { stdout: late } = await bench.machine.shell(`${line} | { sleep 1; cat; }`);
    expect(all.length).toBeGreaterThan(65_536);
    expect(late).toBe(all);
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
