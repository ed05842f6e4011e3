/** `comanda prefill` for many orders: JSON Lines in, one outcome a line out. */
import { writeFileSync } from "node:fs";
import path from "node:path";

import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";

import { Bench } from "../../support/bench.js";
import { parseJson, parseJsonLines } from "../../support/json.js";

let bench: Bench;
let env: Record<string, string>;

beforeAll(async () => {
  bench = await Bench.open();
  const apiKey = bench.emulator.world.stores.get(501)?.apiKey ?? "";
  env = { COMANDA_BASE_URL: bench.emulator.baseUrl, COMANDA_API_KEY: apiKey };
});
afterAll(() => bench.close());
beforeEach(() => bench.forgetRequests());

const file = (name: string, lines: readonly object[]): string => {
  const text = lines.map((line) => `${JSON.stringify(line)}\n`).join("\n");
  const place = path.join(bench.machine.folder, name);
  writeFileSync(place, text);
  return place;
};
const takeout = (item: number) => ({ order_type: "takeout", cart: [{ item_id: item }] });
const done = (line: number) => ({
  line,
  outcome: "done",
  http_status: 201,
  code: null,
  message: null,
  details: null,
  attempts: 1,
  evidence: "api",
  service_code: null,
  id: expect.stringMatching(/^[0-9a-f]{18}$/) as string,
  order_url: expect.stringMatching(/^http:.*\/menu\/501\/prefilled\/[0-9a-f]{18}$/) as string,
  checkout_url: expect.stringMatching(/\/checkout$/) as string,
});
const refused = (line: number, item: number) => ({
  line,
  outcome: "refused",
  id: null,
  order_url: null,
  checkout_url: null,
  http_status: 400,
  code: 4000,
  message: "Invalid parameters",
  attempts: 1,
  evidence: "api",
  service_code: 4000,
  details: `cart.0.item_id: there is no item ${item} in the catalog`,
});
const byLine = (text: string) => parseJsonLines(text).sort((one, other) => lineOf(one) - lineOf(other));
const lineOf = (value: unknown) =>
  typeof value === "object" && value !== null && "line" in value ? Number(value.line) : Number.NaN;

describe("a file of JSON Lines", () => {
  test("takes stdin and any name with --lines, and flags for every line", async () => {
    const input = '{"cart":[{"item_id":3001}]}\r\n{"order_type":"delivery"}\r\n';
    const { code, stdout } = await bench.inProcess("prefill - --lines --order-type takeout --json", {
      env,
      input,
    });
    expect({ code, outcomes: byLine(stdout) }).toEqual({ code: 0, outcomes: [done(1), done(2)] });
    const orders = bench.emulator.world.prefilledOrders.all().slice(-2);
    expect(orders.map(({ body }) => body.order_type)).toEqual(["takeout", "takeout"]);
  });

  test("of another number than --expect says is refused before anything is sent", async () => {
    const two = file("two.jsonl", [takeout(3001), takeout(3001)]);
    const refused = await bench.inProcess(["prefill", two, "--expect", "3"], { env });
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain("The list has 2 orders, and --expect says 3; nothing was sent.");
    expect(bench.requests()).toEqual([]);
    expect(await bench.inProcess(["prefill", two, "--expect", "2", "--json"], { env })).toMatchObject({
      code: 0,
      stderr: "2 done\n",
    });
  });

  test("that ends in the middle of a line makes its orders with a warning", async () => {
    const line = JSON.stringify(takeout(3001));
    const { code, stderr } = await bench.inProcess("prefill - --lines", { env, input: `${line}\n${line}` });
    expect(code).toBe(0);
    expect(stderr).toMatch(/^warning: The list ends in the middle of a line/);
  });

  test("exits with 10 where some are refused, and tells which", async () => {
    const some = file("some.jsonl", [takeout(3001), takeout(99), takeout(98)]);
    const { code, stdout, stderr } = await bench.inProcess(["prefill", some, "--json"], { env });
    expect({ code, outcomes: byLine(stdout) }).toEqual({
      code: 10,
      outcomes: [done(1), refused(3, 99), refused(5, 98)],
    });
    const [counts, error = ""] = stderr.trim().split("\n");
    expect(counts).toBe("1 done, 2 refused");
    expect(parseJson(error)).toMatchObject({ error: { exit_code: 10, code: "some_failed" } });
  });

  test("with a fault anywhere sends nothing at all", async () => {
    const wrong = file("wrong.jsonl", [
      takeout(3001),
      { order_type: "x" },
      { order_type: "takeout", cart: [{ item_id: "x" }] },
    ]);
    const { code, stdout, stderr } = await bench.inProcess(["prefill", wrong, "--json"], { env });
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(parseJson(stderr)).toMatchObject({
      error: {
        message: `There are 2 faults in ${wrong}; nothing was sent.`,
        hint: expect.stringMatching(/wrong\.jsonl:3:2: .*\n.*wrong\.jsonl:5:34: .*\n/) as string,
      },
    });
    expect(bench.requests()).toEqual([]);
  });

  test("shows a person what became of each line, where it is and why not, and no column that says nothing", async () => {
    const { faults } = bench.emulator.service;
    const two = file("two.jsonl", [takeout(3001), takeout(3001)]);
    const made = await bench.inProcess(["prefill", two], { env });
    expect(made.stdout).toMatch(/^LINE +OUTCOME +ORDER PAGE\n +1 +done +http\S+\n +\d +done +http\S+\n$/);
    faults.set([{ status: 422, path: "/prefilled_order", times: 2 }]);
    const pt = { ...env, COMANDA_LANG: "pt-BR" };
    const refused = await bench.inProcess(["prefill", two], { env: pt });
    faults.set([]);
    expect(refused.stdout).toMatch(/^LINHA +RESULTADO +POR QUÊ\n  +1 +falhou +\S/);
    const { stdout } = await bench.inProcess(["prefill", two, "--format", "csv"], { env: pt });
    expect(stdout).toMatch(/^line,outcome,id,order_url,checkout_url,code,message\r\n1,done,/);
  });

  test("of the same order twelve times is in history with the outcomes that it told", async () => {
    const { faults } = bench.emulator.service;
    faults.set([{ status: 503, path: "/prefilled_order", times: 3, when: "after" }]);
    const twelve = file("twelve.jsonl", Array<object>(12).fill(takeout(3001)));
    const { code, stdout } = await bench.inProcess(["prefill", twelve, "--json"], { env });
    faults.set([]);
    const outcomes = (text: string) =>
      parseJsonLines(text).map((row) =>
        typeof row === "object" && row !== null && "outcome" in row ? row.outcome : undefined,
      );
    const told = outcomes(stdout).sort();
    expect([code, told]).toEqual([
      10,
      [...Array<string>(9).fill("done"), ...Array<string>(3).fill("unknown")],
    ]);
    const history = outcomes((await bench.inProcess("history --json")).stdout);
    expect(history.slice(0, 12).sort()).toEqual(told);
    const unknown = await bench.inProcess("history --outcome unknown --json");
    expect(outcomes(unknown.stdout)).toHaveLength(3);
  });
});
