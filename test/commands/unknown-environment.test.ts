/** An environment that isn't set, or can't be: the error names what to type, and nothing is changed. */
import { afterEach, beforeEach, describe, expect, test } from "vitest";

import { snapshot } from "../support/folder-state.js";
import { Machine } from "../support/program.js";

let machine: Machine;
beforeEach(() => {
  machine = new Machine();
});
afterEach(() => machine.remove());

test.each([
  ["an address that can't be used", ["--base-url", "http://api.example", "--client-id", "c"], "--base-url"],
  ["no client id", ["--base-url", "https://api.example"], "--client-id"],
])("env set ends with 2 for %s and changes nothing", async (_, flags, named) => {
  const before = snapshot(machine.configFolder);
  const auth = ["--auth-url", "https://portal.example/authorize"];
  const { code, stdout, stderr } = await machine.inProcess(["env", "set", "mine", ...auth, ...flags]);
  expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
  expect(stderr).toMatch(/^error: .+\n/);
  expect(stderr).toContain(named);
  expect(snapshot(machine.configFolder)).toEqual(before);
});

describe("an environment that isn't set", () => {
  test.each(["sandbox", "production"])("%s: login says which command sets it", async (name) => {
    const { code, stdout, stderr } = await machine.inProcess(["login", "--store", "centro", "--env", name]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain(`comanda env set ${name} --base-url <url> --auth-url <url> --client-id <id>`);
  });

  test("names the nearest one for a slip", async () => {
    const { code, stderr } = await machine.inProcess(["login", "--store", "centro", "--env", "prodution"]);
    expect(code).toBe(2);
    expect(stderr).toContain('Did you mean "production"?');
  });
});
