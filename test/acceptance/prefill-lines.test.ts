/** `comanda prefill` for many orders: JSON Lines in, one outcome a line out. */
import { writeFileSync } from "node:fs";
import path from "node:path";

import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";

import { Bench } from "../support/bench.js";
import { parseJson, parseJsonLines } from "../support/json.js";
import { startStub, type StubService } from "../support/stub-service.js";

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
  writeFileSync(path.join(bench.machine.folder, name), text);
  return name;
};
const takeout = (item: number) => ({ order_type: "takeout", cart: [{ item_id: item }] });
const done = (line: number) => ({
  ...{ line, outcome: "done", http_status: 201, code: null, message: null, details: null, attempts: 1 },
  id: expect.stringMatching(/^[0-9a-f]{18}$/) as string,
  order_url: expect.stringMatching(/^http:.*\/menu\/501\/prefilled\/[0-9a-f]{18}$/) as string,
  checkout_url: expect.stringMatching(/\/checkout$/) as string,
});
const refused = (line: number, item: number) => ({
  ...{ line, outcome: "refused", id: null, order_url: null, checkout_url: null },
  ...{ http_status: 400, code: 4000, message: "Invalid parameters", attempts: 1 },
  details: `cart.0.item_id: there is no item ${item} in the catalog`,
});
const byLine = (text: string) => parseJsonLines(text).sort((one, other) => lineOf(one) - lineOf(other));
const lineOf = (value: unknown) =>
  typeof value === "object" && value !== null && "line" in value ? Number(value.line) : Number.NaN;

describe("a file of JSON Lines", () => {
  it.each(["many.jsonl", "many.ndjson", "MANY.JSONL"])("makes many: %s", async (name) => {
    const many = file(name, [takeout(3001), takeout(3002), { order_type: "delivery" }]);
    const { code, stdout, stderr } = await bench.comanda(["prefill", many, "--json"], { env });
    expect({ code, stderr }).toEqual({ code: 0, stderr: "3 done\n" });
    // Blank lines stand between them.
    expect(byLine(stdout)).toEqual([done(1), done(3), done(5)]);
    expect(bench.requests()).toHaveLength(3);
  });

  it("takes stdin and any name with --lines, and flags for every line", async () => {
    const input = '{"cart":[{"item_id":3001}]}\r\n{"order_type":"delivery"}\r\n';
    const { code, stdout } = await bench.comanda("prefill - --lines --order-type takeout --json", {
      ...{ env, input },
    });
    expect({ code, outcomes: byLine(stdout) }).toEqual({ code: 0, outcomes: [done(1), done(2)] });
    const orders = bench.emulator.world.prefilledOrders.all().slice(-2);
    expect(orders.map(({ body }) => body.order_type)).toEqual(["takeout", "takeout"]);
  });

  it("exits with 10 where some are refused, and tells which", async () => {
    const some = file("some.jsonl", [takeout(3001), takeout(99), takeout(98)]);
    const { code, stdout, stderr } = await bench.comanda(["prefill", some, "--json"], { env });
    expect({ code, outcomes: byLine(stdout) }).toEqual({
      ...{ code: 10, outcomes: [done(1), refused(3, 99), refused(5, 98)] },
    });
    const [counts, error = ""] = stderr.trim().split("\n");
    expect(counts).toBe("1 done, 2 refused");
    expect(parseJson(error)).toMatchObject({ error: { exit_code: 10, code: "some_failed" } });
  });

  it("is a table in the order of the file", async () => {
    const some = file("table.jsonl", [takeout(3001), takeout(99), takeout(3002)]);
    const { code, stdout } = await bench.comanda(["prefill", some], { env });
    expect(code).toBe(10);
    expect(stdout.split("\n").map((line) => line.trim().split(/ +/).slice(0, 2))).toEqual([
      ["LINE", "OUTCOME"],
      ...[["1", "done"], ["3", "refused"], ["5", "done"], [""]],
    ]);
    const csv = await bench.comanda(["prefill", some, "--format", "csv"], { env });
    expect(csv.stdout).toMatch(/^line,outcome,id,order_url,checkout_url,code,message\r\n1,done,/);
  });

  it("with a fault anywhere sends nothing at all", async () => {
    const wrong = file("wrong.jsonl", [
      takeout(3001),
      { order_type: "x" },
      { order_type: "takeout", cart: [{ item_id: "x" }] },
    ]);
    const { code, stdout, stderr } = await bench.comanda(["prefill", wrong, "--json"], { env });
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(parseJson(stderr)).toMatchObject({
      error: {
        message: "There are 2 faults in wrong.jsonl; nothing was sent.",
        hint: expect.stringMatching(/^wrong\.jsonl:3:2: .*\nwrong\.jsonl:5:34: .*\n/) as string,
      },
    });
    expect(bench.requests()).toEqual([]);
  });

  it("without the key says so once, exit 3", async () => {
    const many = file("key.jsonl", [takeout(3001), takeout(3002)]);
    const { code, stdout, stderr } = await bench.comanda(["prefill", many, "--json"], {
      env: { COMANDA_BASE_URL: bench.emulator.baseUrl, COMANDA_ACCESS_TOKEN: "token" },
    });
    expect({ code, stdout }).toEqual({ code: 3, stdout: "" });
    expect(parseJson(stderr)).toMatchObject({ error: { code: "not_signed_in" } });
  });

  it("by --dry-run shows each request", async () => {
    const many = file("dry.jsonl", [takeout(3001), takeout(3002)]);
    const { code, stdout } = await bench.comanda(["prefill", many, "--dry-run", "--json"], { env });
    expect({ code, shown: parseJsonLines(stdout) }).toMatchObject({
      ...{
        code: 0,
        shown: [{ body: JSON.stringify(takeout(3001)) }, { body: JSON.stringify(takeout(3002)) }],
      },
    });
    expect(bench.requests()).toEqual([]);
  });
});

