/** What logout takes, and that it goes on where the service can't be reached; test/acceptance/stores has the rest. */
import { expect, test } from "vitest";

import { logout } from "../../src/commands/logout.js";
import { keepSession, openMachine, run, runToFailure } from "../support/machine.js";
import { parse } from "../support/parse.js";

const usual = { store: undefined, all: false, timeoutMs: undefined };

test.each([
  ["nothing", [], {}],
  ["a store", ["-s", "centro"], { store: "centro" }],
  ["--all, in limited time", ["--all", "--timeout", "5s"], { all: true, timeoutMs: 5_000 }],
])("logout takes %s", async (_, words, options) => {
  await expect(parse(logout, ...words)).resolves.toEqual({ ...usual, ...options });
});

test.each([
  ["all stores and one", ["--all", "-s", "centro"], "--all and --store contradict each other"],
  ["two stores", ["-s", "a", "-s", "b"], "more than once"],
])("logout refuses %s", async (_, words, message) => {
  await expect(parse(logout, ...words)).rejects.toThrow(message);
});

test("logout forgets the key of a store that has a key alone, without a call", async () => {
  const test = await openMachine();
  await keepSession(test, "centro", { api_key: "key_abc" });
  const { settings, sessions } = await test.machine.state();
  await settings.update((current) => ({ ...current, default_store: "centro" }));
  const { stdout } = await run(logout, test, usual);
  expect(stdout).toBe("centro is signed out.\n");
  expect(await sessions.list()).toMatchObject([{ store: "centro" }]);
  expect((await sessions.read("centro"))?.api_key).toBeUndefined();
  expect((await settings.read()).default_store).toBe("centro");
});

test("logout of all has nothing to do where no store is known; of one it is an error", async () => {
  const test = await openMachine();
  const { stderr } = await run(logout, test, { ...usual, all: true });
  expect(stderr).toBe("No store is signed in.\n");
  expect((await runToFailure(logout, test, usual)).error.code).toBe("not_signed_in");
});
