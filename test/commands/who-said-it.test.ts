/** Only the API's own word says what became of an order: a gateway's page doesn't, and after a doubt not even code 4002. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";

import { Desk } from "../support/desk.js";
import { parseJson, parseJsonLines } from "../support/json.js";
import { startStub, type Behaviour, type StubAnswer, type StubService } from "../support/stub-service.js";

let stub: StubService;
beforeAll(async () => {
  stub = await startStub();
});
afterAll(() => stub.close());
let desk: Desk;
beforeEach(() => {
  desk = new Desk();
});
afterEach(() => desk.remove());

const run = (line: string) => {
  const env = { COMANDA_BASE_URL: stub.url, COMANDA_ACCESS_TOKEN: "at_1", COMANDA_RATE_LIMITS: "off" };
  return desk.run(line, { env });
};
/** One after the other; the last one for all further requests. */
const inTurn = (...answers: readonly (StubAnswer | "reset")[]): Behaviour => {
  let place = 0;
  return (response) => {
    const answer = answers[Math.min(place, answers.length - 1)] ?? "reset";
    place += 1;
    if (answer === "reset") response.destroy();
    else response.writeHead(answer.status, answer.headers).end(answer.body);
  };
};
const page = (status: number): StubAnswer => ({
  status,
  headers: { "content-type": "text/html" },
  body: "<html><h1>No</h1></html>",
});
const ofTheApi = (status: number, code: number): StubAnswer => ({
  status,
  body: JSON.stringify({ code, message: "No" }),
});
const historyOf = async (order: string) =>
  parseJsonLines((await run(`history --order ${order} --json`)).stdout);
/** Behind what the call waited for. */
const errorOf = (stderr: string) => parseJson(stderr.trimEnd().split("\n").at(-1) ?? "");
const rowsOf = (stdout: string) =>
  parseJsonLines(stdout).map((row) => row as Readonly<Record<string, unknown>>);

describe("a driver's assignment whose first request was read and cut off", () => {
  test.each([
    [403, null, "nobody"],
    [421, null, "nobody"],
    [404, 404, "gateway"],
    [408, 408, "gateway"],
    [418, 418, "gateway"],
  ] as const)("and then answered by a gateway's %i is unknown", async (status, told, evidence) => {
    stub.behave(inTurn("reset", page(status)));
    const { code, stderr } = await run("driver assign 7 11 --json");
    expect([code, stub.requests.length]).toEqual([9, 2]);
    expect(errorOf(stderr)).toMatchObject({
      error: { code: "outcome_unknown", http_status: told, evidence },
    });
    expect(await historyOf("7")).toMatchObject([{ outcome: "unknown", evidence, attempts: 2 }]);
  });

  test.each([
    [404, 4041, 5],
    [400, 4000, 2],
  ])("and then answered by the API's own %i is not done", async (status, apiCode, exit) => {
    stub.behave(inTurn("reset", ofTheApi(status, apiCode)));
    const { code, stderr } = await run("driver assign 7 11 --json");
    expect(code).toBe(exit);
    expect(errorOf(stderr)).toMatchObject({ error: { service_code: apiCode, evidence: "api" } });
    expect(await historyOf("7")).toMatchObject([{ outcome: "refused", code: apiCode, evidence: "api" }]);
  });

  test("and then refused with 4002 was done before, or refused", async () => {
    stub.behave(inTurn("reset", ofTheApi(409, 4002)));
    const { code, stderr } = await run("driver assign 7 11 --json");
    expect(code).toBe(9);
    expect(errorOf(stderr)).toMatchObject({
      error: {
        code: "outcome_unknown",
        service_code: 4002,
        evidence: "api",
        message: expect.stringContaining("done before, or refused") as string,
      },
    });
    expect(await historyOf("7")).toMatchObject([{ outcome: "unknown", code: 4002, evidence: "api" }]);
  });
});

test("what isn't there is asked for once, though a question could be repeated", async () => {
  stub.behave(page(501));
  expect((await run("api GET /x")).code).toBe(8);
  expect((await run("driver assign 7 11")).code).toBe(9);
  expect(stub.requests).toHaveLength(2);
});

test.each([
  ["POST", 9],
  ["GET", 0],
])("a page in answer to a call that somebody made up is printed: %s, exit %i", async (method, exit) => {
  stub.behave(page(200));
  const { code, stdout } = await run(`api ${method} /x`);
  expect([code, stdout, stub.requests.length]).toEqual([exit, "<html><h1>No</h1></html>", 1]);
});

describe("a question that a gateway answers with 404", () => {
  const period = "--from 2026-11-01 --to 2026-11-02 --tz UTC";

  test.each(["summary", "grouped --by day"])("%s: speaks of no order id", async (line) => {
    stub.behave(page(404));
    const { code, stderr } = await run(`${line} ${period}`);
    expect(code).toBe(5);
    expect(stderr).toContain("The answer is not one of the API's (HTTP 404)".slice(4));
    expect(stderr).not.toMatch(/no such order|order id/);
  });
});