describe("a service that fails", () => {
  let stub: StubService;
  beforeAll(async () => {
    stub = await startStub();
  });
  afterAll(() => stub.close());
  const run = (lines: readonly object[]) =>
    bench.comanda(["prefill", file("fails.jsonl", lines), "--json"], {
      env: { COMANDA_BASE_URL: stub.url, COMANDA_API_KEY: "key_planted" },
    });

  it("leaves outcomes unknown, and none is sent twice", async () => {
    stub.behave((response) => response.destroy());
    const lines = Array.from({ length: 20 }, (_, index) => takeout(index + 1));
    const { code, stdout } = await run(lines);
    expect(code).toBe(10);
    expect(byLine(stdout)).toEqual(
      lines.map((_, index) => ({
        ...{ line: 2 * index + 1, outcome: "unknown", id: null, order_url: null, checkout_url: null },
        ...{ http_status: null, code: "outcome_unknown", details: null, attempts: 1 },
        message: expect.stringContaining("not known") as string,
      })),
    );
    expect(stub.requests.map(({ body }) => body).sort()).toEqual(
      lines.map((line) => JSON.stringify(line)).sort(),
    );
  });

  it("ends the run where the key is refused: the rest is skipped", async () => {
    stub.behave({
      status: 401,
      headers: { "content-type": "application/json" },
      body: '{"code":4010,"message":"no"}',
    });
    const { code, stdout, stderr } = await run(Array.from({ length: 30 }, () => takeout(1)));
    const outcomes = byLine(stdout);
    expect(code).toBe(10);
    expect(outcomes).toHaveLength(30);
    expect(outcomes.at(-1)).toMatchObject({ outcome: "skipped", code: "token_refused", attempts: 0 });
    expect(stub.requests.length).toBeLessThan(30);
    expect(stderr).toContain("COMANDA_API_KEY");
  });
});
