import { Readable } from "node:stream";

import { afterAll, describe, expect, test } from "vitest";

import { readOrderIds } from "../../../src/commands/orders/order-ids.js";
import { Desk } from "../../support/desk.js";

const stdin = (text: string | Buffer) => Readable.from([Buffer.from(text)]);
const { signal } = new AbortController();

const noWarning = () => undefined;

describe("readOrderIds", () => {
  test.each([
    ["4711\n4712\n", ["4711", "4712"]],
    ["4711\r\n4712", ["4711", "4712"]],
    ["\u{feff}4711\n", ["4711"]],
    ["# today\n\n  4711  \n#4712\n", ["4711"]],
    ["4711\n4712\n4711\n", ["4711", "4712"]],
  ])("%j holds %j", async (text, ids) => {
    expect(await readOrderIds({ stdin: () => stdin(text), signal }, noWarning)).toEqual(ids);
  });

  test.each([
    ["1\n2,3\n", "line 2"],
    ["1 2\n", "line 1"],
    ["# ids\n1\n..\n", "line 3"],
    ["1;2", "line 1"],
    ["4.711\n", "line 1"],
    ["1\n4711.0\n", "line 2"],
    ['"4711"\n', "line 1"],
    ["a/../b\n", "line 1"],
    ["-4711\n", "line 1"],
    ["٤٧١١\n", "line 1"],
    ["\u0000\u0001", "line 1"],
    ["1\u202e2", "line 1"],
  ])("%j is refused, naming the line", async (text, where) => {
    const read = readOrderIds({ stdin: () => stdin(text), signal }, noWarning);
    await expect(read).rejects.toThrow(where);
  });

  test.each([
    ["nothing", "", "invalid_input"],
    ["comments alone", "# none today\n\n", "invalid_input"],
    ["bytes that are no UTF-8", Buffer.from([0xff, 0xfe, 0x31]), "invalid_input"],
  ])("refuses %s", async (_, text, code) => {
    await expect(readOrderIds({ stdin: () => stdin(text), signal }, () => undefined)).rejects.toMatchObject({
      code,
    });
  });

  test.each([
    ["# none of these\n#4711\n4712\n", "#4711"],
    ["4712\r\n  # 4711 \r\n", "# 4711"],
    ["# 2 of Monday\n4712\n#x\n", undefined],
  ])("says of %j which line is no id", async (text, skipped) => {
    const warnings: string[] = [];
    const ids = await readOrderIds(
      { stdin: () => stdin(text), signal },
      (warning) => void warnings.push(warning),
    );
    expect(ids).toEqual(["4712"]);
    expect(warnings).toHaveLength(skipped === undefined ? 0 : 1);
    expect(warnings.join("")).toContain(skipped ?? "");
  });

  test.each([
    ["901\n90", true],
    ["901\r\n902\n# 90", true],
    ["901\n902\n", false],
    ["901\r\n902\r\n", false],
    // One is often given without a line's end.
    ["901", false],
    ["901\n901", false],
  ])("of %j: it may have been cut off, %s", async (text, isSaid) => {
    const warnings: string[] = [];
    await readOrderIds({ stdin: () => stdin(text), signal }, (warning) => void warnings.push(warning));
    expect(warnings.filter((warning) => warning.includes("cut off"))).toHaveLength(isSaid ? 1 : 0);
  });

  test("doesn't wait for a person to type a list", async () => {
    const terminal = Object.assign(stdin(""), { isTTY: true });
    await expect(readOrderIds({ stdin: () => terminal, signal }, () => undefined)).rejects.toMatchObject({
      code: "usage",
    });
  });
});

describe("the command line of a status change", () => {
  const desk = new Desk();
  afterAll(() => desk.remove());

  test.each([
    ["no id", ["dispatch"], "The argument <id> is missing"],
    ["an empty id", ["dispatch", ""], "argument 1"],
    ["a # alone", ["dispatch", "#"], "argument 1"],
    ["ids with a comma", ["dispatch", "1", "2,3"], "argument 2"],
    ["an id with a point", ["dispatch", "4.711"], "argument 1"],
    ["an id that leaves its place", ["dispatch", "a/../b"], "argument 1"],
    ["an id that begins with a dash", ["dispatch", "--", "-5"], "argument 1"],
    ["ids and a dash", ["dispatch", "1", "-"], "not both"],
    ["two stores", ["dispatch", "1", "-s", "a", "-s", "b"], "more than once"],
    ["a reason for another change", ["dispatch", "1", "--reason", "x"], "no option --reason"],
    ["--resume without a list", ["dispatch", "--resume"], "The argument <id> is missing"],
    ["an empty reason", ["cancel", "1", "--reason", ""], "--reason can't be empty"],
    ["a reason of spaces", ["cancel", "1", "--reason", "  "], "--reason can't be empty"],
  ])("is refused for %s", async (_, words, message) => {
    const { code, stderr } = await desk.run(["orders", ...words]);
    expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
  });
});
