/** `comanda emulator start` and `comanda emulator exec`. */
import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readFileSync, readdirSync } from "node:fs";
import path from "node:path";

import { afterEach, describe, expect, test, vi } from "vitest";

import * as results from "../../src/core/results.js";
import { freePort } from "../support/resources.js";
import { parseJson } from "../support/output.js";
import { Machine } from "../support/program.js";
import { mountSmallDisk, smallDiskAvailable } from "../support/small-disk.js";

const address = "http://127.0.0.1:1";
const machine = new Machine({ COMANDA_STORE: "mine", COMANDA_BASE_URL: address, COMANDA_API_KEY: "k" });
const temporary = path.join(machine.folder, "tmp");
mkdirSync(temporary, { mode: 0o700 });
const env = { TMPDIR: temporary };

test("emulator start listens on the port, with the orders and the seed of its options, until SIGTERM", async () => {
  const port = await freePort();
  const line = `emulator start --json --port ${port} --orders 120 --seed 7`;
  const running = machine.start(line);
  const started = parseJson(await running.lineOn("stdout", /^\{/));
  const url = `http://127.0.0.1:${port}`;
  expect(results.startedEmulator.parse(started)).toMatchObject({ url, orders: 120, seed: 7 });
  const orders: unknown = await (await fetch(`${url}/_emulator/orders`)).json();
  expect(orders).toMatchObject({ total: 120 });
  const second = await machine.inProcess(`emulator start --port ${port}`);
  expect(second.code).toBe(2);
  expect(second.stderr).toContain(
    `error: comanda can't listen on 127.0.0.1:${port}: the port is in use.\n  Choose another port, or 0 for any free port`,
  );
  running.child.kill("SIGTERM");
  const { code, stderr } = await running.finished;
  expect(code).toBe(143);
  expect(parseJson(stderr)).toMatchObject({ error: { exit_code: 143, code: "terminated" } });
  await expect(fetch(url)).rejects.toThrow();
});

describe("emulator exec", () => {
  afterEach(() => {
    expect(readdirSync(temporary)).toEqual([]);
    expect(existsSync(machine.configFolder)).toBe(false);
  });

  const inProcess = (...words: string[]) => {
    vi.stubEnv("TMPDIR", temporary);
    return machine.inProcess(["emulator", "exec", "--orders", "1", ...words], {
      // An unreadable folder in PATH would change the error.
      env: { PATH: "/usr/bin:/bin" },
    });
  };
  const start = (line: string, words: readonly string[] = [], input = "") =>
    machine.start(["emulator", "exec", "--orders", "1", "--", "sh", "-c", line, ...words], { env, input });

  test("stops the matrix if the first run fails, and shows only the results", async () => {
    const words = ["--matrix", "--json", "--", "sh", "-c", "echo said; exit 3"];
    const { code, stdout, stderr } = await inProcess(...words);
    expect({ code, stderr }).toEqual({ code: 1, stderr: "" });
    expect(parseJson(stdout)).toEqual([{ reading: null, value: null, exit_code: 3, ok: false }]);
  });

  test("ends the matrix after a signal in the first run", async () => {
    const file = path.join(machine.folder, "started");
    const words = ["sh", "-c", 'echo > "$0"; exec sleep 600', file];
    const running = machine.start(["emulator", "exec", "--orders", "1", "--matrix", "--", ...words], { env });
    await expect.poll(() => existsSync(file)).toBe(true);
    running.child.kill("SIGTERM");
    expect(await running.finished).toMatchObject({ code: 143, stdout: "" });
  });

  test.each(["emulator exec -- true", "demo"])(
    "without a temporary folder, %s exits with code 2",
    async (line) => {
      vi.stubEnv("TMPDIR", "/nowhere");
      const stderr = "error: Can't write /nowhere: the file or folder doesn't exist.\n  Check the path.\n";
      expect(await machine.inProcess(line)).toEqual({ code: 2, stdout: "", stderr });
    },
  );

  test.skipIf(!smallDiskAvailable).each(["emulator exec -- true", "demo"])(
    "with a full temporary folder, %s exits with code 2",
    async (line) => {
      const disk = mountSmallDisk();
      disk.fill();
      vi.stubEnv("TMPDIR", disk.folder);
      const { code, stderr } = await machine.inProcess(line);
      disk.remove();
      expect(stderr).toMatch(/^error: Can't write .*: there is no space left\.$/m);
      expect(code).toBe(2);
    },
  );

  test("runs the command with a store signed in, this comanda in PATH, and without the user's settings", async () => {
    const out = path.join(machine.folder, "out");
    const line = `{ comanda status --json && env | grep ^COMANDA_ | cut -d= -f1; } > '${out}'`;
    expect((await inProcess("--", "sh", "-c", line)).code).toBe(0);
    const [status = "", ...names] = readFileSync(out, "utf8").trimEnd().split("\n");
    expect(parseJson(status)).toMatchObject({
      store: "demo",
      environment: "local",
      state: "valid",
      has_api_key: true,
      has_refresh_token: true,
      has_partner_key: true,
    });
    expect(names.sort()).toEqual(["COMANDA_CONFIG_DIR", "COMANDA_EMULATOR_URL", "COMANDA_STORE"]);
  });

  test("ends with the command, even if a request that it gave up on is still delayed", async () => {
    const script = `fetch(process.env.COMANDA_EMULATOR_URL + "/api/partner/v1/orders/summary", {
      signal: AbortSignal.timeout(500),
    }).catch(({ name }) => console.log(name));`;
    const fault = ["--fault", "delay=15000,path=/summary"];
    const since = performance.now();
    const command = [process.execPath, "-e", script];
    const running = machine.start(["emulator", "exec", ...fault, "--", ...command], { env });
    expect(await running.finished).toMatchObject({ code: 0, stdout: "TimeoutError\n" });
    expect(performance.now() - since).toBeLessThan(10_000);
  });

  test("passes on stdin, stdout, stderr, the words after -- and the exit code", async () => {
    const words = ["a", "--json", "--seed", "-s", "b", "--", "c", "--help"];
    const running = start('cat; echo "$0" "$@"; echo oops >&2; exit 3', words, "typed ");
    const said = { stdout: `typed ${words.join(" ")}\n`, stderr: "oops\n" };
    expect(await running.finished).toMatchObject({ code: 3, ...said });
  });

  test.each([
    [["sh", "-c", "kill -INT $$"], 130, /^$/],
    [["sh", "-c", "kill -KILL $$"], 137, /^$/],
    [["nothing-of-this-name"], 127, /^comanda: command not found: nothing-of-this-name\n$/],
    [["/etc/passwd"], 126, /^comanda: .+\.\n$/],
    [[], 2, /^error: /],
  ])("for %j, exits with code %i", async (command, exit, message) => {
    const { code, stdout, stderr } = await inProcess("--", ...command);
    expect({ code, stdout }).toEqual({ code: exit, stdout: "" });
    expect(stderr).toMatch(message);
  });

  test("passes on SIGHUP, SIGINT, SIGQUIT and SIGTERM, and waits for the command", async () => {
    const traps = ["HUP", "INT", "QUIT"].map((each) => `trap 'echo got SIG${each}' ${each}`).join("; ");
    const waiting = "echo ready; while :; do sleep 0.05; done";
    const running = start(`${traps}; trap 'echo got SIGTERM; exit 9' TERM; ${waiting}`);
    await running.lineOn("stdout", /ready/);
    for (const signal of ["SIGHUP", "SIGINT", "SIGQUIT", "SIGTERM"] as const) {
      running.child.kill(signal);
      await running.lineOn("stdout", new RegExp(`got ${signal}`));
    }
    expect((await running.finished).code).toBe(9);
  });

  test("also ends a process that the command's shell waits for", async () => {
    const running = start('sleep 600 & echo "pid $!"; wait');
    const [, pid] = /pid (\d+)/.exec(await running.lineOn("stdout", /pid/)) ?? [];
    running.child.kill("SIGTERM");
    expect((await running.finished).code).toBe(143);
    expect(execFileSync("ps", ["-A", "-o", "pid=,stat="], { encoding: "utf8" })).not.toMatch(
      new RegExp(String.raw`^ *${String(pid)} +[^Z]`, "m"),
    );
  });

  test("rejects a temporary folder in which other users could replace the session", async () => {
    chmodSync(temporary, 0o777);
    const { code, stderr } = await inProcess("--", "true");
    chmodSync(temporary, 0o700);
    expect(code).toBe(2);
    expect(stderr).toContain(temporary);
  });
});
