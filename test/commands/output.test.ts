/** What the output of all commands has in common. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { Bench } from "../support/bench.js";

let bench: Bench;
beforeAll(async () => {
  bench = await Bench.open();
  await bench.signIn();
});
afterAll(() => bench.close());

describe("without a terminal", () => {
  test("nothing is colored, and notices are on stderr", async () => {
    const ids = await Promise.all([1, 2, 3].map(() => bench.order()));
    const runs = await Promise.all([
      bench.inProcess("status"),
      bench.inProcess("orders dispatch 99999999"),
      bench.inProcess(["orders", "dispatch", ...ids, "99999999"]),
      bench.inProcess("--help"),
    ]);
    for (const { stdout, stderr } of runs) expect(stdout + stderr).not.toContain("\u001b");
    expect(runs[2].stdout).not.toMatch(/3 done/);
    expect(runs[2].stderr).toMatch(/3 done, 1 refused/);
  });

  test("--quiet prints only results and errors", async () => {
    const ids = await Promise.all([1, 2].map(() => bench.order()));
    const ran = await bench.inProcess(`orders dispatch ${ids.join(" ")} --quiet --format csv`);
    expect(ran).toMatchObject({ code: 0, stderr: "" });
    expect(ran.stdout.trim().split("\n")).toHaveLength(3);
    // A sentence isn't a result: the exit code is enough.
    for (const line of [
      "stores use centro",
      "stores set centro --currency BRL",
      `orders deliver ${ids[0] ?? ""}`,
    ])
      expect(await bench.inProcess(`${line} --quiet`)).toEqual({ code: 0, stdout: "", stderr: "" });
  });
});
