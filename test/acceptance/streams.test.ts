/** The program's streams: a disk that is full, a pipe that is closed early. */
import { existsSync } from "node:fs";

import { afterAll, describe, expect, test } from "vitest";

import { Bench } from "../support/bench.js";
import { parseJson } from "../support/json.js";

const bench = await Bench.open();
afterAll(() => bench.close());
await bench.signIn();

describe.skipIf(!existsSync("/dev/full"))("a disk that is full", () => {
  test("an error says so once, and what was to be written is no error", async () => {
    const version = await bench.machine.shell("comanda --version > /dev/full");
    expect(version).toMatchObject({
      code: 2,
      stderr: expect.not.stringMatching(/has a fault|^\s+at /m) as string,
    });
    const id = await bench.order();
    const { code, stderr } = await bench.machine.shell(`comanda orders dispatch ${id} --json > /dev/full`);
    expect({ code, status: bench.stored(id).status }).toEqual({ code: 2, status: "released" });
    expect(parseJson(stderr)).toMatchObject({ error: { exit_code: 2, code: "output_failed" } });
    expect(stderr.match(/ENOSPC/g)).toHaveLength(1);
  });
});

test("a pipe that is closed early ends a command quietly, with an exit code that says so", async () => {
  // 16 at a time: there are always some that were not tried.
  const line = "seq 90000000 90000600 | comanda orders dispatch - --json --max-wait 0";
  const { stdout, stderr } = await bench.machine.shell(
    `{ { ${line}; echo "$?" >&3; } | head -1 >/dev/null; } 3>&1`,
  );
  expect(stdout).toBe("141\n");
  expect(stderr.replace(/^.*(?:done|refused|skipped|error: |^ {2}).*\n/gm, "")).toBe("");
  expect(stderr).not.toMatch(/EPIPE|^\s+at /m);
});
