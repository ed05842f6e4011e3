/** Commands that open a browser on a desktop. */
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";

import { describe, expect, test } from "vitest";

import { Bench } from "../support/bench.js";
import { authorizeAsOwner } from "../support/emulators.js";
import { startAtTerminal, terminalAvailable } from "../support/terminal.js";

if (!terminalAvailable) console.warn("There is no Python: the tests at a terminal are skipped.");

const bench = await Bench.open();
await bench.setEnvironment();

/** A browser that records the addresses that it opens. */
const bin = path.join(bench.machine.folder, "desktop");
const file = path.join(bin, "opened");
mkdirSync(bin);
writeFileSync(path.join(bin, "xdg-open"), `#!/bin/sh\nprintf '%s\\n' "$@" >> '${file}'\n`);
chmodSync(path.join(bin, "xdg-open"), 0o755);
const desktop = { PATH: `${bin}:${bench.machine.env["PATH"] ?? ""}`, DISPLAY: ":99" };
const opened = () => (existsSync(file) ? readFileSync(file, "utf8").trim().split("\n") : []);

const atDesktop = terminalAvailable && process.platform === "linux";

describe.skipIf(!atDesktop)("login", () => {
  const line = ["login", "--store", "centro", "--env", "test", "--tz", "UTC", "--no-input"];

  test.each<[string, string[], Record<string, string>]>([
    ["--no-browser", ["--no-browser"], {}],
    ["the far end of an SSH", [], { SSH_CONNECTION: "192.0.2.1 50000 192.0.2.2 22" }],
    ["no desktop", [], { DISPLAY: "" }],
  ])("opens nothing with %s", async (_, options, env) => {
    const login = startAtTerminal(bench.machine, [...line, ...options], { env: { ...desktop, ...env } });
    await authorizeAsOwner((await login.lineOn("stdout", /^\s*https?:\/\/\S+\s*$/)).trim());
    expect((await login.finished).code).toBe(0);
    expect(opened()).toEqual([]);
  });
});

describe("prefill --open", () => {
  const order = ["prefill", "--order-type", "takeout", "--open"];
  const env = {
    ...desktop,
    COMANDA_BASE_URL: bench.emulator.baseUrl,
    COMANDA_API_KEY: bench.keyOf(),
  };
  const link = () => {
    const { id } = bench.emulator.world.prefilledOrders.at(-1) ?? { id: "none" };
    return `${bench.emulator.url}/menu/501/prefilled/${id}`;
  };

  test("opens nothing without a terminal, and says so", async () => {
    const { code, stdout, stderr } = await bench.comanda(order, { env });
    expect(code).toBe(0);
    expect(stdout).toContain(link());
    expect(stderr).toBe(`warning: The browser didn't open. Open this page yourself: ${link()}\n`);
  });
});
