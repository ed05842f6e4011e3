import { mkdirSync, readdirSync } from "node:fs";
import path from "node:path";

import { expect, onTestFinished, test } from "vitest";

import { Machine } from "../support/program.js";

test("emulator exec ends with the command's own exit code, however long that takes after a signal", async () => {
  const machine = new Machine();
  onTestFinished(() => machine.remove());
  const temporary = path.join(machine.folder, "tmp");
  mkdirSync(temporary, { mode: 0o700 });
  // Longer than comanda gives a command of its own.
  const line = "trap '' TERM; echo ready; sleep 4.5; exit 7";
  const running = machine.start(["emulator", "exec", "--orders", "1", "--", "sh", "-c", line], {
    env: { TMPDIR: temporary },
  });
  await running.lineOn("stdout", /ready/);
  running.child.kill("SIGTERM");
  expect((await running.finished).code).toBe(7);
  expect(readdirSync(temporary)).toEqual([]);
});
