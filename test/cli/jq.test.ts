/** What keeps an expression of `--jq` from running for good, from filling the memory and from keeping a signal waiting. */
import { onTestFinished, describe, expect, test } from "vitest";

import { createJq, type JqLimits } from "../../src/cli/jq.js";
import { rowsInSearch } from "../support/in-search.js";
import { parseJson } from "../support/json.js";
import { Machine } from "../support/program.js";

async function jq(expression: string, limits: Partial<JqLimits> = {}, signal = new AbortController().signal) {
  const program = await createJq(expression, signal, limits);
  onTestFinished(() => program.end());
  return program;
}

/** Runs for some hundred milliseconds where there is an `n`. */
const slow = "[limit(.n * 30000; range(1000000000))] | length";

describe("an expression of --jq", () => {
  test("gives what it gives in the order of the values, however long each takes", async () => {
    const program = await jq(slow);
    const given = [0, 1, 0, 2, 0].map((n) => program.run({ json: `{"n":${n}}` }));
    const texts = (await Promise.all(given)).map(({ text }) => text);
    expect(texts).toEqual(["0\n", "30000\n", "0\n", "60000\n", "0\n"]);
    expect(await program.run({ json: `{"n":0}` })).toEqual({ text: "0\n" });
  });

  test("runs over thousands of values, each by itself", async () => {
    const program = await jq('if (. % 1000) == 7 then ("x" | fromjson) else . end');
    const all = await Promise.all(
      Array.from({ length: 3_000 }, (_, index) => program.run({ json: String(index) })),
    );
    expect(all.map(({ text, fault }) => fault?.code ?? text)).toEqual(
      Array.from({ length: 3_000 }, (_, index) => (index % 1000 === 7 ? "invalid_input" : `${index}\n`)),
    );
  });

  test("keeps what it gave before it failed", async () => {
    for (const first of ["1", `(${slow} | 1)`]) {
      const program = await jq(`${first}, 2, ("x" | fromjson)`);
      const outcome = await program.run({ json: '{"n":1}' });
      expect(outcome).toMatchObject({ text: "1\n2\n", fault: { code: "invalid_input" } });
    }
  });

  test.each([
    ["runs for longer than it may", "last(range(100000000000))", { minutes: 0.002 }, "longer than 0.002 min"],
    ["takes more memory", "[range(100000000000)] | length", { memory: 64 }, "more than 64 MiB of memory"],
    ["gives more than is held", "range(100000000000)", { text: 1 }, "more than 1 MiB of text"],
    ["gives one text of more", 'reduce range(28) as $i ("x"; . + .)', { text: 1 }, "more than 1 MiB of text"],
    [
      "gives what unfolds for good",
      "reduce range(40) as $i (1; [., .])",
      { minutes: 0.002 },
      "longer than 0.002 min",
    ],
    ["looks for good", '("a" * 40 + "!") | test("^(a+)+$")', { minutes: 0.002 }, "longer than 0.002 min"],
  ] as const)("that %s is ended, and so said", async (_, expression, limits, words) => {
    const program = await jq(expression, limits);
    const { fault } = await program.run({ json: "1" });
    expect(fault).toMatchObject({
      code: "invalid_input",
      message: expect.stringContaining(words) as unknown,
    });
  });

  test("that was ended gives nothing of the values after", async () => {
    const program = await jq("if . then last(range(100000000000)) else 1 end", { minutes: 0.002 });
    const outcomes = await Promise.all(["true", "false"].map((json) => program.run({ json })));
    expect(outcomes.map(({ text }) => text)).toEqual(["", ""]);
    expect(await program.run({ json: "false" })).toMatchObject({
      text: "",
      fault: { code: "invalid_input" },
    });
  });

  test("ends soon after a signal, which is told and not a fault of the expression", async () => {
    const signal = new AbortController();
    const program = await jq("last(range(100000000000))", {}, signal.signal);
    const running = program.run({ json: "1" });
    signal.abort();
    expect(await running).toEqual({ text: "" });
  });

  test("has the time to tell what was done before a signal came", async () => {
    const stopped = AbortSignal.abort();
    const program = await jq(slow, {}, stopped);
    expect(await program.run({ json: '{"n":1}' })).toEqual({ text: "30000\n" });
  });

  test("reads numbers as jq does", async () => {
    const program = await jq('1e11, 1.5e-3, 2E+2, -1e2, "1e2", [1e0, 2], ({e2: 1} | .e2), ([5, 6] | .[1e0])');
    const { text } = await program.run({ json: "1" });
    expect(text).toBe("100000000000\n0.0015\n200\n-100\n1e2\n[1,2]\n1\n6\n");
  });

  test("says nothing but what it gives", async () => {
    const program = await jq('[scan("[0-9]+")]');
    const { text } = await program.run({ json: '"7 of 12"' });
    expect(text).toBe('["7","12"]\n');
  });
});

describe("the program", () => {
  test.each([["SIGINT", 130], ...rowsInSearch([["SIGTERM", 143] as const])] as const)(
    "is ended by %s while an expression runs for good",
    async (signal, exit) => {
      const machine = new Machine();
      onTestFinished(() => machine.remove());
      const line = ["env", "list", "--jq", "[range(100000000000)] | length"];
      const running = machine.start(line, { env: { COMANDA_LANG: "xx" } });
      // It is told just before the expression begins.
      await running.lineOn("stderr", /COMANDA_LANG can't be/);
      running.child.kill(signal);
      const { code, stdout, stderr } = await running.finished;
      expect([code, stdout]).toEqual([exit, ""]);
      expect(parseJson(stderr.split("\n").at(-2) ?? "")).toMatchObject({ error: { exit_code: exit } });
    },
  );
});
