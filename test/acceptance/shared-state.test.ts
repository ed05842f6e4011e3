/** What one process of the program has stored, the next one finds. */
import { afterEach, beforeEach, expect, test } from "vitest";

import { Machine } from "../support/program.js";

let machine: Machine;
beforeEach(() => {
  machine = new Machine();
});
afterEach(() => machine.remove());

test("env: one process lists what another has set", async () => {
  const set = await machine.run([
    ...["env", "set", "sandbox", "--base-url", "https://api.example"],
    ...["--auth-url", "https://portal.example/authorize", "--client-id", "my-app"],
  ]);
  expect(set).toMatchObject({ code: 0, stderr: "" });
  expect((await machine.run(["env", "list"])).stdout).toMatch(/^sandbox +https:\/\/api\.example +https/m);
});
