/** A signal while status changes are out: what became of each is told, and the exit code is the signal's. */
import { afterEach, beforeEach, expect, test } from "vitest";

import { ComandaError } from "../../../src/client/errors.js";
import { Desk, type Ran } from "../../support/desk.js";
import { parseJson, parseJsonLines } from "../../support/json.js";
import { startStub, type StubAnswer, type StubService } from "../../support/stub-service.js";

let desk: Desk;
let stub: StubService;
beforeEach(async () => {
  desk = new Desk();
  stub = await startStub();
});
afterEach(async () => {
  await stub.close();
  desk.remove();
});

const interrupted = new ComandaError("interrupted", "Interrupted.");
const terminated = new ComandaError("terminated", "Terminated.");
const refusal = { status: 409, body: '{"code":4002,"message":"Order status cannot be changed"}' };

/**
 * The signal comes when the first request has arrived.
 *
 * @param answer none: the time for answers is over at once
 */
async function stopped(line: string, reason: ComandaError, answer?: StubAnswer): Promise<Ran> {
  const [stop, giveUp] = [new AbortController(), new AbortController()];
  stub.behave((response) => {
    stop.abort(reason);
    if (answer) response.writeHead(answer.status).end(answer.body);
    else giveUp.abort(reason);
  });
  const env = { COMANDA_BASE_URL: stub.url, COMANDA_ACCESS_TOKEN: "at_stop" };
  return desk.run(line, { env, signal: stop.signal, grace: giveUp.signal });
}

const lastLine = (text: string) => parseJson(text.trimEnd().split("\n").at(-1) ?? "");

test.each([
  ["interrupted", interrupted, 130],
  ["terminated", terminated, 143],
] as const)("one order that is done when the program is %s", async (code, reason, exit) => {
  const table = await stopped("orders dispatch 7", reason, { status: 204 });
  expect(table).toMatchObject({ code: exit, stdout: "Order 7 dispatched.\n" });
  const json = await stopped("orders dispatch 7 --json", reason, { status: 204 });
  expect(json.code).toBe(exit);
  expect(parseJson(json.stdout)).toMatchObject({ order_id: "7", outcome: "done" });
  expect(lastLine(json.stderr)).toMatchObject({ error: { exit_code: exit, code } });
});

test("one order that is refused when the program is interrupted", async () => {
  const table = await stopped("orders dispatch 7", interrupted, refusal);
  expect(table).toMatchObject({ code: 130, stdout: "" });
  expect(table.stderr).toMatch(/^warning: Order 7 at \S+: the order's status can't be changed/m);
  const json = await stopped("orders dispatch 7 --json", interrupted, refusal);
  expect(json.code).toBe(130);
  expect(parseJson(json.stdout)).toMatchObject({
    order_id: "7",
    outcome: "refused",
    code: "status_conflict",
    service_code: 4002,
  });
  expect(lastLine(json.stderr)).toMatchObject({ error: { exit_code: 130, code: "interrupted" } });
});

test("one order of which nothing is known keeps its own exit code", async () => {
  const { code, stdout, stderr } = await stopped("orders dispatch 7 --json", interrupted);
  expect(code).toBe(9);
  expect(parseJson(stdout)).toMatchObject({ order_id: "7", outcome: "unknown" });
  expect(lastLine(stderr)).toMatchObject({ error: { exit_code: 9, code: "outcome_unknown" } });
});

test.each([
  ["are done", { status: 204 }, "done"],
  ["are refused", refusal, "refused"],
  ["are unknown", undefined, "unknown"],
])("several orders that %s end with the signal, the others skipped", async (_, answer, outcome) => {
  const orders = Array.from({ length: 18 }, (_each, index) => String(index + 1));
  const line = `orders dispatch ${orders.join(" ")} --json`;
  const { code, stdout, stderr } = await stopped(line, terminated, answer);
  expect(code).toBe(143);
  const rows = parseJsonLines(stdout).map((row) => row as Readonly<Record<string, unknown>>);
  expect(rows).toHaveLength(18);
  // Some of those that were begun had not gone out yet.
  expect(rows.map((row) => row["outcome"])).toEqual(expect.arrayContaining([outcome, "skipped"]));
  for (const row of rows) expect([outcome, "failed", "skipped"]).toContain(row["outcome"]);
  expect(rows.filter((row) => row["code"] === "terminated").length).toBeGreaterThanOrEqual(2);
  expect(lastLine(stderr)).toMatchObject({ error: { exit_code: 143, code: "terminated" } });
  expect(stub.requests.length).toBeLessThanOrEqual(16);
});
