/** The whole demo and its output. */
import { mkdirSync, readdirSync } from "node:fs";
import path from "node:path";

import { expect, test } from "vitest";

import { Machine } from "../support/program.js";

const machine = new Machine();
const temporary = path.join(machine.folder, "tmp");
mkdirSync(temporary, { mode: 0o700 });

test("the demo processes orders to the end, prints each command line, and leaves no files", async () => {
  const { code, stdout, stderr } = await machine.run(["demo"], { env: { TMPDIR: temporary } });
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  const commands = stdout.split("\n").filter((line) => line.startsWith("$ comanda "));
  expect(commands.map((line) => line.split(" ").slice(2, 4).join(" "))).toEqual(
    expect.arrayContaining([
      ...["env set", "login --store", "status", "driver assign", "orders dispatch", "orders deliver"],
      ...["orders finalize", "orders cancel", "logout"],
    ]),
  );
  for (const shown of [
    /^Signed in to centro \(demo\)/m,
    /^ORDER +NUMBER +STATUS +DRIVER +DRIVER FEE\n\d+ +\d+ +confirmed +\d+ +7\.50$/m,
    /^Order \d+ dispatched at \S+\.$/m,
    /^Order \d+ delivered at \S+\.$/m,
    /^Order \d+ finalized at \S+\.$/m,
    /^Cancellation of order \d+ accepted at \S+\.$/m,
    /^error: Order \d+ at \w+: the order's status doesn't allow this change/m,
    /^centro is signed out\.$/m,
    // These run as printed, whether comanda is installed or not.
    /^\/.*node \/.*comanda\.js emulator start\n\/.*node \/.*comanda\.js login --store demo --env local\n$/m,
  ]) {
    expect(stdout).toMatch(shown);
  }
  expect(readdirSync(temporary)).toEqual([]);
  expect(readdirSync(machine.folder)).toEqual(["tmp"]);
});

test("the demo exits with code 143 on SIGTERM, and leaves no files", async () => {
  const running = machine.start(["demo"], { env: { TMPDIR: temporary } });
  await running.lineOn("stdout", /\$ comanda env set/);
  running.child.kill("SIGTERM");
  expect((await running.finished).code).toBe(143);
  expect(readdirSync(temporary)).toEqual([]);
});
