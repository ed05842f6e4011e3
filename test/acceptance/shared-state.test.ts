/** What one process of the program has stored, the next one finds. */
import { afterEach, beforeEach, expect, test } from "vitest";

import { Machine } from "../support/program.js";
import { inSearch } from "../support/in-search.js";

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

inSearch("stores: one process uses what another has chosen and renamed", async () => {
  const addresses = ["--base-url", "http://127.0.0.1:9", "--auth-url", "http://127.0.0.1:9/authorize"];
  await machine.run(["env", "set", "test", ...addresses, "--client-id", "my-app"]);
  for (const store of ["centro", "loja-2"]) {
    const login = ["login", "--api-key", "--store", store, "--env", "test"];
    expect((await machine.run(login, { input: "key_abc" })).code).toBe(0);
  }
  expect((await machine.run(["stores", "use", "loja-2"])).code).toBe(0);
  expect((await machine.run(["stores", "rename", "loja-2", "praça"])).code).toBe(0);
  expect((await machine.run(["stores", "list"])).stdout).toMatch(
    /^praça +test +yes +yes +API key only: .+$/m,
  );
});
