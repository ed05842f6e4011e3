/** The program's streams: a disk that is full, a pipe that is closed early, JSON and errors as a script finds them. */
import { existsSync } from "node:fs";

import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { Bench } from "../support/bench.js";
import { parseJson } from "../support/json.js";

let bench: Bench;
beforeAll(async () => {
  bench = await Bench.open();
  await bench.signIn();
});
afterAll(() => bench.close());

test("results are on stdout and errors on stderr, as JSON where it is asked for, with no colours", async () => {
  const [listed, refused] = await Promise.all([
    bench.comanda("stores list --json"),
    bench.comanda("orders dispatch 99999999 --json"),
  ]);
  expect(listed).toMatchObject({ code: 0, stderr: "" });
  expect(parseJson(listed.stdout)).toMatchObject([{ store: "centro" }]);
  expect(refused.code).toBe(5);
  expect(parseJson(refused.stdout)).toMatchObject({
    outcome: "refused",
    code: "not_found",
    service_code: 4041,
  });
  expect(parseJson(refused.stderr)).toMatchObject({
    error: { exit_code: 5, code: "not_found", service_code: 4041 },
  });
  const plain = await bench.comanda("orders dispatch 99999999");
  expect(plain.stdout + plain.stderr).not.toContain("\u001b");
});

describe.skipIf(!existsSync("/dev/full"))("a disk that is full", () => {
  test.each(["--version"])("%s: exit 2", async (line) => {
    const { code, stderr } = await bench.machine.shell(`comanda ${line} > /dev/full`);
    expect(code).toBe(2);
    expect(stderr).not.toMatch(/has a fault|^\s+at /m);
  });

  test("an error says so once, and what was to be written is no error", async () => {
    const id = await bench.order();
    const { code, stderr } = await bench.machine.shell(`comanda orders dispatch ${id} --json > /dev/full`);
    expect({ code, status: bench.stored(id).status }).toEqual({ code: 2, status: "released" });
    expect(parseJson(stderr)).toMatchObject({ error: { exit_code: 2, code: "output_failed" } });
    for (const line of ["env list"])
      expect((await bench.machine.shell(`comanda ${line} > /dev/full`)).stderr.match(/ENOSPC/g)).toHaveLength(
        1,
      );
  });

  test.each([["pt-BR", "--help", "erro: Não é possível gravar a saída (ENOSPC).\n"]])(
    "in %s, %s says that the output can't be written",
    async (language, line, said) => {
      const { stderr } = await bench.machine.shell(`COMANDA_LANG=${language} comanda ${line} > /dev/full`);
      expect(stderr).toContain(said);
    },
  );
});

describe("a pipe that is closed early", () => {
  test.each([
    ["that had said all", "comanda stores list --json", 0],
    // 16 at a time: there are always some that were not tried.
    ["that had more to do", "seq 90000000 90000600 | comanda orders dispatch - --json --max-wait 0", 141],
  ])("a command %s ends with an exit code that says so", async (_, line, exit) => {
    const { stdout } = await bench.machine.shell(`{ { ${line}; echo "$?" >&3; } | head -1 >&2; } 3>&1`);
    expect(stdout).toBe(`${exit}\n`);
  });

  test.each([["many outcomes", "seq 90000000 90000060 | comanda orders dispatch - --json"]])(
    "%s: ends quietly",
    async (_, line) => {
      const { code, stdout, stderr } = await bench.machine.shell(`${line} | head -1`);
      expect({ code, lines: stdout.trim().split("\n").length }).toEqual({ code: 0, lines: 1 });
      expect(stderr.replace(/^.*(?:done|refused|skipped|error: |^ {2}).*\n/gm, "")).toBe("");
      expect(stderr).not.toMatch(/EPIPE|^\s+at /m);
    },
  );
});
