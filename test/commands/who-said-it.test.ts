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
    expect(await historyOf("7")).toMatchObject([
      { outcome: "unknown", code: "outcome_unknown", service_code: 4002, evidence: "api" },
    ]);
  });
});

describe("a list of orders", () => {
  /** Each order has its own answer; 204 where it has none. */
  const byOrder = (answers: Readonly<Record<string, StubAnswer | "reset">>): Behaviour => {
    const of = (target: string) => answers[/orders\/(\d+)\//.exec(target)?.[1] ?? ""] ?? { status: 204 };
    return (response) => {
      const answer = of(response.req.url ?? "");
      if (answer === "reset") response.destroy();
      else response.writeHead(answer.status, answer.headers).end(answer.body);
    };
  };
  const rowOf = (stdout: string, order: string) => rowsOf(stdout).find((row) => row["order_id"] === order);
  const targets = () => stub.requests.map(({ target }) => target);

  test.each([
    ["the API refused with 4041", ofTheApi(404, 4041)],
    ["the API refused with 4002", ofTheApi(409, 4002)],
  ] as const)("sends an order again that %s, which certainly wasn't changed", async (_, answer) => {
    stub.behave(byOrder({ 2: answer }));
    await run("orders dispatch 1 2 --json");
    stub.behave({ status: 204 });
    const resumed = await run("orders dispatch 1 2 --json --resume");
    expect([resumed.code, targets()]).toEqual([0, ["/api/partner/v1/orders/2/dispatch"]]);
  });

  test.each([
    ["a gateway answered with 404", page(404), "unknown", "gateway"],
    ["a body of its own answered", { status: 200, body: '{"error":"locked"}' }, "unknown", "gateway"],
    ["a redirect answered", { status: 302, headers: { location: "/" } }, "unknown", "gateway"],
    ["nobody answered", "reset", "unknown", "nobody"],
  ] as const)("doesn't send an order again that %s", async (_, answer, outcome, evidence) => {
    stub.behave(byOrder({ 2: answer, 3: page(421) }));
    await run("orders dispatch 1 2 3 --json");
    stub.behave({ status: 204 });
    const resumed = await run("orders dispatch 1 2 3 --json --resume");
    expect(targets()).toEqual(["/api/partner/v1/orders/3/dispatch"]);
    expect(rowOf(resumed.stdout, "2")).toMatchObject({ outcome, evidence, resumed: true });
    expect(await historyOf("2")).toMatchObject([{ outcome, evidence }]);
  });
});
