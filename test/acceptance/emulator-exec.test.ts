/** `comanda emulator exec`: a command of one's own against an emulator of its own. */
import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readFileSync, readdirSync } from "node:fs";
import path from "node:path";

import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";

import { parseJson } from "../support/json.js";
import { Machine } from "../support/program.js";

describe("emulator exec", () => {
  const machine = new Machine({
    COMANDA_STORE: "mine",
    COMANDA_BASE_URL: "http://127.0.0.1:1",
    COMANDA_API_KEY: "k",
  });
  const temporary = path.join(machine.folder, "tmp");
  beforeAll(() => mkdirSync(temporary, { mode: 0o700 }));
  afterAll(() => machine.remove());

  /** For one that says nothing: what the command says goes to the streams of the process. */
  const execInProcess = (options: readonly string[], ...command: string[]) => {
    vi.stubEnv("TMPDIR", temporary);
    return machine.inProcess(["emulator", "exec", "--orders", "20", ...options, "--", ...command]);
  };
  /** A line for `sh`, and what it says. */
  const exec = async (options: readonly string[], line: string) => {
    const [out, err] = ["out", "err"].map((name) => path.join(machine.folder, name));
    const { code } = await execInProcess(options, "sh", "-c", `{ ${line}\n} > '${out}' 2> '${err}'`);
    return { code, stdout: readFileSync(out ?? "", "utf8"), stderr: readFileSync(err ?? "", "utf8") };
  };
  const leavesNothing = () => {
    expect(readdirSync(temporary)).toEqual([]);
    expect(existsSync(machine.configFolder)).toBe(false);
  };

  test("stops the matrix where the command fails already, and shows what it prints with --show alone", async () => {
    const line = ["emulator", "exec", "--orders", "0", "--matrix", "--json"];
    const command = ["--", "sh", "-c", "echo said; exit 3"];
    const env = { TMPDIR: temporary };
    const rows = [{ reading: null, value: null, exit_code: 3, ok: false }];
    const shown = await machine.run([...line, "--show", ...command], { env });
    const [said, ...json] = shown.stdout.split("\n");
    expect([shown.code, said, parseJson(json.join("\n"))]).toEqual([1, "said", rows]);
    expect(shown.stderr).toBe("The emulator as it is:\n");
    vi.stubEnv("TMPDIR", temporary);
    const silent = await machine.inProcess([...line, ...command]);
    expect([silent.code, parseJson(silent.stdout)]).toEqual([1, rows]);
    leavesNothing();
  });

  test("runs it with a store signed in, this comanda on the path, and none of our own settings", async () => {
    const { code, stdout, stderr } = await exec(
      [],
      "comanda status --json && env | grep ^COMANDA_ | cut -d= -f1",
    );
    expect([code, stderr]).toEqual([0, ""]);
    const [status = "", ...names] = stdout.trimEnd().split("\n");
    expect(parseJson(status)).toMatchObject({
      store: "demo",
      environment: "local",
      state: "valid",
      has_api_key: true,
      has_refresh_token: true,
      has_partner_key: true,
    });
    expect(names.sort()).toEqual(["COMANDA_CONFIG_DIR", "COMANDA_EMULATOR_URL", "COMANDA_STORE"]);
    leavesNothing();
  });

  test.each([
    ["kill -INT $$", 130],
    ["kill -KILL $$", 137],
  ])("ends as the command ends: %s", async (line, exit) => {
    expect((await execInProcess([], "sh", "-c", line)).code).toBe(exit);
    leavesNothing();
  });

  test.each([
    ["nothing-of-this-name", 127],
    ["/etc/passwd", 126],
  ])("%s can't be run: %i", async (command, exit) => {
    // A folder of the path that this user may not read would be the reason in place of the name.
    const env = { PATH: "/usr/bin:/bin" };
    const { code, stdout, stderr } = await machine.inProcess(
      ["emulator", "exec", "--orders", "0", "--", command],
      { env },
    );
    expect([code, stdout]).toEqual([exit, ""]);
    expect(stderr).toMatch(/^comanda: .+\.\n$/);
    leavesNothing();
  });

  test("hands stdin, stdout, stderr and everything behind -- through, and ends as the command ends", async () => {
    const words = ["a", "--json", "--seed", "-s", "b", "--", "c", "--help"];
    const command = ["--", "sh", "-c", 'cat; echo "$0" "$@"; echo oops >&2; exit 3', ...words];
    const running = machine.start(["emulator", "exec", "--orders", "1", ...command], {
      input: "typed ",
      env: { TMPDIR: temporary },
    });
    const said = { stdout: `typed ${words.join(" ")}\n`, stderr: "oops\n" };
    expect(await running.finished).toMatchObject({ code: 3, ...said });
    leavesNothing();
  });

  const untilSignal = async (line: string, ...signals: readonly [NodeJS.Signals, ...NodeJS.Signals[]]) => {
    const wait = `${line}; echo ready; while :; do sleep 0.05; done`;
    const running = machine.start(["emulator", "exec", "--orders", "1", "--", "sh", "-c", wait], {
      env: { TMPDIR: temporary },
    });
    await running.lineOn("stdout", /ready/);
    for (const signal of signals) {
      running.child.kill(signal);
      if (signal !== signals.at(-1)) await running.lineOn("stdout", new RegExp(`got ${signal}`));
    }
    return running.finished;
  };

  test("hands SIGHUP, SIGINT, SIGQUIT and SIGTERM on as they are, and waits for the end", async () => {
    const traps = ["HUP", "INT", "QUIT"].map((each) => `trap 'echo got SIG${each}' ${each}`);
    const line = `${traps.join("; ")}; trap 'echo got SIGTERM; exit 9' TERM`;
    expect(await untilSignal(line, "SIGHUP", "SIGINT", "SIGQUIT", "SIGTERM")).toMatchObject({
      code: 9,
      stdout: "ready\ngot SIGHUP\ngot SIGINT\ngot SIGQUIT\ngot SIGTERM\n",
    });
    leavesNothing();
  });

  test("leaves nothing running that a shell has waited for", async () => {
    const running = machine.start(
      ["emulator", "exec", "--orders", "1", "--", "sh", "-c", 'sleep 600 & echo "pid $!"; wait'],
      { env: { TMPDIR: temporary } },
    );
    const [, pid] = /pid (\d+)/.exec(await running.lineOn("stdout", /pid/)) ?? [];
    running.child.kill("SIGTERM");
    expect((await running.finished).code).toBe(143);
    expect(execFileSync("ps", ["-A", "-o", "pid=,stat="], { encoding: "utf8" })).not.toMatch(
      new RegExp(String.raw`^ *${String(pid)} +[^Z]`, "m"),
    );
    leavesNothing();
  });

  test("refuses a temporary folder in which others could exchange the session: exit 2", async () => {
    chmodSync(temporary, 0o777);
    const { code, stderr } = await execInProcess([], "true");
    chmodSync(temporary, 0o700);
    expect([code, stderr]).toEqual([2, expect.stringContaining(temporary)]);
    leavesNothing();
  });

  test.each([
    ["no command", [], []],
    ["an option that it doesn't have", ["--nonsense"], ["true"]],
    ["--store", ["--store", "x"], ["true"]],
  ])("refuses %s with exit code 2", async (_, options, command) => {
    const { code, stderr } = await execInProcess(options, ...command);
    expect(code).toBe(2);
    expect(stderr).toMatch(/^error: /);
    expect(stderr).not.toContain("TMPDIR");
    leavesNothing();
  });
});
