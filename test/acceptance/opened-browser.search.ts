/** A person at a terminal of a desktop: the browser opens by itself. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { authorizeAsOwner } from "../support/emulators.js";
import { Bench } from "../support/bench.js";
import { desktopOf, type Desktop } from "../support/desktop.js";
import { startAtTerminal, terminalAvailable } from "../support/terminal.js";

if (!terminalAvailable) console.warn("There is no Python: the tests at a terminal are skipped.");

describe.skipIf(!terminalAvailable || process.platform !== "linux")("at a desktop", () => {
  let bench: Bench;
  let desktop: Desktop;
  beforeAll(async () => {
    bench = await Bench.open();
    await bench.setEnvironment();
    desktop = desktopOf(bench.machine);
  });
  afterAll(() => bench.close());

  test.each<[string, string[], Record<string, string>]>([
    ["--no-browser", ["--no-browser"], {}],
    ["the far end of an SSH", [], { SSH_CONNECTION: "192.0.2.1 50000 192.0.2.2 22" }],
    ["no desktop", [], { DISPLAY: "" }],
  ])("login opens nothing with %s", async (_, options, env) => {
    const login = startAtTerminal(
      bench.machine,
      ["login", "--store", "centro", "--env", "test", "--tz", "UTC", ...options],
      {
        env: { ...desktop.env, ...env },
      },
    );
    await authorizeAsOwner((await login.lineOn("stdout", /^\s*https?:\/\/\S+\s*$/)).trim());
    expect((await login.finished).code).toBe(0);
    expect(desktop.opened()).toEqual([]);
  });

  test("login opens the portal's page, and ends when the owner has allowed the app", async () => {
    const words = ["login", "--store", "centro", "--env", "test", "--tz", "UTC"];
    const login = startAtTerminal(bench.machine, words, desktop);
    await authorizeAsOwner(await desktop.firstOpened());
    const { code, stdout } = await login.finished;
    expect(code).toBe(0);
    expect(stdout).toContain("centro");
    expect(desktop.opened()).toHaveLength(1);
  });
});
