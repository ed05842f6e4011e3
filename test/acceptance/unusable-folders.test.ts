/** Folders that can't be used, or not be trusted: exit 2 at once, with what to type; what needs none works. */
import { execFileSync } from "node:child_process";
import { chmodSync, chownSync, mkdirSync, readdirSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";

import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { Bench } from "../support/bench.js";
import { parseJson } from "../support/json.js";
import { comandaCommand } from "../support/program.js";

const isRoot = process.getuid?.() === 0;
const isLinux = process.platform === "linux";

let bench: Bench;
beforeAll(async () => {
  bench = await Bench.open();
});
afterAll(() => bench.close());

const inHome = (...names: string[]) => path.join(bench.machine.folder, ...names);
const writing =
  "env set x --base-url http://127.0.0.1:1 --auth-url http://127.0.0.1:1/a --client-id x " +
  "--redirect-uri http://127.0.0.1:8765/callback --json";

function folder(name: string, mode: number): string {
  mkdirSync(inHome(name));
  chmodSync(inHome(name), mode);
  return inHome(name);
}

/** In this process, whose current folder and home are others: where these matter, a process is started. */
async function comanda(line: string, config: string) {
  return bench.inProcess(line, { env: { COMANDA_CONFIG_DIR: config } });
}

async function start(line: string, env: Readonly<Record<string, string>>) {
  return bench.comanda(line, { env });
}

const unusable = { error: expect.objectContaining({ exit_code: 2, code: "state_unusable" }) as unknown };

describe("a folder that can't be made", () => {
  test.skipIf(!isLinux).each(["/proc/x", "/proc/x/y", "/dev/null/x", "/sys/x"])(
    "%s: exit 2 (needs Linux)",
    async (place) => {
      const { code, stderr } = await comanda(writing, place);
      expect([code, parseJson(stderr)]).toEqual([2, unusable]);
      expect(stderr).toContain(place.split("/")[1]);
    },
  );

  test.each([
    ["a path of 5,000 characters", () => `/${"x".repeat(4999)}`],
    ["one below a file", () => inHome("file", "below")],
    ["a file", () => inHome("file")],
  ])("%s: exit 2", async (_, place) => {
    writeFileSync(inHome("file"), "");
    for (const line of [writing, "stores list --json"]) {
      const { code, stderr } = await comanda(line, place());
      expect([code, parseJson(stderr)]).toEqual([2, unusable]);
    }
  });

  test.skipIf(!isLinux || !canMount())("a file system that can only be read: exit 2 (needs unshare)", () => {
    const script = 'mount -t tmpfs -o ro tmpfs "$1"; shift; exec "$@"';
    const mounted = folder("read-only", 0o700);
    const command = [...comandaCommand, ...writing.split(" ")];
    const env = { ...bench.machine.env, COMANDA_CONFIG_DIR: path.join(mounted, "config") };
    expect(() =>
      execFileSync("unshare", ["-Urm", "sh", "-c", script, "sh", mounted, ...command], {
        env,
        stdio: "pipe",
      }),
    ).toThrow(expect.objectContaining({ status: 2 }) as Error);
  });
});

describe("without a folder to begin with", () => {
  const nowhere = { COMANDA_CONFIG_DIR: "", HOME: "" };

  test("an empty COMANDA_CONFIG_DIR is none, a relative one starts at the current folder", async () => {
    expect((await start(writing, { COMANDA_CONFIG_DIR: "" })).code).toBe(0);
    expect((await start(writing, { COMANDA_CONFIG_DIR: "relative" })).code).toBe(0);
    for (const name of [path.join(".config", "comanda"), "relative"])
      expect(statSync(inHome(name, "settings.json")).isFile()).toBe(true);
  });

  test("and without a home: exit 2 where one is needed, and what needs none works", async () => {
    for (const line of ["stores list --json", writing]) {
      const { code, stderr } = await start(line, nowhere);
      expect([code, parseJson(stderr)]).toEqual([2, unusable]);
      expect(stderr).toContain("COMANDA_CONFIG_DIR");
    }
    await worksWithoutState(nowhere);
  });

  test("the current folder is gone and a relative one is meant: exit 2", async () => {
    const line = 'mkdir gone; cd gone; rmdir ../gone; COMANDA_CONFIG_DIR=x comanda "$@" stores list --json';
    const { code, stderr } = await bench.machine.shell(line);
    expect([code, parseJson(stderr)]).toEqual([2, unusable]);
  });

  test("settings are written in a folder of one's own without a home", async () => {
    expect((await start(writing, { COMANDA_CONFIG_DIR: inHome("own"), HOME: "" })).code).toBe(0);
  });
});

describe("a folder that others could change things in", () => {
  test("one's own that they can write to: exit 2, with the chmod to type; then it works", async () => {
    const own = folder("mine", 0o777);
    await refuses(own, `chmod 700 ${own}`);
    expect(statSync(own).mode & 0o777).toBe(0o777);
    execFileSync("chmod", ["700", own]);
    expect((await comanda(writing, own)).code).toBe(0);
  });

  test("a link: exit 2, and nothing is written through it", async () => {
    const real = folder("real", 0o700);
    symlinkSync(real, inHome("link"));
    await refuses(inHome("link"), "COMANDA_CONFIG_DIR");
    expect(readdirSync(real)).toEqual([]);
  });

  test("one below a folder for all: exit 2, with the chmod to type; then it works", async () => {
    const volume = folder("volume of all", 0o777);
    const config = path.join(volume, "config");
    await refuses(config, `chmod o-w '${volume}'`);
    execFileSync("chmod", ["o-w", volume]);
    expect((await comanda(writing, config)).code).toBe(0);
  });

  test.skipIf(!isRoot)("another user's: exit 2, with the chown to type (needs root)", async () => {
    const other = folder("other", 0o700);
    chownSync(other, 12_345, 12_345);
    await refuses(other, `chown 0 ${other}`);
  });
});

/** Every command does, whatever it does and wherever its credentials come from: nothing is sent. */
async function refuses(config: string, hint: string): Promise<void> {
  const order = await bench.order();
  const before = bench.requests().length;
  const lines = [
    "stores list --json",
    writing,
    "status --json",
    `orders dispatch ${order} --json`,
    "history --json",
  ];
  for (const line of lines) {
    const { code, stderr } = await bench.inProcess(line, {
      env: { ...ofVariables(), COMANDA_CONFIG_DIR: config },
    });
    expect([line, code, parseJson(stderr)]).toEqual([line, 2, unusable]);
    expect(stderr).toContain(hint);
  }
  expect(bench.requests()).toHaveLength(before);
  const dispatch = await start(`orders dispatch ${order}`, { ...ofVariables(), COMANDA_CONFIG_DIR: config });
  expect(dispatch.code).toBe(2);
  expect(bench.requests()).toHaveLength(before);
  expect((await start("orders dispatch --help", { COMANDA_CONFIG_DIR: config })).code).toBe(0);
  const doctor = await comanda("doctor --json", config);
  expect([doctor.code, doctor.stdout]).toEqual([1, expect.stringContaining(hint)]);
}

function ofVariables() {
  const apiKey = [...bench.emulator.world.stores.values()].find(({ id }) => id === 501)?.apiKey ?? "";
  return { COMANDA_BASE_URL: bench.emulator.baseUrl, COMANDA_API_KEY: apiKey };
}

/** As in a container: address and credential in the environment. The count of requests is this run's own, which is said. */
async function worksWithoutState(env: Readonly<Record<string, string>>): Promise<void> {
  for (const line of ["orders dispatch --help"]) {
    const { code, stderr } = await start(line, env);
    expect([line, code, stderr]).toEqual([line, 0, ""]);
  }
  const order = await bench.order();
  const { code, stderr } = await start(`orders dispatch ${order} --json`, { ...env, ...ofVariables() });
  expect(code, stderr).toBe(0);
  expect(stderr.match(/for this run alone/g)).toHaveLength(1);
}

function canMount(): boolean {
  try {
    execFileSync("unshare", ["-Urm", "true"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}
