import { Readable } from "node:stream";

import fc from "fast-check";
import { describe, expect, it, test } from "vitest";

import { parseIdList, readOrderIds } from "../../src/commands/orders/order-ids.js";

const stdin = (text: string | Buffer) => Readable.from([Buffer.from(text)]);
const { signal } = new AbortController();

describe("parseIdList", () => {
  test.each([
    ["4711\n4712\n", ["4711", "4712"]],
    ["4711\r\n4712", ["4711", "4712"]],
    ["\u{feff}4711\n", ["4711"]],
    ["# today\n\n  4711  \n#4712\n", ["4711"]],
    ["4711\n4712\n4711\n", ["4711", "4712"]],
    ["ação-1\na/b?c\n", ["ação-1", "a/b?c"]],
    ["", []],
    ["\n \n#\n", []],
  ])("%j holds %j", (text, ids) => {
    expect(parseIdList(text)).toEqual(ids);
  });

  test.each([
    ["1\n2,3\n", "line 2"],
    ["1 2\n", "line 1"],
    ["# ids\n1\n..\n", "line 3"],
    ["1;2", "line 1"],
    ["\u0000\u0001", "line 1"],
    ["1\u202e2", "line 1"],
    ["x".repeat(257), "line 1"],
  ])("%j is refused, naming the line", (text, where) => {
    expect(() => parseIdList(text)).toThrow(where);
  });

  it("brings back every list of ids that can be written", () => {
    const id = fc.stringMatching(/^[A-Za-z0-9%/?@:-]{1,20}$/);
    fc.assert(
      fc.property(fc.uniqueArray(id), (ids) => {
        expect(parseIdList(ids.join("\n"))).toEqual(ids);
      }),
    );
  });
});

describe("readOrderIds", () => {
  it("takes arguments as they are", async () => {
    await expect(readOrderIds(["1", "2", "1"], { stdin: stdin(""), signal })).resolves.toEqual(["1", "2"]);
  });

  test.each([
    [["-", "1"], "", "usage"],
    [["-"], "", "invalid_input"],
    [[""], "", "invalid_input"],
    [["1 2"], "", "invalid_input"],
    [["-"], Buffer.from([0xff, 0xfe, 0x31]), "invalid_input"],
  ])("%j with stdin %j is refused as %s", async (given, text, code) => {
    await expect(readOrderIds(given, { stdin: stdin(text), signal })).rejects.toMatchObject({ code });
  });

  it("leaves stdin alone where it isn't asked for", async () => {
    const context = {
      signal,
      get stdin(): never {
        throw new Error("stdin was opened");
      },
    };
    await expect(readOrderIds(["1"], context)).resolves.toEqual(["1"]);
  });

  it("doesn't wait for a person to type a list", async () => {
    const terminal = Object.assign(stdin(""), { isTTY: true });
    await expect(readOrderIds(["-"], { stdin: terminal, signal })).rejects.toMatchObject({ code: "usage" });
  });
});
