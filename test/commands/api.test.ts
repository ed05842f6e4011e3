import { describe, expect, test } from "vitest";

import { api, type ApiOptions } from "../../src/commands/api/index.js";
import { parseJson } from "../support/json.js";
import { keepSession, openMachine, run } from "../support/machine.js";
import { parse } from "../support/parse.js";

const call = { method: "POST", path: "/x", query: [], headers: {} } as const;
const usual: ApiOptions = {
  call,
  input: undefined,
  include: false,
  store: undefined,
  dryRun: false,
};

describe("parse", () => {
  test.each<[string, string[], Partial<ApiOptions>]>([
    ["method and path", ["post", "/x"], {}],
    [
      "fields, as they were typed",
      ["POST", "/x", "-f", 'a=b "c"', "-F", "d=7.50"],
      { call: { ...call, body: '{"a":"b \\"c\\"","d":7.50}' } },
    ],
    [
      "query and headers",
      ["GET", "/x", "--query", "a=1", "--query", "a=2", "-H", "X-Mine:  v:w "],
      {
        call: {
          ...call,
          method: "GET",
          query: [
            ["a", "1"],
            ["a", "2"],
          ],
          headers: { "x-mine": "v:w" },
        },
      },
    ],
    ["a credential", ["POST", "/x", "--auth", "key"], { call: { ...call, auth: "api_key" } }],
    ["a body from a file", ["POST", "/x", "--input", "order.json"], { input: "order.json" }],
    [
      "the head of the answer",
      ["POST", "/x", "-i", "-s", "a", "--dry-run"],
      { include: true, store: "a", dryRun: true },
    ],
  ])("%s", async (_, words, options) => {
    await expect(parse(api, ...words)).resolves.toEqual({ ...usual, ...options });
  });

  test.each([
    ["a method", ["TRACE", "/x"], '"TRACE" is no method'],
    ["a field without a value", ["POST", "/x", "-f", "a"], "-f (--field) takes name=value"],
    ["a field without a name", ["POST", "/x", "-f", "=a"], "-f (--field) takes name=value"],
    ["a field twice", ["POST", "/x", "-f", "a=1", "-F", "a=1"], "The field a is given twice"],
    ["a field with GET", ["GET", "/x", "-f", "a=1"], "A GET has no body"],
    ["a field that is no JSON", ["POST", "/x", "-F", "a={bad"], "-F (--json-field) a is not valid JSON"],
    ["a query without a value", ["GET", "/x", "--query", "a"], "--query takes name=value"],
    ["two bodies", ["POST", "/x", "--input", "-", "-f", "a=1"], "--input contradicts"],
    ["a header without a colon", ["GET", "/x", "-H", "a"], "-H (--header) takes name:value"],
    ["a header twice", ["GET", "/x", "-H", "a:1", "-H", "A:2"], "The header a is given twice"],
    ["a credential", ["GET", "/x", "--auth", "basic"], `--auth can't be "basic"`],
    ["a format", ["GET", "/x", "--format", "csv"], "doesn't take --format"],
    ["no path", ["GET"], "missing required argument"],
  ])("refuses %s", async (_, words, message) => {
    await expect(parse(api, ...words)).rejects.toThrow(message);
  });
});

test("--dry-run shows the request, its credential masked", async () => {
  const machine = await openMachine({ format: "json" });
  await keepSession(machine, "centro", { api_key: "key_abc" });
  const options = { ...usual, call: { ...call, auth: "api_key", body: '{"a":1}' } as const, dryRun: true };
  const { stdout, stderr } = await run(api, machine, options);
  expect(parseJson(stdout)).toEqual({
    method: "POST",
    url: "http://127.0.0.1:4100/x",
    headers: expect.objectContaining({ "x-api-key": "****" }) as object,
    body: '{"a":1}',
  });
  expect(stderr).toBe("Nothing was sent (--dry-run).\n");
});