describe("a run of several orders", () => {
  const orders = (stdout: string) => rowsOf(stdout).map((row) => row["order_id"]);

  test.each([page(407), page(421), page(425), ofTheApi(425, 4999), page(403)])(
    "sends an order again that was answered with $status, which says nothing of it",
    async (answer) => {
      stub.behave(inTurn({ status: 204 }, answer));
      const first = await run("orders dispatch 1 2 --json --concurrency 1");
      expect(rowsOf(first.stdout)).toMatchObject([
        { order_id: "1", outcome: "done", evidence: "api" },
        { order_id: "2", http_status: answer.status },
      ]);
      stub.behave({ status: 204 });
      const resumed = await run("orders dispatch 1 2 --json --resume");
      expect([resumed.code, stub.requests.map(({ target }) => target)]).toEqual([
        0,
        ["/api/partner/v1/orders/2/dispatch"],
      ]);
    },
  );

  test.each([
    ["4041", ofTheApi(404, 4041)],
    ["4002", ofTheApi(409, 4002)],
  ])("doesn't send an order again that the API refused with %s", async (_, answer) => {
    stub.behave(inTurn({ status: 204 }, answer, page(421)));
    await run("orders dispatch 1 2 3 --json --concurrency 1");
    stub.behave({ status: 204 });
    const resumed = await run("orders dispatch 1 2 3 --json --resume");
    expect(stub.requests.map(({ target }) => target)).toEqual(["/api/partner/v1/orders/3/dispatch"]);
    expect(rowsOf(resumed.stdout)).toContainEqual(
      expect.objectContaining({ order_id: "2", outcome: "refused", evidence: "api", resumed: true }),
    );
  });

  const unknownFirst = async () => {
    stub.behave(inTurn({ status: 204 }, "reset"));
    const { code, stdout } = await run("orders deliver 1 2 --json --concurrency 1");
    expect(code).toBe(10);
    expect(rowsOf(stdout)[1]).toMatchObject({ outcome: "unknown", evidence: "nobody" });
  };

  test("of which an unknown order is refused with 4002 when it is sent again has come to its end", async () => {
    await unknownFirst();
    stub.behave(ofTheApi(409, 4002));
    const { code, stdout, stderr } = await run("orders deliver 1 2 --json --resume --retry-unknown");
    expect(code).toBe(10);
    expect(rowsOf(stdout)[1]).toMatchObject({
      order_id: "2",
      outcome: "unknown",
      code: 4002,
      http_status: 409,
      evidence: "api",
      message: expect.stringContaining("done before, or refused") as string,
      details: "No",
    });
    expect(stderr).not.toMatch(/Refused orders|To go on with the run/);
    expect(await historyOf("2")).toMatchObject([
      { outcome: "unknown", code: 4002, evidence: "api" },
      { outcome: "unknown", code: "outcome_unknown", evidence: "nobody" },
    ]);
    const third = await run("orders deliver 1 2 --json --resume --retry-unknown");
    expect([third.code, stub.requests.length]).toEqual([2, 1]);
    expect(third.error?.message).toContain("has come to its end");
  });

  test("tells an order that was done before, or refused, once more as just that", async () => {
    stub.behave(inTurn("reset", page(421)));
    await run("orders deliver 1 2 --json --concurrency 1");
    stub.behave(inTurn(ofTheApi(409, 4002), page(421)));
    await run("orders deliver 1 2 --json --concurrency 1 --resume --retry-unknown");
    stub.behave(page(421));
    const third = await run("orders deliver 1 2 --json --concurrency 1 --resume --retry-unknown");
    expect(orders(third.stdout)).toEqual(["1", "2"]);
    expect(rowsOf(third.stdout)[0]).toMatchObject({
      outcome: "unknown",
      code: 4002,
      evidence: "api",
      message: expect.stringContaining("done before, or refused") as string,
      resumed: true,
    });
    expect(stub.requests.map(({ target }) => target)).toEqual(["/api/partner/v1/orders/2/delivered"]);
  });

  test.each([
    ["a gateway's 421", page(421)],
    ["a missing scope", ofTheApi(403, 4030)],
    ["a refused token", page(401)],
    ["a rate limit", { status: 429, headers: { "retry-after": "3600" } }],
  ])("leaves an unknown order unknown that is answered with %s when it is sent again", async (_, answer) => {
    await unknownFirst();
    stub.behave(answer);
    const line = "orders deliver 1 2 --json --resume --retry-unknown --max-wait 0";
    const { stdout, stderr } = await run(line);
    expect(rowsOf(stdout)[1]).toMatchObject({
      ...{
        order_id: "2",
        outcome: "unknown",
        code: "outcome_unknown",
        http_status: null,
        evidence: "nobody",
      },
    });
    expect(stderr).not.toContain("Refused orders are as they were");
    expect(await historyOf("2")).toMatchObject([{ outcome: "unknown" }, { outcome: "unknown" }]);
    // It can be looked at once more.
    stub.behave({ status: 204 });
    const again = await run("orders deliver 1 2 --json --resume --retry-unknown");
    expect(rowsOf(again.stdout)[1]).toMatchObject({ order_id: "2", outcome: "done", evidence: "api" });
  });

  test("leaves an unknown order unknown that can't be sent again", async () => {
    await unknownFirst();
    const env = { COMANDA_BASE_URL: stub.url, COMANDA_RATE_LIMITS: "off" };
    const ended = AbortSignal.abort(new Error("enough"));
    const line = "orders deliver 1 2 --json --resume --retry-unknown";
    const { stdout } = await desk.run(line, { env: { ...env, COMANDA_ACCESS_TOKEN: "at_1" }, signal: ended });
    expect(rowsOf(stdout)[1]).toMatchObject({ order_id: "2", outcome: "unknown", resumed: true });
  });
});
