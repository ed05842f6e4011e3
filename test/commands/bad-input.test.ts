/** Nothing that a person types makes a stack trace, or changes a thing. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";

import { Bench } from "../support/bench.js";
import { snapshot } from "../support/folder-state.js";
import { parseJson } from "../support/json.js";

let bench: Bench;
beforeAll(async () => {
  bench = await Bench.open();
  await bench.signIn();
  await bench.inProcess("orders dispatch 7");
});
afterAll(() => bench.close());
beforeEach(() => bench.forgetRequests());

const errorShape = (code: unknown, exit: number) => ({
  error: {
    exit_code: exit,
    code,
    service_code: null,
    http_status: null,
    details: null,
    message: expect.stringMatching(/^\S.*[^.]\.$/s) as string,
    hint: expect.stringMatching(/\S/) as string,
    evidence: null,
  },
});

describe("a command line that can't be understood", () => {
  test.each<[string, string[], RegExp]>([
    ["a value for an option that takes none", ["status", "--json=yes"], /option '--json'\./],
    ["too few arguments", ["driver", "assign", "1"], /The argument <driver> is missing\./],
    ["an option that is needed", ["env", "set", "x"], /'--base-url <url>' not specified/],
    [
      "all stores and one",
      ["summary", "--all-stores", "--store", "centro"],
      /--all-stores and --store contradict/,
    ],
    ["an alias that can't be one", ["login", "--store", "a/b", "--env", "test"], /alias/],
    ["another environment for a store", ["login", "--store", "centro", "--env", "local"], /belongs to/],
  ])("%s: exit 2 with a next step, and nothing is changed or sent", async (_, args, message) => {
    const before = snapshot(bench.machine.configFolder);
    const { code, stdout, stderr } = await bench.inProcess(args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toMatch(message);
    expect(stderr).toMatch(/^error: .+[^.][.?]\n(?: {2}.+\n)+$/m);
    expect(stderr).not.toMatch(/^\s+at |node:internal/m);
    expect(snapshot(bench.machine.configFolder)).toEqual(before);
    expect(bench.requests()).toEqual([]);
  });

  test.each<[string, string[], string]>([
    ["two formats", ["stores", "list", "--json", "--format", "csv"], "usage"],
    ["bad input", ["orders", "dispatch", "1,2", "--json"], "invalid_input"],
    ["an unknown store", ["status", "--store", "x", "--json"], "invalid_input"],
    ["a setting that is missing", ["login", "--store", "x", "--env", "sandbox", "--json"], "configuration"],
  ])("%s is one JSON line on stderr", async (_, args, errorCode) => {
    const { code, stdout, stderr } = await bench.inProcess(args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr.trimEnd().split("\n")).toHaveLength(1);
    expect(parseJson(stderr)).toEqual(errorShape(errorCode, 2));
  });
});
