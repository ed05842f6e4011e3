import { Readable } from "node:stream";

import fc from "fast-check";
import { describe, expect, test, vi } from "vitest";

import { type ChangeStatusOptions, statusCommands } from "../../../src/commands/orders/change-status.js";
import { parseIdList, readOrderIds } from "../../../src/commands/orders/order-ids.js";
import { parse } from "../../support/parse.js";

const { dispatch, deliver, finalize, cancel } = statusCommands;

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

  test("brings back every list of ids that can be written", () => {
    const id = fc.stringMatching(/^[A-Za-z0-9%/?@:-]{1,20}$/);
    fc.assert(
      fc.property(fc.uniqueArray(id), (ids) => {
        expect(parseIdList(ids.join("\n"))).toEqual(ids);
      }),
    );
  });
});

describe("readOrderIds", () => {
  test.each([
    ["nothing", "", "invalid_input"],
    ["comments alone", "# none today\n\n", "invalid_input"],
    ["bytes that are no UTF-8", Buffer.from([0xff, 0xfe, 0x31]), "invalid_input"],
  ])("refuses %s", async (_, text, code) => {
    await expect(readOrderIds({ stdin: stdin(text), signal }, () => undefined)).rejects.toMatchObject({
      code,
    });
  });

  test.each([
    ["# none of these\n#4711\n4712\n", "#4711"],
    ["4712\r\n  # 4711 \r\n", "# 4711"],
    ["# 2 of Monday\n4712\n#x\n", undefined],
  ])("says of %j which line is no id", async (text, skipped) => {
    const warnings: string[] = [];
    const ids = await readOrderIds({ stdin: stdin(text), signal }, (warning) => void warnings.push(warning));
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
    await readOrderIds({ stdin: stdin(text), signal }, (warning) => void warnings.push(warning));
    expect(warnings.filter((warning) => warning.includes("cut off"))).toHaveLength(isSaid ? 1 : 0);
  });

  test.each([
    [11_999, 0],
    [12_000, 1],
    [12_001, 1],
  ])("a list of %i is long: told %i times, and read to its end", async (count, times) => {
    const given = Array.from({ length: count }, (_, index) => `${count - index}`);
    const expectMany = vi.fn(() => Promise.resolve());
    // What is repeated after that doesn't make it longer.
    const text = [...given, "", ...given].join("\n");
    const ids = await readOrderIds({ stdin: stdin(text), signal }, () => undefined, expectMany);
    expect(ids).toEqual(given);
    expect(expectMany).toHaveBeenCalledTimes(times);
  });

  test("doesn't wait for a person to type a list", async () => {
    const terminal = Object.assign(stdin(""), { isTTY: true });
    await expect(readOrderIds({ stdin: terminal, signal }, () => undefined)).rejects.toMatchObject({
      code: "usage",
    });
  });
});

const usual: ChangeStatusOptions = {
  orders: ["4711"],
  resume: undefined,
  expected: undefined,
  noJournal: false,
  auth: undefined,
  concurrency: 16,
  okIfAlready: false,
  reason: undefined,
  yes: false,
  confirm: undefined,
  store: undefined,
  dryRun: false,
};

const someRun = "20261121-kzmwqa";
const resume = (run?: string) => ({ run, retryUnknown: false });

describe("the command line of a status change", () => {
  test.each<[string, typeof dispatch, string[], Partial<ChangeStatusOptions>]>([
    ["dispatch, one order", dispatch, ["4711"], {}],
    ["deliver, several, each once", deliver, ["4711", "4712", "4711"], { orders: ["4711", "4712"] }],
    ["finalize, a list on stdin", finalize, ["-"], { orders: "stdin" }],
    ["dispatch, an id that begins with a dash", dispatch, ["--", "-x5"], { orders: ["-x5"] }],
    ["dispatch --auth bearer", dispatch, ["4711", "--auth", "bearer"], { auth: "bearer" }],
    ["dispatch --auth key", dispatch, ["4711", "--auth", "key"], { auth: "api_key" }],
    ["dispatch --concurrency", dispatch, ["4711", "--concurrency", "256"], { concurrency: 256 }],
    ["dispatch --expect", dispatch, ["-", "--expect", "2"], { orders: "stdin", expected: 2 }],
    ["dispatch at a store", dispatch, ["4711", "-s", "centro"], { store: "centro" }],
    ["dispatch --dry-run", dispatch, ["4711", "--dry-run"], { dryRun: true }],
    ["cancel", cancel, ["4711"], {}],
    ["cancel --reason", cancel, ["4711", "--reason", " -"], { reason: " -" }],
    ["cancel -y", cancel, ["4711", "-y"], { yes: true }],
    ["dispatch --no-journal", dispatch, ["4711", "--no-journal"], { noJournal: true }],
    ["a list on stdin --resume", dispatch, ["-", "--resume"], { orders: "stdin", resume: resume() }],
    ["--resume before the list", dispatch, ["--resume", "-"], { orders: "stdin", resume: resume() }],
    ["ids --resume", dispatch, ["1", "2", "--resume"], { orders: ["1", "2"], resume: resume() }],
    ["--resume <run>", dispatch, ["--resume", someRun], { orders: "run", resume: resume(someRun) }],
    ["- --resume <run>", dispatch, ["-", "--resume", someRun], { orders: "stdin", resume: resume(someRun) }],
    [
      "--retry-unknown",
      finalize,
      ["--resume", someRun, "--retry-unknown"],
      { orders: "run", resume: { run: someRun, retryUnknown: true } },
    ],
  ])("%s", async (_, command, words, options) => {
    await expect(parse(command, ...words)).resolves.toEqual({ ...usual, ...options });
  });

  test.each<[string, typeof dispatch, string[], string]>([
    ["no id", dispatch, [], "The argument <id> is missing"],
    ["an empty id", dispatch, [""], "argument 1"],
    ["ids with a comma", dispatch, ["1", "2,3"], "argument 2"],
    ["ids and a dash", dispatch, ["1", "-"], "not both"],
    ["a concurrency of 0", dispatch, ["1", "--concurrency", "0"], '--concurrency can\'t be "0"'],
    ["a concurrency of 257", dispatch, ["1", "--concurrency", "257"], '--concurrency can\'t be "257"'],
    ["--expect without a number", dispatch, ["-", "--expect", "all"], '--expect can\'t be "all"'],
    ["--expect of no order", dispatch, ["-", "--expect", "0"], '--expect can\'t be "0"'],
    ["another credential", dispatch, ["1", "--auth", "partner"], "Allowed choices are bearer, key"],
    ["two stores", dispatch, ["1", "-s", "a", "-s", "b"], "more than once"],
    ["a reason for another change", dispatch, ["1", "--reason", "x"], "unknown option"],
    ["--resume without a list or a run", dispatch, ["--resume"], "The argument <id> is missing"],
    ["--resume with something that is no run", dispatch, ["--resume", "4711"], '"4711" is no run'],
    ["--resume without a journal", dispatch, ["-", "--resume", "--no-journal"], "contradict each other"],
    ["--retry-unknown alone", deliver, ["1", "--retry-unknown"], "goes with --resume alone"],
    ["--retry-unknown of a dispatch", dispatch, ["-", "--resume", "--retry-unknown"], "unknown option"],
    ["an empty reason", cancel, ["1", "--reason", ""], "--reason can't be empty"],
    ["a reason of spaces", cancel, ["1", "--reason", "  "], "--reason can't be empty"],
  ])("is refused for %s", async (_, command, words, message) => {
    await expect(parse(command, ...words)).rejects.toThrow(message);
  });
});
