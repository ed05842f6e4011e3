import { Readable } from "node:stream";

import { describe, expect, test, vi } from "vitest";

import { login, type LoginOptions } from "../../src/commands/login/index.js";
import { freePort } from "../../src/commands/free-port.js";
import { filesIn } from "../support/folder-state.js";
import { parseJson } from "../support/json.js";
import { keepSession, openMachine, run, runToFailure, type MachineOptions } from "../support/machine.js";
import { parse } from "../support/parse.js";

const owner = { kind: "sign in", browser: true, waitMs: undefined } as const;
const usual: LoginOptions = { store: undefined, env: undefined, timeZone: undefined, method: owner };

describe("parse", () => {
  test.each<[string, string[], Partial<LoginOptions>]>([
    ["nothing", [], {}],
    ["store and environment", ["-s", "centro", "--env", "local"], { store: "centro", env: "local" }],
    ["--tz", ["--tz", "Asia/Tokyo"], { timeZone: "Asia/Tokyo" }],
    ["--no-browser", ["--no-browser"], { method: { ...owner, browser: false } }],
    ["--timeout", ["--timeout", "90s"], { method: { ...owner, waitMs: 90_000 } }],
    ["--api-key", ["--api-key"], { method: { kind: "store key", key: "api_key" } }],
    ["--partner-key", ["--partner-key"], { method: { kind: "store key", key: "partner_key" } }],
  ])("%s", async (_, words, options) => {
    await expect(parse(login, ...words)).resolves.toEqual({ ...usual, ...options });
  });

  test.each([
    ["both keys", ["--api-key", "--partner-key"], "one at a time"],
    ["a key as an argument", ["--api-key", "my-key"], "too many arguments"],
    ["two stores", ["-s", "a", "-s", "b"], "more than once"],
    ["no time at all", ["--timeout", "0"], "can't be 0"],
    ["a time before now", ["--timeout", "-1s"], "--timeout can't be negative"],
  ])("refuses %s", async (_, words, message) => {
    await expect(parse(login, ...words)).rejects.toThrow(message);
  });
});

/** A machine that knows an environment whose redirect address is free. */
async function machineWith(options: MachineOptions = {}) {
  const machine = await openMachine(options);
  const { settings } = await machine.machine.state();
  const environment = {
    // Nobody listens there.
    base_url: "http://127.0.0.1:9",
    auth_url: "http://127.0.0.1:9/portal/authorize",
    client_id: "test",
    redirect_uri: `http://127.0.0.1:${await freePort()}/callback`,
  };
  await settings.update((current) => ({ ...current, environments: { test: environment } }));
  return machine;
}

const stdin = (text: string) => ({ context: { stdin: Readable.from([Buffer.from(text)]) } });
const key = (store: string): LoginOptions => ({
  ...usual,
  store,
  env: "test",
  method: { kind: "store key", key: "api_key" },
});

describe("a key", () => {
  test("of the first store makes it the default", async () => {
    const test = await machineWith(stdin("key_abc\n"));
    const { result, stdout, stderr } = await run(login, test, key("centro"));
    expect(result).toMatchObject({ report: { store: "centro", has_api_key: true }, isNewDefault: true });
    expect(stdout).toBe("The API key of centro (test) is stored.\n");
    expect(stderr).toMatch(
      /^warning: The key was not checked: 127\.0\.0\.1:9 can't be reached: .+\nCommands work at centro without --store from now on\.\n$/,
    );
  });

  test("is never there without the zone of --tz, whenever the process is killed", async () => {
    const test = await machineWith(stdin("key_abc\n"));
    const { sessions, settings } = await test.machine.state();
    vi.spyOn(sessions, "update").mockRejectedValue(new Error("killed"));
    await expect(run(login, test, { ...key("centro"), timeZone: "Asia/Tokyo" })).rejects.toThrow("killed");
    expect((await settings.read()).stores).toEqual({ centro: { time_zone: "Asia/Tokyo" } });
  });

  test("of a second store leaves the default alone, and JSON holds no key", async () => {
    const test = await machineWith({ format: "json", ...stdin("key_abc") });
    await keepSession(test, "centro");
    const { stdout, stderr } = await run(login, test, key("praia"));
    expect(parseJson(stdout)).toMatchObject({ store: "praia", environment: "test", has_api_key: true });
    expect(stdout + stderr).not.toContain("key_abc");
    expect(stderr).toMatch(/^warning: The key was not checked: .+\n$/);
    expect((await (await test.machine.state()).settings.read()).default_store).toBeUndefined();
  });

  test("is not read from a terminal where nothing may be asked", async () => {
    const context = { stdin: Object.assign(Readable.from([]), { isTTY: true }) };
    const { error } = await runToFailure(login, await machineWith({ context, input: false }), key("centro"));
    expect(error).toMatchObject({ code: "usage", hint: expect.stringContaining("< key.txt") as string });
  });
});

describe("a sign-in", () => {
  test("without a terminal says at once what to do, and stores nothing", async () => {
    const test = await machineWith();
    const { error, stdout, stderr } = await runToFailure(login, test, {
      ...usual,
      store: "centro",
      env: "test",
    });
    expect(error).toMatchObject({
      code: "usage",
      hint: expect.stringMatching(/at a terminal.*--no-browser[^]*login --api-key --store centro/) as string,
    });
    expect({ stdout, stderr }).toEqual({ stdout: "", stderr: "" });
    expect(filesIn(test.folder).filter((name) => name.includes("centro.json"))).toEqual([]);
  });

  test("--no-browser without a terminal shows the address, and waits as long as it is told", async () => {
    const test = await machineWith();
    const method = { ...owner, browser: false, waitMs: 1 };
    const { error, stderr } = await runToFailure(login, test, {
      ...usual,
      store: "centro",
      env: "test",
      method,
    });
    expect(error.code).toBe("not_signed_in");
    expect(stderr).toMatch(/^Open this address .* centro:\nhttp:\/\/127\.0\.0\.1:9\/portal\/authorize\?/);
  });

  test.each<[string, Partial<LoginOptions>, RegExp]>([
    ["which store", { env: "test" }, /Which store\?/],
    ["which environment", { store: "centro" }, /Which environment\?/],
  ])("asks %s by an error", async (_, options, message) => {
    const { error } = await runToFailure(login, await machineWith(), { ...usual, ...options });
    expect(error).toMatchObject({ code: "usage", message: expect.stringMatching(message) as string });
  });
});

test("at an emulator that doesn't run says so at once, with the command that starts it", async () => {
  const machine = await openMachine();
  const port = await freePort();
  const { settings } = await machine.machine.state();
  const address = `http://127.0.0.1:${port}`;
  const local = { base_url: address, auth_url: `${address}/portal/authorize`, client_id: "test" };
  const redirect_uri = `http://127.0.0.1:${await freePort()}/callback`;
  await settings.update((current) => ({ ...current, environments: { local: { ...local, redirect_uri } } }));
  const { error, stderr } = await runToFailure(login, machine, { ...usual, store: "demo", env: "local" });
  expect(error).toMatchObject({
    code: "unreachable",
    message: `The emulator doesn't run: nothing listens at 127.0.0.1:${port}.`,
    hint: `Start it in a terminal of its own: comanda emulator start --port ${port}`,
  });
  expect(stderr).toBe("");
});
