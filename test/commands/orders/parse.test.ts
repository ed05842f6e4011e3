/** Order ids are digits: what is read from a line or a list, and what is refused before anything is sent. */
import { afterAll, describe, expect, test } from "vitest";

import { Desk } from "../../support/desk.js";

const desk = new Desk({ COMANDA_BASE_URL: "http://127.0.0.1:9", COMANDA_ACCESS_TOKEN: "at_1" });
afterAll(() => desk.remove());

/** The ids that would be sent. */
const idsOf = async (line: string, input?: string) => {
  const { code, stdout, stderr } = await desk.run(`${line} --dry-run`, input === undefined ? {} : { input });
  return { code, ids: [...stdout.matchAll(/orders\/(\d+)\/dispatch$/gm)].map(([, id]) => id), stderr };
};
const nothingSent = "Nothing was sent (--dry-run).\n";

describe("a list on stdin", () => {
  test.each([
    ["4711\r\n4712\r\n", ["4711", "4712"]],
    ["\u{feff}4711\n", ["4711"]],
    ["# today\n\n  4711  \n\t\n# x4712\n", ["4711"]],
    ["4711\n4712\n4711\n", ["4711", "4712"]],
    // One is often given without a line's end.
    ["901", ["901"]],
  ])("%j holds %j", async (text, ids) => {
    expect(await idsOf("orders dispatch -", text)).toEqual({ code: 0, ids, stderr: nothingSent });
  });

  test.each([
    ["1\n2,3\n", "line 2"],
    ["1 2\n", "line 1"],
    ["# ids\n1\n..\n", "line 3"],
    ["4.711\n", "line 1"],
    ["4711.0\n", "line 1"],
    ['"4711"\n', "line 1"],
    ["a/../b\n", "line 1"],
    ["-4711\n", "line 1"],
    ["٤٧١١\n", "line 1"],
    ["1\u202e2\u001b[2J\n", "line 1"],
    ["# none today\n\n", "There is no order id on stdin"],
  ])("%j is refused, naming the line", async (text, where) => {
    const { code, ids, stderr } = await idsOf("orders dispatch -", text);
    expect([code, ids, stderr]).toEqual([2, [], expect.stringContaining(where)]);
    for (const control of ["\u001b", "\u202e"]) expect(stderr).not.toContain(control);
  });
});

describe("the command line of a status change", () => {
  test("takes an id as people write it, with a # before it, and each once", async () => {
    expect((await idsOf("orders dispatch #4711 4712 4711")).ids).toEqual(["4711", "4712"]);
  });

  test.each([
    ["no id", ["dispatch"], "Missing required argument 'id'"],
    ["an empty id", ["dispatch", ""], "argument 1"],
    ["a # alone", ["dispatch", "#"], "argument 1"],
    ["ids with a comma", ["dispatch", "1", "2,3"], "argument 2"],
    ["an id with a point", ["dispatch", "4.711"], "argument 1"],
    ["an id that leaves its place", ["dispatch", "a/../b"], "argument 1"],
    ["an encoded way out", ["dispatch", "..%2f"], "argument 1"],
    ["an id that begins with a dash", ["dispatch", "--", "-5"], "argument 1"],
    ["ids and a dash", ["dispatch", "1", "-"], "argument 2"],
    ["two stores", ["dispatch", "1", "-s", "a", "-s", "b"], "more than once"],
    ["a reason for another change", ["dispatch", "1", "--reason", "x"], "option '--reason'"],
    ["--resume without a list", ["dispatch", "--resume"], "Missing required argument 'id'"],
    ["a reason of spaces", ["cancel", "1", "--reason", "  "], "--reason can't be empty"],
  ])("is refused for %s", async (_, words, message) => {
    const { code, stdout, stderr } = await desk.run(["orders", ...words]);
    expect([code, stdout, stderr]).toEqual([2, "", expect.stringContaining(message)]);
  });
});
